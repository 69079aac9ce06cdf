"""The tree is that of RFC 6962, and no proof holds for anything else."""

from __future__ import annotations

import hashlib
import random

import pytest

from signoff.storage.proof.offline_verifier import RunningTree, root_by
from signoff.storage.proof.tree import EMPTY_ROOT, MerkleTree, inclusion_proof, is_included

# The test vectors of certificate transparency: leaves, and the root of the first n of them.
INPUTS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "60616263646566676869")
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
)


def leaves(n: int) -> list[bytes]:
    """Return n different leaf hashes."""
    return [hashlib.sha256(b"\0" + bytes([k % 256, k // 256])).digest() for k in range(n)]


def tree_of(hashes: list[bytes]) -> MerkleTree:
    """Return the tree over these leaves."""
    tree = MerkleTree()
    tree.extend(hashes)
    return tree


@pytest.mark.parametrize(("size", "root"), [*enumerate(ROOTS, 1)])
def test_roots_are_those_of_certificate_transparency(size: int, root: str) -> None:
    """Known vectors, for both of our trees."""
    hashes = [hashlib.sha256(b"\0" + bytes.fromhex(one)).digest() for one in INPUTS[:size]]
    other = RunningTree()
    for leaf in hashes:
        other.append(leaf)

    assert root == tree_of(hashes).root().hex() == other.root().hex()


def test_an_empty_tree_has_a_root() -> None:
    """The hash of nothing."""
    assert hashlib.sha256(b"").digest() == EMPTY_ROOT == MerkleTree().root() == RunningTree().root()


def test_every_proof_holds_and_no_forged_one() -> None:
    """All leaves of all trees up to 40; no changed proof is taken."""
    draw, forged = random.Random(1), 0
    for size in range(1, 41):
        hashes = leaves(size)
        root = tree_of(hashes).root()
        for index in range(size):
            proof = inclusion_proof(hashes, index)
            assert is_included(hashes[index], proof, index=index, size=size, root=root)
            assert root == root_by(hashes[index], list(proof), index=index, size=size)
            for leaf, other, at, of in forgeries(hashes, list(proof), index, size, draw):
                forged += 1
                assert not is_included(leaf, other, index=at, size=of, root=root)
                assert root != root_by(leaf, other, index=at, size=of)
    assert forged > 5_000


def forgeries(
    hashes: list[bytes], proof: list[bytes], index: int, size: int, draw: random.Random
) -> list[tuple[bytes, list[bytes], int, int]]:
    """Return proofs of something that is not so."""
    leaf, made = hashes[index], []
    if size > 1:
        made.append((hashes[(index + 1) % size], proof, index, size))
        at = draw.randrange(len(proof))
        changed = [*proof[:at], bytes([proof[at][0] ^ 1]) + proof[at][1:], *proof[at + 1 :]]
        made += [
            (leaf, changed, index, size),
            (leaf, proof[:-1], index, size),
            (leaf, [*proof, bytes(32)], index, size),
            (leaf, proof[::-1], index, size) if proof != proof[::-1] else (bytes(32), proof, 0, 1),
        ]
    return [*made, (leaf, proof, index, index), (leaf, proof, -1, size), (bytes(32), proof, 0, 1)]


def test_there_is_no_proof_of_what_is_not_there() -> None:
    """An index outside of the tree is refused."""
    with pytest.raises(IndexError):
        inclusion_proof(leaves(3), 3)
