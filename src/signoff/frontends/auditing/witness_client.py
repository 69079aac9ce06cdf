"""Asks a witness to cosign checkpoints, with a proof that the log only grew since the last one.

The client keeps the tree of the last checkpoint the witness cosigned, so a proof reads only the
entries added since. If that file is lost, the witness says what it saw last.

    client = WitnessClient(target, store, folder="/home/dev/.local/state/signoff/checkpoints")
    await client.cosign(note, key)  ->  the note with the line of the witness
    for report in asyncio.run(ask_witnesses(store, note, key, targets)):
        report.problem  ->  "" if the log as it stands continues what that witness saw
"""

from __future__ import annotations

import asyncio
import base64
import os

import msgspec
from msgspec import Struct

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpAnswer, post
from signoff.errors import SignoffError, StoreError
from signoff.storage.proof.checkpoints import LeafStore
from signoff.storage.proof.note import (
    COSIGNATURE,
    Checkpoint,
    NoteKey,
    checked_note,
    cosigned_at,
    parse_note,
)
from signoff.storage.proof.tree import MerkleTree, consistency_proof
from signoff.storage.proof.witness import (
    BAD,
    CONFLICT,
    INCONSISTENT,
    NUMBER_LIMIT,
    OK,
    UNKNOWN,
    UNTRUSTED,
)
from signoff.storage.text_file import make_own_folder, write_whole

SEND_S = 10.0
PATH = "/add-checkpoint"
# What a witness says of the log itself; all else is an answer that may be better next time.
FINDINGS = {
    UNKNOWN: "it knows no log of this name: another log or key was put in place, or the log was"
    " never added there (`signoff witness serve --log KEY`)",
    UNTRUSTED: "it does not accept the key of this log",
    INCONSISTENT: "the log does not continue what it saw: entries were changed, left out or put in",
    BAD: "it could not read the request",
}


class WitnessContradiction(SignoffError):
    """A witness saw a different log: entries were changed, removed or replaced."""


class WitnessTarget(Struct, frozen=True, kw_only=True):
    """A witness: its address, and the key its signatures are verified with."""

    url: str
    key: NoteKey

    @classmethod
    def parse(cls, url: str, key: str) -> WitnessTarget:
        """Parse a witness in the settings.

        Raises:
            BadSettings: the address is refused.
            BadCheckpoint: the key is none of a witness.
        """
        OutboundEndpoint.parse(url)
        return cls(url=url, key=NoteKey.parse(key, COSIGNATURE))


class WitnessState(Struct, frozen=True, kw_only=True):
    """The last checkpoint the witness cosigned, and the Merkle tree at it."""

    size: int = 0
    peaks: tuple[bytes, ...] = ()
    note: str = ""


