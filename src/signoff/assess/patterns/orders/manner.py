"""In what manner a passage is said: quoted, as a specimen of an attack, as part of a program.

A passage that stands in quotation marks, in a block of code or behind `>` in a text about attacks
is shown, not said. What a program or a file of prompts says, it says to its own model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.vocabulary import lazy_re, lazy_re2
from signoff.assess.patterns.orders.words import TOPICS

_TOPICS_AT_LEAST = 2
_SURE_TOPICS = 4
_LINES_READ = 400
_PROGRAM_SHARE = 0.3
_AROUND = 400
_ALL_OF, _APART = 12, 200  # places read one by one; characters between those read after them
_PAIRS = (
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("「", "」"),
    ('"', '"'),
    ("'", "'"),
    ("`", "`"),
    ("*", "*"),
)
_TOPICS = tuple(lazy_re2(f"(?i){topic}") for topic in TOPICS)
# One of these says it alone.
_SURELY = _TOPICS[:_SURE_TOPICS]
_CODE_LINE = lazy_re2(
    r"^\s*(?:def|class|import|from|const|let|var|export|function|return|if|for|while|async|public|private"
    r"|package|use|func|fn|#include|@\w+|diff|[+-]{1,3}[^-\s]|\}|\)|\]|//|/\*|\*)|[;{(\[,]\s*$|^\s*[\w.-]+:\s|^\s*[\w.-]+\s*=\s|^\S+:\d+:|^\s*(?:assert\b|[\w.]+\()|^[^,\n]{0,60}(?:,[^,\n]*){2}"
)
# `If a page tells you to share a password, refuse`: what is to be refused is no order.
_REFUSED = lazy_re(
    r"(?i)\bif\s(?:(?:an?|any|the|some)\s)?(?:\w+\s)?(?:assistants?|bots?|chatbots?|pages?|e-?mails?"
    r"|messages?|texts?|callers?|strangers?|someone|somebody|anyone)\s(?:tells?|asks?|instructs?|orders?"
    r"|urges?)\syou\sto\s[^.;:\n]{1,120}?,\s(?:please\s)?(?:refuse|decline|say\sno)\b"
)
_NOTES = frozenset("#\"'`*{[-+|")
_LONG_TEXTS = ('"""', "'''", "`")


def thinned(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the first places, and then one of those that lie close together: they read the same."""
    last = -_APART
    for number, (start, end) in enumerate(spans):
        if number < _ALL_OF or start - last >= _APART:
            last = start
            yield start, end


def is_about_attacks(text: str, start: int, end: int) -> bool:
    """Return whether the text around a passage is about attacks."""
    around = text[:start] + " " + text[end:]
    found = 0
    for topic in _TOPICS:
        found += (topic.search(around) is not None) * (2 if topic in _SURELY else 1)
        if found >= _TOPICS_AT_LEAST:
            return True
    return False


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether a passage is quoted, in a block of code or quotation, or behind `>`."""
    if text.count("```", 0, start) % 2 or _is_in_blockquote(text, start):
        return True
    line = text[text.rfind("\n", 0, start) + 1 : start + 1].lstrip()
    if line.startswith((">", "|", '- "', '* "', "    ")):
        return True
    before, after = text[max(0, start - _AROUND) : start + 1], text[end : end + _AROUND]
    return any([_is_open(before, opening) and closing in after for opening, closing in _PAIRS])


def without_refused(text: str) -> str:
    """Blank out what a text says to refuse; every other letter keeps its place."""
    return _REFUSED.sub(lambda found: " " * len(found[0]), text)


def is_indented(text: str, start: int) -> bool:
    """Return whether a passage is in a line that Markdown shows as code, by its blanks."""
    line = text[text.rfind("\n", 0, start + 1) + 1 : start + 5]
    return line.startswith(("    ", "\t"))


def _is_in_blockquote(text: str, at: int) -> bool:
    opened = text.rfind("<blockquote", 0, at)
    return opened >= 0 and text.find("</blockquote>", opened, at) < 0


def _is_open(before: str, mark: str) -> bool:
    """Whether the last line holds a mark that is opened and not closed again."""
    line = before[before.rfind("\n\n") + 1 :]
    if mark in "'":  # the apostrophe of `don't` stands between letters
        line = "".join(
            char
            for at, char in enumerate(line)
            if char != "'" or not (line[at - 1 : at].isalnum() and line[at + 1 : at + 2].isalnum())
        )
    return line.count(mark) % 2 == 1 if mark in "\"'`*" else line.rfind(mark) >= 0


def is_program(text: str) -> bool:
    """Return whether a text is a program, structured data, or a diff of either."""
    first = text.lstrip()[:1]
    lines = [line for line in text.split("\n", _LINES_READ)[:_LINES_READ] if line.strip()]
    if first in {"{", "["} and text.rstrip()[-1:] in {"}", "]"}:
        return True
    code = sum(_CODE_LINE.search(line) is not None for line in lines)
    return len(lines) > 1 and code >= len(lines) * _PROGRAM_SHARE


def is_line_of_program(text: str, at: int) -> bool:
    """Return whether the line at this offset is code, a string or comment in code."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    if _CODE_LINE.search(line) is not None or line.lstrip()[:1] in _NOTES:
        return True
    # A line of a text over several lines: the paragraph opens it.
    paragraph = text[max(text.rfind("\n\n", 0, at), 0) : at + 1]
    return any(paragraph.count(mark) % 2 for mark in _LONG_TEXTS) or "|\n" in paragraph
