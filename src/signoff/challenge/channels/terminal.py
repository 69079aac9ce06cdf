"""The controlling terminal of the asking process: card, code, proof, and yes or no typed out.

Asks only where somebody can be there: on a real terminal, in the foreground. It talks in a thread
of its own and stops as soon as the request is answered elsewhere. There is no default. What was
typed before the card stood is thrown away; the end of input, the deadline and `stop` end the
conversation without an answer. The approval service decides what each answer counts.

    TerminalChannel(approval_service=service)
    Conversation(terminal, stop=reading_end).hold(pending, answer, timeout_s=300)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable

from msgspec import Struct, field

from signoff.assess.verdict import Verdict
from signoff.challenge.card import render_text
from signoff.challenge.channel import (
    AnswerIntake,
    AnswerOutcome,
    NobodyThere,
    OutcomeKind,
    Response,
)
from signoff.challenge.channels.columns import columns_of, in_columns
from signoff.challenge.channels.scopes import session_line
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.seal import spaced
from signoff.challenge.terms.approver import Identity
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep, Question
from signoff.system.files import own_uid
from signoff.system.terminals import (
    TERMINAL,
    TERMINAL_ERRORS,
    discard_typed,
    open_terminal,
    read_typed,
)

STOP_S = 1.0  # how long the thread may take to leave the terminal; the wait is over either way
ANSWER_S = 30.0  # how long the approval service may take for one answer

TRIES = 10
ID_SHOWN = 8
LINE_LIMIT = 4_096  # more is no typed line: input that never ends is no answer
TEXT_LIMIT = 8_192
CHANNEL = "terminal"
CODE_SHOWN_ON = "the card of this request"
FINAL = (
    OutcomeKind.APPROVED,
    OutcomeKind.DENIED,
    OutcomeKind.STEP,
    OutcomeKind.TOO_LATE,
    OutcomeKind.ALREADY,
    OutcomeKind.NOT_ALLOWED,
    OutcomeKind.UNKNOWN,
)

TakeAnswer = Callable[[Response], AnswerOutcome]


class TerminalChannel(Struct, frozen=True, kw_only=True):
    """A channel that shows requests on a terminal and reads the answers there.

    Args:
        timeout_s: how long to wait for an answer.
    """

    approval_service: AnswerIntake
    path: str = TERMINAL
    timeout_s: float = 300.0
    name: str = "terminal"
    _talks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def announce(self, pending: PendingRequest) -> None:
        """Start the conversation about a request, if a person is at the terminal."""
        if pending.id in self._talks:
            return
        terminal = open_terminal(self.path)
        if terminal is None:
            raise NobodyThere
        try:
            await self.approval_service.open(pending.id, here())
        except BaseException:
            os.close(terminal)
            raise
        talk = asyncio.get_running_loop().create_task(self._talk(terminal, pending))
        self._talks[pending.id] = talk
        talk.add_done_callback(lambda _: self._talks.pop(pending.id, None))
        await asyncio.sleep(0)  # it begins: cancelled before that, it would not close the terminal

    async def update(self, pending: PendingRequest) -> None:
        """End the conversation once the request is decided."""
        talk = self._talks.get(pending.id)
        if talk is not None and not pending.state.is_open:
            talk.cancel()
            await asyncio.wait({talk})

    async def _talk(self, terminal: int, pending: PendingRequest) -> None:
        """Talk in a thread, until it is over or this is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            stopped, stop = os.pipe()
        except OSError:
            os.close(terminal)
            raise
        talk = Conversation(terminal=terminal, stop=stopped, identity=here(), code=pending.code)

        def answer(response: Response) -> AnswerOutcome:
            taken = asyncio.run_coroutine_threadsafe(self.approval_service.answer(response), loop)
            return taken.result(ANSWER_S)

        def hold() -> None:
            try:
                # A terminal that goes away ends it, and so does a service that does not answer.
                with contextlib.suppress(*TERMINAL_ERRORS, TimeoutError):
                    talk.hold(pending, answer, timeout_s=self.timeout_s)
            finally:
                os.close(terminal)
                os.close(stopped)

        thread = loop.run_in_executor(None, hold)
        try:
            await asyncio.shield(thread)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):  # it has just ended by itself
                os.write(stop, b"x")
            await asyncio.wait({thread}, timeout=STOP_S)
            raise
        finally:
            os.close(stop)


class ConversationEnded(Exception):
    """The terminal was closed, or the request was decided meanwhile."""


