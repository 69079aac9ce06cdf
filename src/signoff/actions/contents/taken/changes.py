"""Lines that an edit removes and adds, between lines that stay as they were.

Only running lines count, without the blanks at their ends; a line that moved was neither removed
nor added. What stays stands beside each change, as it says what the change is about.

    changes_of("a()\\ncheck()\\nb()", "a()\\nb()", "x.py")
        -> one Change(removed=("check()",), added=(), ahead=("a()",), behind=("b()",))
"""

from __future__ import annotations

from difflib import SequenceMatcher

from msgspec import Struct

from signoff.actions.contents.checks.comments import split_lines

_READ = 40_000  # characters of each text
_MOST_LINES = 400  # that differ: comparing them takes time by their square
_BESIDE = 3


class Change(Struct, frozen=True, kw_only=True):
    """One changed place of an edit: its old and new lines, and the unchanged ones around it."""

    removed: tuple[str, ...]
    added: tuple[str, ...]
    ahead: tuple[str, ...]
    behind: tuple[str, ...]


class LineDiff(Struct, frozen=True, kw_only=True):
    """All changes of an edit, the lines that moved, and the lines that stay."""

    each: tuple[Change, ...]
    moved: frozenset[str]
    kept: str

    @property
    def added(self) -> tuple[str, ...]:
        """All lines that are new."""
        return tuple([line for change in self.each for line in change.added])


def changes_of(old: str, new: str, path: str) -> LineDiff | None:
    """Return how two texts differ by their lines, None if they are too long to be compared."""
    if not old or max(len(old), len(new)) > _READ:
        return None
    before, after = _lines(old, path), _lines(new, path)
    start = common_start(before, after)
    stop = common_start(before[start:][::-1], after[start:][::-1])
    was, now = before[start : len(before) - stop], after[start : len(after) - stop]
    if max(len(was), len(now)) > _MOST_LINES:
        return None
    matcher = SequenceMatcher(None, was, now, autojunk=False)
    spans = [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    gone = {line for a, b, _, _ in spans for line in was[a:b]}
    come = {line for _, _, c, d in spans for line in now[c:d]}
    moved = frozenset([line for line in gone & come if _says(line)])
    each = [
        Change(
            removed=tuple([line for line in was[a:b] if line not in moved]),
            added=tuple([line for line in now[c:d] if line not in moved]),
            ahead=tuple(after[max(0, start + c - _BESIDE) : start + c]),
            behind=tuple(after[start + d : start + d + _BESIDE]),
        )
        for a, b, c, d in spans
    ]
    stays = [line for line in after if line not in come or line in moved]
    return LineDiff(
        each=tuple([one for one in each if one.removed or one.added]),
        moved=moved,
        kept="\n".join(stays),
    )


def _lines(text: str, path: str) -> list[str]:
    return [line.strip() for line in split_lines(text, path)[0] if line.strip()]


def common_start(first: list[str], second: list[str]) -> int:
    """Return how many items two lists have in common at their beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    end = min(len(first), len(second))
    return next((at for at, (one, other) in pairs if one != other), end)


def _says(line: str) -> bool:
    return any([sign.isalnum() for sign in line])
