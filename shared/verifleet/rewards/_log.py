"""What a reward said of each row, as JSONL of bounded size; for `verifleet watch`."""

from __future__ import annotations

import fcntl
import hashlib
import inspect
import json
import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from verifleet.errors import SettingsError
from verifleet.messages import prompt_text, text_of
from verifleet.verification import ACCEPTED_FROM

logger = logging.getLogger("verifleet.rewards")

MAX_BYTES: Final = 256 * 1024 * 1024
MIN_BYTES: Final = 64 * 1024
SHOWN_CHARS: Final = 600
REASON_CHARS: Final = 300


class RewardLog:
    """A file of rows, and the one before it: when it has half of `max_bytes`, it takes the place of that one.

    Several processes may write to it. A fault of the disk is logged as a warning, once, and stops no training.
    """

    def __init__(self, path: str | Path, max_bytes: int = MAX_BYTES) -> None:
        if max_bytes < MIN_BYTES:
            raise SettingsError(f"a log of rewards needs at least {MIN_BYTES} bytes, not {max_bytes}")
        self.path, self.max_bytes = Path(path), max_bytes
        self._calls = 0
        self._warned = False

    @property
    def older(self) -> Path:
        """The file before this one."""
        return self.path.with_name(f"{self.path.stem}.1{self.path.suffix}")

    def write(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        """Add the rows of a call, each as `entry` made it. Never raises."""
        self._calls += 1
        about = {"time": round(time.time(), 3), "name": name, "process": os.getpid(), "call": self._calls}
        text = "".join(json.dumps({**about, **row}) + "\n" for row in rows)
        try:
            self._append(text.encode("ascii"))
        except OSError as error:
            if not self._warned:
                logger.warning("rewards are not logged to %s: %s", self.path, error)
            self._warned = True

    def _append(self, content: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_name(f"{self.path.name}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.path.exists() and self.path.stat().st_size + len(content) > self.max_bytes // 2:
                self.path.replace(self.older)
            with self.path.open("ab", buffering=0) as out:
                out.write(content[: content.rfind(b"\n", 0, self.max_bytes // 2) + 1])


def entry(prompt: Any, response: Any, score: float | None, step: int | None = None, **more: Any) -> dict[str, Any]:
    """A row as it is logged: what it was, shortened, and how it was judged."""
    asked, said = prompt_text(prompt), text_of(response)
    return {
        "step": step,
        "group": _digest(asked),
        "row": _digest(asked, said),
        "score": score,
        **{name: value for name, value in more.items() if value is not None},
        "chars": len(said),
        "prompt": _short(asked),
        "response": _short(said),
    }


def step_of(columns: Any) -> int | None:
    """The training's step, where the trainer hands over its state."""
    step = getattr(columns.get("trainer_state"), "global_step", None)
    return step if isinstance(step, int) else None


def label_of(value: Any) -> float | None:
    """What a row is known to deserve, as its column `expected` says."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and 0 <= value <= 1 else None


class Logged:
    """A reward function of your own for TRL, which logs what it says beside ours: `Logged(my_reward, log)`.

    `verifleet watch` then shows which rows only one of the two accepts.
    """

    def __init__(self, function: Callable[..., Sequence[float | None]], log: RewardLog | str | Path) -> None:
        if inspect.iscoroutinefunction(function):
            raise SettingsError("an asynchronous reward can't be logged this way; wrap the plain function")
        self._function, self._log = function, log if isinstance(log, RewardLog) else RewardLog(log)
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Sequence[float | None]:
        """What the function returns."""
        scores = self._function(prompts=prompts, completions=completions, **columns)
        labels = columns.get("expected") or [None] * len(completions)
        step = step_of(columns)
        rows = [
            entry(prompt, completion, score, step, verdict=_side(score), expected=label_of(label))
            for prompt, completion, score, label in zip(prompts, completions, scores, labels, strict=False)
        ]
        self._log.write(self.__name__, rows)
        return scores


def _side(score: float | None) -> str:
    if score is None:
        return "none"
    return "correct" if score >= 1.0 else "partial" if score >= ACCEPTED_FROM else "incorrect"


def _digest(*texts: str) -> str:
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS // 2]} … {text[-SHOWN_CHARS // 2 :]}"
