"""Checks the audit log against checkpoints, kept here or by somebody else.

result = verify_checkpoints(store, [note], key)
result.problems  ->  ()
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from signoff.storage.proof.checkpoints import LeafStore
from signoff.storage.proof.note import BadCheckpoint, NoteKey, checked_note
from signoff.storage.proof.tree import MerkleTree
from signoff.values import count_of


class ProofResult(Struct, frozen=True, kw_only=True):
    """The result of checking a log against its checkpoints.

    Args:
        size, root: of the log as it stands.
        checked: number of checkpoints that it agrees with.
        agreed: the largest size it agrees with.
        problems: what is wrong, in words; () if nothing is.
    """

    size: int
    root: bytes
    checked: int = 0
    agreed: int = 0
    problems: tuple[str, ...] = ()


def verify_checkpoints(store: LeafStore, notes: Iterable[str], key: NoteKey) -> ProofResult:
    """Check that the log contains everything these checkpoints signed.

    Args:
        notes: signed notes.
        key: the log's public key.

    Raises:
        StoreError: the log cannot be read.
    """
    wanted, problems = _wanted(notes, key)
    tree, agreed, checked, wrong = MerkleTree(), 0, 0, 0
    for leaf in store.leaves():
        tree.append(leaf)
        for root in wanted.pop(tree.size, ()):
            if root != tree.root():
                wrong = wrong or tree.size
            else:
                # A tree goes on over a wrong entry, so what agrees later says nothing of those
                # before it.
                agreed, checked = tree.size if not wrong else agreed, checked + 1
    if wrong:
        problems.append(
            f"entries {agreed + 1} to {wrong} are not those that were signed: at least one was"
            " changed, left out, put in or moved"
        )
    if wanted:
        signed = count_of(max(wanted), "entry was", "entries were")
        problems.append(
            f"the log ends at entry {tree.size}, but {signed} signed: it was cut"
            " off, or an older copy was put back"
        )
    return ProofResult(
        size=tree.size,
        root=tree.root(),
        checked=checked,
        agreed=agreed,
        problems=tuple(problems),
    )


def _wanted(notes: Iterable[str], key: NoteKey) -> tuple[dict[int, list[bytes]], list[str]]:
    """Return the roots by size that were signed, and what is wrong with other notes."""
    wanted: dict[int, list[bytes]] = {}
    problems: list[str] = []
    for note in notes:
        try:
            checkpoint = checked_note(note, key)
        except BadCheckpoint as error:
            problems.append(str(error))
            continue
        # The empty log agrees with every log.
        if checkpoint.size:
            wanted.setdefault(checkpoint.size, []).append(checkpoint.root)
    return wanted, problems
