"""Sensitive and dangerous content in arguments and docstrings (spec 1).

Words are matched, not letters inside words: `monkey` and `KEYBOARD` are no key, but `api_key`,
`apiKey` and `AWS_SECRET_KEY` are. Every kind of content counts once, however often it occurs;
several kinds compound: 1 - (1 - p)(1 - q). Plain English words that are only sometimes
sensitive (`key`, `delete`) and things that are everywhere (URLs, addresses) score low alone,
so that alone they do not make an ordinary call a risky one.

    sensitivity(("db-1.prod.example",)) -> 0.70, "production"

One pass of a linear engine over the whole text, whatever it holds. Text beyond the limits is
not skipped: it counts as content of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Json

LONGEST_TEXT = 2_500_000
MOST_VALUES = 20_000
MOST_DIGITS = 1_000  # Python refuses to spell much longer numbers out

STRONG, MIDDLE, WEAK = 0.70, 0.60, 0.25


class ContentKind(Struct, frozen=True, kw_only=True):
    """A kind of sensitive content: its score (0..1) and the pattern that finds it."""

    label: str
    score: float
    pattern: str


def _word(word: str, *, plural: bool = True) -> str:
    """Match a word on its own or as a part of an identifier, in any usual spelling."""
    tail = "s?" if plural else ""
    title = word[0].upper() + word[1:]
    # Three spellings: `db_secret`, `dbSecret`, `secretKey`.
    alone = rf"(?:^|[^A-Za-z])(?i:{word}{tail})(?:[^A-Za-z]|$)"
    in_camel = rf"(?:[a-z0-9]|[A-Z]){title}{tail}(?:[^a-z]|$)"
    leading = rf"(?:^|[^A-Za-z]){word}{tail}[A-Z]|(?:^|[^A-Za-z]){title}{tail}[A-Z]"
    return f"{alone}|{in_camel}|{leading}"


def _named(owners: str, word: str) -> str:
    """Match `api key`, `api_key`, `apiKey`, `APIKEY`: a word with an owner before it."""
    return rf"(?:^|[^A-Za-z]|[a-z])(?i:{owners})[ _.-]{{0,2}}(?i:{word}s?)(?:[^a-z]|$)"


_OBJECTS = "table|database|schema|column|index|view|user|role|sequence|trigger|function|type"
_OWNERS_OF_KEYS = (
    "api|access|secret|private|ssh|encryption|signing|master|license|account|auth|service"
)
_BEARERS = "api|access|auth|bearer|refresh|session|bot|oauth|id|csrf|jwt|github|personal"

KINDS = (
    ContentKind(label="production", score=STRONG, pattern=_word("production", plural=False)),
    ContentKind(label="prod", score=STRONG, pattern=_word("prod", plural=False)),
    ContentKind(
        label=".env", score=STRONG, pattern=r"(?:^|[^A-Za-z0-9_])(?i:\.env)(?:[^A-Za-z0-9_]|$)"
    ),
    ContentKind(label="secret", score=STRONG, pattern=_word("secret")),
    ContentKind(label="password", score=STRONG, pattern=_word("password")),
    ContentKind(label="credential", score=STRONG, pattern=_word("credential")),
    ContentKind(label="named key", score=MIDDLE, pattern=_named(_OWNERS_OF_KEYS, "key")),
    ContentKind(label="named token", score=MIDDLE, pattern=_named(_BEARERS, "token")),
    ContentKind(label="key", score=WEAK, pattern=_word("key")),
    ContentKind(label="token", score=WEAK, pattern=_word("token")),
    ContentKind(
        label="SQL that changes or drops",
        score=STRONG,
        pattern=rf"(?i)\b(?:drop|alter)\s+(?:{_OBJECTS})\b|\bdelete\s+from\b|\btruncate\s+table\b",
    ),
    ContentKind(label="SQL word", score=MIDDLE, pattern=r"\b(?:DROP|DELETE|TRUNCATE|ALTER)\b"),
    ContentKind(
        label="drop or delete", score=WEAK, pattern=r"(?i)\b(?:drop|delete|truncate|alter)\b"
    ),
    ContentKind(
        label="rm -rf",
        score=0.80,
        pattern=r"(?i)\brm\s+(?:-\S+\s+)*-(?:[a-z]*r[a-z]*f|[a-z]*f[a-z]*r)"
        r"|\brm\s+(?:-\S+\s+)*(?:--recursive|-r)\s+(?:-\S+\s+)*(?:--force|-f)"
        r"|\brm\s+(?:-\S+\s+)*(?:--force|-f)\s+(?:-\S+\s+)*(?:--recursive|-r)",
    ),
    ContentKind(label="sudo", score=STRONG, pattern=r"\bsudo\b"),
    ContentKind(label="chmod 777", score=STRONG, pattern=r"\bchmod\s+(?:-\S+\s+)*0?777\b"),
    ContentKind(label="URL", score=WEAK, pattern=r"(?i)\b(?:https?|ftps?|wss?|ssh|s3|gs)://[^\s/]"),
    ContentKind(label="e-mail address", score=WEAK, pattern=r"[\w.+-]@[\w-]+\.[A-Za-z]"),
    ContentKind(
        label="IP address",
        score=WEAK,
        pattern=r"(?:^|[^0-9.])(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}"
        r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:[^0-9.]|\.?$|\.[^0-9])"
        r"|(?i:\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}\b)|(?i:\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5}::)"
        r"|::1\b",
    ),
)

# A kind that is found makes these weaker readings of the same letters idle.
SHADOWS: Mapping[str, tuple[str, ...]] = {
    "named key": ("key",),
    "named token": ("token",),
    "SQL that changes or drops": ("SQL word", "drop or delete"),
    "SQL word": ("drop or delete",),
}

_SUFFIX = "(?:[^A-Za-z]|$)"
CAUTION_KINDS = (
    ContentKind(
        label="high-risk word",
        score=0.85,
        pattern=r"(?i)(?:^|[^A-Za-z])(?:irreversibl[ey]|permanent(?:ly)?|destructive(?:ly)?"
        rf"|dangerous(?:ly)?|production(?:ly)?|critical(?:ly)?){_SUFFIX}",
    ),
    ContentKind(
        label="caution word",
        score=0.50,
        pattern=rf"(?i)(?:^|[^A-Za-z])(?:careful(?:ly)?|warnings?|cautions?){_SUFFIX}",
    ),
)


class _MatcherSet(Protocol):
    """Port: the part of RE2's pattern set that is used."""

    def Match(self, text: bytes) -> list[int] | None:
        """Return the indices of the patterns that occur in the text."""


