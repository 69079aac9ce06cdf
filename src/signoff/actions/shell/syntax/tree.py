"""The shape of a read line: what runs after what, words still as written.

Values of this file stay inside `shell/`. A line becomes one `Sequence`; every other node hangs
under it. Words and redirection targets are the text as written; `words/expand.py` resolves them
when the interpreter reaches them, because what they mean depends on what ran before.

    "a && b | c"  ->  Sequence(Entry(AndOr((Simple(a), Pipeline((Simple(b), Simple(c))))))
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field


class Unreadable(Exception):
    """The text cannot be parsed; the reader catches it and makes an `Opaque` of it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Heredoc(Struct):
    """A here-document; the body is filled in once the line that opened it ends."""

    delimiter: str
    is_quoted: bool
    strips_tabs: bool
    body: str = ""


class RawRedirect(Struct):
    """A redirection as written; `descriptor` is "" if the operator's default applies."""

    operator: str
    descriptor: str = ""
    target: str = ""
    heredoc: Heredoc | None = None


class Simple(Struct):
    """A simple command: the words and redirections between two operators.

    `coprocess` is the array a coprocess is reached by, with `{` behind it where this command is
    the first of several.
    """

    words: list[str] = field(default_factory=list)
    redirects: list[RawRedirect] = field(default_factory=list)
    start: int = 0
    end: int = 0
    is_negated: bool = False
    coprocess: str = ""


class Arithmetic(Struct):
    """`((...))`, or the head of a `for ((...))` loop."""

    text: str


class Test(Struct):
    """`[[ ... ]]`: only its words matter, for the substitutions in them."""

    __test__ = False  # the name is the shell's; it is no test case

    words: list[str]


class ForHead(Struct):
    """The head of `for` and `select`; `words` is None if it loops over the arguments."""

    name: str
    words: list[str] | None
    arithmetic: str = ""


class SequenceItem(Struct):
    """One item of a list."""

    node: Node
    is_background: bool = False


class Sequence(Struct):
    """Commands one after another, with their separators."""

    entries: list[SequenceItem]


class AndOr(Struct):
    """Commands joined by `&&` and `||`; `operators` has one element less than `items`."""

    items: list[Node]
    operators: list[str]


class ShellPipeline(Struct):
    """Commands joined by `|` or `|&`."""

    stages: list[Node]


class Group(Struct):
    """A group `{ ...; }` or a subshell `( ... )`."""

    body: Sequence
    is_subshell: bool


class If(Struct):
    """An `if`: (condition, body) pairs in order; the condition of `else` is None."""

    branches: list[tuple[Sequence | None, Sequence]]


class Loop(Struct):
    """A `while` or `until` loop."""

    condition: Sequence
    body: Sequence


class For(Struct):
    """A `for` or `select` loop."""

    head: ForHead
    body: Sequence


class CaseCommand(Struct):
    """A `case`: its word, and patterns with bodies in order."""

    word: str
    items: list[tuple[list[str], Sequence]]


class Function(Struct):
    """A function definition; its body does not run here."""

    name: str
    body: Node


class Redirected(Struct):
    """A compound command with redirections."""

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