class Conversation(Struct, frozen=True, kw_only=True):
    """One conversation about a request on a terminal.

    Args:
        terminal: descriptor, read and written.
        stop: descriptor that becomes readable when the conversation must end; -1 for none.
        identity: the person at the terminal.
        code: the confirmation code; "" = the person is asked to type it.
        code_is_on: where a person finds the code to type.
    """

    terminal: int
    identity: Identity
    stop: int = -1
    code: str = ""
    code_is_on: str = CODE_SHOWN_ON

    def hold(
        self, pending: PendingRequest, answer: TakeAnswer, *, timeout_s: float
    ) -> AnswerOutcome | None:
        """Show the card and prompt until an answer counts; None if no answer did in time."""
        self.say(f"\nsignoff asks:\n{render_text(pending.card).text}\n")
        if covers := session_line(pending):
            command = f"signoff approve {pending.id[:ID_SHOWN]} --session"
            self.say(f"{covers} (`{command}`)\n")
        if self.code:
            command = f"signoff approve {pending.id[:ID_SHOWN]}"
            self.say(f"In another terminal: `{command}`, code {spaced(self.code)}\n")
        # After the card: a `yes` typed before it could be read answers nothing.
        discard_typed(self.terminal)
        deadline = time.monotonic() + timeout_s
        try:
            # What does not count can be tried again; the approval service counts wrong proofs.
            for _ in range(TRIES):
                response = self._response(pending, deadline)
                outcome = answer(response)
                self.say(f"{outcome.words}\n")
                if outcome.kind in FINAL:
                    return outcome
        except ConversationEnded:
            self.say("\nno answer was given here\n")
        return None

    def say(self, text: str) -> None:
        """Write the text to the terminal, wrapped to its width."""
        text = in_columns(text, columns_of(self.terminal))
        # Half a surrogate pair in a file name cannot be encoded, and must not end the
        # conversation.
        left = text.encode("utf-8", "backslashreplace")
        while left:
            left = left[os.write(self.terminal, left) :]

    def _response(self, pending: PendingRequest, deadline: float) -> Response:
        """Prompt for everything that one answer needs."""
        step = pending.next_step
        proof, words = Proof(), ""
        if step is not None:
            proof, words = self._proof(step, deadline)
        if not words:
            words = self._yes_or_no(deadline)
        if words != "yes":
            return self._said(pending, Verdict.DENY, words=_reason(words))
        # Typed only in another process than the one that asks: that one has shown the code
        # itself.
        code = self.code or self._line(self._code_wanted, deadline)
        proof = Proof(choices=proof.choices, text=proof.text, code=code)
        return self._said(pending, Verdict.ALLOW, proof=proof)

    @property
    def _code_wanted(self) -> str:
        return f"Enter the confirmation code shown on {self.code_is_on}: "

    def _said(
        self,
        pending: PendingRequest,
        verdict: Verdict,
        *,
        words: str = "",
        proof: Proof | None = None,
    ) -> Response:
        return Response(
            request_id=pending.id,
            nonce=pending.nonce,
            identity=self.identity,
            verdict=verdict,
            words=words,
            proof=proof or Proof(),
        )

    def _proof(self, step: ProofStep, deadline: float) -> tuple[Proof, str]:
        """Ask for the proof of a step; the second value is a refusal given instead."""
        match step.kind:
            case ProofKind.CONFIRM:
                return Proof(), ""
            case ProofKind.QUIZ:
                return self._quiz(step.questions, deadline)
            case ProofKind.TEACH_BACK:
                return self._explanation(deadline)

    def _quiz(self, questions: tuple[Question, ...], deadline: float) -> tuple[Proof, str]:
        """Prompt for the answers of a quiz."""
        choices: list[int] = []
        for question in questions:
            listed = "\n".join(f"  {n}. {said}" for n, said in enumerate(question.choices, 1))
            self.say(f"{question.text}\n{listed}\n")
            while True:
                line = self._line("number, or no to refuse: ", deadline)
                if _is_no(line):
                    return Proof(), line
                if line.isascii() and line.isdigit() and 0 < int(line) <= len(question.choices):
                    choices.append(int(line) - 1)
                    break
                self.say("that is not one of the numbers\n")
        return Proof(choices=tuple(choices)), ""

    def _explanation(self, deadline: float) -> tuple[Proof, str]:
        """Ask for an explanation, to its first empty line."""
        self.say("explain in at least 15 words what would happen, then an empty line; or no\n")
        lines: list[str] = []
        while sum(map(len, lines)) < TEXT_LIMIT:
            line = self._line("> ", deadline)
            if not lines and _is_no(line):
                return Proof(), line
            if not line and lines:
                break
            lines.append(line)
        return Proof(text="\n".join(lines)), ""

    def _yes_or_no(self, deadline: float) -> str:
        """Prompt for yes or no; a no may come with a reason."""
        while True:
            line = self._line("let it happen? type yes or no: ", deadline)
            # Whole words: `y` is typed by habit, and by what answers every prompt (`yes | ...`).
            if line == "yes" or _is_no(line):
                return line
            self.say("that is neither yes nor no\n")

    def _line(self, prompt: str, deadline: float) -> str:
        """Return one line without its end.

        Raises:
            ConversationEnded: the deadline, the end of input or `stop` came first.
        """
        self.say(prompt)
        line = b""
        while not line.endswith(b"\n"):
            left_s = deadline - time.monotonic()
            piece = read_typed(self.terminal, within_s=left_s, stop=self.stop)
            if not piece or len(line) > LINE_LIMIT:
                raise ConversationEnded
            line += piece
        return line.decode("utf-8", "replace").strip()


def here() -> Identity:
    """Return the identity of the user at this process's terminal."""
    return Identity(CHANNEL, f"uid:{own_uid()}")


def _is_no(line: str) -> bool:
    """Tell whether a line is a no, alone or with its reason after a mark."""
    return line == "no" or line.startswith(("no:", "no,"))


def _reason(line: str) -> str:
    """Return the text after a no."""
    return line[3:].strip()