def sensitivity(values: Iterable[Json]) -> tuple[float, str]:
    """Score how sensitive argument values are, 0..1; return the score and what was found."""
    text, is_whole = as_text(values)
    found = {KINDS[index].label: KINDS[index].score for index in _matches(KINDS, text)}
    for label in tuple(found):
        for shadowed in SHADOWS.get(label, ()):
            found.pop(shadowed, None)
    if not is_whole:
        found["more than can be read"] = STRONG
    calm = 1.0
    for score in found.values():
        calm *= 1.0 - score
    return 1.0 - calm, ", ".join(found) or "nothing sensitive"


def wording(description: str) -> tuple[float, str]:
    """Score the words of a docstring: 0.85, 0.50 or 0.10; the highest match wins."""
    text, is_whole = as_text((description,))
    found = _matches(CAUTION_KINDS, text)
    if not found:
        return (0.10, "no word of caution") if is_whole else (0.85, "longer than can be read")
    # The table begins with the gravest kind.
    worst = CAUTION_KINDS[min(found)]
    return worst.score, worst.label


def as_text(values: Iterable[Json]) -> tuple[str, bool]:
    """Return all strings, numbers and names in the values, and whether nothing was cut."""
    texts: list[str] = []
    waiting: list[Json] = list(values)[::-1]
    length, seen, is_whole = 0, 0, True
    while waiting and seen < MOST_VALUES and length < LONGEST_TEXT:
        seen += 1
        value = waiting.pop()
        if value is None or isinstance(value, str | int | float):
            text = _spell(value)
            texts.append(text)
            length += len(text) + 1
            continue
        parts = _parts(value)
        is_whole = is_whole and len(parts) < MOST_VALUES
        waiting.extend(reversed(parts))
    return "\n".join(texts)[:LONGEST_TEXT], is_whole and not waiting and length <= LONGEST_TEXT


def _spell(value: int | float | str | None) -> str:
    """Write one value as text; truth values and null hold nothing."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return ""
    # A digit takes 3.3 bits, so what passes is never longer than Python spells out.
    if isinstance(value, int) and value.bit_length() > 3 * MOST_DIGITS:
        return "a number too long to spell"
    return str(value)


def _parts(value: Sequence[Json] | Mapping[str, Json]) -> list[Json]:
    """Return what is in a list or mapping, names included, up to the limit."""
    if isinstance(value, Mapping):
        pairs = islice(value.items(), MOST_VALUES // 2)
        return [part for pair in pairs for part in pair]
    return list(islice(value, MOST_VALUES))


def _matches(kinds: tuple[ContentKind, ...], text: str) -> list[int]:
    """Return the indices of the kinds that occur in a text."""
    if not text:
        return []
    return sorted(_compiled(kinds).Match(text.encode("utf-8", "replace")) or ())


@cache
def _compiled(kinds: tuple[ContentKind, ...]) -> _MatcherSet:
    """Compile patterns into one linear automaton."""
    import re2  # noqa: PLC0415 - `import signoff` loads msgspec alone

    matcher = re2.Set.SearchSet()
    for kind in kinds:
        matcher.Add(kind.pattern)
    matcher.Compile()
    compiled: _MatcherSet = matcher
    return compiled
