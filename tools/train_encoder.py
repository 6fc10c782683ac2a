"""Train the encoder, `shared/verifleet/encoder/data`, and check it on questions that it never saw.

    python -m tools.train_encoder BASE [--start RUN.pt] [--passes 3]

BASE is a folder with model.safetensors, config.json and vocab.txt of sentence-transformers/all-MiniLM-L6-v2
(Apache-2.0). Beside this module, weighing_labels.jsonl has responses in which the expected answer stands, and
explanation_labels.jsonl such as say it in other words; rows are {prompt, response, reference, expected}. One question
of ten is for checking alone. The run is kept in build/encoder.pt, from which a later one may start. Needs torch,
transformers and scikit-learn; a pass takes some 15 minutes on two processors.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn
from transformers import BertModel

from tools.train_weighing import committed, read_rows
from verifleet import encoder
from verifleet.encoder import answers, weights
from verifleet.verifiers.knowledge.guards import hold_back

HERE = Path(__file__).parent
DATA, KEPT = HERE.parent / "shared/verifleet/encoder/data", HERE.parent / "build/encoder.pt"
SEED, BATCH, RATE, WARM_UP, PAGE = 5, 24, 5e-5, 0.06, 960
LABELS = {answers.GIVES: "weighing_labels.jsonl", answers.EXPLAINS: "explanation_labels.jsonl"}
"""What each question to the encoder is learned from."""
PASSES = {answers.GIVES: 0.7, answers.EXPLAINS: 2.0}
"""How often rows are gone through in a pass."""
WEIGHTS = {"pair": 0.5, "made": 0.7}
"""What a row counts by its sort; any other 1."""
APART = 10
"""One question of so many is for checking."""
DENIED = (
    "It is not true: {said}. The opposite is the case.",
    "It is a myth that {lower}.",
    "Many believe this: {said}. That is wrong.",
    "My teacher says that {lower}, but I disagree.",
    "{said}? No, that isn't it.",
    "Some say {lower}; in fact nobody knows.",
    "I first thought: {said}. But it can't be that.",
)
OFFERED = (" Or maybe: ", "\n- ", " Or: ", " It could also be this: ", " Another answer: ")
TAKEN_BACK = (" No, wait, that is wrong. ", " Correction: ", " Hmm, scratch that: ", " On second thought, no. ")
"""What tricks are made of."""
DENSE = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"attended": "attention.output.LayerNorm", "finished": "output.LayerNorm"}


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as pieces, the question put to it, the right answer, what it counts, and whether it is for checking."""

    first: Sequence[int]
    second: Sequence[int]
    question: str
    right: bool
    weight: float
    apart: bool

    @property
    def length(self) -> int:
        """Pieces of both."""
        return len(self.first) + len(self.second)


class Caught:
    """In place of the trained encoder: keeps what it is asked."""

    first: Sequence[int] = ()
    second: Sequence[int] = ()

    def odds(self, _question: str, first: Sequence[int], second: Sequence[int]) -> float:
        """Keep a pair."""
        self.first, self.second = first, second
        return 0.0


def of_places(caught: Caught) -> Iterator[Row]:
    """The labelled responses in which the expected answer stands where no guard holds it back."""
    for row, answer in committed(read_rows(HERE / LABELS[answers.GIVES])):
        kept = hold_back(answer)[0] if answer is not None else []
        if answer is not None and kept:
            reading = answer.reading
            answers.gives(row["prompt"], row["reference"]["answer"], reading.text, reading.offsets(kept))
            yield _row(caught, answers.GIVES, row)


def of_explanations(caught: Caught, shuffle: random.Random) -> Iterator[Row]:
    """The labelled explanations, and what a policy might try that is paid for them."""
    rows = read_rows(HERE / LABELS[answers.EXPLAINS])
    by_prompt: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_prompt.setdefault(row["prompt"], []).append(row)
    for row in [*rows, *tricks(by_prompt, shuffle)]:
        answers.explains(row["prompt"], row["reference"]["answer"], row["response"])
        yield _row(caught, answers.EXPLAINS, row)


def _row(caught: Caught, question: str, row: Mapping[str, Any]) -> Row:
    apart = hashlib.sha256(row["prompt"].encode()).digest()[0] % APART == 0
    weight = WEIGHTS.get(row.get("sort", ""), 1.0)
    return Row(caught.first, caught.second, question, row["expected"] >= 0.5, weight, apart)


