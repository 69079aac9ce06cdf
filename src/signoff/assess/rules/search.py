"""The patterns of an index that may match one command or one text, and what a look costs."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.rules.call import Call, Spoken, is_normal
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.index import Candidates, FieldPlan
from signoff.assess.rules.pattern import Glob, Regex, Text


def patterns_for(candidates: Candidates, spoken: Spoken) -> Iterator[tuple[int, CommandPattern]]:
    """The command patterns that may match: by program, and by a word they need."""
    for program in (spoken.program, "") if spoken.program else ("",):
        by_word = candidates.commands.get(program)
        if by_word is not None:
            for word in by_word.keys() & spoken.words:
                yield from by_word[word]


def globs_for(plan: FieldPlan, text: Text, call: Call) -> Iterator[tuple[int, Glob]]:
    """The globs that match a text, read loosely."""
    if not plan.globs or not may_start(plan, text):
        return
    for at, glob in plan.globs:
        if call.can_glob(text) and glob.matches(text, strict=False):
            yield at, glob


def may_start(plan: FieldPlan, text: Text) -> bool:
    """Tell whether a text starts as one of the globs of a field does."""
    return (text.value + "/").startswith(plan.prefixes) or not is_normal(text.value)


def passes_gate(plan: FieldPlan, text: Text, call: Call) -> bool:
    """Tell whether one of the expressions of a field may be found in a text."""
    if plan.gate is None:
        return True
    if text.gate is not plan.gate:
        text.is_past_gate = call.can_scan(text, size=plan.gate_size) and (
            plan.gate.search(text.encoded) is not None
        )
        text.gate = plan.gate
    return text.is_past_gate


def is_found(regex: Regex, text: Text, call: Call) -> bool:
    """Look for an expression in a text, if the call has not cost too much yet."""
    return call.can_scan(text, size=regex.size) and regex.matches(text, strict=False)
