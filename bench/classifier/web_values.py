"""Try a learned classifier of values against the patterns (docs/pipelines/detectors.md).

Hashed runs of letters with one weight each. It is trained on the project's own requests but the
newest set, and on values it makes of words and signs. It is measured on what it was not trained
on, at the share of false alarms that the patterns have there. Nothing is kept: the patterns are
better, and this run shows by how much.

    python -m bench.classifier.web_values --corpora ../shared/corpora
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

from bench.quality.cases import case_of, read_rows
from bench.quality.guard import Guard, judge_text
from bench.quality.sets import OWN, ROOT
from signoff.assess.contexts.part import REST
from signoff.assess.detectors.request import fields_of

REQUESTS = ROOT / "tests" / "assess" / "requests"
TRAINED_ON = (
    OWN / "unseen-requests.jsonl",
    OWN / "unseen-traffic.jsonl",
    *sorted(REQUESTS.glob("ordinary-*.jsonl")),
    *sorted(REQUESTS.glob("attacks-*.jsonl")),
)
UNSEEN = "unseen-web.jsonl"
BUCKETS = 1 << 17
LETTERS = (2, 3, 4)
TEXT_LIMIT = 600
ROUNDS = 12
STEP, SHRINK = 0.15, 1e-6
MADE = 3_000
PLACES = frozenset({"path", "query", "body", "cookie", REST})

Example = tuple[tuple[int, ...], bool]


def features(text: str) -> tuple[int, ...]:
    """Hash the runs of two to four letters of a value; the case of a letter and digits are lost."""
    plain = "".join("0" if one.isdigit() else one for one in text[:TEXT_LIMIT].lower())
    framed = f"\x02{plain}\x03"
    runs = {
        framed[at : at + size] for size in LETTERS for at in range(max(0, len(framed) - size + 1))
    }
    return tuple(crc32(run.encode("utf-8", "replace")) % BUCKETS for run in runs)


class LinearModel:
    """Logistic regression over hashed runs of letters, trained by stochastic gradient descent."""

    def __init__(self) -> None:
        self.weights = [0.0] * BUCKETS
        self.bias = 0.0

    def score(self, found: tuple[int, ...]) -> float:
        """Give the chance that a value is an attack."""
        if not found:
            return 0.0
        raw = self.bias + sum(self.weights[one] for one in found) / math.sqrt(len(found))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, raw))))

    def train(self, examples: list[Example], seed: int) -> None:
        """Go over the examples a few times, both classes weighing the same."""
        order = random.Random(seed)
        share = sum(is_attack for _, is_attack in examples) / len(examples)
        for number in range(ROUNDS):
            order.shuffle(examples)
            step = STEP / (1 + number / 3)
            for found, is_attack in examples:
                weight = 0.5 / share if is_attack else 0.5 / (1 - share)
                change = (
                    step * weight * (is_attack - self.score(found)) / math.sqrt(len(found) or 1)
                )
                self.bias += change
                for one in found:
                    self.weights[one] += change - SHRINK * self.weights[one]


def values_of(row: dict[str, object]) -> list[tuple[str, bool]]:
    """Give the decoded values of a request, each with whether a pattern fits it."""
    request = row["request"]
    if not isinstance(request, dict):
        return []
    fields = [one for one in fields_of(request) if one.place in PLACES]
    return [(one.forms[-1], bool(one.hits)) for one in fields if one.forms[-1].strip()]


def examples_of(files: Iterable[Path]) -> Iterator[Example]:
    """Take every value of ordinary requests, and of attacks the values no ordinary one has."""
    rows = [row for file in files for row in read_rows(file)]
    ordinary = {text for row in rows if row["expect"] == "allow" for text, _ in values_of(row)}
    for text in sorted(ordinary):
        yield features(text), False
    for row in rows:
        if row["expect"] != "allow" and "request" in row:
            found = [text for text, _ in values_of(row) if text not in ordinary]
            if found:
                yield features(max(found, key=_signs)), True


def _signs(text: str) -> int:
    return sum(not one.isalnum() for one in text)


def made_values(seed: int) -> Iterator[Example]:
    """Make ordinary values: words, names, numbers, ids, addresses, sentences."""
    order = random.Random(seed)
    files = sorted(Path(json.__file__).parent.glob("*.py")) + sorted((ROOT / "docs").glob("*.md"))
    words = sorted({w for file in files for w in file.read_text("utf-8").split() if w.isalpha()})
    for _ in range(MADE):
        few = order.choices(words, k=order.randint(1, 12))
        kind = order.randrange(6)
        text = (
            " ".join(few),
            f"{few[0]}.{few[-1]}@mail.example",
            f"https://{few[0]}.example/{'/'.join(few[1:4])}?id={order.randint(1, 999)}",
            f"{order.getrandbits(96):x}",
            f'{few[0]}-{few[-1]}, {order.randint(1, 99)}; {few[0]}\'s "{few[-1]}"',
            f"{order.randint(1, 31)}/{order.randint(1, 12)} {order.random() * 100:.2f}",
        )[kind]
        yield features(text), False


def caught_at(ordinary: list[float], attacks: list[float], alarms: float) -> float:
    """Give the share of attacks caught where at most this share of ordinary ones is stopped."""
    allowed = int(alarms * len(ordinary))
    bound = sorted(ordinary, reverse=True)[allowed] if allowed < len(ordinary) else -1.0
    return sum(score > bound for score in attacks) / len(attacks)


def main() -> None:
    """Train, measure both, print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.classifier.web_values", description=__doc__
    )
    parser.add_argument("--corpora", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    examples = [*examples_of(TRAINED_ON), *made_values(options.seed)]
    model = LinearModel()
    model.train(examples, options.seed)
    attacks = sum(is_attack for _, is_attack in examples)
    print(f"trained on {len(examples) - attacks} ordinary values and {attacks} attacks")
    _requests(model)
    _texts(model, options.corpora)


def _requests(model: LinearModel) -> None:
    guard = Guard()
    scores: dict[bool, list[float]] = {False: [], True: []}
    stopped: dict[bool, list[bool]] = {False: [], True: []}
    for row in read_rows(OWN / UNSEEN):
        if row.get("soft"):
            continue
        is_attack = row["expect"] != "allow"
        found = [model.score(features(text)) for text, _ in values_of(row)]
        scores[is_attack].append(max(found, default=0.0))
        stopped[is_attack].append(guard.judge(case_of(row)).is_flagged)
    _print("unseen-web", scores, stopped)
    first = json.loads((ROOT / "bench/results/first_sight.json").read_text())["unseen-web"]
    shares = {row["label"]: (row["deny"] + row["ask"]) / row["n"] for row in first["rows"]}
    caught = caught_at(scores[False], scores[True], shares["allow"])
    print(
        f"  patterns at first sight: {shares['deny']:.1%} at {shares['allow']:.1%} false alarms;"
        f" classifier there: {caught:.1%}"
    )


def _texts(model: LinearModel, corpora: Path) -> None:
    scores: dict[bool, list[float]] = {False: [], True: []}
    stopped: dict[bool, list[bool]] = {False: [], True: []}
    for name in ("injection.jsonl.gz", "benign_text.jsonl.gz"):
        if not (corpora / name).exists():
            print(f"not measured: no {name}")
            return
        for row in read_rows(corpora / name):
            if row["label"] in ("malicious", "benign") and isinstance(row["payload"], str):
                is_attack = row["label"] == "malicious"
                scores[is_attack].append(model.score(features(row["payload"])))
                stopped[is_attack].append(judge_text(case_of(row)).is_flagged)
    _print("injection and benign-text", scores, stopped)


def _print(name: str, scores: dict[bool, list[float]], stopped: dict[bool, list[bool]]) -> None:
    alarms = sum(stopped[False]) / len(stopped[False])
    patterns = sum(stopped[True]) / len(stopped[True])
    both = sum(
        is_stopped or score > max(scores[False])
        for is_stopped, score in zip(stopped[True], scores[True], strict=True)
    ) / len(stopped[True])
    print(f"{name}: {len(scores[False])} ordinary, {len(scores[True])} attacks")
    for share in sorted({alarms, 0.005, 0.01, 0.02}):
        caught = caught_at(scores[False], scores[True], share)
        print(f"  classifier at {share:.1%} false alarms: {caught:.1%}")
    print(
        f"  patterns at {alarms:.1%}: {patterns:.1%}; with the classifier, no new alarm: {both:.1%}"
    )


if __name__ == "__main__":
    main()
