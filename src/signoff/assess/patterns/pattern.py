"""One text pattern as data: what it is called and what it looks like.

Expressions are written in the syntax both engines read (RE2): no look-around, no
back-references, `\\z` for the end. So every one of them is linear, whatever text it meets.

    Pattern("secret.github-token", r"\\bgh[pousr]_[A-Za-z0-9]{36}\\b", "")
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern.

    Args:
        id: family and name, `sql.union-select`.
        expression: RE2 syntax; what group 1 encloses is the part that matters, if there is one.
        flags: `i` letters of either case, `s` a dot also meets line ends, `m` ^ and $ per line.
    """

    id: str
    expression: str
    flags: str = "i"

    @property
    def source(self) -> str:
        """The expression with its flags written in front."""
        return f"(?{self.flags}){self.expression}" if self.flags else self.expression
