"""The card: what an approver sees of a request, made from the action's own bytes.

First come what would happen and why it is asked, then the risk and the findings, then the whole
call, and last the agent's own description, marked as not checked. All text of a card has passed
`visible`, so it is safe to show. The code is the start of the action's digest: with it people
compare channels.

As plain text the card is the same for every channel that shows text. If it does not fit, it shows
the head, the tail and how much is missing, and cannot be approved there: nobody approves what they
could not read.

    card = make_card(Request(action=action, assessment=assessment))
    text = render_text(card, limit=3_500)
    if not text.is_whole: offer no approval, attach the rest
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.actions.facts import DENIED_ACT, act_of
from signoff.actions.operation import Operation
from signoff.actions.shell.data_flow.staged import known_secrets
from signoff.actions.wording.sentence import say
from signoff.assess.advice import advice_for
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level, level_of_finding
from signoff.challenge.heading import command_line, masked, origin, title_of, worst_of
from signoff.challenge.request import Request
from signoff.challenge.visible import visible, visible_lines
from signoff.values import count_of

CODE_LENGTH = 8  # to compare two channels by eye, not a proof: the binding holds the whole digest
OPERATIONS_SHOWN = 12
FINDINGS_SHOWN = 12
DENIALS_SHOWN = 5
THOUGHT_LIMIT = 400

Mask = Callable[[str], str]

UNLIMITED = 1 << 40  # longer than any card: the argument stays a number
TAIL_SHARE = 4  # a quarter of the room is for the end of the text
NOTE_ROOM = 120  # UTF-16 units for the words that say what is missing


class Argument(Struct, frozen=True, kw_only=True):
    """One argument of the call, complete: a text as its lines, other values as a line of JSON."""

    name: str
    lines: tuple[str, ...]
    is_text: bool = True


class CardFactor(Struct, frozen=True, kw_only=True):
    """One factor that raised or lowered the risk, for the card."""

    name: str
    raw: float
    weight: float
    contribution: float
    evidence: str


class Card(Struct, frozen=True, kw_only=True):
    """What approvers see of a request; fields stand in the order they are shown.

    Args:
        headline: what would happen at worst, in plain words, at most 90 characters.
        command: the call in one line, cut where it is long; the whole of it is in `arguments`.
        risk: 0..1, with its factors; threat: 0..100.
        findings: level, policy line and evidence of each.
        so_far: what the session did before, one line each.
        host: name of the adapter or frontend the call came through.
        project: the project's folder, "" if unknown.
        hidden: number of operations not listed; the call itself is always shown whole.
        thought: the model's opinion if it did not decide; it read the call and may be misled.
        said: the agent's own explanation, not checked.
        instead: a safer form of the call, "" if none is known.
        code: 8 digits that are equal on all channels, to compare cards.
        log: size and start of the root of the audit log's newest checkpoint: whoever keeps the
            card can show later that the log was rewritten; "" if none was signed.
    """

    headline: str
    level: Level
    challenge: Challenge
    why: str
    risk: float = 0.0
    factors: tuple[CardFactor, ...] = ()
    threat: float = 0.0
    findings: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    hidden: int = 0
    so_far: tuple[str, ...] = ()
    tool: str = ""
    cwd: str = ""
    host: str = ""
    project: str = ""
    agent: str = ""
    session: str = ""
    arguments: tuple[Argument, ...] = ()
    thought: str = ""
    said: tuple[str, ...] = ()
    code: str = ""
    command: str = ""
    instead: str = ""
    log: str = ""


def make_card(request: Request, *, mask: Mask = str) -> Card:
    """Build the card of a request: everything an approver is shown.

    Args:
        mask: takes secrets out of what is shown, for channels that leave this machine.
        request: the open question, with its assessment.

    Raises:
        ValueError: the action has no canonical form.
    """
    action, assessment = request.action, request.assessment
    operations = assessment.operations
    return Card(
        headline=title_of(assessment, mask=mask),
        level=assessment.level,
        challenge=assessment.challenge,
        why=visible(mask(assessment.reason)),
        risk=assessment.risk.value,
        factors=_factors(request, mask),
        threat=assessment.threat.score,
        findings=tuple(_finding(f, mask) for f in assessment.findings[:FINDINGS_SHOWN]),
        # The worst of hundreds is in the title; the call itself, in `arguments`, is never cut.
        operations=tuple(_operation(op, mask) for op in operations[:OPERATIONS_SHOWN]),
        hidden=max(0, len(operations) - OPERATIONS_SHOWN),
        so_far=tuple(map(visible, map(mask, _so_far(assessment)))),
        tool=visible(action.tool),
        cwd=visible(action.cwd),
        host=visible(action.source),
        project=visible(assessment.facts.project),
        agent=visible(action.agent),
        session=visible(action.session),
        arguments=tuple(_argument(name, value, mask) for name, value in action.arguments.items()),
        thought=_thought(request.thought, mask),
        said=visible_lines(mask(action.description)) if action.description else (),
        code=code_of(action),
        command=command_line(action, mask=mask),
        instead=mask(advice_for(assessment)),
    )


def code_of(action: Action) -> str:
    """Return the action's short code: the first digits of its digest."""
    return action.digest[:CODE_LENGTH]


