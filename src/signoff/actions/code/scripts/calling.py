"""Calls of script languages: what is called, with what it is given, and what comes of it."""

from __future__ import annotations

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import DECLARES, NOTHING, POSTFIXES, Language, any_owner
from signoff.actions.code.scripts.lexer import ScriptToken, TokenKind
from signoff.actions.code.services.call import ClientCall
from signoff.actions.code.services.following import follow_call
from signoff.actions.code.settings.loaded import load
from signoff.actions.code.sinks import CallRule, Sink
from signoff.actions.code.value import (
    UNKNOWN,
    Taint,
    Value,
    either,
    is_address,
    taints_of,
    variants,
)
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.vocabulary import words
from signoff.values import replace

_PARTS = vocabulary("collection db database table bucket queue channel topic keyspace index")
# Modules of Node.js itself; what they do is described, or touches nothing outside.
BUILT_IN = words(
    "assert async_hooks buffer child_process cluster console crypto dgram dns events fs"
    " fs/promises http http2 https inspector module net os path perf_hooks process punycode"
    " querystring readline readline/promises repl stream stream/promises string_decoder test"
    " timers timers/promises tls tty url util v8 vm worker_threads zlib json set date time"
    " fileutils tempfile yaml csv open3 optparse erb digest securerandom pp ostruct socket uri"
    " open-uri net/http pathname logger benchmark bigdecimal timeout English"
)
# Methods that give every variable of the environment at once.
WHOLE_MAPPING = frozenset(
    ["to_h", "to_a", "to_hash", "to_s", "to_json", "map", "each", "each_pair", "inspect", "sort"]
)


