"""What changed since a frozen file: which lines, and which parts of their answers.

compare(frozen, judged).changed  ->  (Change(name="own/git-017", parts=("level", "risk")), ...)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.oracle.answers import PARTS, PLAIN, Answer
from bench.oracle.files import Frozen, cell
from bench.oracle.judging import Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line whose answer is another one: the parts that differ, both values, the new answer."""

    name: str
    parts: tuple[str, ...]
    before: dict[str, str]
    now: dict[str, str]
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What a comparison gives.

    Args:
        other_input: lines of the same name that say something else now; their answers are not
            compared.
    """

    n: int
    changed: tuple[Change, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]
    other_input: tuple[str, ...]


def compare(frozen: Frozen, judged: Iterable[Judged]) -> Comparison:
    """Compare what is judged now with what was frozen."""
    left, count = dict(frozen), 0
    changed: list[Change] = []
    added: list[str] = []
    other_input: list[str] = []
    for one in judged:
        count += 1
        name = cell(one.name)
        given, before = left.pop(name, ("", {}))
        if not before:
            added.append(name)
        elif given != one.given:
            other_input.append(name)
        elif before != one.parts:
            parts = tuple(part for part in PARTS if before[part] != one.parts[part])
            change = Change(name=name, parts=parts, before=before, now=one.parts, answer=one.answer)
            changed.append(change)
    return Comparison(
        n=count,
        changed=tuple(changed),
        added=tuple(added),
        gone=tuple(left),
        other_input=tuple(other_input),
    )


def differences(change: Change, old: Answer | None) -> Iterator[str]:
    """Say in lines what changed; without the old answer only which parts did, and words."""
    for part in change.parts:
        if part in PLAIN:
            yield f"{part}: {change.before[part]} -> {change.now[part]}"
        elif old is None:
            yield f"{part}: now {_short(change.answer.get(part))}"
        else:
            yield from _differing(part, old.get(part), change.answer.get(part))


def _differing(part: str, old: object, new: object) -> Iterator[str]:
    """Say which items of two values differ; of lists only those that are in one of them."""
    if isinstance(old, list) and isinstance(new, list) and part in {"operations", "findings"}:
        was = [one for one in old if one not in new]
        now = [one for one in new if one not in old]
        for before, after in zip(was, now, strict=False):
            keys = [key for key in after if before.get(key) != after[key]]
            for key in keys:
                yield f"{part}.{key}: {_short(before.get(key))} -> {_short(after[key])}"
        yield from (f"{part}: - {_short(one)}" for one in was[len(now) :])
        yield from (f"{part}: + {_short(one)}" for one in now[len(was) :])
        if not was and not now:
            yield f"{part}: other order or count, {len(old)} -> {len(new)}"
    else:
        yield f"{part}: {_short(old)} -> {_short(new)}"


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:300]
