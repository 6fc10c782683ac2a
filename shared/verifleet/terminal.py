"""The terminal as the commands write to it: what they are given is shown as it is, whatever it looks like."""

from __future__ import annotations

from functools import partial

from rich.console import Console

plain_console = partial(Console, emoji=False)
"""A console that takes `:x:` for three characters, not for a picture."""
