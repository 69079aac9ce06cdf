"""One text pattern as data: what it is called, what it looks like, how sure it is.

Expressions are written in the syntax both engines read (RE2): no look-around, no
back-references, `\\z` for the end. So every one of them is linear, whatever text it meets. They
are read over UTF-8 bytes: letters of either case are those of ASCII (what is written in other
letters on purpose is folded first, see `disguise`), and a character beyond ASCII is written as
its bytes. Repeats stay unbounded or short: counting states is what makes automata large.

    Pattern("secret.github-token", r"\\bgh[pousr]_[A-Za-z0-9]{36}\\b", "")
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

# Values that are scanned together stand between separators; `START` and `END` are the borders of
# one value, wherever it stands in the joined text.
SEPARATOR = "\x1e"
START = r"\x1e"
END = r"\x1e"


class Pattern(Struct, frozen=True):
    """One regular expression that detectors look for.

    Args:
        id: family and name, as `sql.union-select`.
        expression: RE2 syntax; group 1, if there is one, encloses the part that matters.
        flags: `i` ignore case, `s` a dot also matches line ends, `m` ^ and $ match at each
            line.
        certainty: how sure a match alone is, 0..1; each detector says what it makes of it.
    """

    id: str
    expression: str
    flags: str = "i"
    certainty: float = 0.9

    @property
    def family(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def source(self) -> str:
        """The expression with its flags in front, as RE2 takes it."""
        return f"(?{self.flags}){self.expression}" if self.flags else self.expression


def joined(values: Iterable[str]) -> str:
    """Join values with separators before, between and after them."""
    return f"{SEPARATOR}{SEPARATOR.join(values)}{SEPARATOR}"
