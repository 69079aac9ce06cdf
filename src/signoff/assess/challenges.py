"""Which proof an approval takes where a user says so: by level, tool, policy line, rule, function.

The most specific one that is said holds: a function before lines and rules, these before a tool, a
tool before the level; of two that are equally specific the stronger. A project's file only makes a
proof stronger. What is CRITICAL keeps its own, whatever is said. A proof that was made stronger is
given by people on a channel: no model and no host's own prompt approves such a call.

    chosen = ChallengeMap(tools={"Bash": Challenge.CONFIRM})
    chosen.proof(call).challenge        confirm, also for a call of level HIGH
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec import Struct, field

from signoff.actions.action import ActionKind
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Challenge, Level, challenge_of

PLACE = "approval.challenges"
STRENGTH = {challenge: rank for rank, challenge in enumerate(Challenge)}


class ChosenProof(NamedTuple):
    """The proof to ask for, and the reason for it in words."""

    challenge: Challenge
    because: str


class AskedCall(NamedTuple):
    """What decides which proof a call needs.

    Args:
        rule: name of the rule that asks, "" if the scores do.
    """

    tool: str
    kind: ActionKind
    level: Level
    findings: tuple[Finding, ...] = ()
    rule: str = ""


class ChallengeMap(Struct, frozen=True, kw_only=True):
    """The configured proofs, by properties of the call; the strongest match counts.

    Args:
        tools: by tool name, or a pattern such as `mcp__stripe__*`.
        lines: by policy line (`detector.line`) or detector.
        rules: by the name of the rule that asks.
        functions: by the name of a Python function, or a pattern.
    """

    levels: Mapping[Level, Challenge] = field(default_factory=dict)
    tools: Mapping[str, Challenge] = field(default_factory=dict)
    lines: Mapping[str, Challenge] = field(default_factory=dict)
    rules: Mapping[str, Challenge] = field(default_factory=dict)
    functions: Mapping[str, Challenge] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any((self.levels, self.tools, self.lines, self.rules, self.functions))

    def proof(self, call: AskedCall, default: ChosenProof | None = None) -> ChosenProof:
        """Return the proof configured for a call, else the default.

        Args:
            default: used if nothing is configured; None = the proof of the level.
        """
        plain = default or proof_of_level(call.level)
        # First, so that nothing a user or project says makes the proof of these weaker.
        if call.level is Level.CRITICAL:
            return plain
        if call.kind is ActionKind.FUNCTION and (named := _named(self.functions, call.tool)):
            return _said("functions", *named)
        if call.level in self.levels:
            plain = _said("levels", call.level.value, self.levels[call.level])
        if named := _named(self.tools, call.tool):
            plain = _said("tools", *named)
        return self._by_finding(call, plain)

    def _by_finding(self, call: AskedCall, plain: ChosenProof) -> ChosenProof:
        """Weigh what was found; what nothing is said of keeps the proof of tool or level."""
        said = [one or plain for one in self._of_each(call)]
        return max(said, key=_strength) if said else plain

    def _of_each(self, call: AskedCall) -> Iterator[ChosenProof | None]:
        if call.rule:
            named = self.rules.get(call.rule)
            yield _said("rules", call.rule, named) if named else None
        for one in call.findings:
            # What is LOW is only noted, and no reason for another proof.
            if one.detected and one.severity is not Severity.LOW:
                # The line before its detector: what is more specific holds.
                key = one.category if one.category in self.lines else one.detector
                named = self.lines.get(key)
                yield _said("lines", key, named) if named else None

    def __str__(self) -> str:
        parts = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return ";".join(
            f"{name}.{key}={value.value}"
            for name, said in parts
            for key, value in sorted(said.items())
        )


NOTHING_SAID = ChallengeMap()


def proof_of_level(level: Level) -> ChosenProof:
    """Return the default proof of a level; at least a confirmation, as somebody is asked."""
    proof = challenge_of(level)
    least = Challenge.CONFIRM if proof is Challenge.AUTO_APPROVE else proof
    return ChosenProof(least, f"level {level.value}")


def is_strengthened(challenge: Challenge, level: Level) -> bool:
    """Tell whether a proof is stronger than its level needs; then only people can give it."""
    return STRENGTH[challenge] > STRENGTH[proof_of_level(level).challenge]


def stated_proof(proofs: Sequence[tuple[str, str]], level: Level) -> ChosenProof | None:
    """Return the proof that a function's author declared for a level, None if none.

    Args:
        proofs: pairs of (level name, proof name).
    """
    for name, proof in proofs:
        if name == level.value and proof != Challenge.AUTO_APPROVE.value:
            return ChosenProof(Challenge(proof), "stated by the function's author")
    return None


def stronger(first: ChosenProof, second: ChosenProof) -> ChosenProof:
    """Return the stronger of two proofs, the first where they are equal."""
    return max(first, second, key=_strength)


def _strength(proof: ChosenProof) -> int:
    return STRENGTH[proof.challenge]


def _said(section: str, name: str, challenge: Challenge) -> ChosenProof:
    return ChosenProof(challenge, f"{PLACE}.{section} `{name}`")


def _named(said: Mapping[str, Challenge], name: str) -> tuple[str, Challenge] | None:
    """Return what is said of a name: by itself, else by the pattern with the strongest proof."""
    if name in said:
        return name, said[name]
    fitting = [(pattern, proof) for pattern, proof in said.items() if fnmatchcase(name, pattern)]
    return max(fitting, key=lambda one: STRENGTH[one[1]], default=None)
