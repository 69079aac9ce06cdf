"""Words as written -> words as the program would get them.

Quotes, escapes, tilde, braces, variables, substitutions and splitting, in the shell's order.
What is unknown stands as U+FFFD in a word with `is_known=False`; nothing is guessed.

    a=r b=m; "$a"$b  ->  (Word("rm"),)        $UNSET/x  ->  (Word("\\ufffd/x", is_known=False),)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from signoff.actions.known.secret_owners import secrets_in
from signoff.actions.shell.command import Word
from signoff.actions.shell.state import UNKNOWN_TEXT, Exhausted, Output, ShellScope
from signoff.actions.shell.syntax.lexer import command_end
from signoff.actions.shell.syntax.scan import Fuel, Scanner
from signoff.actions.shell.words.escapes import decode_ansi, expand_braces
from signoff.actions.shell.words.literals import literal_word
from signoff.actions.shell.words.parameters import ParameterReader
from signoff.values import replace

MAX_TEXT = 200_000
MAX_SECRETS = 200  # characters of names of secrets kept of one word

_CHUNK = re.compile(r"""[^'"\\$`*?\[<>(]+""")
_DOUBLE = re.compile(r'[^"\\$`]+')
_LIST = re.compile(r"\$@|\$\{@\}|\$\{[A-Za-z_][A-Za-z0-9_]*\[@\]\}")
_BODY = re.compile(r"[^\\$`]+")
_USER = re.compile(r"~([A-Za-z_][A-Za-z0-9_-]*)?(?=/|:|\Z)|~[+-](?=/|\Z)")
_BACKTICK_ESCAPE = re.compile(r"\\([\\$`])")

Substitute = Callable[[str, bool], Output]
"""Runs the commands inside a substitution; the flag says that they read (`>( )`)."""


class _WordBuilder:
    """Builds one word from its parts."""

    __slots__ = ("glob", "is_decoded", "known", "parts", "quoted", "secrets", "sources")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.sources: list[int] = []
        self.secrets = ""
        self.known = True
        self.glob = self.quoted = self.is_decoded = False

    def add(self, word: Word) -> None:
        """Append a value."""
        self.parts.append(word.text)
        if not word.is_known:
            self.known = False
            if len(self.secrets) < MAX_SECRETS:
                self.secrets += secrets_in(word.raw)
        self.glob = self.glob or word.has_glob
        self.is_decoded = self.is_decoded or word.is_decoded
        if word.sources:
            self.sources.extend(word.sources)

    def word(self, raw: str) -> Word:
        """Return the finished word."""
        text = "".join(self.parts)
        return Word(
            text=text,
            is_known=self.known and UNKNOWN_TEXT not in text,
            has_glob=self.glob,
            is_quoted=self.quoted,
            sources=tuple(dict.fromkeys(self.sources)),
            raw=f"{raw} {self.secrets}" if self.secrets and self.secrets not in raw else raw,
            is_decoded=self.is_decoded,
        )


class Expander:
    """Expands words as the shell would, in one scope. `substitute` runs substitutions."""

    __slots__ = ("bracket", "fields", "fuel", "open", "scope", "splits", "substitute")

    def __init__(self, scope: ShellScope, fuel: Fuel, substitute: Substitute) -> None:
        self.scope = scope
        self.fuel = fuel
        self.substitute = substitute
        self.fields: list[_WordBuilder] = []
        self.open: _WordBuilder | None = None
        self.splits = True
        self.bracket = -1

    def all_words(self, raws: Sequence[str]) -> list[Word]:
        """Expand written words, with splitting; return the resulting words."""
        words: list[Word] = []
        for raw in raws:
            told = literal_word(raw)
            if told is not None:
                words.append(told)
            else:
                words += self._state_words(raw)
        return words

    def words(self, raw: str) -> list[Word]:
        """Expand one written word to zero or more words, with splitting."""
        told = literal_word(raw)
        return self._state_words(raw) if told is None else [told]

    def _state_words(self, raw: str) -> list[Word]:
        """All words of one that does not tell by itself what it is."""
        self.fuel.burn()
        if "{" in raw and ("," in raw or ".." in raw):
            return [
                word for part in expand_braces(raw, self.fuel) for word in self._fields(part, raw)
            ]
        return self._fields(raw, raw)

    def word(self, raw: str) -> Word:
        """Expand to one word without splitting: assignments, redirection targets, here-strings."""
        told = literal_word(raw)
        if told is not None:
            return told
        self.fuel.burn()
        return self._joined(lambda: self._walk(raw), raw)

    def quoted(self, text: str) -> Word:
        """Expand a text as if in double quotes."""
        return self._joined(lambda: self._double(text, is_body=False), text)

    def body(self, text: str) -> Word:
        """Expand the body of a here-document whose delimiter is not quoted."""
        return self._joined(lambda: self._double(text, is_body=True), "")

    def _fields(self, raw: str, shown: str) -> list[Word]:
        saved = self.fields, self.open, self.splits
        self.fields, self.open, self.splits = [], None, True
        self._walk(raw)
        self._close()
        made = [field.word(shown) for field in self.fields]
        self.fields, self.open, self.splits = saved
        return made

    def _joined(self, walk: Callable[[], None], raw: str) -> Word:
        saved = self.fields, self.open, self.splits
        self.fields, self.open, self.splits = [], _WordBuilder(), False
        walk()
        self._close()
        made = self.fields[0]
        for field in self.fields[1:]:
            made.add(Word(text=" "))
            made.add(field.word(raw))
        self.fields, self.open, self.splits = saved
        return made.word(raw)

    # -- building

    def _close(self) -> None:
        if self.open is not None:
            self.fields.append(self.open)
            self.open = None

    def _field(self) -> _WordBuilder:
        if self.open is None:
            self.open = _WordBuilder()
        return self.open

    def _literal(self, text: str, *, quoted: bool) -> None:
        field = self._field()
        field.parts.append(text)
        field.quoted = field.quoted or quoted

    def _value(self, value: Word, *, quoted: bool) -> None:
        """Add a variable's or substitution's value, split where the shell splits."""
        # `a=$a$a` doubles with each step, so a few words could fill the memory.
        if len(value.text) > MAX_TEXT:
            raise Exhausted("a value is too long")
        if quoted or not self.splits or not value.is_known:
            field = self._field()
            field.add(value)
            field.quoted = field.quoted or quoted
            return
        separators = self._separators()
        if not separators and "IFS" in self.scope.variables and value.text:
            ifs = self.scope.variables["IFS"]
            value = value if ifs.is_known else replace(value, is_known=False)
        pieces = _split(value.text, separators)
        if value.text[:1] in separators and value.text:
            self._close()
        for n, piece in enumerate(pieces):
            if n:
                self._close()
            field = self._field()
            field.add(
                Word(
                    text=piece,
                    is_known=value.is_known,
                    has_glob=value.has_glob or any(c in piece for c in "*?["),
                    sources=value.sources,
                    is_decoded=value.is_decoded,
                )
            )
        if pieces and value.text[-1:] in separators:
            self._close()

    def _separators(self) -> str:
        ifs = self.scope.variables.get("IFS")
        if ifs is None:
            return " \t\n"
        # With an unknown IFS nobody knows where a value is split: it stays one word.
        return ifs.text if ifs.is_known else ""

    def _values(self, values: tuple[Word, ...], *, quoted: bool) -> None:
        """Add `$@` and its like: one field each."""
        for n, value in enumerate(values):
            if n:
                self._next_field()
            self._value(value, quoted=quoted)

    def _starred(self, values: tuple[Word, ...]) -> None:
        """Add `"$*"`: all values in one, joined by the first separator."""
        for n, value in enumerate(values):
            if n:
                self._literal(self._separators()[:1], quoted=True)
            self._value(value, quoted=True)

    def _next_field(self) -> None:
        if self.splits:
            self._close()
        else:
            self._field().parts.append(" ")

    # -- walking

    def _walk(self, raw: str) -> None:
        scanner = Scanner(raw, self.fuel, command_end)
        self.bracket = raw.rfind("]")
        i = self._tilde(raw)
        while i < len(raw):
            if chunk := _CHUNK.match(raw, i):
                self._chunk(chunk.group())
                i = chunk.end()
                continue
            i = self._part(raw, i, scanner)

    def _chunk(self, text: str) -> None:
        self._literal(text, quoted=False)

    def _part(self, raw: str, i: int, scanner: Scanner) -> int:
        self.fuel.burn()
        c = raw[i]
        if c == "'":
            end = scanner.single(i)
            self._literal(raw[i + 1 : end - 1], quoted=True)
        elif c == '"':
            end = scanner.double(i)
            inside = raw[i + 1 : end - 1]
            if _LIST.fullmatch(inside):
                self._dynamic(inside, 0, Scanner(inside, self.fuel, command_end), quoted=True)
            else:
                self._double(inside, is_body=False)
        elif c == "\\":
            end = i + 2
            if raw[i + 1 : i + 2] != "\n":
                self._literal(raw[i + 1 : i + 2], quoted=True)
        elif c in "$`":
            end = self._dynamic(raw, i, scanner, quoted=False)
        elif c in "<>" and raw.startswith("(", i + 1):
            end = scanner.substitution(i + 1)
            self._process(raw[i + 2 : end - 1], is_reader=c == ">")
        else:
            end = i + 1
            field = self._field()
            field.parts.append(c)
            field.glob = field.glob or c in "*?" or (c == "[" and i + 1 < self.bracket)
        return end

    def _double(self, text: str, *, is_body: bool) -> None:
        """The inside of double quotes, or a here-document body, where `"` is ordinary."""
        self._literal("", quoted=True)
        chunks = _BODY if is_body else _DOUBLE
        escapable = "$`\\\n" if is_body else '$`"\\\n'
        scanner = Scanner(text, self.fuel, command_end)
        i = 0
        while i < len(text):
            if chunk := chunks.match(text, i):
                self._literal(chunk.group(), quoted=True)
                i = chunk.end()
            elif text[i] == "\\":
                after = text[i + 1 : i + 2]
                # Inside double quotes a backslash stays, unless it escapes one of these (POSIX
                # 2.2.3).
                keeps = after not in escapable or not after
                self._literal("\\" + after if keeps else after.strip("\n"), quoted=True)
                i += 2
            elif text[i] in "$`":
                i = self._dynamic(text, i, scanner, quoted=True)
            else:
                self._literal(text[i], quoted=True)
                i += 1

    def _dynamic(self, raw: str, i: int, scanner: Scanner, *, quoted: bool) -> int:
        """A `$..` or backtick substitution at `i`; index behind it."""
        self.fuel.burn(8)
        if raw[i] == "`":
            end = scanner.backtick(i)
            # Inside backticks these three are escaped once more (POSIX 2.6.3).
            inner = _BACKTICK_ESCAPE.sub(r"\1", raw[i + 1 : end - 1])
            self._substituted(inner, quoted=quoted)
            return end
        end = scanner.dollar(i, in_quotes=quoted)
        after = raw[i + 1 : i + 2]
        if after == "(":
            self._parenthesised(raw[i:end], quoted=quoted)
            return end
        if not quoted and after == "'":
            self._literal(decode_ansi(raw[i + 2 : end - 1]), quoted=True)
            return end
        if not quoted and after == '"':
            self._double(raw[i + 2 : end - 1], is_body=False)
            return end
        reader = ParameterReader(self.scope, self._inner)
        values, end, is_list = reader.read(raw, i, end)
        if is_list and quoted and _is_star(raw[i:end]):
            self._starred(values)
        elif is_list:
            self._values(values, quoted=quoted)
        else:
            self._value(values[0], quoted=quoted)
        return end

    def _inner(self) -> Expander:
        return Expander(self.scope, self.fuel, self.substitute)

    def _parenthesised(self, raw: str, *, quoted: bool) -> None:
        if raw.startswith("$((") and raw.endswith("))"):
            scanner = Scanner(raw, self.fuel, command_end)
            # `$((a) ; (b))` begins like arithmetic, but holds two subshells.
            if scanner.arithmetic_end(1) == len(raw):
                reader = ParameterReader(self.scope, self._inner)
                self._value(reader.arithmetic(raw[3:-2]), quoted=quoted)
                return
        self._substituted(raw[2:-1], quoted=quoted)

    def _substituted(self, inner: str, *, quoted: bool) -> None:
        output = self.substitute(inner, False)  # noqa: FBT003 - a Callable takes no keywords
        known = output.text is not None
        # A substitution drops the newlines at its end (POSIX 2.6.3).
        text = (output.text or "").rstrip("\n") if known else output.sketch or UNKNOWN_TEXT
        value = Word(
            text=text, is_known=known, sources=output.sources, is_decoded=output.is_decoded
        )
        self._value(value, quoted=quoted)
        # `$(true)x` became `x`, yet `true` ran.
        if known and not text:
            self._keep_sources(output)

    def _keep_sources(self, output: Output) -> None:
        """An empty output still ran something; the word it is in says so."""
        if self.open is not None:
            self.open.sources.extend(output.sources)

    def _process(self, inner: str, *, is_reader: bool) -> None:
        output = self.substitute(inner, is_reader)
        path = f"/dev/fd/{63 - len(self.scope.files) % 50}"
        if not is_reader:
            self.scope.files[path] = output
        self._field().add(Word(text=path, sources=output.sources, is_decoded=output.is_decoded))

    def _tilde(self, raw: str) -> int:
        """Resolve a leading tilde; index behind what was taken."""
        match = _USER.match(raw) if raw.startswith("~") else None
        if match is None:
            return 0
        name = match.group()[1:]
        special = {"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(name)
        if special is not None:
            known = self.scope.variables.get(special)
            self._field().add(known or Word(text=UNKNOWN_TEXT, is_known=False))
        else:
            # The usual homes: nothing is looked up on this machine.
            self._literal("/root" if name == "root" else f"/home/{name}", quoted=False)
        return match.end()


def _is_star(raw: str) -> bool:
    return raw.startswith(("$*", "${*")) or "[*]" in raw


def _split(text: str, separators: str) -> list[str]:
    """Split an unquoted value into words."""
    if not separators:
        return [text] if text else []
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    return [piece for piece in text.split(separators[0]) if piece]
