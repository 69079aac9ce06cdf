"""Tokens of a script language -> deeds: calls by name, with what is known of their arguments.

The same small machine reads every language with calls and quotes: values are texts put together
by the language's own operator, variables that were given a known value, lists, and what known
calls give back. It never runs anything; a name it does not know is an ordinary call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from signoff.actions.code.deeds import Deed, Rule
from signoff.actions.code.perform import Call, perform
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.lexer import Grammar, Kind, Token, tokens
from signoff.actions.code.scripts.weaving import weave
from signoff.actions.code.value import UNKNOWN, Taint, Value, list_value, taints_of
from signoff.actions.operation import Thing, Trait, Verb

MAX_CHARS = 24_000
MAX_DEPTH = 25
MAX_TEXTS = 3
MAX_FOLLOWING = 40  # members and calls behind one value

Fold = Callable[[Value | None, list[Value]], Value]
Special = Callable[[Recorder, list[Value]], Value]
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_STOPS = frozenset({";", ")", "]", "}", ","})


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language: how it is written, what its calls do.

    Args:
        joins: operators that put texts together.
        bare: calls may be written without parentheses.
        folds: calls whose result is worked out.
        pure: names of calls that touch nothing; others make a snippet ordinary code.
        imports: calls and words that bring a module by name.
    """

    name: str
    grammar: Grammar
    calls: Mapping[str, Rule]
    joins: frozenset[str] = frozenset({"+"})
    bare: bool = False
    folds: Mapping[str, Fold] = field(default_factory=dict)
    pure: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    dynamic: frozenset[str] = frozenset()  # names that reach anything by a worked-out name
    weave: str = ""  # what begins a value inside a text: "${", "#{", "$"
    specials: Mapping[str, Special] = field(default_factory=dict)
    environment: frozenset[str] = frozenset()  # names of the mapping of variables
    roots: tuple[str, ...] = ()  # names of the mapping of everything
    sigil: str = ""  # a called name that begins with it is a variable


