"""A confirmation that is typed out on the controlling terminal, and nowhere else.

There is no option and no pipe that stands in for it. What was typed before the `>` stood is thrown
away; nobody there, or nothing said in time, is no. Changes to who may answer and how take it of
somebody who is admin here.

    if typed_out("in force: ...", word="unlock all"):
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.build.acts import record_own_act
from signoff.build.approvals import Approvals
from signoff.challenge.channels.columns import columns_of, in_columns
from signoff.challenge.channels.terminal import here
from signoff.challenge.terms.approver import Approver, ApproverRole
from signoff.challenge.visible import visible, visible_lines
from signoff.effects.admin_acts import AdminAct
from signoff.errors import SignoffError
from signoff.frontends.cli.exits import Refusal
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import tell
from signoff.settings import load_settings
from signoff.system.terminals import TERMINAL_ERRORS, discard_typed, open_terminal, read_typed

TIMEOUT_S = 120.0
LINE_LIMIT = 1_024
UNMADE = "the daemon changes nothing"


def code_shown(said: Mapping[str, Json]) -> str:
    """Return the code in a daemon's answer if this command must show it; "" if not."""
    shown = said.get("shown")
    return shown if isinstance(shown, str) else ""


def words_of(said: Mapping[str, Json]) -> str:
    """Return the message in a daemon's answer, "" if there is none."""
    return str(said.get("words") or "")


class CodedChange(Struct, frozen=True, kw_only=True):
    """A change by the daemon that an admin confirms by a code shown on their terminal.

    Args:
        path: of the daemon's route.
        text: what is shown before the code is asked for.
        unmade: what is said where the daemon gives no reason.
        unconfirmed: what is the case where no code was typed.
    """

    path: str
    text: str
    unmade: str = UNMADE
    unconfirmed: str = "nothing was changed"

    def made(self, places: Places, wanted: Mapping[str, Json]) -> Mapping[str, Json]:
        """Request the change, read the code, and return the daemon's last answer.

        Raises:
            Refusal: the daemon refuses to ask, or nobody typed a code.
            NotRunning: no daemon answers.
        """
        said = tell(places, self.path, dict(wanted))
        if said.get("asked") is not True:
            raise Refusal(words_of(said) or self.unmade)
        code = typed_line(f"{code_shown(said)}{self.text}, enter the code shown above:")
        if not code:
            raise Refusal(f"not confirmed: {self.unconfirmed}")
        return tell(places, self.path, {"code": code})


def typed_out(text: str, *, word: str) -> bool:
    """Show `text` on the terminal; return whether somebody typed `word` there in time."""
    return typed_line(text) == word


def typed_line(text: str) -> str:
    """Show `text` on the terminal; return the line somebody typed there in time, "" for none."""
    terminal = open_terminal()
    if terminal is None:
        return ""
    try:
        os.write(terminal, f"\n{in_columns(text, columns_of(terminal))}\n".encode())
        # Keys struck before the text could be read must not confirm it.
        discard_typed(terminal)
        os.write(terminal, b"> ")  # what is typed from here on counts
        return _line(terminal, time.monotonic() + TIMEOUT_S).strip()
    except TERMINAL_ERRORS:
        return ""
    finally:
        os.close(terminal)


def _line(terminal: int, deadline: float) -> str:
    """Return one line, "" at the deadline or the end of input."""
    line = b""
    while not line.endswith(b"\n"):
        piece = read_typed(terminal, within_s=deadline - time.monotonic())
        if not piece or len(line) > LINE_LIMIT:
            return ""
        line += piece
    return line.decode("utf-8", "replace")


def confirmed_as_admin(
    approvals: Approvals, text: str, *, word: str, act: str, said: str
) -> Approver:
    """Show `text` on the terminal; return the admin who confirmed it by typing `word`.

    Args:
        act: what the audit log calls it, as `policy.add`; it is written there before it is done.
        said: of what exactly: names and ids alone, as texts may hold anything.

    Raises:
        Refusal: nobody confirmed, or they are not an admin.
        StoreError: it cannot be recorded.
    """
    approver = approvals.directory.find(here())
    if approver is None or approver.role is not ApproverRole.ADMIN:
        raise Refusal(
            f"`{here()}` is no admin; `signoff approvers list` shows who is\n"
            f"if that locks you out: edit or delete {approvals.directory.path}, without it you are"
            " the only admin"
        )
    shown = "\n".join(visible_lines(text))
    if not typed_out(f"{shown}\nto confirm it, type: {word}", word=word):
        raise Refusal("not confirmed on a terminal: everything stays as it is")
    noted = AdminAct(act=act, by=approver.id, said=visible(said), channel="terminal")
    record_own_act(load_settings(), noted)
    return approver


def note_stricter(act: str, said: str) -> None:
    """Write an act that made signoff stricter to the audit log; if that fails, only warn.

    Args:
        act: what the audit log calls it, as `lock.set`.
        said: what exactly was done, in one line.
    """
    noted = AdminAct(act=act, by=str(here()), said=visible(said), channel="terminal")
    try:
        record_own_act(load_settings(), noted)
    except SignoffError as error:
        say(f"warning: this is not on the audit log: {error}", err=True)
