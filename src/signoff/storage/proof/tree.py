"""The Merkle tree of RFC 6962 over the entries of the audit log.

An entry's leaf is SHA-256 of a zero byte and its bytes (`chain.leaf_of`). A tree grows by its
peaks alone: 32 bytes for each bit of its size, whatever the number of entries.

    tree = MerkleTree()
    tree.append(leaf)
    tree.root()
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

EMPTY_ROOT = hashlib.sha256(b"").digest()
HASH_BYTES = 32
PROOF_LIMIT = 64  # hashes: of a tree of 2**64 entries


def parent_of(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree(Struct):
    """A growing tree, by the roots of its complete subtrees, the largest first."""

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
    """Return the hashes that lead from a leaf to the root; `index` is counted from 0.

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
    """Tell whether a proof shows a leaf at this index of the tree with this size and root."""
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
    return last == 0 and found == root


def _root_of(leaves: Sequence[bytes], first: int, last: int) -> bytes:
    tree = MerkleTree()
    tree.extend(leaves[first:last])
    return tree.root()


def split_of(n: int) -> int:
    """Return the largest power of two below n, which is at least 2."""
    return 1 << ((n - 1).bit_length() - 1)
