"""Rules compiled for speed: by action and tool, then by program, verb class and field.

A call meets only the patterns that could match it. Regular expressions over one field stand behind
one joined expression that is tried first; it is only a gate, so a join too big to compile is left
out and every expression is tried.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from signoff.actions.operation import Verb
from signoff.assess.rules.call import RuleInput, Spoken
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import (
    BadPattern,
    CompiledPattern,
    Glob,
    Literal,
    Regex,
    Text,
    TextPattern,
    compile_gate,
    compile_glob,
    is_normal,
)
from signoff.assess.rules.rule import Rule, RuleAction, RuleSet

GATE_FROM = 3  # expressions in one field from which a joined one pays
TOOLS_KEPT = 256  # tool names come from outside: their plans are kept up to here


ByWord = Mapping[str, tuple[tuple[int, CommandPattern], ...]]


class FieldPlan(Struct, frozen=True, kw_only=True):
    """The text patterns of one field; the numbers are indexes into `RuleSet.rules`."""

    name: str
    path: tuple[str, ...]
    literals: Mapping[str, tuple[int, Literal]]
    globs: tuple[tuple[int, Glob], ...]
    prefixes: tuple[str, ...]  # every value a glob matches starts with one of them
    regexes: tuple[tuple[int, Regex], ...]
    gate: CompiledPattern | None
    gate_size: int


class Candidates(Struct, frozen=True, kw_only=True):
    """The patterns of all rules with one action, for one tool, indexed for lookup.

    Args:
        commands: by program in lower case ("" = any), then by a word they need ("" = none).
        operations: by verb class, each with the prefixes a path must have, () for any.
    """

    always: tuple[int, ...] = ()
    commands: Mapping[str, ByWord]
    operations: Mapping[Verb, tuple[tuple[int, OperationPattern, tuple[str, ...]], ...]]
    fields: tuple[FieldPlan, ...] = ()
    is_empty: bool = True


class MatchPlan(Struct, frozen=True, kw_only=True):
    """The candidate rules for one tool, by action, in order of evaluation."""

    deny: Candidates
    tighten: Candidates
    allow: Candidates
    escalate: Candidates


@functools.lru_cache(maxsize=TOOLS_KEPT)
def plan_for(rules: RuleSet, tool: str) -> MatchPlan:
    """Return the rules that apply to a tool, indexed for lookup; cached."""
    mine = [(at, rule) for at, rule in enumerate(rules.rules) if speaks_of(rule, tool)]
    escalate = [(at, rule) for at, rule in mine if rule.action is RuleAction.ESCALATE]
    gates = gates_of(rule for _, rule in mine)
    return MatchPlan(
        deny=arrange(((at, r) for at, r in mine if r.action is RuleAction.DENY), gates),
        tighten=arrange(((at, r) for at, r in escalate if r.is_tightening), gates),
        allow=arrange(((at, r) for at, r in mine if r.action is RuleAction.ALLOW), gates),
        escalate=arrange(((at, r) for at, r in escalate if not r.is_tightening), gates),
    )


def gates_of(rules: Iterable[Rule]) -> Mapping[str, CompiledPattern]:
    """Return one joined expression per field, so that a text is searched once for all rules."""
    expressions: dict[str, list[str]] = {}
    for rule in rules:
        for match in rule.match:
            found = [p.text for p in match.patterns if isinstance(p, Regex)]
            expressions.setdefault(match.field, []).extend(found)
    gates = {name: _gate(tuple(dict.fromkeys(found))) for name, found in expressions.items()}
    return {name: gate for name, gate in gates.items() if gate is not None}


def speaks_of(rule: Rule, tool: str) -> bool:
    """Return whether a rule applies to a tool."""
    return not rule.tools or any(_is_tool(name, tool) for name in rule.tools)


def _is_tool(name: str, tool: str) -> bool:
    if name == tool:
        return True
    return "*" in name and tool_glob(name).search(tool.encode(errors="replace")) is not None


@functools.lru_cache(maxsize=1024)
def tool_glob(name: str) -> CompiledPattern:
    """Compile a tool name with `*` in it."""
    # In the name of a tool a star stands for anything, slashes too.
    return compile_glob(name.replace("*", "**"))


def arrange(rules: Iterable[tuple[int, Rule]], gates: Mapping[str, CompiledPattern]) -> Candidates:
    """Index the patterns of rules; the numbers are indexes into `RuleSet.rules`."""
    always: list[int] = []
    commands: dict[str, dict[str, list[tuple[int, CommandPattern]]]] = {}
    operations: dict[Verb, list[tuple[int, OperationPattern, tuple[str, ...]]]] = {}
    texts: dict[str, list[tuple[int, TextPattern]]] = {}
    for at, rule in rules:
        if not rule.match:
            always.append(at)
        for name, pattern in ((m.field, p) for m in rule.match for p in m.patterns):
            if isinstance(pattern, CommandPattern):
                by_word = commands.setdefault(pattern.index_key, {})
                by_word.setdefault(pattern.needed_word, []).append((at, pattern))
            elif isinstance(pattern, OperationPattern):
                prefixes = tuple({glob.prefix for glob in pattern.paths})
                for verb in pattern.verbs or Verb:
                    operations.setdefault(verb, []).append((at, pattern, prefixes))
            else:
                texts.setdefault(name, []).append((at, pattern))
    return Candidates(
        always=tuple(always),
        commands={
            program: {word: tuple(found) for word, found in by_word.items()}
            for program, by_word in commands.items()
        },
        operations={verb: tuple(found) for verb, found in operations.items()},
        fields=tuple(_field_plan(name, found, gates.get(name)) for name, found in texts.items()),
        is_empty=not (always or commands or operations or texts),
    )


def _field_plan(
    name: str, patterns: list[tuple[int, TextPattern]], gate: CompiledPattern | None
) -> FieldPlan:
    literals: dict[str, tuple[int, Literal]] = {}
    globs: list[tuple[int, Glob]] = []
    regexes: list[tuple[int, Regex]] = []
    for at, pattern in patterns:
        match pattern:
            case Literal():
                # Where two rules have one text, the first in the file speaks.
                literals.setdefault(pattern.text, (at, pattern))
            case Glob():
                globs.append((at, pattern))
            case Regex():
                regexes.append((at, pattern))
    return FieldPlan(
        name=name,
        path=tuple(name.split(".")),
        literals=literals,
        globs=tuple(globs),
        prefixes=tuple({glob.prefix for _, glob in globs}),
        regexes=tuple(regexes),
        gate=gate,
        gate_size=gate.programsize if gate is not None else 0,
    )


def _gate(expressions: tuple[str, ...]) -> CompiledPattern | None:
    if len(expressions) < GATE_FROM:
        return None
    try:
        return compile_gate(expressions)
    except BadPattern:
        return None


def patterns_for(candidates: Candidates, spoken: Spoken) -> Iterator[tuple[int, CommandPattern]]:
    """Yield the command patterns that may match, found by program and needed word."""
    for program in (spoken.program, "") if spoken.program else ("",):
        by_word = candidates.commands.get(program)
        if by_word is not None:
            for word in by_word.keys() & spoken.words:
                yield from by_word[word]


def globs_for(plan: FieldPlan, text: Text, call: RuleInput) -> Iterator[tuple[int, Glob]]:
    """Yield the globs that match a text loosely."""
    if not plan.globs or not may_start(plan, text):
        return
    for at, glob in plan.globs:
        if call.can_glob(text) and glob.matches(text, strict=False):
            yield at, glob


def may_start(plan: FieldPlan, text: Text) -> bool:
    """Return whether a text starts like one of a field's globs."""
    # With a slash: the folder `/srv` itself is met by `/srv/**`.
    return (text.value + "/").startswith(plan.prefixes) or not is_normal(text.value)


def passes_gate(plan: FieldPlan, text: Text, call: RuleInput) -> bool:
    """Return whether any expression of a field may be found in a text."""
    if plan.gate is None:
        return True
    if text.gate is not plan.gate:
        text.is_past_gate = call.can_scan(text, size=plan.gate_size) and (
            plan.gate.search(text.encoded) is not None
        )
        text.gate = plan.gate
    return text.is_past_gate


def is_found(regex: Regex, text: Text, call: RuleInput) -> bool:
    """Return whether an expression is found in a text; False once the budget is used up."""
    return call.can_scan(text, size=regex.size) and regex.matches(text, strict=False)
