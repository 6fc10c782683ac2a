"""slime and miles: `--custom-rm-path my_module.rm` with `rm = SlimeReward("math").rm`, also with `--group-rm`.

`answer` is what a server gives to `--rm-url` (`remote_rm`). A fault of ours raises and stops the rollout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifleet.rewards._bodies import object_in, text_in
from verifleet.rewards._reward import Reward, Row


class SlimeReward(Reward):
    """An `async rm(args, sample)`: a sample has prompt, response, label and metadata."""

    default_column = "label"

    async def rm(self, args: Any, sample: Any, **_: Any) -> Any:
        """The reward of a sample, or of a list of samples the list of rewards."""
        if not isinstance(sample, list):
            return (await self.aone(self._row(sample))).value
        return [one.value for one in await self.aevery([self._row(one) for one in sample])]

    def answer(self, body: Mapping[str, Any]) -> float:
        """The answer to `{prompt, response, label}`."""
        return self.one(_row_of(body)).value

    async def aanswer(self, body: Mapping[str, Any]) -> float:
        """As `answer`, without blocking the loop."""
        return (await self.aone(_row_of(body))).value

    def _row(self, sample: Any) -> Row:
        metadata = getattr(sample, "metadata", None) or {}
        value = sample.label if self.column == "label" else metadata.get(self.column)
        return Row(sample.prompt, sample.response, value, metadata.get(self.source), getattr(sample, "index", None))


def _row_of(body: Mapping[str, Any]) -> Row:
    response = text_in(object_in(body), "response")
    return Row(body.get("prompt"), response, body.get("label"))
