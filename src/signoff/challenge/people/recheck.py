"""Checks an approved call again just before it runs, in the shell that runs it.

When an approval is used, a one-time token is stored with the state of what the call would run. The
host runs `signoff exec ID` before the command. That uses up the token, and fails if anything has
changed since the approval: folder, session, time, or a file. It allows nothing by itself: the
command follows it in the same line, which was allowed as a whole.

    why_not = await PreExecutionRecheck(...).why_not(request_id, Here(cwd="/w", session="s1"))
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Action
from signoff.challenge.pending import USE_S, PendingRequest, PendingStore, RequestState
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.binding import Operands, digest_of_files
from signoff.ids import is_same_secret

RECHECKED = frozenset(
    {("claude-code", "Bash")}
)  # frontends and tools whose command can be preceded


class ExecutionTokenStore(Protocol):
    """Stores one-time tokens; methods raise StoreError if the change may not be stored."""

    def leave(self, request_id: str, files: str) -> None:
        """Store the digest of the files that a request's approval is bound to."""

    def take(self, request_id: str) -> str:
        """Return that digest and delete it; "" if there is none or it was taken before."""


class Here(Struct, frozen=True, kw_only=True):
    """The environment in which an approved command is about to run.

    Args:
        session: the host's session id, as its commands get it.
        search_path: the PATH in use.
    """

    cwd: str
    session: str
    search_path: str = ""


class PreExecutionRecheck(Struct, frozen=True, kw_only=True):
    """Checks, right before an approved command runs, that nothing has changed."""

    store: PendingStore
    execution_tokens: ExecutionTokenStore
    seal: Seal
    operands: Operands
    use_s: float = USE_S

    async def why_not(self, request_id: str, here: Here) -> str:
        """Return why the command must not run, "" if it may.

        It says yes once per request: a second check of the same request is refused.
        """
        pending = await self.store.get(request_id)
        if pending is None:
            return "there is no such request"
        # In a thread: the seal of a typed code takes as long as a guess at it should.
        if wrong := await asyncio.to_thread(self._wrong_place, pending, here):
            return wrong
        # After the place: a look from the wrong session or folder must not use up the right one's
        # token.
        approved = await asyncio.to_thread(self.execution_tokens.take, request_id)
        if not approved:
            return "it was looked at before: an approval is for one run"
        now = await asyncio.to_thread(self._files, pending, here)
        if is_same_secret(approved, now):
            return ""
        await self.store.move(request_id, RequestState.FAILED, start=RequestState.EXECUTING)
        return "a file or program has changed since it was approved, or is found elsewhere"

    def _wrong_place(self, pending: PendingRequest, here: Here) -> str:
        """Return why this is not the run that was approved."""
        if pending.state is not RequestState.EXECUTING or not self.seal.holds(pending):
            return f"it was not approved, or is over: it is {pending.state.value}"
        if pending.context.session != here.session:
            return "it was approved in another session"
        # A host names the folder as it was opened, a shell as it is: links may lie between
        # (`/tmp`).
        if os.path.realpath(pending.context.cwd) != os.path.realpath(here.cwd):
            return "it was approved in another folder"
        let_go = pending.consumed_at
        age_s = self.store.moment().wall_s - (let_go.timestamp() if let_go else 0.0)
        # A wall clock that went back ends it too (T-46).
        if not -1 < age_s < self.use_s:
            return "it was let go too long ago"
        return ""

    def _files(self, pending: PendingRequest, here: Here) -> str:
        """Return what the call would run now."""
        said = json.loads(pending.action)
        action = Action(
            tool=said["tool"],
            arguments=said["arguments"],
            cwd=said["cwd"],
            search_path=here.search_path,
        )
        return digest_of_files(self.operands(action))