class Machine:
    """Reads one text."""

    def __init__(self, language: Language, recorder: Recorder) -> None:
        self.language = language
        self.recorder = recorder
        self.names: dict[str, Value] = {}
        self.tokens: list[Token] = []
        self.at = 0
        self.depth = 0
        self.texts = 0

    def read(self, text: str) -> None:
        """Read a text of the language from its first token to its last."""
        found, is_closed = tokens(text, self.language.grammar)
        if not is_closed:
            self.recorder.opaque("the text cannot be read", self.language.name)
        outer = self.tokens, self.at
        self.tokens, self.at = found, 0
        while self.at < len(self.tokens) and not self.recorder.is_full:
            before = self.at
            self._statement()
            if self.at == before:
                self.at += 1
        if found and found[-1].kind is Kind.SIGN and found[-1].text in _UNFINISHED:
            self.recorder.opaque("the text cannot be read", self.language.name)
        self.tokens, self.at = outer

    def run_text(self, text: str) -> None:
        """Read a text that the snippet runs in its own language."""
        if self.texts >= MAX_TEXTS:
            self.recorder.opaque("texts that run texts that run texts", self.language.name)
            return
        self.texts += 1
        self.read(text)
        self.texts -= 1

    # -- tokens

    def peek(self, offset: int = 0) -> Token:
        """Return a token ahead; beyond the end there are only ends of lines."""
        index = self.at + offset
        return self.tokens[index] if index < len(self.tokens) else _NOTHING

    def takes(self, *signs: str) -> bool:
        """Step over a sign if it stands here."""
        if self.peek().kind is Kind.SIGN and self.peek().text in signs:
            self.at += 1
            return True
        return False

    # -- statements and expressions

    def _statement(self) -> None:
        names = self._targets()
        value = self.expression()
        for name, part in names:
            self.names[name] = self.attribute(value, part) if part else value

    def _targets(self) -> list[tuple[str, str]]:
        """Return the names a statement gives a value to, each with the part it takes."""
        start = self.at
        while self.peek().kind is Kind.NAME and self.peek().text in _DECLARES:
            self.at += 1
        if self.peek().kind is Kind.NAME and self._is_assign(1):
            name = self.peek().text
            self.at += 2
            return [(name, "")]
        if self.peek().text in {"{", "(", "["} and (names := self._pattern_targets()):
            return names
        self.at = start if self.peek().text not in {"{", "("} else self.at
        return []

    def _is_assign(self, offset: int) -> bool:
        token = self.peek(offset)
        return token.kind is Kind.SIGN and token.text in {"=", "<-"}

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
            if token.kind is Kind.NAME:
                if self.peek(offset - 1).text == ":" and names:
                    names[-1] = (token.text, names[-1][1])
                else:
                    names.append((token.text, token.text))
            elif token.text not in {",", ":"}:
                return []
        return []

    def expression(self) -> Value:
        """Read a value with its joins; stops before what is no part of it."""
        self.depth += 1
        value = self._operand() if self.depth <= MAX_DEPTH else self._too_deep()
        while self.peek().kind is Kind.SIGN and self.peek().text in self.language.joins:
            self.at += 1
            self._skip_ends()
            right = self._operand()
            value = Value(constant=value.shown + right.shown, taints=value.taints | right.taints)
        self.depth -= 1
        return value

    def _too_deep(self) -> Value:
        self.recorder.opaque("nested too deeply", self.language.name)
        self.at = len(self.tokens)
        return UNKNOWN

    def _operand(self) -> Value:
        token = self.peek()
        self.at += 1
        if token.kind is Kind.NAME:
            return self._named(token.text)
        if token.kind is Kind.SIGN:
            return self._after(self._opened(token.text))
        return self._after(self._literal(token))

    def _literal(self, token: Token) -> Value:
        match token.kind:
            case Kind.TEXT:
                return Value(constant=token.text)
            case Kind.WOVEN:
                return self.weave(token.text)
            case Kind.SHELL:
                return self._backticks(token)
            case Kind.WORDS:
                return list_value(Value(constant=word) for word in token.text.split()[:200])
            case Kind.NUMBER:
                return _number(token.text)
            case _:
                return self._run_part(token)

    def _run_part(self, token: Token) -> Value:
        """Read what is run inside a pattern or a replacement."""
        if token.kind is Kind.CODE:
            self.run_text(token.text)
        elif "(?{" in token.text or "(??{" in token.text:
            start = token.text.index("{")
            self.run_text(token.text[start + 1 : token.text.rfind("}")])
        return UNKNOWN

    def _backticks(self, token: Token) -> Value:
        return self.recorder.run("`", self.weave(token.text))

    def weave(self, text: str) -> Value:
        """Return a text with the values in it put in."""
        return weave(text, self.language.weave, self._inner, self.names)

    def _inner(self, code: str) -> Value:
        """Read code that stands inside a text."""
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
        if sign not in _OPENERS:
            return UNKNOWN
        items = self._arguments(_OPENERS[sign])
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
            if token.kind is Kind.END or (token.kind is Kind.SIGN and token.text in {",", ";"}):
                self.at += 1
                continue
            before = self.at
            names = self._targets()
            value = self.expression()
            for name, part in names:
                self.names[name] = self.attribute(value, part) if part else value
            if self.takes(":", "=>"):
                value = self._entry(value)
            found.append(value)
            if self.at == before:
                self.at += 1
        return found

    def _entry(self, key: Value) -> Value:
        """Read what a key of a mapping stands for; options are kept by their names."""
        self._skip_ends()
        value = self.expression()
        return Value(entries=((key.shown, value),), taints=value.taints)

    def _named(self, name: str) -> Value:
        value = self.names.get(name)
        if value is None:
            value = Value(name=name)
        if self.language.bare and self._is_bare_call(value.name):
            return self._after(self.call(value, self._bare_arguments()))
        return self._after(value)

    def _is_bare_call(self, name: str) -> bool:
        following = self.peek()
        if following.kind in {Kind.END, Kind.SIGN} and following.text not in {
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
            if token.kind is Kind.END or (token.kind is Kind.SIGN and token.text in _STOPS - {","}):
                break
            if token.kind is Kind.NAME and token.text in _CLAUSES:
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
            if token.kind is not Kind.SIGN:
                break
            before = self.at
            if token.text in _MEMBERS and token.text not in self.language.joins:
                value = self._dotted(value, token.text)
            elif token.text in _OPENERS:
                value = self._bracketed(value, token.text)
            if self.at == before:
                break
        return value

    def _dotted(self, value: Value, sign: str) -> Value:
        if self.peek(1).kind is Kind.NAME:
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
        inner = self._arguments(_OPENERS[sign])
        if sign == "(":
            return self.call(value, inner)
        return self._item(value, inner) if is_item else self.attribute(value, _spelled(inner))

    def _member(self, owner: Value, name: str) -> Value:
        member = self.attribute(owner, name)
        if self.language.bare and self._is_bare_call(member.name) and self.peek().text != "(":
            return self.call(member, self._bare_arguments())
        return member

    def attribute(self, owner: Value, name: str) -> Value:
        """Return a member of a module, or of a value of a known class."""
        if owner.name in self.language.environment:
            return self.recorder.variable(owner.name, name)
        prefix = owner.name or owner.kind or "*"
        for root in self.language.roots:
            if f"{prefix}.{name}".startswith(root):
                return Value(name=f"{prefix}.{name}".removeprefix(root))
        is_module = bool(owner.name)
        return Value(
            name=f"{prefix}.{name}", receiver=None if is_module else owner, taints=owner.taints
        )

    def _item(self, owner: Value, index: list[Value]) -> Value:
        key = index[0] if index else UNKNOWN
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

    # -- calls

    def call(self, function: Value, arguments: list[Value]) -> Value:
        """Return what a call gives, and write down what it does."""
        name = function.name
        if not name and function.is_known and function.text is not None:
            name = function.text
        if name in self.language.imports or _any(name) in self.language.imports:
            return self._imported(arguments)
        if name in self.language.specials:
            return self.language.specials[name](self.recorder, arguments)
        receiver = function.receiver
        fold = self.language.folds.get(name) or self.language.folds.get(_any(name))
        if fold is not None:
            return fold(receiver, arguments)
        rule = self.language.calls.get(name) or self.language.calls.get(_any(name))
        if rule is None:
            return self._unknown_call(name, function, arguments)
        named = {key: value for one in arguments for key, value in one.entries or ()}
        plain = [value for value in arguments if value.entries is None]
        if rule.deed is Deed.EVALUATE and self._evaluated(name, rule, plain):
            return UNKNOWN
        call = Call(name=name, rule=rule, arguments=plain, named=named, receiver=receiver)
        return perform(call, self.recorder)

    def _evaluated(self, name: str, rule: Rule, arguments: list[Value]) -> bool:
        code = arguments[rule.at] if len(arguments) > rule.at else UNKNOWN
        if Taint.DECODED in code.taints:
            self.recorder.operate(
                Verb.EXECUTE, name, thing=Thing.CODE, target=code.shown[:200], reversible=False,
                traits=frozenset({Trait.DECODED, Trait.INLINE}),
            )  # fmt: skip
        if not code.is_known or code.text is None:
            return False
        self.run_text(code.text)
        return True

    def _imported(self, arguments: list[Value]) -> Value:
        module = arguments[0] if arguments else UNKNOWN
        if not module.is_known or module.text is None:
            self.recorder.opaque("imports a module whose name cannot be told", self.language.name)
            return Value(kind="opaque")
        name = module.text.removeprefix("node:")
        if name.startswith((".", "/")):
            self.recorder.is_ordinary = True
        return Value(name=name)

    def _unknown_call(self, name: str, function: Value, arguments: list[Value]) -> Value:
        sigil = self.language.sigil
        if function.kind == "opaque" or (sigil and name.startswith(sigil) and "." not in name):
            self.recorder.opaque("calls something whose name cannot be told", self.language.name)
        if name and name not in self.language.pure and _any(name) not in self.language.pure:
            self.recorder.is_ordinary = True
        return Value(taints=taints_of(function, *arguments))

    def _skip_ends(self) -> None:
        while self.peek().kind is Kind.END and self.at < len(self.tokens):
            self.at += 1


_NOTHING = Token(Kind.END, "")
_MEMBERS = frozenset({".", "->", "::", "?.", "&."})
_UNFINISHED = frozenset({"/", "-", "+", "*", "=", ".", "(", "[", "{", ",", "&&", "||"})
_DECLARES = frozenset({"const", "let", "var", "my", "our", "local", "export", "await"})
_CLAUSES = frozenset(
    {"if", "unless", "while", "until", "and", "or", "do", "for", "foreach", "rescue", "then"}
)


def _spelled(values: list[Value]) -> str:
    return (values[0].name or values[0].shown) if values else ""


def _any(name: str) -> str:
    return f"*.{name.rpartition('.')[2]}" if "." in name else name


def _number(text: str) -> Value:
    plain = text.replace("_", "")
    try:
        return Value(
            constant=int(plain, 0)
            if not plain.startswith("0") or plain[1:2] in "xX"
            else int(plain, 8)
        )
    except ValueError:
        return UNKNOWN


def read_with(language: Language, text: str, recorder: Recorder) -> None:
    """Read a whole snippet in one of the languages the machine knows."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", language.name)
        return
    try:
        Machine(language, recorder).read(text)
    except RecursionError:
        recorder.opaque("the text is nested too deeply", language.name)
