"""What open-instruct at commit c28e030 asks of a verifier: it makes one of each direct subclass of a class of its own.

It can't be installed here. A test that needs it has this module stand in for `open_instruct.ground_truth_utils`.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any


class VerifierConfig:
    """Made of the arguments of the training."""

    @classmethod
    def from_args(cls, *sources: Any) -> "VerifierConfig":
        return cls()


class VerifierFunction(ABC):
    """The class that verifiers of open-instruct have as their base."""

    def __init__(self, name: str, weight: float = 1.0, verifier_config: VerifierConfig | None = None) -> None:
        self.name, self.weight, self.verifier_config = name, weight, verifier_config

    @classmethod
    def get_config_class(cls) -> type[VerifierConfig]:
        return VerifierConfig

    @abstractmethod
    def __call__(self, tokenized_prediction: Any, prediction: str, label: Any, query: str | None = None) -> Any: ...


def build_all_verifiers(args: Any, streaming_config: Any = None) -> dict[str, Any]:
    made = (one(one.get_config_class().from_args(args, streaming_config)) for one in VerifierFunction.__subclasses__())
    return {one.name.lower(): one for one in made}


async def apply_verifiable_reward(
    verifiers: Mapping[str, Any], predictions: Sequence[str], labels: Sequence[Any], datasets: Sequence[str]
) -> list[float]:
    """What each prediction is worth, ten times its score and the verifier's weight."""
    asked = [
        (verifiers[dataset.lower()], {"prediction": prediction, "label": label, "query": "2+2?"})
        for prediction, label, dataset in zip(predictions, labels, datasets, strict=True)
    ]
    results = await asyncio.gather(*(one.async_call(tokenized_prediction=[1], **what) for one, what in asked))
    return [10 * result.score * one.weight for result, (one, _) in zip(results, asked, strict=True)]
