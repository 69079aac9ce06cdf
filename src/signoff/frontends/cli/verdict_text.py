"""An assessment as text for people: the verdict, why, and what it rests on.

Everything that came from outside is shown by `visible`, so nothing in it can repaint the lines.

    deny   rm -rf ~
           deletes the home folder
           level critical, threat 90, risk 0.72
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.action import Action
from signoff.actions.operation import Operation
from signoff.assess.advice import advice_for
from signoff.assess.assessed import Assessed
from signoff.assess.level import Challenge, Level, level_of_finding
from signoff.assess.verdict import Verdict
from signoff.challenge.visible import visible
from signoff.frontends.cli.shaping import ShapedBy
from signoff.frontends.cli.styled_lines import StyledLine, StyledText
from signoff.values import count_of

COLOURS = {Verdict.ALLOW: "green", Verdict.ASK: "yellow", Verdict.DENY: "red"}
LEVEL_COLOURS = {
    Level.LOW: "",
    Level.MEDIUM: "yellow",
    Level.HIGH: "yellow",
    Level.CRITICAL: "red",
}
PROOFS = {
    Challenge.AUTO_APPROVE: "a yes",
    Challenge.CONFIRM: "a yes",
    Challenge.QUIZ: "a quiz",
    Challenge.TEACH_BACK: "an explanation in your own words",
    Challenge.MULTI_PARTY: "several people",
}
INDENT = " " * 7
UNDER = len(INDENT) + 11  # behind the names of an explanation's lines
LINE_LIMIT = 2_000  # characters of one piece; what is cut is counted


def verdict_lines(
    assessed: Assessed, *, is_explained: bool = False, shaped: Iterable[ShapedBy] = ()
) -> Iterator[StyledLine]:
    """Yield the lines that show a judgement.

    Args:
        is_explained: with all details.
        shaped: influences on it, for an explanation.
    """
    verdict = assessed.preliminary
    head = StyledText(f"{verdict.value:<7}", colour=COLOURS[verdict], is_bold=True)
    yield StyledLine((head, StyledText(shown(call_text(assessed.action)))))
    yield from _text(shown(assessed.reason))
    if instead := advice_for(assessed):
        yield from _text(f"instead: {instead}")
    yield _line(f"{INDENT}{_figures(assessed)}", is_dim=True, under=len(INDENT))
    if is_explained:
        yield from _explained(assessed)
    for one in shaped:
        yield _line(f"{INDENT}{one.name:<12}{shown(one.said)}", is_dim=True, under=UNDER + 1)


def call_text(action: Action) -> str:
    """Return a call in one line: a shell command, or the tool and its arguments."""
    command = action.text("command")
    # Beside other arguments, showing the command alone would hide them (T-35).
    if command and len(action.arguments) == 1:
        return command
    arguments = ", ".join(f"{name}={value!r}" for name, value in action.arguments.items())
    return f"{action.tool}({arguments})"


def shown(text: str) -> str:
    """Return an untrusted text safe to print; if it was cut, it says by how much."""
    if len(text) <= LINE_LIMIT:
        return visible(text)
    return f"{visible(text[:LINE_LIMIT])} [{count_of(len(text) - LINE_LIMIT, 'more character')}]"


def _figures(assessed: Assessed) -> str:
    figures = [
        f"level {assessed.level.value}",
        f"threat {assessed.threat.score:g}",
        f"risk {assessed.risk.value:.2f}",
    ]
    if assessed.rule is not None:
        figures.append(f"rule {shown(assessed.rule.rule.name)}")
    if assessed.preliminary is Verdict.ASK:
        figures.append(f"to approve: {PROOFS[assessed.challenge]}")
    return ", ".join(figures)


def _explained(assessed: Assessed) -> Iterator[StyledLine]:
    if assessed.preliminary is Verdict.ASK:
        because = shown(assessed.proof_because)
        yield _line(f"{INDENT}proof      {assessed.challenge.value}: {because}", under=UNDER)
    for finding in assessed.findings:
        level = level_of_finding(finding)
        severity = StyledText(f"{level.value:<9}", colour=LEVEL_COLOURS[level])
        bounded = "; severity high, but its harm has a bound" if finding.is_bounded else ""
        what = StyledText(f"{finding.category}: {shown(finding.evidence)}{bounded}")
        yield StyledLine((StyledText(f"{INDENT}finding    "), severity, what), under=UNDER)
    for operation in assessed.operations:
        yield _line(f"{INDENT}operation  {_operation(operation)}", under=UNDER)
    for factor in assessed.risk.factors:
        yield _line(
            f"{INDENT}factor     {factor.contribution:.3f} = {factor.raw:.2f} x {factor.weight:.2f}"
            f"  {factor.name}: {shown(factor.evidence)}",
            is_dim=True,
            under=UNDER,
        )


def _text(text: str) -> Iterator[StyledLine]:
    yield _line(f"{INDENT}{text}", under=len(INDENT))


def _line(text: str, *, is_dim: bool = False, under: int = 0) -> StyledLine:
    return StyledLine((StyledText(text, is_dim=is_dim),), under=under)


def _operation(operation: Operation) -> str:
    target = shown(operation.target) if operation.target else operation.thing.value
    parts = [f"{operation.verb.value} {target} ({operation.thing.value}, {operation.reach.value})"]
    if operation.carriers:
        parts.append("inside " + " > ".join(map(shown, operation.carriers)))
    if operation.traits:
        parts.append(", ".join(sorted(operation.traits)))
    if not operation.reversible:
        parts.append("cannot be undone")
    if not operation.understood:
        parts.append(f"not understood: {shown(operation.why)}")
    return "; ".join(parts)
