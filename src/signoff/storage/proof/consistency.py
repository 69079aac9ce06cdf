"""Proofs that a log only grew between two sizes: consistency proofs of RFC 6962 and RFC 9162.

The proof is made from the peaks of the older tree and the leaves added since, so a log of any
size proves its last step quickly.

    proof = consistency_proof(older, added)
    is_consistent(proof, old=(older.size, older.root()), new=(newer.size, newer.root()))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from signoff.storage.proof.tree import HASH_BYTES, MerkleTree, parent_of, split_of

PROOF_LIMIT = 63  # hashes; as many as C2SP lets a witness be sent

SizeAndRoot: TypeAlias = tuple[int, bytes]


def consistency_proof(older: MerkleTree, added: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the hashes that lead from an older tree to the one with these leaves added.

    Empty where there is nothing to prove: the older tree has no entry, or nothing was added.
    """
    size = older.size
    if not size or not added:
        return ()
    peaks = _ranges_of_peaks(older)

    def root(first: int, last: int) -> bytes:
        if last <= size:
            return peaks[first, last]
        tree = MerkleTree()
        tree.extend(added[first - size : last - size])
        return tree.root()

    proof: list[bytes] = []
    first, last, is_whole = 0, size + len(added), True
    while last != size:
        split = first + split_of(last - first)
        if size <= split:
            proof.append(root(split, last))
            last = split
        else:
            proof.append(root(first, split))
            first, is_whole = split, False
    if not is_whole:
        proof.append(root(first, last))
    return tuple(reversed(proof))


def is_consistent(proof: Sequence[bytes], *, old: SizeAndRoot, new: SizeAndRoot) -> bool:
    """Tell whether a proof shows that the newer log begins with all entries of the older one."""
    (old_size, old_root), (new_size, new_root) = old, new
    if old_size == new_size:
        return not proof and old_root == new_root
    if old_size == 0:
        return not proof and new_size > 0
    if not 0 < old_size < new_size or not 0 < len(proof) <= PROOF_LIMIT:
        return False
    if any(len(one) != HASH_BYTES for one in proof):
        return False
    hashes = list(proof)
    if not old_size & (old_size - 1):  # the older tree is a complete subtree of the newer one
        hashes.insert(0, old_root)
    return _leads_to(hashes, old=old, new=new)


def _leads_to(hashes: Sequence[bytes], *, old: SizeAndRoot, new: SizeAndRoot) -> bool:
    """Fold the hashes into both roots and compare them (RFC 9162, 2.1.4.2)."""
    node, last = old[0] - 1, new[0] - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    older = newer = hashes[0]
    for one in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            older, newer = parent_of(one, older), parent_of(one, newer)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            newer = parent_of(newer, one)
        node, last = node >> 1, last >> 1
    return last == 0 and older == old[1] and newer == new[1]


def _ranges_of_peaks(tree: MerkleTree) -> dict[tuple[int, int], bytes]:
    """Return the peaks by the first entry they cover and the one after their last."""
    found: dict[tuple[int, int], bytes] = {}
    first = 0
    for peak in tree.peaks:
        span = 1 << ((tree.size - first).bit_length() - 1)
        found[first, first + span] = peak
        first += span
    return found
