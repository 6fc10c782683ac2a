"""OpenRLHF's executor of single turns loads a file with a reward and calls it, and asks a URL."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.trainers.bare import bare_module
from tests.trainers.judges import Sometimes
from verifleet.errors import StopTrainingError
from verifleet.rewards import _reward
from verifleet.rewards.openrlhf import OpenRLHFReward

agent = bare_module("openrlhf.utils.agent")
web = pytest.importorskip("aiohttp.web")

FILE = """
from tests.trainers.judges import Sometimes
from verifleet.rewards.openrlhf import OpenRLHFReward

reward_func = OpenRLHFReward({judge})
"""


@pytest.fixture(autouse=True)
def asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reward, "FIRST_WAITS_S", (0.0,))


class Letters:
    """A token is the number of a character."""

    def __call__(self, text: str, **_: Any) -> Any:
        ids = SimpleNamespace(tolist=lambda: [ord(one) for one in text])
        return {"input_ids": [ids]}

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        return "".join(map(chr, ids))


class Engine:
    """Generates what it was made with."""

    def __init__(self, text: str) -> None:
        self.text = text

    async def generate(self, *_: Any, **__: Any) -> Any:
        said = SimpleNamespace(token_ids=[ord(one) for one in self.text], finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])


async def executed(executor: Any, said: str, label: Any = "4") -> dict[str, Any]:
    sampling = SimpleNamespace(max_tokens=50, logprobs=None)
    done: dict[str, Any] = await executor.execute("2+2?", label, sampling, 100, Letters(), Engine(said))
    return done


def of_file(folder: Path, judge: str) -> Any:
    path = folder / "my_reward.py"
    path.write_text(FILE.format(judge=judge))
    return agent.SingleTurnAgentExecutor(str(path))


def test_a_file_is_loaded_and_its_reward_called_with_a_row(tmp_path: Path) -> None:
    executor = of_file(tmp_path, '"math"')
    right, wrong = (asyncio.run(executed(executor, said)) for said in (" \\boxed{4}<|im_end|>", "5"))
    assert (right["reward"], right["scores"], wrong["reward"]) == ([1.0], [1.0], [0.0])
    assert right["extra_logs"] == {"malformed": [0.0], "fault": [0.0]}


def test_a_fault_is_the_mean_of_late_and_what_never_was_judged_is_not_swallowed(tmp_path: Path) -> None:
    executor = of_file(tmp_path, "Sometimes()")
    with pytest.raises(StopTrainingError, match="from the start on: no worker"):
        asyncio.run(executed(executor, "?"))
    with pytest.raises(StopTrainingError, match="column 'labels', row 0: holds no reference"):
        asyncio.run(executed(executor, "4", None))
    assert asyncio.run(executed(executor, "4"))["reward"] == [1.0]
    faulty = asyncio.run(executed(executor, "?"))
    assert (faulty["reward"], faulty["extra_logs"]["fault"]) == ([1.0], [1.0])


def test_a_url_is_asked(tmp_path: Path) -> None:
    reward = OpenRLHFReward(Sometimes())

    async def answer(request: Any) -> Any:
        return web.json_response(await reward.aanswer(await request.json()))

    async def asked() -> dict[str, Any]:
        app = web.Application()
        app.router.add_post("/get_reward", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        try:
            return await executed(agent.SingleTurnAgentExecutor(f"http://127.0.0.1:{port}/get_reward"), "4")
        finally:
            await runner.cleanup()

    assert asyncio.run(asked())["reward"] == [1.0]
