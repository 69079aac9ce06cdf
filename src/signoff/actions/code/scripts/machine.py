"""Tokens of a script language -> operations: calls by name, with what is known of their arguments.

The same small machine reads every language with calls and quotes: values are texts put together
by the language's own operator, variables that were given a known value, lists, and what known
calls give back. It never runs anything; a name it does not know is an ordinary call.
"""

from __future__ import annotations

from itertools import chain

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.calling import BUILT_IN, TokenCursor, joined
from signoff.actions.code.scripts.interpolation import assemble
from signoff.actions.code.scripts.language import (
    CLAUSES,
    OPENERS,
    PREFIX_SIGNS,
    PREFIXES,
    STOPS,
    UNFINISHED,
    Language,
    any_owner,
    conditional,
    number,
    quoted_values,
)
from signoff.actions.code.scripts.lexer import ScriptToken, TokenKind, tokens
from signoff.actions.code.scripts.parameters import given_parameters, set_variables
from signoff.actions.code.settings.script_modules import (
    as_script,
    exports_of,
    session_module,
    settings_of,
)
from signoff.actions.code.sinks import Sink
from signoff.actions.code.value import (
    NO_TAINTS,
    UNKNOWN,
    Taint,
    Value,
    either,
    list_value,
    taints_of,
    variants,
)
from signoff.values import replace

UNTAGGED = frozenset({"String.raw"})  # gives the text back as it stands
ALL_VARIABLES = frozenset({Taint.ENVIRONMENT_SECRET})
MAX_CHARS = 20_000
MAX_DEPTH = 25
MAX_TEXTS = 3
MAX_FOLLOWING = 40  # members and calls behind one value


