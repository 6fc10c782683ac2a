"""Pictures of the incident page as it is now, by Chromium: two for the README, others to look at.

verifleet up --port-offset 3000 & verifleet publish --sample --port-offset 3000
python -m tools.desk_pictures http://127.0.0.1:11003 docs/images --only desk desk-why
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

WIDE, NARROW = {"width": 1200, "height": 720}, {"width": 480, "height": 900}


def opened(page: Page, words: str) -> None:
    """The incident whose row has these words."""
    page.locator("#list [role=option]", has_text=words).first.click()
    page.locator("#detail").get_by_role("heading", name="Reports").wait_for()
    page.locator("#detail .land[d]").first.wait_for(state="attached")
    page.wait_for_timeout(300)


def asked_why(page: Page, words: str, of: str) -> None:
    """Why the report of somebody is judged as it is."""
    opened(page, words)
    why = page.locator("#detail").get_by_role("button", name=f"Why? The report of {of}").first
    why.scroll_into_view_if_needed()
    why.click()
    page.get_by_role("dialog").get_by_role("button", name="Mark true").first.wait_for()


def listed(page: Page, _: str) -> None:
    """The list and the map beside it."""
    page.locator("#detail .point").first.wait_for(state="attached")
    page.wait_for_timeout(300)


def pictures(words: str, of: str) -> dict[str, tuple[dict[str, Any], Callable[[Page], None]]]:
    """How each picture is taken: what the tab is, and what is done in it."""
    light: dict[str, Any] = {"viewport": WIDE, "color_scheme": "light"}
    dark: dict[str, Any] = {"viewport": WIDE, "color_scheme": "dark"}
    narrow: dict[str, Any] = {"viewport": NARROW, "color_scheme": "light"}
    return {
        "desk": (light, lambda page: opened(page, words)),
        "desk-why": (dark, lambda page: asked_why(page, words, of)),
        "desk-list": (light, lambda page: listed(page, words)),
        "desk-dark": (dark, lambda page: opened(page, words)),
        "desk-narrow": (narrow, lambda page: page.wait_for_timeout(300)),
        "desk-narrow-open": (narrow, lambda page: opened(page, words)),
    }


def main() -> None:
    """Take the pictures that are asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("url", help="the summarizer agent's")
    options.add_argument("out", type=Path)
    options.add_argument("--session", default="default")
    options.add_argument("--first", default="changed", help="how the list is ordered")
    options.add_argument("--open", default="Calgary", help="words of the row that is opened; README has Rotterdam")
    options.add_argument("--of", default="calgary_rumours", help="whose report is asked about")
    options.add_argument("--only", nargs="*", default=())
    given = options.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (tab, act) in pictures(given.open, given.of).items():
            if given.only and name not in given.only:
                continue
            context = browser.new_context(**tab)
            page = context.new_page()
            page.goto(f"{given.url}/desk?session_id={given.session}")
            page.get_by_text("live", exact=True).wait_for()
            page.locator("#sort").select_option(given.first)
            act(page)
            page.screenshot(path=given.out / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
