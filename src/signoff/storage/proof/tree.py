"""The Merkle tree of RFC 6962 over the entries of the audit log.

An entry's leaf is SHA-256 of a zero byte and its bytes (`chain.leaf_of`). A tree grows by its
peaks alone: 32 bytes for each bit of its size, whatever the number of entries.

Proofs that a log only grew between two sizes: consistency proofs of RFC 6962 and RFC 9162. The
proof is made from the peaks of the older tree and the leaves added since, so a log of any size
proves its last step quickly.

    tree = MerkleTree()
    tree.append(leaf)
    tree.root()
    proof = consistency_proof(older, added)
    is_consistent(proof, old=(older.size, older.root()), new=(newer.size, newer.root()))
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct, field

EMPTY_ROOT = hashlib.sha256(b"").digest()
HASH_BYTES = 32
PROOF_LIMIT = 64  # hashes: of a tree of 2**64 entries

CONSISTENCY_LIMIT = 63  # hashes; as many as C2SP lets a witness be sent

SizeAndRoot: TypeAlias = tuple[int, bytes]


def parent_of(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node from those of its two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree(Struct):
    """A growing Merkle tree, stored as the roots of its complete subtrees, largest first."""

    size: int = 0
    peaks: list[bytes] = field(default_factory=list)

    def append(self, leaf: bytes) -> None:
        """Add an entry by its leaf hash."""
        peaks, n = self.peaks, self.size
        while n & 1:
            leaf = parent_of(peaks.pop(), leaf)
            n >>= 1
        peaks.append(leaf)
        self.size += 1

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add entries by their leaf hashes, in order."""
        for leaf in leaves:
            self.append(leaf)

    def root(self) -> bytes:
        """Return the root hash."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = parent_of(peak, root)
        return root


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the hashes that prove the leaf at `index` (from 0) is in the tree.

    Raises:
        IndexError: there is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    proof: list[bytes] = []
    first, last = 0, len(leaves)
    while last - first > 1:
        split = first + split_of(last - first)
        if index < split:
            proof.append(_root_of(leaves, split, last))
            last = split
        else:
            proof.append(_root_of(leaves, first, split))
            first = split
    return tuple(reversed(proof))


def is_included(leaf: bytes, proof: Sequence[bytes], *, index: int, size: int, root: bytes) -> bool:
    """Return whether a proof shows a leaf at this index of a tree with this size and root."""
    # Before any hash: a proof comes from outside, and could be endless.
    if not 0 <= index < size or len(proof) > PROOF_LIMIT:
        return False
    if any(len(one) != HASH_BYTES for one in proof):
        return False
    node, last, found = index, size - 1, leaf
    for one in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = parent_of(one, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = parent_of(found, one)
        node, last = node >> 1, last >> 1
    # With hashes missing the climb ends early, below the root.
    return last == 0 and found == root


def _root_of(leaves: Sequence[bytes], first: int, last: int) -> bytes:
    tree = MerkleTree()
    tree.extend(leaves[first:last])
    return tree.root()


def split_of(n: int) -> int:
    """Return the largest power of two below n, which is at least 2."""
    return 1 << ((n - 1).bit_length() - 1)


def consistency_proof(older: MerkleTree, added: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the hashes that prove `older` plus these leaves is the newer tree.

    () if the older tree is empty or nothing was added.
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
    """Return whether a proof shows that the newer log starts with the entries of the older."""
    (old_size, old_root), (new_size, new_root) = old, new
    if old_size == new_size:
        return not proof and old_root == new_root
    # Every log begins with the empty one, and needs no proof of it (RFC 9162, 2.1.4).
    if old_size == 0:
        return not proof and new_size > 0
    if not 0 < old_size < new_size or not 0 < len(proof) <= CONSISTENCY_LIMIT:
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