class ScriptCallFollower:
    """Evaluates calls by name in a script language."""

    def __init__(self, language: Language, recorder: Recorder) -> None:
        self.language = language
        self.recorder = recorder
        self.foreign: set[str] = set()  # libraries that nobody described
        self.has_client = False  # a client of a service has been made

    def run_text(self, text: str) -> None:
        """Evaluate a text that the snippet runs in its own language (`eval`)."""
        raise NotImplementedError

    def session_exports(self, name: str) -> Value | None:
        """Return what a module that the session wrote exports, None if nothing is known."""
        raise NotImplementedError

    def attribute(self, owner: Value, name: str) -> Value:
        """Return a member of a module, or of a value of a known class."""
        if owner.entries and not owner.name and name in (entries := dict(owner.entries)):
            return entries[name]
        if owner.name in self.language.environment:
            if name in WHOLE_MAPPING or f"{owner.name}.{name}" in self.language.calls:
                return Value(name=f"{owner.name}.{name}", taints=owner.taints)
            return self.recorder.variable(owner.name, name)
        prefix = owner.name or owner.kind or "*"
        for root in self.language.roots:
            if f"{prefix}.{name}".startswith(root):
                return Value(name=f"{prefix}.{name}".removeprefix(root))
        is_module = bool(owner.name)
        taints = owner.taints
        if f"{prefix}.{name}" in self.language.environment:  # all variables at once
            taints |= {Taint.ENVIRONMENT_SECRET}
        return Value(name=f"{prefix}.{name}", receiver=None if is_module else owner, taints=taints)

    def call(self, function: Value, arguments: list[Value]) -> Value:
        """Return the result of a call; record its effects for all possible argument values."""
        if any([one.others for one in arguments]):
            return either(*[self._call(function, one) for one in variants(arguments)])
        return self._call(function, arguments)

    def _call(self, function: Value, arguments: list[Value]) -> Value:
        name = function.name
        if not name and function.is_known and function.text is not None:
            name = function.text
        name, arguments = _unwrapped(name, arguments)
        if name in self.language.imports or any_owner(name) in self.language.imports:
            return self._imported(arguments)
        if name in self.language.specials:
            return self.language.specials[name](self.recorder, arguments)
        folded = self._folded(name, function, arguments)
        if folded is not None:
            return folded
        self._called_back(name, arguments)
        rule = self.language.calls.get(name) or self.language.calls.get(any_owner(name))
        if rule is None:
            return self._unknown_call(name, function, arguments)
        given = self._perform(name, rule, function.receiver, arguments)
        if rule.sink is Sink.CONNECT and self._is_foreign(name):
            self.has_client = True
            marks = self.recorder.doubles.of_client(name, arguments, {})
            return replace(given, taints=given.taints | marks | {Taint.SERVICE})
        return given

    def _folded(self, name: str, function: Value, arguments: list[Value]) -> Value | None:
        """Return the result of a call that only gives a value, None if it is no such call."""
        fold = self.language.folds.get(name) or self.language.folds.get(any_owner(name))
        if fold is not None:
            return fold(function.receiver, arguments)
        return load(name, arguments[0]) if arguments else None

    def _called_back(self, name: str, arguments: list[Value]) -> None:
        """Read what is handed over to be called, and texts that are taken for code."""
        if name in self.language.may_run and arguments and arguments[0].text is not None:
            self.run_text(arguments[0].text)
        for one in arguments:
            rule = self.language.calls.get(one.name) if one.name else None
            if rule is not None and rule.sink in _HARMFUL:
                self._perform(one.name, rule, None, [UNKNOWN])

    def _perform(
        self, name: str, rule: CallRule, receiver: Value | None, arguments: list[Value]
    ) -> Value:
        named = {key: value for one in arguments for key, value in one.entries or ()}
        plain = [value for value in arguments if value.entries is None]
        if rule.sink is Sink.EVALUATE and rule.at < 0:
            # `f(x || '')` is read as two arguments: one that is unknown may be the text.
            unknown = [value for value in plain if not value.is_known]
            plain, rule = (unknown or plain)[-1:], CallRule(Sink.EVALUATE)
        if rule.sink is Sink.EVALUATE and self._evaluated(name, rule, plain):
            return UNKNOWN
        call = CodeCall(name=name, rule=rule, arguments=plain, named=named, receiver=receiver)
        return perform(call, self.recorder)

    def _evaluated(self, name: str, rule: CallRule, arguments: list[Value]) -> bool:
        code = arguments[rule.at] if len(arguments) > rule.at else UNKNOWN
        if Taint.DECODED in code.taints:
            self.recorder.operate(
                Verb.EXECUTE, name, thing=ResourceType.CODE,
                target=code.shown[:200], reversible=False,
                traits=frozenset({Trait.DECODED, Trait.INLINE}),
            )  # fmt: skip
        if not code.is_known or code.text is None:
            return False
        self.run_text(code.text)
        return True

    def _imported(self, arguments: list[Value]) -> Value:
        module = arguments[0] if arguments else UNKNOWN
        if not module.is_known or module.text is None:
            self.recorder.opaque("imports a module whose name is unknown", self.language.name)
            return Value(kind="opaque")
        if is_address(module):
            self.recorder.fetch("import", module)
            self.recorder.remote_code("import", module.text)
            return UNKNOWN
        name = module.text.removeprefix("node:")
        if name.startswith((".", "/")):
            self.recorder.is_ordinary = True
            known = self.session_exports(name)
            if known is not None:
                return known
        elif name not in BUILT_IN:
            self.foreign.add(name)
        return Value(name=name)

    def _unknown_call(self, name: str, function: Value, arguments: list[Value]) -> Value:
        sigil = self.language.sigil
        if function.kind == "opaque" or (sigil and name.startswith(sigil) and "." not in name):
            self.recorder.opaque("calls something whose name is unknown", self.language.name)
        if name and name not in self.language.pure and any_owner(name) not in self.language.pure:
            self.recorder.is_ordinary = True
        if Taint.SERVICE in function.taints or self._is_foreign(name) or self._is_handed(name):
            return self._of_library(name, function, arguments)
        return Value(taints=taints_of(function, *arguments))

    def _is_foreign(self, name: str) -> bool:
        """Tell a name of an imported library; Ruby and PHP write its root with a capital."""
        if self.language.names_classes and name[:1].isupper() and name not in self.language.calls:
            return True
        if not self.foreign:
            return False
        if any([name == one or name.startswith(f"{one}.") for one in self.foreign]):
            return True
        root = name.replace("::", ".").partition(".")[0]
        return root[:1].isupper() and any(
            [one.replace("_", "").startswith(root.lower()) for one in self.foreign]
        )

    def _is_handed(self, name: str) -> bool:
        """Tell a part of a service that a callback is handed: `c => c.db("a").collection("b")`."""
        return self.has_client and not _PARTS.isdisjoint(split_words(name))

    def _of_library(self, name: str, function: Value, arguments: list[Value]) -> Value:
        """Return what a library nobody described gives: a client of a service, or something."""
        named = {key: value for one in arguments for key, value in one.entries or ()}
        if self._is_handed(name):
            function = replace(function, taints=function.taints | {Taint.SERVICE})
        if name in self.foreign and len(arguments) > 1:
            # A library that is called itself makes its client: `require("twilio")(id, key)`.
            marks = self.recorder.doubles.of_client(name, arguments, named)
            function = replace(function, taints=function.taints | marks | {Taint.SERVICE})
        call = ClientCall(name=name, arguments=arguments, named=named, owner=function)
        given = follow_call(call, self.recorder)
        self.has_client |= Taint.SERVICE in given.taints
        return given


_HARMFUL = frozenset({
    Sink.SHELL, Sink.SYSTEM, Sink.PROGRAM, Sink.EVALUATE, Sink.DELETE, Sink.DELETE_TREE,
})  # fmt: skip


