"""Consistency proofs: every honest one holds, and no forged one."""

from __future__ import annotations

import hashlib
import random

from signoff.storage.proof.tree import MerkleTree, consistency_proof, is_consistent

LEAVES = [hashlib.sha256(bytes([k])).digest() for k in range(40)]


def tree_of(leaves: list[bytes]) -> MerkleTree:
    """Return the tree over some leaves."""
    tree = MerkleTree()
    tree.extend(leaves)
    return tree


def test_every_two_sizes_of_a_log_are_consistent() -> None:
    """All pairs of sizes up to 40."""
    for new in range(1, len(LEAVES) + 1):
        for old in range(new + 1):
            older, newer = tree_of(LEAVES[:old]), tree_of(LEAVES[:new])
            proof = consistency_proof(older, LEAVES[old:new])
            assert is_consistent(proof, old=(old, older.root()), new=(new, newer.root()))


def test_no_forged_proof_is_accepted() -> None:
    """An older log with another entry is consistent with nothing, whatever the proof says."""
    dice, tried = random.Random(1), 0
    for new in range(2, 24):
        for old in range(1, new):
            other = [*LEAVES[:old]]
            other[dice.randrange(old)] = bytes(32)
            older, newer = tree_of(other), tree_of(LEAVES[:new])
            honest = list(consistency_proof(tree_of(LEAVES[:old]), LEAVES[old:new]))
            known = [*honest, older.root(), newer.root(), *older.peaks, *newer.peaks, *LEAVES[:new]]
            forged = [
                honest,
                honest[::-1],
                honest[:-1],
                [*honest, newer.root()],
                [older.root()],
                [],
            ]
            forged += [dice.choices(known, k=dice.randrange(1, 7)) for _ in range(40)]
            for proof in forged:
                tried += 1
                assert not is_consistent(proof, old=(old, older.root()), new=(new, newer.root()))
    assert tried > 10_000


def test_a_log_is_never_consistent_with_a_larger_one() -> None:
    """A witness that saw more entries than there are is shown nothing."""
    older, newer = tree_of(LEAVES[:29]), tree_of(LEAVES[:11])
    for proof in ((), consistency_proof(newer, LEAVES[11:29])):
        assert not is_consistent(proof, old=(29, older.root()), new=(11, newer.root()))


def test_the_published_vectors_hold() -> None:
    """The tree of RFC 9162, 2.1.5: seven leaves, proofs from 3, 4 and 6."""
    d = [hashlib.sha256(b"\0" + bytes([k])).digest() for k in range(7)]

    def node(*parts: bytes) -> bytes:
        return hashlib.sha256(b"\x01" + b"".join(parts)).digest()

    g, h, i = node(d[0], d[1]), node(d[2], d[3]), node(d[4], d[5])
    k = node(g, h)
    last = node(i, d[6])
    cases = {3: (d[2], d[3], g, last), 4: (last,), 6: (i, d[6], k)}
    for size, proof in cases.items():
        assert proof == consistency_proof(tree_of(d[:size]), d[size:])
