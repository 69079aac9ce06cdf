"""Policies over the daemon's Unix socket: an admin at a terminal adds, changes or removes one.

POST /v1/policies {"add": "...", "tool": "Bash", "expires_s": 0}    {"asked": true}: a code is shown
POST /v1/policies {"edit": "pol_0", "text": "..."}                  the same; so does {"remove": id}
POST /v1/policies {"code": "K7QM2X"}                                {"done": true, "id": "pol_0"}
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.challenge.terms.policy import Policy, PolicyChange, PolicyStore
from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer

SHOWN = 200  # characters of a policy beside its code


class PolicyRefused(SignoffError):
    """A policy is not valid or does not exist."""


class WantedPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The change wanted: one of `add` (its text), `edit` and `remove` (its id)."""

    add: str = ""
    edit: str = ""
    remove: str = ""
    text: str | None = None
    tool: str | None = None
    expires_s: float | None = None

    @property
    def act(self) -> str:
        """Return the act's name for the audit log, as `policy.add`."""
        return f"policy.{'add' if self.add else 'edit' if self.edit else 'remove'}"

    @property
    def named(self) -> str:
        """Return which policy it is about, for the audit log, without its text."""
        return self.edit or self.remove or f"for {self.tool or 'every tool'}"


class PolicySwitch(TerminalSwitch[WantedPolicy]):
    """Lets an admin change policies through the daemon, confirmed on the terminal."""

    EXPECTED = 'expected {"add": text}, {"edit": id}, {"remove": id} or {"code": "..."}'
    WHAT = "a policy"
    LIMIT = 20_000

    def __init__(
        self,
        policies: PolicyStore,
        people: Directory,
        agents: Agents,
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        super().__init__(people, agents, lambda _: None, record=record, is_shown=is_shown)
        self._policies = policies

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code = said.get("code")
        if isinstance(code, str):
            return await self._changed(code)
        try:
            wanted = msgspec.convert(said, WantedPolicy)
        except msgspec.ValidationError:
            wanted = WantedPolicy()
        if sum(map(bool, (wanted.add, wanted.edit, wanted.remove))) != 1:
            return JSONResponse({"words": self.EXPECTED}, 400)
        return await self._asked(peer, self._what(wanted), wanted)

    async def _changed(self, code: str) -> Response:
        who, wanted = self._taken(code)
        await self._note(wanted.act, who, wanted.named)
        try:
            id = await asyncio.to_thread(self._done, wanted, who)
        except ValueError as error:
            raise PolicyRefused(str(error)) from error
        return JSONResponse({"done": True, "id": id})

    def _done(self, wanted: WantedPolicy, by: str) -> str:
        """Perform the change; return the id of the policy."""
        if wanted.add:
            ends_s = wanted.expires_s or 0.0
            new = self._policies.add(
                wanted.add, tool=wanted.tool or "", author=by, expires_s=ends_s
            )
            return new.id
        if wanted.remove:
            is_done = self._policies.remove(wanted.remove)
        else:
            change = PolicyChange(text=wanted.text, tool=wanted.tool, expires_s=wanted.expires_s)
            is_done = self._policies.edit(wanted.edit, change, author=by) is not None
        # Somebody may have removed it while the code stood on the terminal.
        if not is_done:
            raise PolicyRefused(f"there is no policy `{wanted.named}` any more")
        return wanted.named

    def _what(self, wanted: WantedPolicy) -> str:
        """Return the change in words, shown with the code."""
        if wanted.add:
            return f"the new policy `{_short(wanted.add)}`, {wanted.named}"
        known = self._known(wanted.named)
        if wanted.remove:
            return f"removing {known.id}: `{_short(known.text)}`"
        text = known.text if wanted.text is None else wanted.text
        return f"changing {known.id}: `{_short(text)}`"

    def _known(self, id: str) -> Policy:
        for one in self._policies.listed():
            if one.id == id:
                return one
        raise PolicyRefused(f"there is no policy `{id}`")


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
