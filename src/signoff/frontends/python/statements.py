"""What the author of a function states about its calls: risks and proofs that hold at least."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from signoff.actions.action import Action
from signoff.assess.level import Challenge, Level
from signoff.assess.risk.score import RiskContext, RiskScorer, answer_of, is_risk
from signoff.errors import BadPayload
from signoff.values import replace

ProofMap: TypeAlias = Mapping[str, str]

LOWEST_RISK = {Level.LOW: 0.0, Level.MEDIUM: 0.3, Level.HIGH: 0.6, Level.CRITICAL: 0.8}


class Statements(Struct, frozen=True, kw_only=True):
    """What the author of one function declared about it."""

    risk: float = 0.0
    scorers: tuple[RiskScorer, ...] = ()
    proofs: tuple[tuple[str, str], ...] = ()

    def about(self, action: Action) -> Action:
        """Return a call with the declarations attached; a scorer that raises counts as 1.0.

        Raises:
            BadPayload: a domain profile blocks it.
        """
        risk = max([self.risk, *(_score(scorer, action) for scorer in self.scorers)])
        if not risk and not self.proofs:
            return action
        return replace(action, least_risk=risk, least_proofs=self.proofs)


NOTHING_STATED = Statements()


def stated(
    risk: float | str,
    scorers: tuple[RiskScorer, ...],
    challenge: str,
    challenge_map: ProofMap,
) -> Statements:
    """Check and bundle what an author declared.

    Raises:
        ValueError: a risk, level or proof is unknown.
    """
    if not risk and not scorers and not challenge and not challenge_map:
        return NOTHING_STATED
    given = LOWEST_RISK[_level(risk)] if isinstance(risk, str) else risk
    if not is_risk(given):
        raise ValueError(f"risk `{risk!r}`: expected a number from 0 to 1, or a level")
    proofs = {level.value: _proof(challenge) for level in Level} if challenge else {}
    # Last: what is said of one level counts more than what is said of all.
    proofs |= {_level(level).value: _proof(proof) for level, proof in challenge_map.items()}
    return Statements(risk=float(given), scorers=scorers, proofs=tuple(proofs.items()))


def _score(scorer: RiskScorer, action: Action) -> float:
    """Return what a scorer says, 1.0 where it fails.

    Raises:
        BadPayload: it lets nobody approve the call.
    """
    try:
        answer = answer_of(scorer, RiskContext(action=action))
    except Exception:  # noqa: BLE001 - a broken scorer must not open the gate
        return 1.0
    if answer.is_refused:
        last = answer.factors[-1]
        raise BadPayload(f"{last.name}: {last.evidence}")
    return answer.value


def _level(name: str) -> Level:
    names = ", ".join(level.value for level in Level)
    try:
        return Level(name)
    except ValueError as error:
        raise ValueError(f"unknown level `{name}` ({names})") from error


def _proof(name: str) -> str:
    names = ", ".join(proof.value for proof in Challenge)
    try:
        return Challenge(name).value
    except ValueError as error:
        raise ValueError(f"unknown challenge `{name}` ({names})") from error
