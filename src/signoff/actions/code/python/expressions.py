"""Python expressions -> values: constants folded, names followed, calls performed."""

from __future__ import annotations

import ast
import stat
from collections.abc import Callable, Iterable, Mapping

from signoff.actions.code.python.calling import PythonCallFollower
from signoff.actions.code.python.folding import MAX_RESULT
from signoff.actions.code.python.operators import combine, item_of, iter_known
from signoff.actions.code.python.scope import MAX_NODES, OutOfBudget
from signoff.actions.code.value import (
    NONE,
    UNKNOWN,
    Taint,
    Value,
    alternatives,
    either,
    list_value,
    taints_of,
    variants,
)

# File modes by name, as in the module `stat`.
_MODE_BITS = {
    name: getattr(stat, name)
    for name in dir(stat)
    if name.startswith(("S_IR", "S_IW", "S_IX", "S_IS")) and isinstance(getattr(stat, name), int)
}


class Expressions(PythonCallFollower):
    """Evaluates Python expressions."""

    def value(self, node: ast.expr | None) -> Value:
        """Return what is known of an expression's value; record its effects."""
        if node is None:
            return UNKNOWN
        self.spent += 1
        if self.spent > MAX_NODES:
            raise OutOfBudget
        handler = HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, node)
        return self._any(node)

    # -- kinds of expressions

    def _constant(self, node: ast.Constant) -> Value:
        constant = node.value
        if constant is None:
            return NONE
        return (
            Value(constant=constant) if isinstance(constant, str | bytes | int | float) else UNKNOWN
        )

    def _name(self, node: ast.Name) -> Value:
        return self.look_up(node.id)

    def _attribute(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        if owner.others:
            return either(*[self.attribute(one, node.attr) for one in alternatives(owner)])
        if owner.name == "stat" and node.attr in _MODE_BITS:
            return Value(constant=_MODE_BITS[node.attr])
        return self.attribute(owner, node.attr)

    def _subscript(self, node: ast.Subscript) -> Value:
        owner = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node.slice)
        index = self.value(node.slice)
        if owner.name in {"os.environ", "os.environb"}:
            return self.recorder.variable(owner.name, index.shown)
        # `sys.modules["os"]` is the module itself, and no import shows it.
        if owner.name == "sys.modules":
            return Value(name=index.shown)
        if owner.name.endswith(".__dict__") or owner.kind == "namespace":
            return self.dynamic(Value(name=owner.name.removesuffix(".__dict__")), index)
        if Taint.SERVICE in owner.taints and (owner.kind or owner.name):
            # `client["shop"]["orders"]`: a part of the service, by its name.
            kind = f"{owner.kind or owner.name}.{index.text or '*'}"
            return Value(kind=kind[-200:], receiver=owner, taints=owner.taints)
        return item_of(owner, index)

    def _slice(self, owner: Value, part: ast.Slice) -> Value:
        bounds: list[int | None] = []
        for bound in (part.lower, part.upper, part.step):
            at = self.value(bound).constant if bound else None
            if (bound is not None and not isinstance(at, int)) or (bound is part.step and at == 0):
                return Value(taints=owner.taints)
            bounds.append(at if isinstance(at, int) else None)
        cut = slice(*bounds)
        if isinstance(owner.constant, str | bytes):
            return Value(constant=owner.constant[cut], taints=owner.taints)
        if owner.items is not None:
            return Value(items=owner.items[cut], taints=owner.taints)
        return Value(taints=owner.taints, name="*" if owner.name else "")

    def _joined(self, node: ast.JoinedStr) -> Value:
        values = [
            self._woven(part) if isinstance(part, ast.FormattedValue) else self.value(part)
            for part in node.values
        ]
        made = []
        for given in variants(values) if _has_others(values) else (values,):
            text = "".join(value.shown for value in given)
            made.append(Value(constant=text[:MAX_RESULT], taints=taints_of(*given)))
        return either(*made)

    def _woven(self, part: ast.FormattedValue) -> Value:
        self.value(part.format_spec)
        return self.value(part.value)

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if left.others or right.others:
            return either(*[combine(node.op, a, b) for a, b in variants((left, right))])
        return combine(node.op, left, right)

    def _boolean(self, node: ast.BoolOp) -> Value:
        values = [self.value(part) for part in node.values]
        return either(*[value for value in values if value != UNKNOWN] or [UNKNOWN])

    def _condition(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        first, second = self.value(node.body), self.value(node.orelse)
        return either(*[value for value in (first, second) if value != UNKNOWN] or [UNKNOWN])

    def _list(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        items = [self.value(part) for part in node.elts]
        if _has_others(items):
            return either(*[list_value(one) for one in variants(items)])
        return list_value(items)

    def _mapping(self, node: ast.Dict) -> Value:
        entries = [
            (self.value(key).shown, self.value(entry))
            for key, entry in zip(node.keys, node.values, strict=True)
        ]
        return Value(entries=tuple(entries), taints=taints_of(*(entry for _, entry in entries)))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        if len(node.generators) != 1 or node.generators[0].ifs:
            for generator in node.generators:
                self.bind(
                    generator.target,
                    self.elements(self.value(generator.iter))[0:1][0]
                    if self.elements(self.value(generator.iter))
                    else UNKNOWN,
                )
                for test in generator.ifs:
                    self.value(test)
            is_choice = any([generator.ifs for generator in node.generators])
            self.choices += is_choice
            taints = self.value(node.elt).taints
            self.choices -= is_choice
            return Value(taints=taints)
        generator = node.generators[0]
        source = self.value(generator.iter)
        many = iter_known(source)
        found = []
        for value in many if many is not None else self.elements(source):
            self.bind(generator.target, value)
            found.append(self.value(node.elt))
        if many is None and source.items is None:
            return Value(taints=taints_of(*found))
        return list_value(found, source.taints)

    def _assigned(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _lambda(self, node: ast.Lambda) -> Value:
        self.waiting[f"lambda {id(node)}"] = node
        return Value(function=node)

    def _await(self, node: ast.Await | ast.Starred | ast.YieldFrom) -> Value:
        return self.value(node.value)

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value.constant, int | float):
            return Value(constant=-value.constant)
        return Value(taints=value.taints)

    def _any(self, node: ast.expr) -> Value:
        values = [
            self.value(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)
        ]
        return Value(taints=taints_of(*values))

    def _call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        args: list[Value] = []
        for arg in node.args:
            value = self.value(arg)
            if isinstance(arg, ast.Starred) and value.items is not None:
                args.extend(value.items)
            else:
                args.append(value)
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            named.update(value.entries or () if keyword.arg is None else ((keyword.arg, value),))
        self._grown(node.func, args)
        # A function of the snippet itself takes its arguments with all they may be.
        if function.function is None and _has_others((function, *args, *named.values())):
            return self._apply_each(function, args, named)
        return self.apply(function, args, named)

    def _apply_each(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """Make a call once for each combination of what its values may be."""
        end = len(args) + 1
        return either(
            *[
                self.apply(one[0], one[1:end], dict(zip(named, one[end:], strict=True)))
                for one in variants((function, *args, *named.values()))
            ]
        )

    def _grown(self, function: ast.expr, args: list[Value]) -> None:
        """`c.append(x)` and `c.extend(xs)`: the list of that name has more items then."""
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return
        name = function.value.id
        held = self.names.get(name)
        if held is None or held.items is None or len(args) != 1:
            return
        if function.attr == "append":
            self.names[name] = list_value((*held.items, args[0]), held.taints)
        elif function.attr == "extend":
            more = args[0].items
            self.names[name] = (
                list_value((*held.items, *more), held.taints)
                if more is not None
                else Value(taints=held.taints | args[0].taints)
            )


def _has_others(values: Iterable[Value]) -> bool:
    return any([value.others for value in values])


HANDLERS: Mapping[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: Expressions._constant, ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute, ast.Subscript: Expressions._subscript,
    ast.Call: Expressions._call, ast.JoinedStr: Expressions._joined,
    ast.BinOp: Expressions._binary, ast.BoolOp: Expressions._boolean,
    ast.IfExp: Expressions._condition, ast.List: Expressions._list, ast.Tuple: Expressions._list,
    ast.Set: Expressions._list, ast.Dict: Expressions._mapping,
    ast.ListComp: Expressions._comprehension, ast.SetComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension, ast.NamedExpr: Expressions._assigned,
    ast.Lambda: Expressions._lambda, ast.Await: Expressions._await,
    ast.Starred: Expressions._await, ast.YieldFrom: Expressions._await,
    ast.UnaryOp: Expressions._unary,
}  # fmt: skip
