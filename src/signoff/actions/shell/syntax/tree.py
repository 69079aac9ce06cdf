"""The shape of a read line: what runs after what, words still as written.

Values of this file stay inside `shell/`. A line becomes one `Sequence`; every other node hangs
under it. Words and redirection targets are the text as written; `expand.py` resolves them when
the interpreter reaches them, because what they mean depends on what ran before.

    "a && b | c"  ->  Sequence(Entry(AndOr((Simple(a), Pipeline((Simple(b), Simple(c))))))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


class Unreadable(Exception):
    """A text that cannot be taken apart; caught in the reader, where it becomes an `Opaque`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(slots=True)
class Heredoc:
    """A here-document; the body is filled in once the line that opened it ends."""

    delimiter: str
    is_quoted: bool
    strips_tabs: bool
    body: str = ""


@dataclass(slots=True)
class RawRedirect:
    """A redirection as written; `descriptor` is "" for the operator's own default."""

    operator: str
    descriptor: str = ""
    target: str = ""
    heredoc: Heredoc | None = None


@dataclass(slots=True)
class Simple:
    """Words and redirections between two operators.

    `coprocess` is the array a coprocess is reached by, with `{` behind it where this command is
    the first of several.
    """

    words: list[str] = field(default_factory=list)
    redirects: list[RawRedirect] = field(default_factory=list)
    start: int = 0
    end: int = 0
    is_negated: bool = False
    coprocess: str = ""


@dataclass(slots=True)
class Arithmetic:
    """`((...))`, or the head of a counting loop."""

    text: str


@dataclass(slots=True)
class Test:
    """`[[ ... ]]`: only its words matter, for the substitutions in them."""

    __test__ = False  # the name is the shell's; it is no test case

    words: list[str]


@dataclass(slots=True)
class ForHead:
    """The head of `for` and `select`; `words` is None where the arguments are walked."""

    name: str
    words: list[str] | None
    arithmetic: str = ""


@dataclass(slots=True)
class SequenceItem:
    """One item of a list."""

    node: Node
    is_background: bool = False


@dataclass(slots=True)
class Sequence:
    """Items one after another."""

    entries: list[SequenceItem]


@dataclass(slots=True)
class AndOr:
    """Items joined by `&&` and `||`; `operators` has one item less than `items`."""

    items: list[Node]
    operators: list[str]


@dataclass(slots=True)
class ShellPipeline:
    """Stages joined by `|` and `|&`."""

    stages: list[Node]


@dataclass(slots=True)
class Group:
    """`{ ...; }` or `( ... )`."""

    body: Sequence
    is_subshell: bool


@dataclass(slots=True)
class If:
    """Condition and body pairs in order; the body of `else`, if any, has no condition."""

    branches: list[tuple[Sequence | None, Sequence]]


@dataclass(slots=True)
class Loop:
    """`while` and `until`."""

    condition: Sequence
    body: Sequence


@dataclass(slots=True)
class For:
    """`for` and `select`."""

    head: ForHead
    body: Sequence


@dataclass(slots=True)
class CaseCommand:
    """Patterns and bodies in order."""

    word: str
    items: list[tuple[list[str], Sequence]]


@dataclass(slots=True)
class Function:
    """A definition; nothing runs yet."""

    name: str
    body: Node


@dataclass(slots=True)
class Redirected:
    """A compound command with redirections behind it."""

    node: Node
    redirects: list[RawRedirect]


Node: TypeAlias = (
    Simple
    | Arithmetic
    | Test
    | Sequence
    | AndOr
    | ShellPipeline
    | Group
    | If
    | Loop
    | For
    | CaseCommand
    | Function
    | Redirected
)