def _unwrapped(name: str, arguments: list[Value]) -> tuple[str, list[Value]]:
    """Return what `f.call(x, ...)`, `f.apply(x, [...])` and `Reflect.apply(f, x, [...])` call."""
    if name == "Reflect.apply" and len(arguments) > 2 and arguments[0].name:
        return arguments[0].name, list(arguments[2].items or (UNKNOWN,))
    base, _, last = name.rpartition(".")
    if last in {"call", "bind"} and "." in base:
        return base, arguments[1:]
    if last == "apply" and "." in base:
        return base, list(arguments[1].items or (UNKNOWN,)) if len(arguments) > 1 else []
    return name, arguments


_EACH = "*each"  # the part of a list that a loop's name stands for
MOST_EACH = 4


class TokenCursor(ScriptCallFollower):
    """Iterates over tokens and keeps the values of names."""

    def __init__(self, language: Language, recorder: Recorder) -> None:
        super().__init__(language, recorder)
        self.names: dict[str, Value] = {}
        self.tokens: list[ScriptToken] = []
        self.at = 0
        self.maybe: frozenset[int] = frozenset()

    def peek(self, offset: int = 0) -> ScriptToken:
        """Return the token `offset` places ahead; beyond the end, a line end."""
        index = self.at + offset
        return self.tokens[index] if index < len(self.tokens) else NOTHING

    def takes(self, *signs: str) -> bool:
        """Consume the next token if it is one of these signs; return whether it was."""
        if self.peek().kind is TokenKind.SIGN and self.peek().text in signs:
            self.at += 1
            return True
        return False

    def _targets(self) -> list[tuple[str, str]]:
        """Return the names a statement gives a value to, each with the part it takes."""
        start = self.at
        while self.peek().kind is TokenKind.NAME and self.peek().text in DECLARES:
            self.at += 1
        if self.peek().kind is TokenKind.NAME and self._is_assign(1):
            name = self.peek().text
            self.at += 2
            return [(name, "")]
        if self._is_looped():
            self.at += 2
            return [(self.peek(-2).text, _EACH)]
        if self.peek().text in {"{", "(", "["} and (names := self._pattern_targets()):
            return names
        self.at = start if self.peek().text not in {"{", "("} else self.at
        return []

    def _is_assign(self, offset: int) -> bool:
        token = self.peek(offset)
        return token.kind is TokenKind.SIGN and token.text in {"=", "<-", "<<-"}

    def _is_looped(self) -> bool:
        """Whether a loop's name stands here: `for (const f of list)`, `for f in list`."""
        name, word = self.peek(), self.peek(1)
        if (name.kind, word.kind) != (TokenKind.NAME,) * 2 or word.text not in {"in", "of"}:
            return False
        before = self.tokens[max(self.at - 4, 0) : self.at]
        heads = [one.text for one in before if one.text not in DECLARES and one.text != "("]
        return heads[-1:] == ["for"]

    def _each_as(self, value: Value) -> None:
        """Give the name behind `as` each of a list: `foreach (glob("*") as $k => $file)`."""
        if self.peek().kind is not TokenKind.NAME or self.peek().text != "as":
            return
        self.at += 3 if self.peek(2).text == "=>" else 1
        name = self.peek()
        if name.kind is TokenKind.NAME:
            self.names[name.text] = _one_of(value)
            self.at += 1

    def _pattern_targets(self) -> list[tuple[str, str]]:
        """Read `{a, b: c} =`: names out of a module."""
        names: list[tuple[str, str]] = []
        for offset in range(1, 40):
            token = self.peek(offset)
            if token.text in {"}", ")", "]"}:
                if not self._is_assign(offset + 1):
                    return []
                self.at += offset + 2
                return names
            if token.kind is TokenKind.NAME:
                if self.peek(offset - 1).text == ":" and names:
                    names[-1] = (token.text, names[-1][1])
                else:
                    names.append((token.text, token.text))
            elif token.text not in {",", ":"}:
                return []
        return []

    def _assign(self, names: list[tuple[str, str]], value: Value, start: int) -> None:
        """Give names a value; under a condition they may keep the one they had."""
        if not names:
            return
        may_be = start in self.maybe or self.peek().text in POSTFIXES
        is_new = self.tokens[start].text in DECLARES
        for name, part in names:
            if part == _EACH:
                made = _one_of(value)
            else:
                made = self.attribute(value, part) if part else value
            before = None if is_new or not may_be else self.names.get(name)
            self.names[name] = made if before is None else either(made, before)
            self.recorder.doubles.note_name(name, self.names[name])


def _one_of(value: Value) -> Value:
    """Any of a list; what is not known to be one gives what it came from."""
    if not value.items:
        return Value(taints=value.taints)
    return either(*value.items[:MOST_EACH])


def joined(left: Value, right: Value) -> Value:
    """Concatenate two values as text."""
    return Value(constant=left.shown + right.shown, taints=left.taints | right.taints)
