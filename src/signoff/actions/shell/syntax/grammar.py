"""Reads a text into the tree: skeleton, grammar library, and back to the pieces.

A text is read statement by statement. One without operators and reserved words is a simple
command: its skeleton is `w`, and what the grammar library says about `w` never changes, so it is
not asked. Nor is it asked twice about one skeleton: few differ, so their shapes are kept.

    parse("a && b | c", Fuel())  ->  Sequence([Entry(AndOr([Simple, Pipeline([...])], ["&&"]))])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

import tree_sitter_bash
from msgspec import Struct
from tree_sitter import Language, Node, Parser

from signoff.actions.shell.syntax import tree
from signoff.actions.shell.syntax.lexer import ShellLexer
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.skeleton import MAX_SIZE
from signoff.actions.shell.syntax.tree import Sequence, Unreadable

MAX_KEPT = 300
_NO_PARTS = frozenset({"(", ")", "{", "}", "do", "done", ";", "\n"})


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


class Shape(Struct, frozen=True, gc=False):
    """A node of the grammar library's tree; `start` and `end` are indexes of its pieces."""

    kind: str
    start: int
    end: int
    parts: tuple[Shape, ...] = ()
    is_named: bool = True

    @property
    def named(self) -> tuple[Shape, ...]:
        """The children that are no punctuation."""
        return tuple([part for part in self.parts if part.is_named])


def _shape(node: Node) -> Shape:
    kind = node.type
    parts: tuple[Shape, ...] = ()
    if kind == "list":
        parts = _chain(node)
    elif kind != "command":
        parts = tuple(map(_shape, node.children))
    return Shape(kind, node.start_byte, node.end_byte, parts, node.is_named)


def _chain(node: Node) -> tuple[Shape, ...]:
    """Items and operators of a list, which the library nests to the left, in order."""
    parts: list[Shape] = []
    while node.type == "list":
        left, operator, right = node.children
        parts += (_shape(right), _shape(operator))
        node = left
    parts.append(_shape(node))
    return tuple(reversed(parts))


def _read(skeleton: str) -> Shape:
    root = _parser().parse(skeleton.encode()).root_node
    # The library goes on after an error with a guess; a guess is no reading.
    if root.has_error:
        raise Unreadable("not valid shell syntax")
    return Shape(root.type, 0, len(skeleton), tuple(map(_shape, root.children)))


_read_again = lru_cache(maxsize=512)(_read)


def parse(text: str, fuel: Fuel) -> Sequence:
    """Parse a whole shell text.

    Raises:
        Unreadable: it is not valid shell, or too deep or too long.
    """
    lexer = ShellLexer(text, fuel)
    lexer.run()
    return read_pieces(lexer)


def read_pieces(lexer: ShellLexer) -> Sequence:
    """Build the syntax tree from a lexer's pieces.

    Raises:
        Unreadable: it is not valid shell, or too long.
    """
    if lexer.size > MAX_SIZE:
        raise Unreadable("too many commands")
    parts, reader = lexer.parts, _TreeBuilder(lexer)
    entries: list[tree.SequenceItem] = []
    start = 0
    for cut in lexer.cuts:
        entries += reader.statement(" ".join(parts[start:cut]))
        if parts[cut] == "&":
            entries[-1].is_background = True
        reader.offset += len(parts[cut]) + 1
        start = cut + 1
    if start < len(parts):
        entries += reader.statement(" ".join(parts[start:]))
    return Sequence(entries)