def _operation(operation: Operation, mask: Mask) -> str:
    """Return an operation in words."""
    return visible(mask(say(masked(operation, mask))))


def _factors(request: Request, mask: Mask) -> tuple[CardFactor, ...]:
    """Return the factors of the risk, their evidence safe to show."""
    return tuple(
        CardFactor(
            name=visible(factor.name),
            raw=factor.raw,
            weight=factor.weight,
            contribution=factor.contribution,
            evidence=visible(mask(factor.evidence)),
        )
        for factor in request.assessment.risk.factors
    )


def _finding(finding: Finding, mask: Mask) -> str:
    """Return a finding in one line, by the level it gives: one scale beside that of the call."""
    return visible(
        mask(f"{level_of_finding(finding).value} {finding.category}: {finding.evidence}")
    )


def _thought(said: str, mask: Mask) -> str:
    """Return what a model said, in one line that is short enough to leave room for the call."""
    safe = visible(mask(said))
    return safe if len(safe) <= THOUGHT_LIMIT else f"{safe[:THOUGHT_LIMIT]}..."


def _so_far(assessed: Assessed) -> list[str]:
    """Say what the session did before, as far as it matters now."""
    facts = assessed.facts
    what, times = _earlier(assessed)
    lines = [f"`{what}` was called before in this session: {count_of(times, 'time')}"]
    for what, paths in (
        ("wrote", facts.written),
        ("downloaded", facts.downloaded),
        ("read secrets in", known_secrets(facts.secrets_read)),
    ):
        if paths:
            shown = ", ".join(sorted(paths)[:DENIALS_SHOWN])
            more = f" and {len(paths) - DENIALS_SHOWN} more" if len(paths) > DENIALS_SHOWN else ""
            lines.append(f"{what} {shown}{more}")
    denied = [(name, n) for name, n in facts.acts.items() if name.startswith(DENIED_ACT)]
    lines.extend(
        f"was denied before: {name.removeprefix(DENIED_ACT)}"
        + (f", {count_of(n, 'time')}" if n > 1 else "")
        for name, n in denied[-DENIALS_SHOWN:]
    )
    # "0 times" alone says nothing, and the room is for the call.
    return lines if len(lines) > 1 or times else []


def _earlier(assessed: Assessed) -> tuple[str, int]:
    """Return what is called, and how often the session did the same: program and act, or tool."""
    facts, tool = assessed.facts, assessed.action.tool
    worst = worst_of(assessed.operations, assessed.findings)
    if worst is None or worst.program in ("", tool):
        return tool, facts.prior_calls
    return worst.program, facts.acts.get(act_of(worst.program, worst.verb.value), 0)


def _argument(name: str, value: Json, mask: Mask) -> Argument:
    """Return an argument in displayable form."""
    if isinstance(value, str):
        return Argument(name=visible(name), lines=visible_lines(mask(value)))
    import rfc8785  # noqa: PLC0415 - `import signoff` loads msgspec alone

    text = mask(rfc8785.dumps(value).decode("utf-8"))
    return Argument(name=visible(name), lines=(visible(text),), is_text=False)


