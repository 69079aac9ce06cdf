"""What is allowed in a rules file and still probably not meant.

A lint note is advice; nothing is refused for it. Kinds: `shadowed`, `unreachable`, `too-wide`,
`unanchored`, `text-for-command`, `no-reason`, `no-examples`, `open-end`, `argument-tool`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from signoff.actions.operation import Reach, Verb
from signoff.actions.vocabulary import words
from signoff.assess.rules.command_pattern import CommandPattern, reads_code
from signoff.assess.rules.operation_pattern import ALARMS, OperationPattern
from signoff.assess.rules.pattern import Glob, Literal, Regex, Text
from signoff.assess.rules.rule import Pattern, Rule, RuleAction, RuleSet

COMPARED_LIMIT = 500  # rules compared with each other; beyond it would take seconds
LINE_FIELDS = frozenset(("command", "cmd", "script"))
TOOL_FIELDS = frozenset(("tool", "tools", "tool_name"))
# Run what they are given: an allow for one of them is an allow for everything.
CARRIERS = words(
    "awk bunx doas env eval exec find nohup npx parallel pipx source su sudo timeout uvx watch "
    "xargs"
)
SHELL_TOOLS = frozenset(("Bash", "Shell", "PowerShell"))
GRAVE_VERBS = frozenset(
    (Verb.DELETE, Verb.EXECUTE, Verb.NETWORK_OUT, Verb.PERSIST, Verb.PRIVILEGE, Verb.SPEND)
)
DELETERS = frozenset(("rm", "rmdir", "shred", "unlink", "dd", "mv"))
# No honest pattern means these: one that matches them matches anything.
PROBES = (Text("\u00a7 no rule names this; rm -rf x"), Text("/\u00a7/no/rule/names/this"))


class LintNote(Struct, frozen=True, kw_only=True):
    """One piece of advice about one rule."""

    kind: str
    rule: str
    message: str
    file: str = ""
    line: int = 0


def lint(rules: RuleSet) -> tuple[LintNote, ...]:
    """Return likely mistakes in the rules, in file order."""
    found: list[LintNote] = []
    for at, rule in enumerate(rules.rules):
        notes = [*_covered_notes(rules.rules, at), *_width_notes(rule), *_story_notes(rule)]
        found.extend(
            LintNote(kind=kind, rule=rule.name, message=text, file=rule.file, line=rule.line)
            for kind, text in notes
        )
    return tuple(found)


def _covered_notes(rules: tuple[Rule, ...], at: int) -> Iterator[tuple[str, str]]:
    """Find rules that never come to speak because others speak first."""
    if at >= COMPARED_LIMIT:
        return
    rule = rules[at]
    for place, other in enumerate(rules[:COMPARED_LIMIT]):
        if place == at or not is_broader(other, rule):
            continue
        if other.action is rule.action and place < at:
            yield "shadowed", f"`{other.name}` in line {other.line} matches all that this does"
            return
        if _is_weighed_before(other, rule):
            yield (
                "unreachable",
                f"{other.action} rule `{other.name}` in line {other.line} is weighed first and"
                " matches all that this does",
            )
            return


def _is_weighed_before(other: Rule, rule: Rule) -> bool:
    if other.action is RuleAction.DENY:
        return rule.action is not RuleAction.DENY
    # Allow patterns are read strictly, so only one without `match` is sure to be met before.
    return (
        other.action is RuleAction.ALLOW
        and not other.match
        and rule.action is RuleAction.ESCALATE
        and not rule.is_tightening
    )


def is_broader(wide: Rule, narrow: Rule) -> bool:
    """Return whether `wide` certainly matches everything that `narrow` does."""
    if wide.tools and not (narrow.tools and set(narrow.tools) <= set(wide.tools)):
        return False
    if not wide.match:
        return True
    if not narrow.match:
        return False
    is_allow = wide.action is RuleAction.ALLOW
    wider = {match.field: match.patterns for match in wide.match}
    return all(
        any(
            _includes(candidate, pattern) and (not is_allow or _covers_alarms(candidate, pattern))
            for candidate in wider.get(match.field, ())
        )
        for match in narrow.match
        for pattern in match.patterns
    )


def _includes(wide: Pattern, narrow: Pattern) -> bool:
    if wide == narrow:
        return True
    match wide, narrow:
        case CommandPattern(), CommandPattern():
            return _includes_command(wide, narrow)
        case OperationPattern(), OperationPattern():
            return _includes_operation(wide, narrow)
        case (Regex() | Glob(), Literal()):
            return wide.matches(Text(narrow.text), strict=True)
        case _:
            return False


def _includes_command(wide: CommandPattern, narrow: CommandPattern) -> bool:
    count = len(wide.operands)
    return (
        not wide.is_closed
        and wide.program == narrow.program
        and wide.operands == narrow.operands[:count]
        and set(wide.options) <= set(narrow.options)
    )


def _includes_operation(wide: OperationPattern, narrow: OperationPattern) -> bool:
    sets = (
        (wide.verbs, narrow.verbs),
        (wide.things, narrow.things),
        (wide.reaches, narrow.reaches),
        (wide.file_kinds, narrow.file_kinds),
        (wide.any_traits, narrow.any_traits),
        (frozenset(wide.targets), frozenset(narrow.targets)),
        (frozenset(wide.paths), frozenset(narrow.paths)),
        (frozenset(wide.programs), frozenset(narrow.programs)),
    )
    flags = ((wide.reversible, narrow.reversible), (wide.understood, narrow.understood))
    return (
        all(not one or (bool(other) and other <= one) for one, other in sets)
        and wide.traits <= narrow.traits
        and all(one is None or one is other for one, other in flags)
    )


def _covers_alarms(wide: Pattern, narrow: Pattern) -> bool:
    """Tell whether an allow pattern names all that the other names and that must be named."""
    if not isinstance(wide, OperationPattern) or not isinstance(narrow, OperationPattern):
        return True
    named = ALARMS & (narrow.traits | narrow.any_traits)
    return (
        named <= wide.traits | wide.any_traits
        and (Reach.GUARD not in narrow.reaches or Reach.GUARD in wide.reaches)
        and (narrow.understood is not False or wide.understood is False)
    )


def _story_notes(rule: Rule) -> Iterator[tuple[str, str]]:
    if not rule.reason:
        yield "no-reason", "no `reason`; it is what the agent and the approver are told"
    if not rule.expect:
        yield "no-examples", "no `expect` examples; `signoff rules test` has nothing to try"
    if any(match.field in TOOL_FIELDS for match in rule.match):
        yield (
            "argument-tool",
            "`tool` below `match` is an argument of that name; to name the tool, write `tool:`"
            " beside `match:`",
        )
    for field_name, pattern in _patterns(rule):
        is_line = field_name.rsplit(".", 1)[-1] in LINE_FIELDS
        if is_line and isinstance(pattern, Regex | Glob):
            yield (
                "text-for-command",
                f"{pattern.describe()} reads the text of a command line, which can be written in"
                " many ways; a `command` or `operation` pattern reads what it does",
            )


def _width_notes(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.action is not RuleAction.ALLOW:
        return
    if not rule.match and (not rule.tools or not SHELL_TOOLS.isdisjoint(rule.tools)):
        yield "too-wide", "allows everything a shell can do; add `match`"
    for _, pattern in _patterns(rule):
        match pattern:
            case CommandPattern():
                yield from _command_width(pattern)
            case OperationPattern():
                yield from _operation_width(pattern)
            case Regex() | Glob():
                yield from _text_width(pattern)


def _command_width(pattern: CommandPattern) -> Iterator[tuple[str, str]]:
    is_bare = not pattern.operands and not pattern.is_closed
    name = pattern.program.rsplit("/", 1)[-1]
    runs_code = name in CARRIERS or reads_code(name)
    if pattern.program in pattern.globs:
        yield "too-wide", f"{pattern.describe()} names no single program"
    elif is_bare and runs_code:
        yield "too-wide", f"{pattern.describe()} allows a program that runs what it is given"
    elif pattern.program in DELETERS and not pattern.is_closed:
        yield (
            "open-end",
            f"{pattern.describe()} also covers further words, e.g. one more folder; end it in ` $`",
        )


def _operation_width(pattern: OperationPattern) -> Iterator[tuple[str, str]]:
    is_placed = bool(pattern.reaches or pattern.paths or pattern.targets or pattern.programs)
    if pattern.understood is False and not (pattern.programs or pattern.paths):
        yield "too-wide", f"{pattern.describe()} allows whatever cannot be understood"
    elif not is_placed and (not pattern.verbs or not GRAVE_VERBS.isdisjoint(pattern.verbs)):
        yield "too-wide", f"{pattern.describe()} says nothing of where; add `reach` or `path`"


def _text_width(pattern: Regex | Glob) -> Iterator[tuple[str, str]]:
    if any(pattern.matches(probe, strict=True) for probe in PROBES):
        yield "too-wide", f"{pattern.describe()} matches anything"
    elif isinstance(pattern, Regex) and not pattern.text.startswith(("^", "\\A", "(?s)^", "(?i)^")):
        yield "unanchored", f"{pattern.describe()} is found anywhere; start it with `^`"


def _patterns(rule: Rule) -> Iterator[tuple[str, Pattern]]:
    for match in rule.match:
        for pattern in match.patterns:
            yield match.field, pattern