class _TreeBuilder:
    """Turns nodes of the grammar library into nodes of ours; `offset` is where they start."""

    __slots__ = ("offset", "pieces", "trailing")

    def __init__(self, lexer: ShellLexer) -> None:
        self.pieces = lexer.pieces
        self.trailing = lexer.trailing
        self.offset = 0

    def statement(self, skeleton: str) -> list[tree.SequenceItem]:
        """Read the statement at the offset, and go on behind it."""
        if skeleton == "w":
            entries = [tree.SequenceItem(self._command_at(self.offset))]
        else:
            # Long skeletons are rarely met twice, and would fill the cache.
            root = (_read_again if len(skeleton) <= MAX_KEPT else _read)(skeleton)
            entries = self.sequence(root.parts).entries
        self.offset += len(skeleton) + 1
        return entries

    def sequence(self, nodes: Iterable[Shape]) -> Sequence:
        entries: list[tree.SequenceItem] = []
        for node in nodes:
            kind = node.kind
            if kind == "&":
                entries[-1].is_background = True
            elif kind not in _NO_PARTS and node.is_named:
                entries.append(tree.SequenceItem(self.node(node)))
        return Sequence(entries)

    def node(self, node: Shape) -> tree.Node:
        if node.kind == "command":
            return self._command_at(self.offset + node.start)
        read = _READS.get(node.kind)
        if read is None:
            raise Unreadable(f"unknown syntax {node.kind}")
        made = read(self, node)
        redirects = self.trailing.get(self.offset + node.end)
        if redirects and node.kind not in ("list", "pipeline", "function_definition"):
            return tree.Redirected(made, redirects)
        return made

    def _pipeline(self, node: Shape) -> tree.Node:
        return tree.ShellPipeline([self.node(part) for part in node.named])

    def _group(self, node: Shape) -> tree.Node:
        return tree.Group(self.sequence(node.parts), node.kind == "subshell")

    def _negated(self, node: Shape) -> tree.Node:
        return self.node(node.named[0])

    def _command_at(self, at: int) -> tree.Node:
        piece = self.pieces.get(at)
        if piece is None or isinstance(piece, list | tree.ForHead):
            raise Unreadable("not valid shell syntax")
        redirects = self.trailing.get(at + 1)
        return tree.Redirected(piece, redirects) if redirects else piece

    def _and_or(self, node: Shape) -> tree.AndOr:
        items = [self.node(part) for part in node.parts[::2]]
        return tree.AndOr(items, [part.kind for part in node.parts[1::2]])

    def _if(self, node: Shape) -> tree.If:
        branches: list[tuple[Sequence | None, Sequence]] = []
        self._branch(node.parts, branches)
        return tree.If(branches)

    def _branch(
        self, nodes: Iterable[Shape], branches: list[tuple[Sequence | None, Sequence]]
    ) -> None:
        condition: list[Shape] = []
        body: list[Shape] = []
        rest: list[Shape] = []
        into = condition
        for node in nodes:
            if node.kind == "then":
                into = body
            elif node.kind in ("elif_clause", "else_clause"):
                rest.append(node)
            elif node.kind not in ("if", "elif", "fi"):
                into.append(node)
        branches.append((self.sequence(condition), self.sequence(body)))
        for node in rest:
            if node.kind == "elif_clause":
                self._branch(node.parts, branches)
            else:
                branches.append((None, self.sequence(node.parts[1:])))

    def _loop(self, node: Shape) -> tree.Loop:
        *condition, body = node.parts[1:]
        return tree.Loop(self.sequence(condition), self.sequence(body.parts))

    def _for(self, node: Shape) -> tree.For:
        head = self.pieces.get(self.offset + node.parts[1].start)
        if not isinstance(head, tree.ForHead):
            raise Unreadable("not valid shell syntax")
        return tree.For(head, self.sequence(node.parts[-1].parts))

    def _case(self, node: Shape) -> tree.CaseCommand:
        word = self.pieces[self.offset + node.parts[1].start]
        items: list[tuple[list[str], Sequence]] = []
        for item in node.named[1:]:
            patterns = self.pieces[self.offset + item.start]
            if not isinstance(patterns, list):
                raise Unreadable("not valid shell syntax")
            items.append((patterns, self.sequence(_after_pattern(item))))
        if not isinstance(word, list):
            raise Unreadable("not valid shell syntax")
        return tree.CaseCommand(word[0], items)

    def _function(self, node: Shape) -> tree.Function:
        name = self.pieces[self.offset + node.start]
        if not isinstance(name, tree.Simple):
            raise Unreadable("not valid shell syntax")
        return tree.Function(name.words[0], self.node(node.parts[-1]))


def _after_pattern(item: Shape) -> list[Shape]:
    nodes = item.parts
    start = next(i for i, node in enumerate(nodes) if node.kind == ")")
    return [node for node in nodes[start + 1 :] if node.kind != ";;"]


_READS: dict[str, Callable[[_TreeBuilder, Shape], tree.Node]] = {
    "list": _TreeBuilder._and_or,
    "pipeline": _TreeBuilder._pipeline,
    "compound_statement": _TreeBuilder._group,
    "subshell": _TreeBuilder._group,
    "do_group": _TreeBuilder._group,
    "if_statement": _TreeBuilder._if,
    "while_statement": _TreeBuilder._loop,
    "for_statement": _TreeBuilder._for,
    "case_statement": _TreeBuilder._case,
    "function_definition": _TreeBuilder._function,
    "negated_command": _TreeBuilder._negated,
}