class CardText(Struct, frozen=True, kw_only=True):
    """A card as plain text.

    Args:
        is_whole: False if it was cut; then no approval may be offered.
    """

    text: str
    is_whole: bool = True


def origin_of_call(card: Card) -> str:
    """Return in one line where a card's call comes from: host, agent, project; "" if unknown."""
    folder = card.project or card.cwd
    return origin(host=card.host, folder=folder, agent=card.agent, session=card.session)


def title_and_command(card: Card) -> str:
    """Return a card in one line: its title, then the call itself."""
    return f"{card.headline} · {card.command}" if card.command else card.headline


def render_text(card: Card, limit: int = UNLIMITED) -> CardText:
    """Return the card as text of at most `limit` UTF-16 units, as messengers count."""
    text = "\n".join(_lines(card))
    if _length(text) <= limit:
        return CardText(text=text)
    return CardText(text=_cut(text, limit, card.code), is_whole=False)


def _lines(card: Card) -> Iterator[str]:
    """Yield the lines of the card."""
    yield f"[{card.level.value}] {card.headline}"
    if whose := origin_of_call(card):
        yield f"from:  {whose}"
    if card.command:
        yield f"call:  {card.command}"
    if why := _without_repeats(card.why, (card.headline,)):
        yield f"why:   {why}"
    if card.instead:
        yield f"safer: {card.instead}"
    yield from _found(card)
    if card.thought:
        yield f"model (not checked): {card.thought}"
    if card.factors:
        yield f"risk:  {card.risk:.2f}, threat {card.threat:g}"
        yield from (
            f"  {factor.contribution:.3f} = {factor.raw:.2f} x {factor.weight:.2f}"
            f"  {factor.name}: {factor.evidence}"
            for factor in card.factors
        )
    yield from (f"so far: {line}" for line in card.so_far)
    yield from _call(card)


def _found(card: Card) -> Iterator[str]:
    """Yield what the call does, where the title has not said all of it, and what was found."""
    if card.operations != (card.headline,):
        yield from (f"  - {operation}" for operation in card.operations)
    if card.hidden:
        yield f"  - and {card.hidden} more"
    said = (card.headline, *card.operations)
    yield from (f"found: {_without_repeats(finding, said)}" for finding in card.findings)


def _without_repeats(line: str, said: tuple[str, ...]) -> str:
    """Return what a line says beside sentences that the card has said before."""
    for one in said:
        if line.startswith(f"{one} ["):  # the sentence, then the policy line or the risk
            return line.removeprefix(f"{one} [").removesuffix("]")
        if line.endswith(f": {one}"):
            return line.removesuffix(f": {one}")
    return "" if line in said else line


def _call(card: Card) -> Iterator[str]:
    """Yield the call itself, whole, then the agent's words and the code."""
    yield f"tool:  {card.tool}"
    if card.cwd:
        yield f"in:    {card.cwd}"
    for argument in card.arguments:
        if argument.is_text:
            yield f"{argument.name}:"
            # A mark before each line: a text of the call could otherwise draw lines like the
            # card's own (T-35).
            yield from (f"  | {line}" for line in argument.lines)
        else:
            yield f"{argument.name}: {' '.join(argument.lines)}"
    if card.said:
        yield "the agent says (not checked):"
        yield from (f"  ~ {line}" for line in card.said)
    yield f"digest: {card.code}"
    if card.log:
        yield f"audit log: {card.log}"


def _cut(text: str, limit: int, code: str) -> str:
    """Return head and tail of a text that is too long, and how much is missing between them."""
    room = max(0, limit - NOTE_ROOM) // 2  # a character has at most two units
    head, tail = text[: room - room // TAIL_SHARE], text[len(text) - room // TAIL_SHARE :]
    missing = len(text) - len(head) - len(tail)
    note = f"\n[{missing:,} characters are not shown: it cannot be approved here; digest {code}]\n"
    return f"{head}{note}{tail}"


def _length(text: str) -> int:
    """Return the length in UTF-16 units, as chat services count it."""
    return len(text) + sum(char > "\uffff" for char in text)
