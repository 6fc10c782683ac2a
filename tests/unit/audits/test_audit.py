"""Figures of the audit, by hand and against scikit-learn's definitions."""

import pytest

from verifleet.audits.claims import audit_claims, audit_event_types, audit_yields
from verifleet.errors import ShapeError


def rows(*labels: int) -> list[dict[str, object]]:
    return [{"text": str(index), "label": label} for index, label in enumerate(labels)]


def test_a_perfect_and_a_constant_score() -> None:
    perfect = audit_claims(rows(1, 0, 1), lambda text: 1.0 if text != "1" else 0.0)
    assert (perfect.macro_f1, perfect.auc) == (1.0, 1.0)
    constant = audit_claims(rows(1, 0, 1), lambda text: 0.5)
    assert (constant.macro_f1, constant.auc) == (pytest.approx(0.4), 0.5)


def test_macro_f1_and_auc_by_hand() -> None:
    scores = {"0": 0.9, "1": 0.8, "2": 0.3, "3": 0.1}
    figures = audit_claims(rows(1, 0, 1, 0), scores.__getitem__)
    assert (figures.macro_f1, figures.auc) == (0.5, 0.75)
    assert str(figures) == "macro-F1 0.500, AUC 0.750 (4 rows, 2 positive)"


def test_one_label_only_has_no_auc() -> None:
    assert audit_claims(rows(1, 1), lambda text: 1.0).auc is None


def test_event_types_are_counted_overall_by_type_and_where_named() -> None:
    labelled = [
        {"text": "a", "event_type": "fire", "hazard_named": True},
        {"text": "b", "event_type": "flood", "hazard_named": False},
    ]
    figures = audit_event_types(labelled, lambda text: "fire")
    assert (figures.accuracy, figures.named_accuracy, figures.by_type) == (0.5, 1.0, {"fire": 1.0, "flood": 0.0})


@pytest.mark.parametrize("row", [{"text": 5, "label": 1}, {"text": "x", "label": 2}, {"text": "x"}])
def test_a_wrong_row_is_named(row: dict[str, object]) -> None:
    with pytest.raises(ShapeError, match="row 2"):
        audit_claims([{"text": "x", "label": 1}, row], lambda text: 1.0)
    with pytest.raises(ShapeError, match="no rows"):
        audit_claims([], lambda text: 1.0)


def test_posts_that_yield_a_claim_are_counted_by_what_people_said_of_them() -> None:
    told = [("Magnitude 7.2 quake kills 20 in Bohol, police say", "yes"), ("I hope all is well", "no"), ("lol", "no")]
    posts = [{"text": text, "informative": label} for text, label in told]
    found = audit_yields(posts, lambda event: None)
    assert found.found == {"yes": (1, 1), "no": (0, 2)}
    assert str(found) == "no: 0.0% of 2, yes: 100.0% of 1"
