"""The names in force while a snippet is walked, and the budget of the walk."""

from __future__ import annotations

import ast

from signoff.actions.code.python.calls import BUILTINS, CALLS, PURE_MODULES
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.settings.loaded import READ_FILE, lines_of
from signoff.actions.code.settings.session_files import session_text
from signoff.actions.code.value import UNKNOWN, Taint, Value, taints_of
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.values import replace

MAX_NODES = 6_000  # beyond them the code is not understood
MAX_ELEMENTS = 16  # of a list that a loop walks; of longer ones one unknown element stands for all
# Parts of signoff that answer, sign, serve or hold keys; what is for everybody is `signoff` itself.
GUARD_PARTS = (
    "__main__", "build.approvals", "challenge", "storage.approvals", "storage.locks",
    "storage.installation", "frontends.cli", "frontends.web", "frontends.server",
    "frontends.mcp.oauth",
)  # fmt: skip
_BUILTIN_VALUES = {name: Value(name=name) for name in BUILTINS}
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class OutOfBudget(Exception):
    """The snippet needs more steps than the analysis may take."""


class PythonScope:
    """The names, the step budget, and facts about the whole snippet."""

    def __init__(self, recorder: Recorder, *, depth: int = 0) -> None:
        self.recorder = recorder
        self.depth = depth
        self.names: dict[str, Value] = {}
        self.star_modules: list[str] = []
        self.modules: dict[str, dict[str, Value]] = {}  # those that the session wrote
        self.foreign: set[str] = set()  # libraries that nobody described
        self.waiting: dict[str, Function] = {}
        self.calling: set[int] = set()
        self.returned: Value = UNKNOWN
        self.is_ordinary = False
        self.choices = 0  # conditions around what is read
        self.spent = 0

    def spend(self) -> None:
        """Count one node; raise OutOfBudget once the budget is used up."""
        self.spent += 1
        if self.spent > MAX_NODES or self.recorder.is_full:
            raise OutOfBudget

    def note_module(self, name: str) -> None:
        """Note an import: other code than the snippet's own runs."""
        root, _, part = name.partition(".")
        if root not in PURE_MODULES:
            self.is_ordinary = True
            self.foreign.add(root)
        if root == "signoff" and part.startswith(GUARD_PARTS):
            self.recorder.operate(
                Verb.CONTROL,
                "import",
                thing=ResourceType.GUARD,
                target=name,
                reach=Reach.GUARD,
                traits=frozenset({Trait.SELF_APPROVAL}),
            )

    def look_up(self, name: str) -> Value:
        """Return the value of a name."""
        found = self.names.get(name)
        if found is not None:
            return found
        for module in self.star_modules:
            if f"{module}.{name}" in CALLS:
                return Value(name=f"{module}.{name}")
        return _BUILTIN_VALUES.get(name, UNKNOWN)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a name, or to the names of a tuple."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
            self.recorder.doubles.note_name(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._bind_all(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value)
        elif isinstance(target, ast.Subscript | ast.Attribute):
            self.set_part(target, value)

    def _bind_all(self, targets: list[ast.expr], value: Value) -> None:
        items = value.items
        for index, target in enumerate(targets):
            if items is not None and len(items) == len(targets):
                self.bind(target, items[index])
            elif Taint.MANY in value.taints:
                self.bind(target, value)
            else:
                self.bind(target, Value(taints=value.taints))

    def set_part(self, target: ast.Subscript | ast.Attribute, value: Value) -> None:
        """Assign an item or attribute."""
        raise NotImplementedError

    def opened(self, value: Value) -> Value:
        """Return a file that is open as its text, where the session wrote that text before."""
        place = self.recorder.place
        if value.kind != "file" or not value.text or not place.facts.written:
            return value
        path = locate(value.text, place).path
        text = None if path in self.recorder.written else session_text(path, place)
        return value if text is None else replace(value, constant=text, kind=READ_FILE)

    def elements(self, source: Value) -> list[Value]:
        """Return the values a loop variable takes: known items if few, else one unknown value."""
        source = lines_of(self.opened(source)) or source
        if source.items is not None and len(source.items) <= MAX_ELEMENTS:
            return list(source.items)
        if Taint.MANY in source.taints:
            return [source]
        taints = taints_of(source)
        if Taint.SERVICE in taints:
            return [Value(kind=source.kind, taints=taints | {Taint.LISTED})]
        return [Value(taints=taints)]
