"""How a response reads around its answer, as weights of a logistic model: the second step of `tools.train_weighing`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

LEAST_RESPONSES, LEAST_SEEN, KEPT = 16, 4, 4000
"""Responses that a word stands in to be told as it is, cases that have a sign, and signs that are kept."""
STRENGTH = 0.06
"""The inverse of what the square of a weight costs."""


def words_of(texts: Iterable[Iterable[str]]) -> list[str]:
    """The words that are common enough to be told as they are."""
    counts = Counter(word for text in texts for word in set(text))
    return sorted(word for word, count in counts.items() if count >= LEAST_RESPONSES and word.isalpha())


class Pattern:
    """A logistic model of signs, the most telling of which are kept.

    Args:
        told: the signs of each case, by name.
        right: whether the response is right.
        counts: how much each case counts.
    """

    def __init__(self, told: Sequence[Mapping[str, float]], right: Any, counts: Any) -> None:
        self._names = DictVectorizer()
        x = self._names.fit_transform(told)
        seen = np.asarray((x != 0).sum(axis=0)).ravel()
        often = np.flatnonzero(seen >= LEAST_SEEN)
        first = self._fitted(x[:, often], right, counts, STRENGTH / 2)
        telling = np.abs(first.coef_[0]) * np.sqrt(seen[often])
        self._columns = often[np.argsort(-telling)[:KEPT]]
        self._model = self._fitted(x[:, self._columns], right, counts, STRENGTH)

    @staticmethod
    def _fitted(x: Any, right: Any, counts: Any, strength: float) -> Any:
        model = LogisticRegression(C=strength, max_iter=300, solver="liblinear")
        return model.fit(x, right, sample_weight=counts)

    def likelihood(self, told: Sequence[Mapping[str, float]]) -> Any:
        """How likely each case is right."""
        return self._model.predict_proba(self._names.transform(told)[:, self._columns])[:, 1]

    def weights(self) -> dict[str, float]:
        """The weights by name; that of "" counts always."""
        names = self._names.get_feature_names_out()
        found = {str(names[at]): round(float(w), 3) for at, w in zip(self._columns, self._model.coef_[0], strict=True)}
        return {"": round(float(self._model.intercept_[0]), 3)} | {n: w for n, w in sorted(found.items()) if w}
