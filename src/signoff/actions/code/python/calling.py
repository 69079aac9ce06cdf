"""Calls of Python: what is called, with what it is given, and what comes of it."""

from __future__ import annotations

import ast

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.python.calls import CALLS, MADE
from signoff.actions.code.python.folding import fold, fold_method
from signoff.actions.code.python.operators import iter_known
from signoff.actions.code.python.scope import Function, PythonScope
from signoff.actions.code.services.call import ClientCall
from signoff.actions.code.services.clients import configures, is_key
from signoff.actions.code.services.following import follow_call
from signoff.actions.code.settings.loaded import entry_of, load
from signoff.actions.code.sinks import CallRule, Sink
from signoff.actions.code.value import UNKNOWN, Taint, Value, taints_of
from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.values import replace

MAX_CALLS = 6
MAX_PARENTS = 8
_DYNAMIC = frozenset({"getattr", "builtins.getattr", "vars", "operator.attrgetter"})
_IMPORTERS = frozenset({
    "__import__", "importlib.import_module", "importlib.__import__", "builtins.__import__",
})  # fmt: skip
_RUNNERS = frozenset({"exec", "eval", "builtins.exec", "builtins.eval", "timeit.timeit",
                      "timeit.repeat", "cProfile.run"})  # fmt: skip
# Calls after which the environment is another one.
_ENVIRONMENT = (
    *("os.environ.pop", "os.environ.clear", "os.environ.update", "os.environ.setdefault"),
    *("os.unsetenv", "os.putenv", "dotenv.", "os.environ.__"),
)
_HIGHER = frozenset({"map", "filter"})


