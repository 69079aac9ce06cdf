"""What may be learned of a call that people approve again and again: a narrow shape, or a reason.

A shape comes from the call's Operations. Never learned is what is CRITICAL, what was not
understood, what touches signoff itself, and whatever runs other things: shells, interpreters,
wrapper commands (`grant.py` and `session_scope.py` in `challenge/terms/`).

    learnable(assessment)     LearnableCall(tool="Bash", words=("git", "push", ...)), or "critical"
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.operation import Operation, Reach, Verb
from signoff.assess.assessed import Assessed
from signoff.assess.finding import FIXED_DETECTORS
from signoff.assess.level import Level
from signoff.assess.rules.rule import effect_of
from signoff.challenge.terms.grant import LINE_ARGUMENT, why_not_granted
from signoff.challenge.terms.plain_line import plain_lines
from signoff.challenge.terms.session_scope import shape_of
from signoff.values import replace

SHORTENING = ("head", "tail")
WORD_LIMIT = 300
WORDS_LIMIT = 40
NEVER_IN_WORDS = frozenset("*?[]{}$'\"\\")  # a pattern would read them otherwise


class LearnableCall(Struct, frozen=True, kw_only=True):
    """The common form of calls that one rule could allow.

    Args:
        shape: equal for calls that a person would take for the same.
        words: of a shell command, () for other tools.
        around: commands that may stand before it, as command patterns.
        shortened: whether `tail` or `head` may shorten its output.
        targets: of any other tool: (verb, thing, field, value) of each operation.
        effects, findings, level: the limits of a rule; see `RuleLimits`.
    """

    tool: str
    project: str
    shape: str
    words: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    shortened: bool = False
    targets: tuple[tuple[str, str, str, str], ...] = ()
    effects: frozenset[str] = frozenset()
    findings: frozenset[str] = frozenset()
    level: str = Level.MEDIUM.value


def learnable(assessed: Assessed) -> LearnableCall | str:
    """Return the learnable form of a call, or a text that says why it has none.

    Calls without a session have none.
    """
    if why := why_never(assessed):
        return why
    if not assessed.facts.project:
        return "outside of a project"
    action, shape = assessed.action, shape_of(assessed)
    if not shape:
        return "no narrow shape"
    call = LearnableCall(
        tool=action.tool,
        project=assessed.facts.project,
        shape=shape,
        effects=frozenset(map(effect_of, _acting(assessed))),
        findings=frozenset(one.category for one in assessed.findings if one.detected),
        level=assessed.level.value,
    )
    if LINE_ARGUMENT in action.arguments:
        return _of_line(call, assessed)
    targets = tuple(dict.fromkeys(map(_target, _acting(assessed))))
    is_narrow = bool(targets) and all(value for *_, value in targets)
    return replace(call, targets=targets) if is_narrow else "no target is named"


def why_never(assessed: Assessed) -> str:
    """Return why calls like this are never learned, "" if they may be."""
    if assessed.level is Level.CRITICAL:
        return "critical"
    if any(one.detector in FIXED_DETECTORS for one in assessed.findings if one.detected):
        return "about signoff"
    if any(one.reach is Reach.GUARD for one in assessed.operations):
        return "about signoff"
    if any(not one.understood for one in assessed.operations):
        return "not understood"
    return "runs other things" if why_not_granted(assessed) else ""


def _acting(assessed: Assessed) -> tuple[Operation, ...]:
    return tuple(one for one in assessed.operations if one.verb is not Verb.INERT)


def _of_line(call: LearnableCall, assessed: Assessed) -> LearnableCall | str:
    """Add the words of a shell line that is one plain command."""
    plain = plain_lines(assessed.action.text(LINE_ARGUMENT))
    # A rule answers for every command of a line: one of them would be learned along.
    if len(plain) != 1:
        return "several commands in one line"
    words = plain[0].words
    if len(words) > WORDS_LIMIT or any(len(word) > WORD_LIMIT for word in words):
        return "too long"
    folders = (assessed.facts.project, assessed.action.cwd)
    around: tuple[str, ...] = ()
    if plain[0].folder:
        if plain[0].folder not in folders or not _is_plain(plain[0].folder):
            return "goes to another folder first"
        around = (f"cd {plain[0].folder} $",)
    shortened = any(op.program in SHORTENING for op in assessed.operations)
    return replace(call, words=words, around=around, shortened=shortened)


def _is_plain(word: str) -> bool:
    """Tell whether a pattern with this word matches this word alone."""
    return bool(word) and word.isprintable() and NEVER_IN_WORDS.isdisjoint(word)


def pattern_word(word: str) -> str:
    """Return a word in the syntax of a command pattern, "" if it cannot be written."""
    if not _is_plain(word):
        return ""
    return f"'{word}'" if any(not (c.isalnum() or c in "_@%+=:,./-") for c in word) else word


def _target(operation: Operation) -> tuple[str, str, str, str]:
    """Return what an operation does to what, as conditions of an operation pattern."""
    field, value = ("path", operation.path) if operation.path else ("target", operation.target)
    verb, thing = operation.verb.value, operation.thing.value
    return verb, thing, field, value if _is_plain(value) else ""
