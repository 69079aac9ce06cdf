"""Commands in the chat: /status, /pending and the others, for those who are listened to.

What a command shows comes from callables the daemon gives; one that is not given says so. Names
of everything are shown safely; nothing here approves anything.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence

from signoff.challenge.card import title_and_command
from signoff.challenge.pending import RequestState
from signoff.challenge.replies import FORMS
from signoff.challenge.terms.approver import ApproverRole
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.challenge.visible import visible
from signoff.channels.context import CommandServices
from signoff.channels.telegram.cards import escape_invisible
from signoff.channels.telegram.reconciler import Chat, identity
from signoff.effects.admin_acts import AdminAct
from signoff.errors import SignoffError
from signoff.values import count_of

# About what a phone shows without endless scrolling; the rest is counted.
LINES_SHOWN = 30
LINE_LIMIT = 300
TEXT_LIMIT = 3_500
HELP = (
    "/status  what is in force",
    "/pending  what waits for an answer",
    "/cost  what the model has cost",
    "/mode local|remote  where people are asked",
    "/confirm CODE  let a change of approvers, mode, policies or locks hold",
    "/policies  guidance for the model",
    "/learned  rules proposed from your approvals",
    "/accept ID  accept a proposed rule",
    "/approvers  who may answer, and in which groups",
    "/lock  refuse everything from now on",
    "/help  this list",
    f"Press a button of a card, or reply to the card with {FORMS}",
)
NOT_AN_ANSWER = "This message answers no request: it is not a reply to a card."
HOW = f"{HELP[-1]}. /help lists the commands."
NOT_HERE = ("not available here",)


def reply_to_free_text(waiting: int) -> str:
    """Return the reply to a message that is neither a command nor a reply to a card.

    Args:
        waiting: number of open requests.
    """
    match waiting:
        case 0:
            return f"{NOT_AN_ANSWER} No request is waiting. {HOW}"
        case 1:
            return f"{NOT_AN_ANSWER} 1 request still waits. {HOW}"
        case _:
            others = count_of(waiting, "request")
            return f"{NOT_AN_ANSWER} {others} still wait; /pending lists them. {HOW}"


class Commands:
    """Answers chat commands such as `/status`."""

    def __init__(
        self, chat: Chat, services: CommandServices, *, bot_name: Callable[[], str]
    ) -> None:
        self._chat, self._services, self._bot_name = chat, services, bot_name

    async def answer(self, text: str, user: int) -> str:
        """Return the answer to a command; "" if it is addressed to another bot."""
        name, _, rest = text.strip().partition(" ")
        command, at, bot = name.partition("@")
        # In a group every bot sees `/status@other_bot`.
        if at and bot.casefold() != self._bot_name().casefold():
            return ""
        try:
            lines = await self._lines(command.casefold(), rest.strip(), user)
        except SignoffError as error:
            # Said in the chat: whoever typed it sees no log.
            lines = (f"that failed: {visible(str(error))}",)
        return escape_invisible(self._chat.mask(_joined(lines)))

    async def _lines(self, command: str, rest: str, user: int) -> Iterable[str]:
        match command:
            case "/pending":
                return await self._pending()
            case "/learned" | "/accept":
                return await self._learned(command, rest, user)
            case "/mode":
                return await self._mode(rest.casefold(), user)
            case "/confirm":
                return await self._confirm(rest, user)
            case "/lock":
                return await self._lock(user)
            case _:
                return self._standing(command)

    def _standing(self, command: str) -> Sequence[str]:
        """Return what a command shows that needs nothing but the services; the list for others."""
        services = self._services
        lines: Sequence[str] = HELP
        match command:
            case "/start":
                lines = ("signoff asks here before an agent does what needs a yes.", *HELP)
            case "/status":
                lines = services.status() if services.status else NOT_HERE
            case "/cost":
                lines = services.cost() if services.cost else NOT_HERE
            case "/policies":
                lines = _policies(services.policies()) if services.policies else NOT_HERE
            case "/approvers":
                lines = self._approvers()
        return lines

    async def _pending(self) -> Sequence[str]:
        """Return the list of open requests."""
        waiting = await self._chat.requests.listed(RequestState.PENDING, limit=LINES_SHOWN)
        return [
            f"{visible(one.id)} [{one.level.value}] {title_and_command(one.card)}"
            f" until {one.expires_at:%H:%M:%S} UTC"
            for one in waiting
        ] or ["nothing waits for an answer"]

    def _approvers(self) -> Sequence[str]:
        """List who may answer, and who of them is listened to here."""
        directory = self._services.directory
        if directory is None:
            return NOT_HERE
        here = {identity(user) for user in self._chat.terms.users}
        lines = []
        for one in directory.listed():
            groups = f" in {', '.join(one.groups)}" if one.groups else ""
            where = "answers here" if here & set(one.identities) else "not in this chat"
            lines.append(visible(f"{one.id}: {one.role.value}{groups}, {where}"))
        return lines or ["there are no approvers"]

    async def _lock(self, user: int) -> Sequence[str]:
        """Refuse everything; also where that cannot be written down."""
        lock = self._services.lock
        if lock is None:
            return NOT_HERE
        said = lock(f"telegram {user}")
        try:
            await self._note("lock.add", "everything", user)
        except SignoffError as error:
            return said, f"this is not on the audit log: {visible(str(error))}"
        return (said,)

    async def _note(self, act: str, said: str, user: int) -> None:
        """Write down what a person does.

        Raises:
            SignoffError: it is not durable; then it must not be done.
        """
        by = str(identity(user))
        noted = AdminAct(act=act, by=by, said=visible(said), channel="telegram")
        await asyncio.to_thread(self._services.record, noted)

    async def _confirm(self, code: str, user: int) -> Sequence[str]:
        """Let a change hold that was made outside."""
        confirm = self._services.confirm
        if confirm is None:
            return NOT_HERE
        if not self._is_admin(user):
            return ("only an admin confirms changes",)
        await self._note("change.confirm", "requested", user)
        return (confirm(code),)

    async def _learned(self, command: str, id: str, user: int) -> Sequence[str]:
        """Show what was learned and what is proposed, or accept a proposed rule."""
        services = self._services
        learned, accept, directory = services.learned, services.accept, services.directory
        if learned is None or accept is None or directory is None:
            return NOT_HERE
        if command == "/learned":
            return await asyncio.to_thread(learned)
        person = directory.find(identity(user))
        if person is None or person.role is not ApproverRole.ADMIN:
            return ("only an admin accepts rules",)
        await self._note("rule.learn", id, user)
        return (await asyncio.to_thread(accept, id, f"{person.id} (telegram)"),)

    def _is_admin(self, user: int) -> bool:
        """Tell whether a user may change what holds; without a directory everybody here may."""
        directory = self._services.directory
        person = None if directory is None else directory.find(identity(user))
        return directory is None or (person is not None and person.role is ApproverRole.ADMIN)

    async def _mode(self, wanted: str, user: int) -> Sequence[str]:
        """Return the mode, or change it."""
        switch = self._services.mode
        if switch is None:
            return NOT_HERE
        if not wanted:
            return (f"mode {switch.mode().value}",)
        if wanted not in list(Mode):
            return ("expected /mode local or /mode remote",)
        if not self._is_admin(user):
            return ("only an admin changes the mode",)
        await self._note("mode.set", wanted, user)
        switch.set_mode(Mode(wanted))
        return (f"mode {wanted} from now on",)


def _policies(policies: Sequence[Policy]) -> Sequence[str]:
    now_s = time.time()
    return [f"- {one.told(now_s)}" for one in policies] or ["there are no policies"]


def _joined(lines: Iterable[str]) -> str:
    """Return so many lines as a message takes, and say how many are left out."""
    every = [line if len(line) <= LINE_LIMIT else f"{line[:LINE_LIMIT]}..." for line in lines]
    shown: list[str] = []
    room = TEXT_LIMIT // 2  # a character has at most two units
    for line in every[:LINES_SHOWN]:
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    left = len(every) - len(shown)
    return "\n".join([*shown, f"and {left} more"] if left else shown)