def tricks(by_prompt: Mapping[str, list[dict[str, Any]]], shuffle: random.Random) -> Iterator[dict[str, Any]]:
    """Responses made of others: off the question, denied, retracted, several at once, words without a sentence.

    Such as are right are among them, so that no frame tells by itself: the expected answer word for word, one that is
    corrected to the right one.
    """
    rights = {prompt: [row["response"] for row in rows if row["expected"]] for prompt, rows in by_prompt.items()}
    prompts = [*by_prompt]
    for prompt, rows in by_prompt.items():
        wrongs = [row["response"] for row in rows if not row["expected"]]
        expected, other = rows[0]["reference"]["answer"], shuffle.choice(prompts)
        if other == prompt or not wrongs:
            continue
        said, right, wrong = expected.rstrip("."), shuffle.choice(rights[prompt]), shuffle.choice(wrongs)
        lower, mixed = said[:1].lower() + said[1:], shuffle.sample([*wrongs[:2], right], len(wrongs[:2]) + 1)
        words = right.split()
        made = [
            (shuffle.choice(rights[other]), 0),
            (shuffle.choice(rights[other]), 0),
            (by_prompt[other][0]["reference"]["answer"], 0),
            (shuffle.choice(DENIED).format(said=said, lower=lower), 0),
            (shuffle.choice(DENIED).format(said=right.rstrip("."), lower=right.rstrip(".")), 0),
            (shuffle.choice(OFFERED).join(mixed), 0),
            (shuffle.choice(OFFERED).join(wrongs), 0),
            (right + shuffle.choice(TAKEN_BACK) + wrong, 0),
            (wrong + shuffle.choice(TAKEN_BACK) + right, 1),
            (" ".join(shuffle.sample(words, len(words))), 0),
            ("x" + "".join(said.split()) + "ton", 0),
            (" ".join(word for word in prompt.split() if len(word) > len("word")), 0),
            (expected, 1),
            (f"Because {lower}." if not lower.startswith("because") else expected, 1),
        ]
        for response, label in made:
            yield {"prompt": prompt, "response": response, "reference": rows[0]["reference"], "expected": label}


class Model(nn.Module):
    """BERT and a row of weights for each question, which look at the first piece."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(base, add_pooling_layer=False)
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)
        self.questions = nn.Linear(self.bert.config.hidden_size, len(LABELS))

    def forward(self, rows: Sequence[Row]) -> torch.Tensor:
        """The log-odds of each row's question."""
        shape = (len(rows), max(row.length for row in rows))
        ids, sides, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
        for n, row in enumerate(rows):
            ids[n, : row.length] = torch.tensor([*row.first, *row.second])
            sides[n, len(row.first) : row.length] = 1
            mask[n, : row.length] = 1
        seen = self.bert(input_ids=ids, token_type_ids=sides, attention_mask=mask).last_hidden_state[:, 0]
        asked = torch.tensor([[*LABELS].index(row.question) for row in rows])
        return self.questions(seen).gather(1, asked[:, None])[:, 0]


def batches(rows: Sequence[Row], passes: float, shuffle: random.Random) -> list[list[Row]]:
    """Rows as often as those of their question are gone through, those of like length together."""
    plan: list[Row] = []
    for question, times in PASSES.items():
        own = [row for row in rows if row.question == question and not row.apart]
        whole, rest = divmod(passes * times, 1)
        plan += own * int(whole) + shuffle.sample(own, int(rest * len(own)))
    shuffle.shuffle(plan)
    made = []
    for start in range(0, len(plan), PAGE):
        page = sorted(plan[start : start + PAGE], key=lambda row: row.length)
        made += [page[n : n + BATCH] for n in range(0, len(page), BATCH)]
    shuffle.shuffle(made)
    return made


def train(model: Model, plan: Sequence[Sequence[Row]]) -> None:
    """Fit a model to batches, the rate falling to nothing."""
    groups = [
        {"params": [one for one in model.bert.parameters() if one.requires_grad], "lr": RATE},
        {"params": model.questions.parameters(), "lr": 10 * RATE},
    ]
    optimizer, count = torch.optim.AdamW(groups, weight_decay=0.01), len(plan)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM_UP * count), max(0.03, 1 - step / count))
    )
    model.train()
    for step, batch in enumerate(plan):
        right = torch.tensor([float(row.right) for row in batch])
        weight = torch.tensor([row.weight for row in batch])
        loss = nn.functional.binary_cross_entropy_with_logits(model(batch), right, weight)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
        if step % 50 == 0:
            print(f"{step}/{count} loss {loss.item():.3f}", flush=True)


