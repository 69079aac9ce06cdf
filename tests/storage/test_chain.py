"""The chain finds every tampering that can be found from the record itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from signoff.effects.store import RecordEntry
from signoff.storage.chain import (
    GENESIS,
    Head,
    hash_of,
    leaf_of,
    make_entry,
    verify_chain,
)
from signoff.values import replace


@pytest.fixture
def record() -> list[RecordEntry]:
    """Make a small record."""
    head, entries = Head(), []
    for number in range(4):
        entry = make_entry({"tool": "Bash", "verdict": "deny", "n": number, "risk": 0.72}, head)
        head = Head(seq=entry.seq, hash=entry.hash)
        entries.append(entry)
    return entries


def is_fine(entries: list[RecordEntry], head: Head | None = None) -> bool:
    """Tell whether a record verifies against the head of its newest entry, or another one."""
    newest = Head(seq=entries[-1].seq, hash=entries[-1].hash) if entries else Head()
    return verify_chain(entries, head or newest).ok


def flips(raw: bytes) -> Iterator[bytes]:
    """Yield the bytes with each single bit flipped."""
    for place in range(len(raw) * 8):
        flipped = bytearray(raw)
        flipped[place // 8] ^= 1 << place % 8
        yield bytes(flipped)


def test_a_record_left_alone_is_fine(record: list[RecordEntry]) -> None:
    """Positive control for everything below."""
    assert is_fine(record)


def test_every_single_flipped_bit_is_found(record: list[RecordEntry]) -> None:
    """All bits of all stored bytes of all entries, the newest one's hash included."""
    head, tried, missed = Head(seq=4, hash=record[-1].hash), 0, 0
    for index, entry in enumerate(record):
        for column in ("body", "prev", "hash", "leaf"):
            for flipped in flips(getattr(entry, column)):
                forged = [*record]
                forged[index] = replace(entry, **{column: flipped})  # type: ignore[arg-type] # columns of bytes only
                tried, missed = tried + 1, missed + verify_chain(forged, head).ok

    bits = sum(len(e.body + e.prev + e.hash + e.leaf) for e in record) * 8
    assert (tried, missed) == (bits, 0)


def test_every_flipped_bit_of_the_head_is_found(record: list[RecordEntry]) -> None:
    """The head is part of what must add up."""
    heads = [Head(seq=4, hash=flipped) for flipped in flips(record[-1].hash)]
    heads += [Head(seq=4 ^ 1 << bit, hash=record[-1].hash) for bit in range(62)]

    assert [head for head in heads if is_fine(record, head)] == []


def test_every_other_order_is_found(record: list[RecordEntry]) -> None:
    """Entries cannot be swapped."""
    wrong = [list(order) for order in permutations(record) if list(order) != record]

    assert (len(wrong), [order for order in wrong if is_fine(order)]) == (23, [])


@pytest.mark.parametrize("index", range(4))
def test_a_left_out_or_doubled_entry_is_found(record: list[RecordEntry], index: int) -> None:
    """Wherever it stands; at the end the head tells."""
    head = Head(seq=4, hash=record[-1].hash)
    without = record[:index] + record[index + 1 :]
    doubled = record[: index + 1] + record[index:]

    assert (is_fine(without, head), is_fine(doubled, head)) == (False, False)


@pytest.mark.parametrize("index", range(4))
def test_a_forged_entry_with_hashes_of_its_own_is_found(
    record: list[RecordEntry], index: int
) -> None:
    """A rewritten entry breaks the link after it, or the head."""
    before = Head(seq=index, hash=record[index - 1].hash) if index else Head()
    forged = make_entry({"tool": "Bash", "verdict": "allow"}, before)

    head = Head(seq=4, hash=record[-1].hash)
    assert not is_fine([*record[:index], forged, *record[index + 1 :]], head)


def test_a_record_rewritten_and_chained_anew_is_found_by_a_head_kept_elsewhere(
    record: list[RecordEntry],
) -> None:
    """Only an outside head tells; without one it verifies, as the documents say."""
    head, forged = Head(), []
    for _ in range(4):
        entry = make_entry({"verdict": "allow"}, head)
        head = Head(seq=entry.seq, hash=entry.hash)
        forged.append(entry)

    assert (is_fine(forged), is_fine(forged, Head(seq=4, hash=record[-1].hash))) == (True, False)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "canonical"),
        (b'{"seq": 1}', "canonical"),
        (b'{"prev":"","seq":1,"seq":1}', "canonical"),
        (b'{"prev":"00","seq":1}', "another place"),
        (b'{"prev":"%s","seq":2}' % (b"00" * 32), "another place"),
    ],
)
def test_bytes_that_are_no_entry_are_found_under_honest_hashes(body: bytes, problem: str) -> None:
    """Hashes that fit prove nothing about bytes that mean nothing."""
    entry = RecordEntry(seq=1, body=body, prev=GENESIS, hash=hash_of(body), leaf=leaf_of(body))
    result = verify_chain([entry], Head(seq=1, hash=entry.hash))

    assert (result.ok, result.bad_seq, problem in result.problem) == (False, 1, True)
