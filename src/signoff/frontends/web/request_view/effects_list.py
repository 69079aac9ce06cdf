"""One list of what a call does and what is wrong with it: findings first, then what is left.

A finding tells the operation it is about, so that operation is not told a second time.

    effects_of(card)[0]  ->  ListedEffect(words="Publishes this package", severity="high", ...)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.assess.finding import Severity
from signoff.challenge.card import Card
from signoff.values import replace


class ListedEffect(Struct, frozen=True, kw_only=True):
    """One line in the list of a call's effects.

    Args:
        severity: of a finding, "" for what is only done.
        categories: the policy lines of findings in these words, none elsewhere.
    """

    words: str
    severity: str = ""
    categories: tuple[str, ...] = ()


def effects_of(card: Card) -> tuple[ListedEffect, ...]:
    """Return the effects of a call, most severe first."""
    found: dict[tuple[str, str], ListedEffect] = {}
    for line in card.findings:
        one = _finding(line)
        known = found.get((one.severity, one.words), ListedEffect(words=""))
        categories = tuple(dict.fromkeys((*known.categories, *one.categories)))
        found[one.severity, one.words] = replace(one, categories=categories)
    told = [words for _, words in found]
    left = dict.fromkeys(
        line for line in card.operations if not any(words.startswith(line) for words in told)
    )
    ranks = {severity.value: -at for at, severity in enumerate(Severity)}
    # A line that could not be taken apart has no severity, and comes last.
    ranked = sorted(found.values(), key=lambda effect: ranks.get(effect.severity, 1))
    return (*ranked, *(ListedEffect(words=line) for line in left))


def why_asked(card: Card) -> str:
    """Return the card's reason unless the list of effects contains it already; else ""."""
    findings = (_finding(line) for line in card.findings)
    told = (f"{one.words} [{category}]" for one in findings for category in one.categories)
    return "" if card.why in told else card.why


def _finding(line: str) -> ListedEffect:
    """Take a finding's line apart, as `make_card` writes it."""
    severity, _, rest = line.partition(" ")
    category, colon, words = rest.partition(": ")
    if not colon or severity not in {*Severity}:
        return ListedEffect(words=line)
    return ListedEffect(words=words, severity=severity, categories=(category,))