class WitnessClient:
    """Submits checkpoints of one log to one witness.

    Args:
        folder: keeps what the witness cosigned last; "" keeps nothing and asks afresh.
    """

    def __init__(self, target: WitnessTarget, store: LeafStore, *, folder: str = "") -> None:
        self.target = target
        self._store = store
        self._path = os.path.join(folder, f"witness-{target.key.id.hex()}.json") if folder else ""
        self._state: WitnessState | None = None

    @property
    def size(self) -> int:
        """Number of entries the witness cosigned last, as stored here.

        Raises:
            StoreError: the file cannot be read.
        """
        return self.state().size

    def state(self) -> WitnessState:
        """Return what the witness cosigned last, as stored here.

        Raises:
            StoreError: the file cannot be read.
        """
        if self._state is None:
            self._state = self._read()
        return self._state

    async def cosign(self, note: str, key: NoteKey) -> str:
        """Return a checkpoint of this log with the cosignature of the witness.

        Raises:
            WitnessContradiction: the witness saw entries that this log does not hold.
            CallFailed, TimeoutError: it gave no usable answer.
            BadCheckpoint: the note or the cosignature is wrong.
            StoreError: the log cannot be read.
        """
        checkpoint = checked_note(note, key)
        older = await asyncio.to_thread(self._older, checkpoint)
        answer, newer = await self._sent(note, checkpoint, older)
        if answer.status == CONFLICT:
            # C2SP, tlog-witness: 409 tells how many entries the witness knows.
            older = await asyncio.to_thread(self._tree_of, _size_in(answer), checkpoint)
            answer, newer = await self._sent(note, checkpoint, older)
        if answer.status == CONFLICT and _size_in(answer) == older.size == checkpoint.size:
            raise WitnessContradiction(f"it saw other entries among the first {older.size}")
        if answer.status != OK:
            known = FINDINGS.get(answer.status)
            if known and answer.status != BAD:
                raise WitnessContradiction(known)
            raise CallFailed(known or f"it answered with status {answer.status}", may_pass=True)
        cosigned = note + answer.body.decode("utf-8", errors="replace")
        # It raises where the line is not the witness's own signature.
        cosigned_at(cosigned, self.target.key)
        self._keep(WitnessState(size=newer.size, peaks=tuple(newer.peaks), note=cosigned))
        return cosigned

    async def _sent(
        self, note: str, checkpoint: Checkpoint, older: MerkleTree
    ) -> tuple[HttpAnswer, MerkleTree]:
        """Send a checkpoint with the proof from an older tree; return the answer and the tree."""
        added = await asyncio.to_thread(
            lambda: list(self._store.leaves(first=older.size + 1, last=checkpoint.size))
        )
        # A copy: the proof begins at the older tree.
        newer = MerkleTree(size=older.size, peaks=list(older.peaks))
        newer.extend(added)
        proof = "".join(
            f"{base64.b64encode(one).decode()}\n" for one in consistency_proof(older, added)
        )
        body = f"old {older.size}\n{proof}\n{note}".encode()
        endpoint = OutboundEndpoint.parse(self.target.url)
        headers = {"content-type": "text/plain; charset=utf-8"}
        async with asyncio.timeout(SEND_S):
            return await post(endpoint, PATH, headers=headers, body=body), newer

    def _older(self, checkpoint: Checkpoint) -> MerkleTree:
        state = self.state()
        self._check(state.size, checkpoint)
        return MerkleTree(size=state.size, peaks=list(state.peaks))

    def _tree_of(self, size: int, checkpoint: Checkpoint) -> MerkleTree:
        """Return the tree of the first entries, as many as the witness saw."""
        self._check(size, checkpoint)
        tree = MerkleTree()
        if size:
            tree.extend(self._store.leaves(last=size))
        return tree

    def _check(self, size: int, checkpoint: Checkpoint) -> None:
        """Refuse a log with fewer entries than the witness saw."""
        if size <= checkpoint.size:
            return
        # The log has grown since: somebody else had a newer checkpoint cosigned.
        if self._store.head().seq >= size:
            raise CallFailed("it cosigned a newer checkpoint meanwhile", may_pass=True)
        raise WitnessContradiction(
            f"it saw {size} entries, the log has {checkpoint.size}: entries were cut off, or an"
            " older copy was put back"
        )

    def _read(self) -> WitnessState:
        if not self._path:
            return WitnessState()
        try:
            with open(self._path, "rb") as source:
                return msgspec.json.decode(source.read(), type=WitnessState)
        except FileNotFoundError:
            return WitnessState()
        except (OSError, msgspec.DecodeError) as error:
            raise StoreError(f"cannot read `{self._path}`: {error}") from error

    def _keep(self, state: WitnessState) -> None:
        self._state = state
        if not self._path:
            return
        try:
            make_own_folder(os.path.dirname(self._path))
            write_whole(self._path, msgspec.json.encode(state))
        except OSError as error:
            raise StoreError(f"cannot write `{self._path}`: {error}") from error


def _size_in(answer: HttpAnswer) -> int:
    """Return the size in an answer of a witness.

    Raises:
        CallFailed: there is none.
    """
    text = answer.body.decode("ascii", errors="replace").strip()
    if not text.isdigit() or len(text) > NUMBER_LIMIT:
        raise CallFailed("the witness answered without the size it saw")
    return int(text)


class WitnessReport(Struct, frozen=True, kw_only=True):
    """The result of asking one witness.

    Args:
        name: of its key.
        size: number of entries it cosigned just now, 0 if it did not.
        at_s: when, in seconds since the epoch.
        problem: why it did not, "" if it did.
        is_contradiction: whether it saw another log; otherwise it could not be asked.
    """

    name: str
    size: int = 0
    at_s: int = 0
    problem: str = ""
    is_contradiction: bool = False


async def ask_witnesses(
    store: LeafStore, note: str, key: NoteKey, targets: tuple[WitnessTarget, ...]
) -> list[WitnessReport]:
    """Have each witness compare a checkpoint with the last one it saw.

    Nothing stored on this machine is trusted: each witness is asked what it saw.
    """
    return await asyncio.gather(*(_asked(store, note, key, target) for target in targets))


async def _asked(store: LeafStore, note: str, key: NoteKey, target: WitnessTarget) -> WitnessReport:
    name = target.key.name
    try:
        cosigned = await WitnessClient(target, store).cosign(note, key)
        size, at_s = parse_note(cosigned)[0].size, cosigned_at(cosigned, target.key)
        return WitnessReport(name=name, size=size, at_s=at_s)
    except WitnessContradiction as error:
        said = f"witness `{name}` contradicts this log: {error}"
        return WitnessReport(name=name, problem=said, is_contradiction=True)
    except TimeoutError:
        return WitnessReport(name=name, problem=f"witness `{name}` did not answer in time")
    except (OSError, SignoffError) as error:
        return WitnessReport(name=name, problem=f"witness `{name}` could not be asked: {error}")