@torch.no_grad()
def check(model: Model, rows: Sequence[Row]) -> None:
    """Print how well rows are told apart that were not learned from: right ones of all from so many log-odds."""
    model.eval()
    for question in LABELS:
        own = sorted((row for row in rows if row.question == question and row.apart), key=lambda row: row.length)
        odds = np.concatenate([model(own[n : n + BATCH]).numpy() for n in range(0, len(own), BATCH)])
        right = np.array([row.right for row in own])
        told = [f"{question}: {right.sum()}/{len(own)}, AUC {roc_auc_score(right, odds):.3f}"]
        told += [f"{least}: {right[odds > least].sum()}/{(odds > least).sum()}" for least in (0, 1, 2, 3)]
        print("  ".join(told))


def in_bytes(matrix: torch.Tensor) -> tuple[Any, Any]:
    """Each row in 8 bits, and what a step of it stands for."""
    array = matrix.numpy()
    scale = np.abs(array).max(1, keepdims=True) / 127
    return np.rint(array / scale).astype(np.int8), scale.astype(np.float32)


def write(model: Model, vocabulary: Sequence[str]) -> None:
    """Write the weights in bytes, and the pieces that English text has."""
    kept = [n for n, piece in enumerate(vocabulary) if is_kept(piece)]
    state, arrays = {name.removeprefix("bert."): value for name, value in model.state_dict().items()}, {}
    arrays["words"], arrays["word scale"] = in_bytes(state["embeddings.word_embeddings.weight"][kept])
    arrays["places"] = state["embeddings.position_embeddings.weight"][: encoder.MAX_PIECES].numpy()
    arrays["sides"] = state["embeddings.token_type_embeddings.weight"].numpy()
    arrays["heads"] = np.array(model.bert.config.num_attention_heads)
    norms = {"opening": "embeddings.LayerNorm"}
    for n in range(model.bert.config.num_hidden_layers):
        norms |= {f"layer {n} {name}": f"encoder.layer.{n}.{own}" for name, own in NORMS.items()}
        for name, own in DENSE.items():
            matrix, scale = in_bytes(state[f"encoder.layer.{n}.{own}.weight"])
            arrays[f"layer {n} {name} matrix"] = np.ascontiguousarray(matrix.T)
            arrays[f"layer {n} {name} scale"] = scale[:, 0]
            arrays[f"layer {n} {name} bias"] = state[f"encoder.layer.{n}.{own}.bias"].numpy()
    for name, own in norms.items():
        arrays |= {f"{name} {part}": state[f"{own}.{part}"].numpy() for part in ("weight", "bias")}
    for n, question in enumerate(LABELS):
        arrays[f"question {question} weights"] = state["questions.weight"][n].numpy()
        arrays[f"question {question} bias"] = state["questions.bias"][n].numpy()
    np.savez(DATA / weights.FILE, **arrays)
    pieces = json.dumps([vocabulary[n] for n in kept], ensure_ascii=False, indent=0)
    (DATA / encoder.VOCABULARY).write_text(pieces + "\n", "utf-8")


def is_kept(piece: str) -> bool:
    """A piece of Latin letters, digits and signs, or one of the marks."""
    marks = (encoder.BEGIN, encoder.END, encoder.OPEN, encoder.CLOSE)
    return piece in marks or (piece.isascii() and not piece.startswith("[unused"))


def main() -> None:
    """Train, print figures of what was kept apart, and write the data."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("base")
    given.add_argument("--start")
    given.add_argument("--passes", type=float, default=3.0)
    told = given.parse_args()
    vocabulary = Path(told.base, "vocab.txt").read_text("utf-8").splitlines()
    known, caught = {piece: n for n, piece in enumerate(vocabulary)}, Caught()
    encoder.vocabulary = lambda: known  # type: ignore[assignment]
    encoder.trained = lambda: caught  # type: ignore[assignment, return-value]
    shuffle = random.Random(SEED)
    rows = [*of_places(caught), *of_explanations(caught, shuffle)]
    torch.manual_seed(SEED)
    model = Model(told.base)
    if told.start:
        model.load_state_dict(torch.load(told.start))
    train(model, batches(rows, told.passes, shuffle))
    KEPT.parent.mkdir(exist_ok=True)
    torch.save(model.state_dict(), KEPT)
    check(model, rows)
    write(model, vocabulary)


if __name__ == "__main__":
    main()
