"""Python text -> operations: the snippet is walked once, with what is known of its names.

Statements are taken in order; both branches of a condition and the body of a loop count once.
Functions are read where they are called, with what they are given, and those nobody calls at
the end. Work is bounded by a count of nodes; beyond it the rest is not understood.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping

from signoff.actions.code.python.evidence import without_magic
from signoff.actions.code.python.expressions import Expressions
from signoff.actions.code.python.mocked import moto_answers
from signoff.actions.code.python.modules import exported, session_module, statements_of
from signoff.actions.code.python.operators import combine
from signoff.actions.code.python.scope import MAX_NODES, OutOfBudget
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN, Value, either

MAX_CHARS = 20_000
MAX_EVALUATED = 3  # texts run by texts


def read_python(text: str, recorder: Recorder, *, depth: int = 0) -> None:
    """Record what a Python text does."""
    text = without_magic(text)
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "python")
        return
    if len(text) > MAX_NODES and sum(map(text.count, ";=\n")) > MAX_NODES:
        # As many statements and names at least: to parse them takes longer than all else.
        recorder.opaque("the text does too much to be read", "python")
        return
    tree = _parse(text)
    if tree is None:
        recorder.opaque("the text is no Python that can be read", "python")
        return
    recorder.doubles.is_aws_mocked |= "moto" in text and moto_answers(tree)
    walker = Walker(recorder, depth=depth)
    try:
        walker.body(tree.body)
        walker.rest()
    except OutOfBudget:
        recorder.opaque("the text does too much to be read", "python")
    except RecursionError:
        recorder.opaque("the text is nested too deeply", "python")
    recorder.is_ordinary |= walker.is_ordinary


def _parse(text: str) -> ast.Module | None:
    try:
        if "\\" not in text:
            return ast.parse(text)
        # An escape such as `\d` warns while it is parsed; that is the snippet's business, not
        # ours.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Walker(Expressions):
    """Evaluates the statements of a Python snippet."""

    def body(self, statements: list[ast.stmt]) -> None:
        """Evaluate statements in order."""
        for statement in statements:
            self.spend()
            handler = STATEMENTS.get(type(statement))
            if handler is not None:
                handler(self, statement)
            else:
                self._children(statement)

    def run_text(self, text: str) -> None:
        """Evaluate a text that the snippet runs as Python (`exec`)."""
        if self.depth >= MAX_EVALUATED:
            self.recorder.opaque("texts that run texts that run texts", "exec")
            return
        tree = _parse(text)
        if tree is None:
            self.recorder.opaque("runs a text that cannot be read", "exec")
            return
        self.depth += 1
        self.body(tree.body)
        self.depth -= 1

    def rest(self) -> None:
        """Evaluate functions that nobody called, with unknown arguments."""
        # A function may define others that nobody calls; three levels are followed.
        for _ in range(3):
            waiting, self.waiting = self.waiting, {}
            for function in waiting.values():
                self.call_function(function, [], {})

    def _children(self, statement: ast.stmt) -> None:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.body([child])
            elif isinstance(child, ast.ExceptHandler):
                self.value(child.type)
                self.body(child.body)
            elif isinstance(child, ast.match_case):
                self.value(child.guard)
                self.body(child.body)

    def _import(self, statement: ast.Import) -> None:
        for alias in statement.names:
            self.note_module(alias.name)
            self._take_module(alias.name)
            if alias.asname:
                self.names[alias.asname] = Value(name=alias.name)
            else:
                root = alias.name.partition(".")[0]
                self.names[root] = Value(name=root)

    def _import_from(self, statement: ast.ImportFrom) -> None:
        module = statement.module or ""
        self.note_module(module or ".")
        known = self._take_module(module)
        for alias in statement.names:
            if alias.name == "*":
                # Which names a module gives is not looked up; they are found by the table of
                # calls.
                self.star_modules.append(module)
                self.names.update(known)
            elif alias.name in known:
                self.names[alias.asname or alias.name] = known[alias.name]
            else:
                self._take_module(f"{module}.{alias.name}")
                self.names[alias.asname or alias.name] = Value(name=f"{module}.{alias.name}")

    def _take_module(self, name: str) -> dict[str, Value]:
        """Return what is known of the names of a module that the session wrote."""
        place = self.recorder.place
        found = session_module(name, place) if place.facts.written else None
        tree = _parse(found[1]) if found is not None and self.depth < MAX_EVALUATED else None
        if found is None or tree is None or name in self.modules:
            return self.modules.get(name, {})
        inner = Walker(Recorder(place, source=""), depth=self.depth + 1)
        inner.names["__file__"] = Value(constant=found[0])
        try:
            inner.body(statements_of(tree, found[1]))
        except (OutOfBudget, RecursionError):
            return {}
        self.modules[name] = known = exported(inner.names)
        if any([value.function is not None for value in known.values()]):
            # A function finds the names of its module wherever it is called.
            self.names.update({key: one for key, one in known.items() if key not in self.names})
        return known

    def _assign(self, statement: ast.Assign) -> None:
        value = self.value(statement.value)
        for target in statement.targets:
            self.bind(target, value)

    def _annotated(self, statement: ast.AnnAssign) -> None:
        self.value(statement.annotation)
        if statement.value is not None:
            self.bind(statement.target, self.value(statement.value))

    def _augmented(self, statement: ast.AugAssign) -> None:
        left = self.value(statement.target)
        self.bind(statement.target, combine(statement.op, left, self.value(statement.value)))

    def _expression(self, statement: ast.Expr) -> None:
        self.value(statement.value)

    def _if(self, statement: ast.If) -> None:
        self.value(statement.test)
        is_choice = "__name__" not in ast.dump(statement.test)[:60]
        self.choices += is_choice
        self._branches([statement.body, statement.orelse])
        self.choices -= is_choice

    def _try(self, statement: ast.Try | ast.TryStar) -> None:
        before = self.names.copy()
        self.body(statement.body)
        self.body(statement.orelse)
        self._merge(before)
        for handler in statement.handlers:
            self.value(handler.type)
        self._branches([[], *[handler.body for handler in statement.handlers]])
        self.body(statement.finalbody)

    def _match(self, statement: ast.Match) -> None:
        self.value(statement.subject)
        for case in statement.cases:
            self.value(case.guard)
        self._branches([[], *[case.body for case in statement.cases]])

    def _branches(self, bodies: list[list[ast.stmt]]) -> None:
        """Evaluate alternative branches; afterwards a name may have the value of any of them."""
        before = self.names
        after: list[dict[str, Value]] = []
        for body in bodies:
            self.names = before.copy()
            self.body(body)
            after.append(self.names)
        for names in after[:-1]:
            self._merge(names)

    def _merge(self, other: dict[str, Value]) -> None:
        """Merge the names of another branch into this one."""
        for name, value in other.items():
            mine = self.names.get(name)
            if mine is not value:
                self.names[name] = value if mine is None else either(mine, value)

    def _for(self, statement: ast.For | ast.AsyncFor) -> None:
        source = self.value(statement.iter)
        before = self.names.copy() if not source.items else {}
        for value in self.elements(source):
            self.bind(statement.target, value)
            self.body(statement.body)
        self._merge(before)
        self.body(statement.orelse)

    def _while(self, statement: ast.While) -> None:
        self.value(statement.test)
        before, names = self.recorder.fork_count, self.names.copy()
        self.body(statement.body)
        self._merge(names)
        # A fork in the body of `while` doubles with each round: a fork bomb.
        if self.recorder.fork_count > before:
            self.recorder.fork("os.fork", is_loop=True)
        self.body(statement.orelse)

    def _with(self, statement: ast.With | ast.AsyncWith) -> None:
        for item in statement.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
        self.body(statement.body)

    def _function(self, statement: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        given = statement.args
        annotated = (*given.posonlyargs, *given.args, *given.kwonlyargs)
        for node in (
            *statement.decorator_list, *given.defaults, *given.kw_defaults, statement.returns,
            *(one.annotation for one in annotated),
        ):  # fmt: skip
            self.value(node)
        self.names[statement.name] = Value(function=statement)
        self.waiting[statement.name] = statement

    def _class(self, statement: ast.ClassDef) -> None:
        for node in (*statement.decorator_list, *statement.bases):
            self.value(node)
        for keyword in statement.keywords:
            self.value(keyword.value)
        self.body(statement.body)
        self.names[statement.name] = Value(kind=f"class {statement.name}")

    def _return(self, statement: ast.Return) -> None:
        if statement.value is not None:
            value = self.value(statement.value)
            self.returned = value if self.returned is UNKNOWN else either(value, self.returned)

    def _delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            self.value(target)
            self.recorder.doubles.variables.clear()


STATEMENTS: Mapping[type[ast.stmt], Callable[..., None]] = {
    ast.Import: Walker._import, ast.ImportFrom: Walker._import_from, ast.Assign: Walker._assign,
    ast.AnnAssign: Walker._annotated, ast.AugAssign: Walker._augmented,
    ast.Expr: Walker._expression, ast.For: Walker._for, ast.AsyncFor: Walker._for,
    ast.If: Walker._if, ast.Try: Walker._try, ast.TryStar: Walker._try, ast.Match: Walker._match,
    ast.While: Walker._while, ast.With: Walker._with, ast.AsyncWith: Walker._with,
    ast.FunctionDef: Walker._function, ast.AsyncFunctionDef: Walker._function,
    ast.ClassDef: Walker._class, ast.Return: Walker._return, ast.Delete: Walker._delete,
}  # fmt: skip
