"""Signs checkpoints of the audit log while the daemon runs, and hands them on.

A changed log is signed every 10 seconds at the latest, and after 256 entries. Each checkpoint goes
to the files and addresses of the settings `audit.checkpoints` and to the witnesses of
`audit.witnesses`, and the newest stands on each card.

    watch = CheckpointWatch(keeper, ("/mnt/usb/signoff.log", "https://log.example/add"))
    asyncio.create_task(watch.run())
    watch.short()  ->  "1838 CsUYapGGPo4dkMgI"
"""

from __future__ import annotations

import asyncio
import logging
import os
import time

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import post
from signoff.errors import SignoffError
from signoff.frontends.auditing.witness_client import (
    WitnessClient,
    WitnessContradiction,
    WitnessTarget,
)
from signoff.settings import Settings
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import open_signer, parse_note
from signoff.storage.reading import Record
from signoff.system.files import CLOEXEC, NOCTTY, NONBLOCK

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
SIGN_EVERY_S = 10.0  # what is younger is chained only, and not signed yet
SIGN_EVERY = 256  # entries
SEND_S = 10.0  # a target that hangs must not delay the next checkpoint
ASK_AGAIN_S = 30.0  # a witness that did not cosign
ADDRESSES = ("https://", "http://")
ACCEPTED = range(200, 300)


class CheckpointWatch:
    """Signs checkpoints regularly and hands them on.

    Args:
        targets: files that checkpoints are added to, and addresses they are posted to.
        witnesses: those who cosign the newest one.
    """

    def __init__(
        self,
        keeper: CheckpointKeeper,
        targets: tuple[str, ...] = (),
        *,
        witnesses: tuple[WitnessClient, ...] = (),
    ) -> None:
        self._keeper = keeper
        self._targets = targets
        self._witnesses = dict.fromkeys(witnesses, float("-inf"))  # when each is asked again
        self._short = ""
        self._signed_s, self._size = float("-inf"), 0
        self._problems: dict[str, str] = {}

    @property
    def problems(self) -> tuple[str, ...]:
        """Why checkpoints cannot be signed or handed on; () if they can."""
        return tuple(self._problems.values())

    def short(self) -> str:
        """Return size and start of the root of the newest checkpoint, "" if there is none yet."""
        return self._short

    async def run(self) -> None:
        """Sign checkpoints until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self, *, is_last: bool = False) -> None:
        """Sign the log if it is time; a failure is reported once and retried."""
        try:
            note = await asyncio.to_thread(self._signed, is_last=is_last)
        # A full disk of this machine must not end its daemon: the log may be on another one.
        except (OSError, SignoffError) as error:
            self._failed("log", f"no checkpoint of the audit log can be signed: {error}")
            return
        self._problems.pop("log", None)
        if note is not None:
            await asyncio.gather(*(self._hand_on(target, note) for target in self._targets))
        now_s = time.monotonic()
        due = [one for one, at_s in self._witnesses.items() if is_last or now_s >= at_s]
        await asyncio.gather(*(self._cosign(one) for one in due))

    def _signed(self, *, is_last: bool) -> str | None:
        """Return a new checkpoint, None if it is not time for one."""
        added, now_s = self._keeper.head_size() - self._size, time.monotonic()
        is_time = now_s - self._signed_s >= SIGN_EVERY_S or added >= SIGN_EVERY or is_last
        # A log that does not change is signed once after a start, so that cards can show it.
        if not is_time or (not added and self._short):
            return None
        note = self._keeper.update()
        newest = self._keeper.newest()
        if newest is not None:
            self._short, self._size, self._signed_s = newest.short, newest.size, now_s
        return note

    async def _hand_on(self, target: str, note: str) -> None:
        try:
            if target.startswith(ADDRESSES):
                await _posted(target, note)
            else:
                await asyncio.to_thread(_added, target, note)
        except (OSError, TimeoutError, SignoffError) as error:
            # An address may hold a key, and this goes to the log.
            place = target if not target.startswith(ADDRESSES) else "an address"
            said = f"checkpoint {parse_note(note)[0].size} was not handed to {place}: {error}"
            self._failed(target, said)
            return
        self._problems.pop(target, None)

    async def _cosign(self, witness: WitnessClient) -> None:
        """Let a witness cosign the newest checkpoint, unless it has."""
        name = witness.target.key.name
        try:
            if not self._size or witness.size == self._size:
                return
            note = await asyncio.to_thread(self._keeper.newest_note)
            await witness.cosign(note, self._keeper.key)
        except (OSError, TimeoutError, SignoffError) as error:
            contradicts = isinstance(error, WitnessContradiction)
            verb = "contradicts this audit log" if contradicts else "did not cosign"
            # Two problems: a time-out before must not keep a contradiction from the log.
            what = f"{name} contradicts" if contradicts else name
            self._failed(what, f"witness `{name}` {verb}: {error or 'no answer in time'}")
            self._witnesses[witness] = time.monotonic() + ASK_AGAIN_S
            return
        for what in (name, f"{name} contradicts"):
            self._problems.pop(what, None)

    def _failed(self, what: str, said: str) -> None:
        if what not in self._problems:
            log.warning("%s", said)
        self._problems[what] = said


async def _posted(address: str, note: str) -> None:
    """Post a checkpoint.

    Raises:
        CallFailed, TimeoutError: it was not taken.
    """
    endpoint = OutboundEndpoint.parse(address)
    headers = {"content-type": "text/plain; charset=utf-8"}
    async with asyncio.timeout(SEND_S):
        answer = await post(endpoint, "", headers=headers, body=note.encode())
    if answer.status not in ACCEPTED:
        raise CallFailed(f"it answered with status {answer.status}")


def _added(path: str, note: str) -> None:
    """Add a checkpoint to a file.

    Raises:
        OSError: it cannot be written.
    """
    # O_NONBLOCK: a named pipe in the place of the file must not hold the daemon up.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | CLOEXEC | NONBLOCK | NOCTTY
    handle = os.open(path, flags, 0o600)
    with open(handle, "ab") as target:
        target.write(f"{note}\n".encode())
        target.flush()
        os.fsync(handle)


def build_checkpoints(settings: Settings, store: Record) -> CheckpointWatch:
    """Build the signer of checkpoints, on a connection that no decision waits for."""
    signer = open_signer(settings.checkpoint_key_file)
    keeper = CheckpointKeeper(store, signer, folder=settings.checkpoints_dir)
    targets = [WitnessTarget.parse(one.url, one.key) for one in settings.witnesses]
    witnesses = [WitnessClient(one, store, folder=settings.checkpoints_dir) for one in targets]
    return CheckpointWatch(keeper, settings.checkpoint_targets, witnesses=tuple(witnesses))
