"""The fuzzer finds what is wrong, and finds nothing in parsers at a first look."""

from __future__ import annotations

import random
import time

import pytest
from bench.fuzz.__main__ import failure_of, fuzzed
from bench.fuzz.mutating import LONGEST, Mutator
from bench.fuzz.target import FuzzTarget
from bench.fuzz.targets import TARGETS

from signoff.errors import BadPayload

INPUTS = 40


@pytest.mark.parametrize("target", TARGETS, ids=[one.name for one in TARGETS])
def test_a_parser_takes_or_refuses(target: FuzzTarget) -> None:
    """Good inputs and some changed ones raise nothing but what they may."""
    mutator = Mutator(random.Random(3), target.seeds)
    texts = [*target.seeds, *(mutator.another() for _ in range(INPUTS))]

    assert [why for text in texts if (why := failure_of(target, text)[0])] == []


def test_a_parser_that_breaks_is_found() -> None:
    """The control: by an error nobody expects, and by its time."""

    def breaks(raw: bytes) -> None:
        if b"[" in raw:
            raise IndexError("too deep")
        if b"{" in raw:
            raise BadPayload("refused")

    def is_slow(_: bytes) -> None:
        until = time.process_time() + 0.25
        while time.process_time() < until:
            continue

    seeds = (b"{}", b"abc")
    found = fuzzed(FuzzTarget(name="x", take=breaks, seeds=seeds), seconds=0.5, seed=1)
    slow = fuzzed(FuzzTarget(name="y", take=is_slow, seeds=seeds), seconds=0.1, seed=1)

    assert ["IndexError: too deep"] == [*found.failures]
    assert [True] == [why.endswith(" ms") for why in slow.failures][:1]


def test_inputs_can_be_had_again_and_have_a_limit() -> None:
    """By their seed."""
    first, again = (Mutator(random.Random(7), (b"{}" * 9_000,)) for _ in range(2))
    texts = [first.another() for _ in range(300)]

    assert texts == [again.another() for _ in range(300)]
    assert max(map(len, texts)) <= LONGEST


# What made parsers raise an error they may not, before it was fixed.
FOUND = {
    "matrix event": b'{"\\ud800": 1}',
    "slack tap": b'{"type": "block_actions", "\\ud800": 1}',
    "slack message": b'{"event": {"\\ud800": 1}}',
    "offline verifier": b'{"a":' * 100_000,
    "offline verifier ": b'{"note": true}',
    "url": b"http://0x-2/",
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_is_fixed(name: str) -> None:
    """Inputs that earlier runs have found."""
    target = next(one for one in TARGETS if one.name == name.strip())

    assert "" == failure_of(target, FOUND[name])[0]