class Machine(TokenCursor):
    """Evaluates one text of a script language."""

    def __init__(self, language: Language, recorder: Recorder) -> None:
        super().__init__(language, recorder)
        self.depth = 0
        self.texts = 0

    def read(self, text: str) -> None:
        """Evaluate a text from its first token to its last."""
        found, is_closed = tokens(text, self.language.grammar)
        if not is_closed:
            self.recorder.opaque("the text cannot be read", self.language.name)
        if "function" in text or "=>" in text:
            self.names.update(given_parameters(found, self._taken_names()))
        outer = self.tokens, self.at, self.maybe
        self.tokens, self.at, self.maybe = found, 0, conditional(found)
        settings = set_variables(found, self.maybe)
        while self.at < len(self.tokens) and not self.recorder.is_full:
            before = self.at
            if before in settings:
                self.recorder.doubles.set_variable(*settings[before])
            self._statement()
            if self.at == before:
                self.at += 1
        if found and found[-1].kind is TokenKind.SIGN and found[-1].text in UNFINISHED:
            self.recorder.opaque("the text cannot be read", self.language.name)
        self.tokens, self.at, self.maybe = outer

    def _taken_names(self) -> frozenset[str]:
        """Return names that mean something to the language, whatever a snippet calls its own."""
        of = self.language
        known = (of.calls, of.folds, of.specials, of.imports, of.environment, of.dynamic, of.roots)
        return frozenset(chain(("global", "globalThis", "module"), *known))

    def run_text(self, text: str) -> None:
        """Evaluate a text that the snippet runs in its own language (`eval`)."""
        if self.texts >= MAX_TEXTS:
            self.recorder.opaque("texts that run texts that run texts", self.language.name)
            return
        self.texts += 1
        self.read(text)
        self.texts -= 1

    def session_exports(self, name: str) -> Value | None:
        """Return what a module that the session wrote exports, None if nothing is known."""
        place = self.recorder.place
        found = session_module(name, place) if place.facts.written else None
        if found is None or self.language.name != "javascript" or self.texts >= MAX_TEXTS:
            return None
        if (settings := settings_of(*found)) is not None:
            return settings
        inner = Machine(self.language, Recorder(place, source=""))
        inner.texts = self.texts + 1
        inner.read(as_script(found[1]))
        return exports_of(inner.names)

    # -- statements and expressions

    def _statement(self) -> None:
        start = self.at
        names = self._targets()
        self._assign(names, self.expression(), start)

    def expression(self) -> Value:
        """Evaluate an expression with its concatenations; stops at the first token after it."""
        self.depth += 1
        value = self._operand() if self.depth <= MAX_DEPTH else self._too_deep()
        while self.peek().kind is TokenKind.SIGN and self.peek().text in self.language.joins:
            self.at += 1
            self._skip_ends()
            right = self._operand()
            value = either(*[joined(a, b) for a, b in variants((value, right))])
        self.depth -= 1
        return value

    def _too_deep(self) -> Value:
        self.recorder.opaque("nested too deeply", self.language.name)
        self.at = len(self.tokens)
        return UNKNOWN

    def _operand(self) -> Value:
        token = self.peek()
        self.at += 1
        if token.kind is TokenKind.NAME:
            is_prefix = token.text in PREFIXES and self.peek().kind is not TokenKind.END
            return self._operand() if is_prefix else self._named(token.text)
        if (
            token.kind is TokenKind.SIGN
            and token.text in PREFIX_SIGNS
            and self.at < len(self.tokens)
        ):
            return self._operand()
        if (
            token.kind is TokenKind.SIGN
            and token.text == "-"
            and self.peek().kind is TokenKind.NUMBER
        ):
            return self._negative()
        if token.kind is TokenKind.SIGN:
            return self._after(self._opened(token.text))
        return self._after(self._literal(token))

    def _negative(self) -> Value:
        value = self._operand()
        return Value(constant=-value.constant) if isinstance(value.constant, int) else value

    def _literal(self, token: ScriptToken) -> Value:
        match token.kind:
            case TokenKind.TEXT:
                return Value(constant=token.text)
            case TokenKind.WOVEN:
                return self.assemble(token.text)
            case TokenKind.SHELL:
                return self._backticks(token)
            case TokenKind.WORDS:
                return list_value(Value(constant=word) for word in token.text.split()[:200])
            case TokenKind.NUMBER:
                return number(token.text)
            case _:
                return self._run_part(token)

    def _run_part(self, token: ScriptToken) -> Value:
        """Read what is run inside a pattern or a replacement."""
        if token.kind is TokenKind.CODE:
            self.run_text(token.text)
        elif "(?{" in token.text or "(??{" in token.text:
            start = token.text.index("{")
            self.run_text(token.text[start + 1 : token.text.rfind("}")])
        return UNKNOWN

    def _backticks(self, token: ScriptToken) -> Value:
        return self.recorder.run("`", self.assemble(token.text))

    def assemble(self, text: str) -> Value:
        """Return a string literal with its interpolated values put in."""
        return assemble(text, self.language.assemble, self._inner, self.names)

    def _inner(self, code: str) -> Value:
        """Evaluate code inside a string literal."""
        found, is_closed = tokens(code, self.language.grammar)
        if not is_closed or self.depth > MAX_DEPTH:
            self.recorder.opaque("the text cannot be read", self.language.name)
            return UNKNOWN
        outer = self.tokens, self.at
        self.tokens, self.at = found, 0
        value = self.expression()
        self.tokens, self.at = outer
        return value

    def _opened(self, sign: str) -> Value:
        if sign not in OPENERS:
            return UNKNOWN
        items = self._arguments(OPENERS[sign])
        if sign == "(":
            return items[-1] if len(items) == 1 else list_value(items)
        if sign == "[":
            return list_value(items)
        entries = tuple(entry for one in items for entry in one.entries or ())
        return Value(entries=entries or None, taints=taints_of(*items))

    def _arguments(self, closer: str) -> list[Value]:
        """Read values up to a closing sign."""
        found: list[Value] = []
        while self.at < len(self.tokens):
            if self.takes(closer):
                break
            token = self.peek()
            if token.kind is TokenKind.END or (
                token.kind is TokenKind.SIGN and token.text in {",", ";"}
            ):
                self.at += 1
                continue
            before = self.at
            names = self._targets()
            value = self.expression()
            self._assign(names, value, before)
            self._each_as(value)
            if self.takes(":", "=>"):
                value = self._entry(value)
            found.append(value)
            if self.at == before:
                self.at += 1
        return found

    def _entry(self, key: Value) -> Value:
        """Evaluate the value of a mapping's key; options are kept by name."""
        self._skip_ends()
        value = self.expression()
        taints = key.taints | value.taints  # of `f(x):read()` in Lua as well
        value = replace(value, taints=taints)
        return Value(entries=((quoted_values([key]), value),), taints=taints)

    def _named(self, name: str) -> Value:
        value = self.names.get(name)
        if value is None:
            taints = ALL_VARIABLES if name in self.language.environment else NO_TAINTS
            # `@unlink($f)` in PHP only keeps errors quiet.
            quiet = "@" if self.language.name == "php" else "&"
            value = Value(name=name.removeprefix(quiet), taints=taints)
        if self.takes("+=", ".="):
            more = self.expression()
            taints = value.taints | more.taints
            value = Value(constant=value.shown + more.shown, taints=taints)
            self.names[name] = value
            return value
        if self.language.bare and self._is_bare_call(value.name):
            return self._after(self.call(value, self._bare_arguments()))
        return self._after(value)

    def _is_bare_call(self, name: str) -> bool:
        following = self.peek()
        if following.kind is TokenKind.SIGN and following.text in self.language.members:
            return False
        if following.text == "[" and name == "Dir":
            return False  # `Dir["*.rb"]`: an item of a class
        if following.kind in {TokenKind.END, TokenKind.SIGN} and following.text not in {
            "[",
            '"',
            "<",
            "-",
            "{",
        }:
            return following.text != "(" and name in self.language.calls and not self._is_assign(0)
        return name in self.language.calls or name in self.language.imports

    def _bare_arguments(self) -> list[Value]:
        found: list[Value] = []
        while self.at < len(self.tokens):
            token = self.peek()
            if token.kind is TokenKind.END or (
                token.kind is TokenKind.SIGN and token.text in STOPS - {","}
            ):
                break
            if token.kind is TokenKind.NAME and token.text in CLAUSES:
                break
            if self.takes(","):
                self._skip_ends()
                continue
            before = self.at
            value = self.expression()
            if self.takes("=>", ":"):
                value = self._entry(value)
            found.append(value)
            if self.at == before:
                self.at += 1
        return found

    def _after(self, value: Value) -> Value:
        """Read what follows a value: members, items, calls."""
        for _ in range(MAX_FOLLOWING):
            token = self.peek()
            if self.language.text_calls and token.kind is TokenKind.TEXT and value.name:
                self.at += 1
                value = self.call(value, [Value(constant=token.text)])
                continue
            # A template behind a name is handed to it: $`rm a` in Bun, zx and execa.
            if token.kind is TokenKind.WOVEN and value.name and value.name not in UNTAGGED:
                self.at += 1
                value = self.call(value, [self.assemble(token.text)])
                continue
            if token.kind is not TokenKind.SIGN:
                break
            before = self.at
            if token.text in self.language.members and token.text not in self.language.joins:
                value = self._dotted(value, token.text)
            elif token.text in OPENERS:
                value = self._bracketed(value, token.text)
            if self.at == before:
                break
        return value

    def _dotted(self, value: Value, sign: str) -> Value:
        if self.peek(1).kind is TokenKind.NAME:
            self.at += 2
            return self._member(value, self.peek(-1).text)
        self.at += sign == "->"
        return value

    def _bracketed(self, value: Value, sign: str) -> Value:
        """Read a call, an item or a variable of the environment, if the sign opens one."""
        is_item = sign == "[" and (value.name or value.items is not None or value.kind)
        is_variable = sign == "{" and value.name in self.language.environment
        if sign != "(" and not is_item and not is_variable:
            return value
        self.at += 1
        inner = self._arguments(OPENERS[sign])
        if sign == "(":
            return self.call(value, inner)
        return self._item(value, inner) if is_item else self.attribute(value, quoted_values(inner))

    def _member(self, owner: Value, name: str) -> Value:
        member = self.attribute(owner, name)
        if self.language.bare and self._is_bare_call(member.name) and self.peek().text != "(":
            return self.call(member, self._bare_arguments())
        is_last = self.peek().text not in self.language.members | {"(", "[", "="}
        if self.language.bare and Taint.SERVICE in owner.taints and is_last:
            return self.call(member, self._bare_arguments())
        if self.language.bare and self._is_bare_fold(member.name):
            return self.call(member, [])
        return member

    def _is_bare_fold(self, name: str) -> bool:
        """Whether a method that is worked out stands without arguments: `Dir.home`."""
        following = self.peek()
        ends = following.kind in {TokenKind.END, TokenKind.SIGN} and following.text != "("
        folds = self.language.folds
        return ends and (name in folds or any_owner(name) in folds)

    def _item(self, owner: Value, index: list[Value]) -> Value:
        key = index[0] if index else UNKNOWN
        rule = self.language.calls.get(owner.name)
        if rule is not None and rule.sink is Sink.WALK:
            return self.call(owner, index)  # `Dir["*.rb"]`
        if key.is_known and key.text is not None and owner.name:
            return self.attribute(owner, key.text)
        if (
            owner.items is not None
            and isinstance(key.constant, int)
            and key.constant < len(owner.items)
        ):
            return owner.items[key.constant]
        if owner.name in self.language.dynamic:
            return Value(kind="opaque")
        return Value(taints=owner.taints)

    def _skip_ends(self) -> None:
        while self.peek().kind is TokenKind.END and self.at < len(self.tokens):
            self.at += 1


def read_with(language: Language, text: str, recorder: Recorder) -> None:
    """Record what a snippet of a script language does."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", language.name)
        return
    try:
        machine = Machine(language, recorder)
        machine.foreign |= set(language.loaded(text)) - BUILT_IN
        machine.read(text)
    except RecursionError:
        recorder.opaque("the text is nested too deeply", language.name)
