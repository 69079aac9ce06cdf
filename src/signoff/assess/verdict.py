"""The three answers there are, from the mildest to the most severe.

Verdict.worst([Verdict.ALLOW, Verdict.ASK]) -> Verdict.ASK
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.vocabulary import Vocabulary


class Verdict(Vocabulary):
    """What happens to a call: allow, ask or deny, in order of severity."""

    ALLOW = "allow"  # let through alone
    ASK = "ask"  # somebody must be asked
    DENY = "deny"  # refused alone

    @property
    def severity(self) -> int:
        """The rank: 0 for allow, 1 for ask, 2 for deny."""
        return _SEVERITIES[self]

    @staticmethod
    def worst(verdicts: Iterable[Verdict]) -> Verdict:
        """Return the most severe verdict; deny if there is none, as empty never means allow."""
        return max(verdicts, key=_SEVERITIES.__getitem__, default=Verdict.DENY)


_SEVERITIES = {verdict: rank for rank, verdict in enumerate(Verdict)}