class PythonCallFollower(PythonScope):
    """Evaluates calls in a Python snippet and records their effects."""

    def value(self, node: ast.expr | None) -> Value:
        """Return what is known of an expression's value; record its effects."""
        raise NotImplementedError

    def call_function(
        self, function: Function, args: list[Value], named: dict[str, Value]
    ) -> Value:
        """Evaluate a function of the snippet with these arguments; return its result."""
        if id(function) in self.calling or len(self.calling) >= MAX_CALLS:
            return UNKNOWN
        self.calling.add(id(function))
        outer, self.names = self.names, dict(self.names)
        outer_returned, self.returned = self.returned, UNKNOWN
        self._bind_parameters(function.args, args, named)
        if isinstance(function, ast.Lambda):
            self.returned = self.value(function.body)
        else:
            self.body(function.body)
        result, self.returned, self.names = self.returned, outer_returned, outer
        self.calling.discard(id(function))
        return result

    def body(self, statements: list[ast.stmt]) -> None:
        """Evaluate statements in order."""
        raise NotImplementedError

    def run_text(self, text: str) -> None:
        """Evaluate a text that the snippet runs as Python (`exec`)."""
        raise NotImplementedError

    def _bind_parameters(
        self, parameters: ast.arguments, args: list[Value], named: dict[str, Value]
    ) -> None:
        positional = [*parameters.posonlyargs, *parameters.args]
        defaults = [None] * (len(positional) - len(parameters.defaults)) + list(parameters.defaults)
        for index, parameter in enumerate(positional):
            if index < len(args):
                found = args[index]
            elif parameter.arg in named:
                found = named[parameter.arg]
            else:
                default = defaults[index]
                found = self.value(default) if default is not None else UNKNOWN
            self.names[parameter.arg] = found
        for parameter in parameters.kwonlyargs:
            self.names[parameter.arg] = named.get(parameter.arg, UNKNOWN)
        if parameters.vararg is not None:
            self.names[parameters.vararg.arg] = Value(items=tuple(args[len(positional) :]))

    def attribute(self, owner: Value, name: str) -> Value:
        """Return an attribute of a module, of an object of a known class, or of any value."""
        if owner.name:
            known = self.modules.get(owner.name, {}).get(name)
            return _member(owner, name) if known is None else known
        known = self.names.get(f".{name}")
        if known is None and owner.kind.startswith("class "):
            known = self.names.get(name)
        if known is not None:
            return known
        if owner.kind == "file" and name == "name":
            return Value(constant=owner.constant)
        if owner.kind == "pathlib.Path" and name in {"parent", "parents"}:
            return _folders_above(owner, name)
        return Value(name=f"{owner.kind or '*'}.{name}", receiver=owner, taints=owner.taints)

    def apply(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a call; record its effects."""
        if function.function is not None:
            self._no_longer_waiting(function.function)
            return self.call_function(function.function, args, named)
        if function.name.startswith(_ENVIRONMENT):
            self.recorder.doubles.variables.clear()
        special = self._special(function, args)
        if special is not None:
            return special
        self._called_back(args, named)
        return self._known(function, args, named)

    def _special(self, function: Value, args: list[Value]) -> Value | None:
        """Return what the calls give that import, look up, run texts or call others."""
        name = function.name
        first = args[0] if args else UNKNOWN
        if name in _IMPORTERS:
            return self._imported(args)
        if name in _DYNAMIC:
            return self.dynamic(first, args[1] if len(args) > 1 else None)
        if name.endswith((".__getattribute__", ".__getattr__")) and args:
            return self.dynamic(function.receiver or UNKNOWN, first)
        if name in _RUNNERS:
            # `timeit.repeat(f)` calls what it is given, where that is no text.
            is_called = name.startswith("timeit.") and first.function is not None
            return self.apply(first, [], {}) if is_called else self._evaluated(name, args)
        return self._mapped(args) if name in _HIGHER and args else None

    def _called_back(self, args: list[Value], named: dict[str, Value]) -> None:
        """Read what is handed over to be called: `Thread(target=f, args=...)`, `partial(f, x)`."""
        later = named.get("args")
        for index, value in enumerate((*args, *named.values())):
            given = list(later.items) if later is not None and later.items else args[index + 1 :]
            if value.function is not None or value.name in CALLS or value.name in _RUNNERS:
                self.apply(value, given, {})

    def _known(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        name, receiver = function.name, function.receiver
        if receiver is not None and not receiver.name:
            receiver = self.opened(receiver)
            method = name.rpartition(".")[2]
            folded = fold_method(method, receiver, args) or entry_of(method, receiver, args)
            if folded is not None:
                return folded
        folded = fold(name, args)
        if folded is None and args:
            folded = load(name, self.opened(args[0]))
        if folded is not None:
            return folded
        rule = _rule_of(name, receiver)
        if rule is not None and not _is_of_no_path(name, named):
            return perform(
                CodeCall(name=name, rule=rule, arguments=args, named=named, receiver=receiver),
                self.recorder,
            )
        return self._unknown_call(function, args, named)

    def _unknown_call(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        name = function.name
        if function.kind == "opaque":
            self.recorder.opaque("calls something whose name is unknown", "getattr")
        taints = function.taints | taints_of(*args, *named.values())
        if taints and (name == "file.write" or name.startswith("*.write")):
            self._written(function.receiver, taints)
        if name == "file.write" and args and function.receiver is not None:
            self.recorder.put(function.receiver, args[0], is_whole=False)
        self.is_ordinary |= not name
        if name.partition(".")[0] in self.foreign or Taint.SERVICE in function.taints:
            return self._of_library(function, args, named)
        made = function.kind if function.kind.startswith("class ") else MADE.get(name, "")
        return Value(taints=taints, kind=made) if taints or made else UNKNOWN

    def _of_library(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """Return what a library nobody described gives: a client of a service, or something."""
        name = function.name
        call = ClientCall(
            name=name, arguments=args, named=named, owner=function, is_chosen=self.choices > 0
        )
        given = follow_call(call, self.recorder)
        if Taint.SERVICE in given.taints and not call.is_of_service:
            self._is_now_client(name)
        return given

    def _is_now_client(self, name: str) -> None:
        """Take the library itself for the client after `mlflow.set_tracking_uri(...)`."""
        root, _, method = name.partition(".")
        if configures(method):
            for key in [key for key, value in self.names.items() if value.name == root]:
                self.names[key] = Value(name=root, taints=frozenset({Taint.SERVICE}))

    def _written(self, file: Value | None, taints: frozenset[Taint]) -> None:
        """Remember that what came from the network is now in a file."""
        if file is not None and file.text is not None and Taint.NETWORK in taints:
            self.recorder.write("write", file, Value(taints=taints))

    def _imported(self, args: list[Value]) -> Value:
        name = args[0] if args else UNKNOWN
        if not name.is_known or name.text is None:
            self.recorder.opaque("imports a module whose name is unknown", "import")
            return Value(kind="opaque")
        self.note_module(name.text)
        return Value(name=name.text)

    def dynamic(self, owner: Value, attribute: Value | None) -> Value:
        """Return an attribute whose name is computed (`getattr`)."""
        if attribute is None:
            return Value(name=owner.name, kind="namespace")
        if attribute.is_known and attribute.text is not None:
            return self.attribute(owner, attribute.text)
        return Value(kind="opaque") if owner.name else UNKNOWN

    def _evaluated(self, name: str, args: list[Value]) -> Value:
        code = args[0] if args else UNKNOWN
        if Taint.DECODED in code.taints:
            self.recorder.operate(
                Verb.EXECUTE, name, thing=ResourceType.CODE,
                target=code.shown[:200], reversible=False,
                traits=frozenset({Trait.DECODED, Trait.INLINE}),
            )  # fmt: skip
        if code.is_known and code.text is not None:
            self.run_text(code.text)
            return UNKNOWN
        return perform(
            CodeCall(name=name, rule=CallRule(Sink.EVALUATE), arguments=args), self.recorder
        )

    def _mapped(self, args: list[Value]) -> Value:
        source = args[1] if len(args) > 1 else UNKNOWN
        many = iter_known(source) or self.elements(source)
        found = tuple(self.apply(args[0], [value], {}) for value in many)
        return Value(
            items=found if source.items is not None or source.text else None, taints=source.taints
        )

    def _no_longer_waiting(self, function: Function) -> None:
        for name in [key for key, value in self.waiting.items() if value is function]:
            del self.waiting[name]

    def set_part(self, target: ast.Subscript | ast.Attribute, value: Value) -> None:
        """Assign an item or attribute; attributes are stored by name only, for all objects."""
        owner = self.value(target.value)
        if isinstance(target, ast.Attribute):
            self.names[f".{target.attr}"] = value
            if owner.name in self.foreign and is_key(target.attr):
                self.names[owner.name] = replace(owner, taints=owner.taints | {Taint.SERVICE})
        if isinstance(target, ast.Subscript) and owner.name == "os.environ":
            rule = CallRule(Sink.SET_VARIABLE)
            name = self.value(target.slice)
            perform(CodeCall(name="os.environ", rule=rule, arguments=[name]), self.recorder)
            is_sure = value.is_known and not self.choices and not self.calling
            self.recorder.doubles.set_variable(name.shown, value.shown if is_sure else "")


def _folders_above(owner: Value, name: str) -> Value:
    """Return `path.parent`, or the list of `path.parents`."""
    above = replace(fold("os.path.dirname", (owner,)) or UNKNOWN, kind="pathlib.Path")
    if name == "parent" or not owner.is_known:
        return above
    found = [above]
    while len(found) < MAX_PARENTS and found[-1].shown.strip("/"):
        found.append(_folders_above(found[-1], "parent"))
    return Value(items=tuple(found))


def _member(owner: Value, name: str) -> Value:
    """Return a member of a module by its dotted name."""
    is_builtin = owner.name in {"builtins", "__builtins__"}
    dotted = name if is_builtin else f"{owner.name}.{name}"
    if dotted == "sys.executable":
        return Value(constant="python3")
    if dotted in {"os.environ", "os.environb"}:
        return Value(name=dotted, taints=frozenset({Taint.ENVIRONMENT_SECRET}))
    return Value(name=dotted, receiver=owner, taints=owner.taints)


# What `pathlib` takes beside the text: `label.write_text("A", width=90)` draws.
_OF_PATHS = frozenset({"data", "encoding", "errors", "newline"})
_TEXT_METHODS = ("write_text", "write_bytes", "read_text", "read_bytes")


def _is_of_no_path(name: str, named: dict[str, Value]) -> bool:
    return name.endswith(_TEXT_METHODS) and not _OF_PATHS.issuperset(named)


def _rule_of(name: str, receiver: Value | None) -> CallRule | None:
    rule = CALLS.get(name)
    if rule is None and receiver is not None and not receiver.name:
        rule = CALLS.get(f"*.{name.rpartition('.')[2]}")
        if receiver.kind == "cloud":
            return CallRule(Sink.CLOUD)
    return rule
