"""What allow rules cover of a call: every operation and every command, or the allow does not hold.

Rules kept here, all of them strict:
- A text pattern (literal, regex, glob) covers a call that meant one part: of a shell line,
  one simple command with nothing around it. It covers every value of a list, or none.
- A command pattern covers its own command, and one under a carrier only if the carrier changes
  nothing (`timeout`, `nice` ...) or the pattern names the carrier too (`sudo systemctl restart`).
- An operation pattern covers operations, whichever command they belong to.
- What a redirection writes, and text a command would run in a language of its own, is covered by
  operation patterns only (the text also by a literal of the whole line).
- What was not understood, and what runs unread code, moves secrets or acts as somebody else, is
  covered only where the pattern says so (`operation_pattern.ALARMS`).
- A rule without `match` covers everything a tool does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.assess.rules.call import RuleInput, speak
from signoff.assess.rules.command_pattern import CommandPattern, is_plain_call, writes_file
from signoff.assess.rules.index import Candidates, FieldPlan, may_start, passes_gate, patterns_for
from signoff.assess.rules.operation_pattern import is_unalarming
from signoff.assess.rules.pattern import Glob, Literal, Regex, Text, TextPattern
from signoff.assess.rules.rule import Coverage, Pattern

# Run what follows them as it stands: neither other rights, nor another place, nor another input.
TRANSPARENT = frozenset(
    ("builtin", "command", "ionice", "nice", "nohup", "stdbuf", "time", "timeout")
)
# What a pattern that starts with these programs has said by naming them.
SAID_BY_PROGRAM = {
    "doas": frozenset((Trait.AS_ROOT,)),
    "ssh": frozenset((Trait.ON_REMOTE_HOST,)),
    "sudo": frozenset((Trait.AS_ROOT,)),
}


class Cover(NamedTuple):
    """A pattern that covers a part of a call; `pattern` is None for a rule without `match`."""

    at: int
    pattern: Pattern | None


class Covering(NamedTuple):
    """The coverage of a call; the rules behind it in file order; their first pattern in words."""

    coverage: Coverage
    rules: tuple[int, ...] = ()
    matched: str = ""
    evidence: str = ""


def cover(candidates: Candidates, call: RuleInput) -> Covering:
    """Return which parts of a call the allow rules cover."""
    groups = _groups(call)
    if candidates.is_empty:
        return Covering(Coverage(uncovered=groups))
    if candidates.always:
        return Covering(Coverage(covered=groups), (candidates.always[0],), "every use")
    covers = _CallParts(candidates, call, groups).covers_by_group()
    covered = tuple(group for group in groups if group in covers)
    uncovered = tuple(group for group in groups if group not in covers)
    # Backwards, so that of several covers by one rule the first in the call stays.
    used = {c.at: c for group in reversed(covered) for c in reversed(covers[group])}
    order = tuple(sorted(used))
    first = used[order[0]] if order else None
    return Covering(
        Coverage(covered=covered, uncovered=uncovered),
        order,
        first.pattern.describe() if first is not None and first.pattern is not None else "",
        _evidence(call, covers, first),
    )


def _groups(call: RuleInput) -> tuple[int, ...]:
    """Every part there is; a call nothing is known of is one part."""
    found = {operation.group for operation in call.operations}
    found.update([command.index for command in call.commands])
    return tuple(sorted(found)) or (0,)


def _evidence(call: RuleInput, covers: dict[int, tuple[Cover, ...]], first: Cover | None) -> str:
    if first is None:
        return ""
    mine = {group for group, found in covers.items() if first in found}
    sources = [o.source or o.target for o in call.operations if o.group in mine]
    return next((c.source for c in call.commands if c.index in mine and c.source), "") or next(
        filter(None, sources), ""
    )


class _CallParts:
    """The parts of one call and what covers them."""

    def __init__(self, candidates: Candidates, call: RuleInput, groups: tuple[int, ...]) -> None:
        self.candidates = candidates
        self.call = call
        self.groups = groups
        self.by_index = {command.index: command for command in call.commands}
        self.spoken = {spoken.command.index: spoken for spoken in call.spoken}
        self.parents = {command.parent for command in call.commands}
        self.operations: dict[int, list[Operation]] = {}
        for operation in call.operations:
            self.operations.setdefault(operation.group, []).append(operation)

    def covers_by_group(self) -> dict[int, tuple[Cover, ...]]:
        """What covers each part; a part that is not wholly covered is missing."""
        text = self._text_cover()
        found: dict[int, tuple[Cover, ...]] = {}
        for group in self.groups:
            command = self.by_index.get(group)
            by_command = text or (self._command_cover(command) if command is not None else None)
            covers = self._part(group, command, by_command)
            if covers is not None:
                found[group] = covers
        return found

    def _part(
        self, group: int, command: Command | None, by_command: Cover | None
    ) -> tuple[Cover, ...] | None:
        """Covers of all operations of a part, () for one that needs none, None if one lacks."""
        operations = self.operations.get(group, [])
        if not operations:
            return self._bare_part(command, by_command)
        if command is not None and writes_file(command) and not any(map(_may_write, operations)):
            return None  # a redirection nothing is known of
        found: list[Cover] = []
        for operation in operations:
            if command is not None and self._is_passed_through(command, operation):
                continue
            one = self._operation_cover(operation, command, by_command)
            if one is None:
                return None
            found.append(one)
        return tuple(found)

    def _bare_part(
        self, command: Command | None, by_command: Cover | None
    ) -> tuple[Cover, ...] | None:
        """Cover a command that has no operation of its own."""
        if command is None or writes_file(command):
            return None
        if by_command is not None:
            return (by_command,)
        # What a carrier runs stands for it, with its own operations and their traits.
        return () if command.index in self.parents and is_plain_call(command) else None

    def _is_passed_through(self, command: Command, operation: Operation) -> bool:
        return (
            operation.verb is Verb.INERT
            and operation.understood
            and command.index in self.parents
            and is_transparent(command)
        )

    def _operation_cover(
        self, operation: Operation, command: Command | None, by_command: Cover | None
    ) -> Cover | None:
        if by_command is not None and _is_own_doing(operation, command, by_command):
            return by_command
        for at, pattern, prefixes in self.candidates.operations.get(operation.verb, ()):
            if prefixes and not operation.path.startswith(prefixes):
                continue
            if pattern.covers(operation):
                return Cover(at, pattern)
        return None

    def _command_cover(self, command: Command) -> Cover | None:
        if not self.candidates.commands:
            return None
        carrier = self._unclear_carrier(command)
        spoken = self.spoken.get((carrier or command).index) or speak(carrier or command)
        found = [
            Cover(at, pattern)
            for at, pattern in patterns_for(self.candidates, spoken)
            if (_names_both(pattern, carrier, command) if carrier else pattern.covers(command))
        ]
        # One that names `sudo` first: it alone covers what runs as root.
        return min(found, key=lambda c: (not _said(c.pattern), c.at)) if found else None

    def _unclear_carrier(self, command: Command) -> Command | None:
        """The nearest carrier that is not transparent; the command itself if one is not known."""
        seen = 0
        at = command.parent
        while at in self.by_index and seen <= len(command.carriers):
            carrier = self.by_index[at]
            if not is_transparent(carrier):
                return carrier
            seen, at = seen + 1, carrier.parent
        return None if seen == len(command.carriers) and at < 0 else command

    def _text_cover(self) -> Cover | None:
        call = self.call
        if not self.candidates.fields or len(self.groups) != 1 or len(call.commands) > 1:
            return None
        if call.commands and not is_simple(call.commands[0]):
            return None
        # Nothing was read of it, so a text cannot tell what it would do.
        if not call.commands and not call.operations:
            return None
        found = [c for plan in self.candidates.fields for c in _text_covers(plan, call)]
        return min(found, key=lambda c: c.at) if found else None


def is_transparent(command: Command) -> bool:
    """Return whether a wrapper command runs the command after it unchanged."""
    return (
        command.program in TRANSPARENT
        and all(word.is_known for word in command.words)
        and "/" not in command.words[0].text
        and is_plain_call(command)
        and not writes_file(command)
    )


def is_simple(command: Command) -> bool:
    """Return whether a line is this one command with all words known and nothing around it."""
    return (
        not command.carriers
        and command.parent < 0
        and bool(command.words)
        and all(word.is_known for word in command.words)
        and is_plain_call(command)
        and not writes_file(command)
    )


def _names_both(pattern: CommandPattern, carrier: Command, command: Command) -> bool:
    """Tell whether a pattern names a carrier and, among its words, the program it runs."""
    if carrier is command or carrier.carriers or carrier.index != command.parent:
        return False
    own = tuple(word.text for word in command.words)
    # The words must be the carrier's own last ones, not text that it hands to a shell.
    is_tail = bool(own) and tuple(word.text for word in carrier.words[-len(own) :]) == own
    is_named = bool(own) and own[0] in pattern.operands
    return is_tail and is_named and is_plain_call(command) and pattern.covers(carrier)


def _is_own_doing(operation: Operation, command: Command | None, by: Cover) -> bool:
    """Tell whether a command or text pattern that covers a command covers an operation of it."""
    if not operation.understood or not is_unalarming(operation, named=_said(by.pattern)):
        return False
    if command is None or isinstance(by.pattern, Literal):
        return command is None or not writes_file(command)
    if len(operation.carriers) > len(command.carriers):
        return False  # text in a language of its own, e.g. that of `python -c`
    return not _may_write(operation) or not writes_file(command)


def _may_write(operation: Operation) -> bool:
    return operation.verb not in (Verb.INERT, Verb.READ)


def _said(pattern: Pattern | None) -> frozenset[Trait]:
    if isinstance(pattern, CommandPattern):
        return SAID_BY_PROGRAM.get(pattern.program.rsplit("/", 1)[-1], frozenset())
    return frozenset()


def _text_covers(plan: FieldPlan, call: RuleInput) -> Iterator[Cover]:
    values = call.values(plan.path)
    if not values.texts or not values.is_flat:
        return
    first = values.texts[0]
    literal = plan.literals.get(first.value)
    patterns: list[tuple[int, TextPattern]] = [literal] if literal is not None else []
    patterns.extend(plan.globs if plan.globs and may_start(plan, first) else ())
    patterns.extend(plan.regexes if plan.regexes and passes_gate(plan, first, call) else ())
    for at, pattern in patterns:
        if all(_is_read(pattern, text, call) for text in values.texts):
            yield Cover(at, pattern)


def _is_read(pattern: TextPattern, text: Text, call: RuleInput) -> bool:
    if isinstance(pattern, Glob):
        return call.can_glob(text) and pattern.matches(text, strict=True)
    size = pattern.size if isinstance(pattern, Regex) else 0
    return call.can_scan(text, size=size) and pattern.matches(text, strict=True)
