"""`make docs`: the pages of docs/, the papers of the root and the API of the docstrings as a site in build/site.

Any link or anchor that leads nowhere fails it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

from tools.toolbox import ROOT

PAGES = ROOT / "build" / "pages"
PAPERS = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
# What others may build on; docs/compatibility.md says how long it stays as it is.
MODULES = (
    *("verification", "wire_names", "envelopes", "errors", "client", "references", "ray", "readers", "sandbox"),
    "rewards",
    *(f"rewards.{trainer}" for trainer in ("trl", "verl", "openrlhf", "swift", "verifiers", "skyrl", "areal", "slime")),
    *("rewards.open_instruct", "rewards.nemo_gym", "rewards.reasoning_gym", "rewards.second_opinion"),
)
_LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)\s]+)")


def main() -> int:
    """Gather the pages and build the site."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES)
    for paper, page in PAPERS.items():
        (PAGES / page).write_text(_LINK.sub(_from_the_root, (ROOT / paper).read_text("utf-8")), "utf-8")
    for file in PAGES.rglob("*.md"):
        text = file.read_text("utf-8")
        for paper, page in PAPERS.items():
            text = text.replace(f"](../{paper}", f"]({page}").replace(f"](../../{paper}", f"](../{page}")
        file.write_text(text, "utf-8")
    (PAGES / "api").mkdir()
    for module in MODULES:
        (PAGES / "api" / f"{module}.md").write_text(f"# {module}\n\n::: verifleet.{module}\n", "utf-8")
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-q"], cwd=ROOT, check=False).returncode


def _from_the_root(link: re.Match[str]) -> str:
    target = link[2].removeprefix("docs/")
    return link[1] + PAPERS.get(target, target)


if __name__ == "__main__":
    sys.exit(main())
