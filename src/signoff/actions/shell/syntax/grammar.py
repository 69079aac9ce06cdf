"""Reads a text into the tree: skeleton, grammar library, and back to the pieces.

A text without operators and reserved words is one simple command: its skeleton is `w`, and what
the grammar library says about `w` never changes, so it is not asked.

    parse("a && b | c", Fuel())  ->  Sequence([Entry(AndOr([Simple, Pipeline([...])], ["&&"]))])
"""

from __future__ import annotations

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from signoff.actions.shell.syntax import tree
from signoff.actions.shell.syntax.lexer import Lexer
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Sequence, Unreadable

MAX_SKELETON = 16_000
_NO_PARTS = frozenset({"(", ")", "{", "}", "do", "done", ";", "\n"})


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def parse(text: str, fuel: Fuel) -> Sequence:
    """Read a whole text.

    Raises:
        Unreadable: it is no valid shell text, or too deep or too long to say.
    """
    lexer = Lexer(text, fuel)
    lexer.run()
    if lexer.parts == ["w"]:
        only = lexer.pieces[0]
        if not isinstance(only, list | tree.ForHead):
            return Sequence([tree.Entry(only)])
    if not lexer.parts:
        return Sequence([])
    return read_skeleton(lexer)


def read_skeleton(lexer: Lexer) -> Sequence:
    """The tree over what a lexer took apart.

    Raises:
        Unreadable: the grammar does not know it.
    """
    if lexer.size > MAX_SKELETON:
        raise Unreadable("too many commands")
    root = _parser().parse(lexer.skeleton.encode()).root_node
    if root.has_error:
        raise Unreadable("not valid shell syntax")
    return _Reader(lexer).sequence(root.children)


class _Reader:
    """Turns nodes of the grammar library into nodes of ours."""

    def __init__(self, lexer: Lexer) -> None:
        self.pieces = lexer.pieces
        self.trailing = lexer.trailing

    def sequence(self, nodes: list[Node]) -> Sequence:
        entries: list[tree.Entry] = []
        for node in nodes:
            kind = node.type
            if kind == "&":
                entries[-1].is_background = True
            elif kind not in _NO_PARTS and node.is_named:
                entries.append(tree.Entry(self.node(node)))
        return Sequence(entries)

    def node(self, node: Node) -> tree.Node:
        made = self._bare(node)
        redirects = self.trailing.get(node.end_byte)
        if redirects and node.type not in ("list", "pipeline", "command", "function_definition"):
            return tree.Redirected(made, redirects)
        return made

    def _bare(self, node: Node) -> tree.Node:  # noqa: PLR0911 - one line a node type
        match node.type:
            case "command":
                return self._command(node.start_byte)
            case "list":
                return self._and_or(node)
            case "pipeline":
                return tree.Pipeline([self.node(part) for part in node.named_children])
            case "compound_statement" | "subshell" | "do_group":
                return tree.Group(self.sequence(node.children), node.type == "subshell")
            case "if_statement":
                return self._if(node)
            case "while_statement":
                return self._loop(node)
            case "for_statement":
                return self._for(node)
            case "case_statement":
                return self._case(node)
            case "function_definition":
                return self._function(node)
            case "negated_command":
                return self.node(node.named_children[0])
            case other:
                raise Unreadable(f"unknown syntax {other}")

    def _command(self, at: int) -> tree.Node:
        piece = self.pieces.get(at)
        if piece is None or isinstance(piece, list | tree.ForHead):
            raise Unreadable("not valid shell syntax")
        redirects = self.trailing.get(at + 1)
        return tree.Redirected(piece, redirects) if redirects else piece

    def _and_or(self, node: Node) -> tree.AndOr:
        items: list[tree.Node] = []
        operators: list[str] = []
        while node.type == "list":
            left, operator, right = node.children
            items.append(self.node(right))
            operators.append(operator.type)
            node = left
        items.append(self.node(node))
        return tree.AndOr(items[::-1], operators[::-1])

    def _if(self, node: Node) -> tree.If:
        branches: list[tuple[Sequence | None, Sequence]] = []
        self._branch(node.children, branches)
        return tree.If(branches)

    def _branch(self, nodes: list[Node], branches: list[tuple[Sequence | None, Sequence]]) -> None:
        condition: list[Node] = []
        body: list[Node] = []
        into, rest = condition, []
        for node in nodes:
            if node.type == "then":
                into = body
            elif node.type in ("elif_clause", "else_clause"):
                rest.append(node)
            elif node.type not in ("if", "elif", "fi"):
                into.append(node)
        branches.append((self.sequence(condition), self.sequence(body)))
        for node in rest:
            if node.type == "elif_clause":
                self._branch(node.children, branches)
            else:
                branches.append((None, self.sequence(node.children[1:])))

    def _loop(self, node: Node) -> tree.Loop:
        *condition, body = node.children[1:]
        return tree.Loop(self.sequence(condition), self.sequence(body.children))

    def _for(self, node: Node) -> tree.For:
        head = self.pieces.get(node.children[1].start_byte)
        if not isinstance(head, tree.ForHead):
            raise Unreadable("not valid shell syntax")
        return tree.For(head, self.sequence(node.children[-1].children))

    def _case(self, node: Node) -> tree.Case:
        word = self.pieces[node.children[1].start_byte]
        items: list[tuple[list[str], Sequence]] = []
        for item in node.named_children[1:]:
            patterns = self.pieces[item.start_byte]
            if not isinstance(patterns, list):
                raise Unreadable("not valid shell syntax")
            items.append((patterns, self.sequence(_after_pattern(item))))
        if not isinstance(word, list):
            raise Unreadable("not valid shell syntax")
        return tree.Case(word[0], items)

    def _function(self, node: Node) -> tree.Function:
        name = self.pieces[node.start_byte]
        if not isinstance(name, tree.Simple):
            raise Unreadable("not valid shell syntax")
        return tree.Function(name.words[0], self.node(node.children[-1]))


def _after_pattern(item: Node) -> list[Node]:
    nodes = item.children
    start = next(i for i, node in enumerate(nodes) if node.type == ")")
    return [node for node in nodes[start + 1 :] if node.type != ";;"]
