"""Text of a script language -> tokens: names, texts, signs; comments gone, quotes resolved.

One linear pass; what a language quotes how is its `Grammar`. A text in which the language puts
values in is kept apart from one it takes as it is; a `/` begins a pattern only where no value
precedes it. A quote that never closes is said so, not guessed at.

    tokens("system('ls') # x", PERL)  ->  name system, sign (, text ls, sign )
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from signoff.actions.vocabulary import Vocabulary

MAX_TOKENS = 3_000
MAX_HEREDOCS = 10

_NAME = re.compile(r"[$@%&]{0,2}[^\W\d]\w*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.\d+)?")
_BLANK = re.compile(r"[ \t\r\f\v\u00a0\ufeff]+")
_HEREDOC = re.compile(r"<<[<~-]?([\"']?)([A-Za-z_]\w*)\1")
_LONG_BRACKET = re.compile(r"\[(=*)\[")
_LONG_COMMENT = re.compile(r"--\[(=*)\[")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SIGNS = re.compile(
    r"\?\.|=>|->|::|\.\.\.?|\|\||&&|\*\*|==+|!=+|<=|>=|\+=|\.=|=~|<<|>>|//=?|.", re.DOTALL
)
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-7]{1,3})|(.))",
    re.DOTALL,
)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "e": "\x1b", "s": " "}


class TokenKind(Vocabulary):
    """Kind of a token."""

    NAME = "name"
    TEXT = "text"  # taken as it is
    WOVEN = "woven"  # values are put in
    SHELL = "shell"  # run by a shell: backticks
    WORDS = "words"  # a list of words: qw(a b)
    NUMBER = "number"
    SIGN = "sign"
    PATTERN = "pattern"
    CODE = "code"  # a replacement that is run: s/x/y/e
    END = "end"  # of a line


class ScriptToken(Struct, frozen=True):
    """One token; `text` is the value of a string, or the spelling of any other token."""

    kind: TokenKind
    text: str


class Grammar(Struct, frozen=True, kw_only=True):
    """How a script language writes comments and quotes.

    Args:
        quotes: each quote sign with the kind of token inside it.
        quote_words: words that open a quote with any sign, as Perl's `qq` or Ruby's `%x`.
        escapes_raw: True if a backslash escapes in single quotes too.
        ends_names: signs that a name may end with and that change nothing here: `File.rm!`.
        signs: signs of this language alone, the longest first: R's `<-`.
    """

    comments: tuple[str, ...] = ("//",)
    blocks: tuple[tuple[str, str], ...] = (("/*", "*/"),)
    quotes: dict[str, TokenKind] = field(default_factory=dict)
    quote_words: dict[str, TokenKind] = field(default_factory=dict)
    has_patterns: bool = False
    has_heredocs: bool = False
    sign_names: str = ""  # signs that are names behind a `$`: Perl's `$/`
    escapes_raw: bool = False
    long_brackets: bool = False
    ends_names: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


class ScriptLexer:
    """Tokenizes one text of a script language."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self.grammar = grammar
        self.at = 0
        self.found: list[ScriptToken] = []
        self.is_closed = True
        self.heredocs = 0

    def run(self) -> list[ScriptToken]:
        """Return the tokens; stop after `MAX_TOKENS`, or where a quote or comment is not closed."""
        size = len(self.text)
        while self.at < size and len(self.found) <= MAX_TOKENS and self.is_closed:
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
            elif not (self._comment() or self._special() or self._quote()):
                self._plain()
        return self.found

    def _add(self, kind: TokenKind, text: str, end: int) -> bool:
        self.found.append(ScriptToken(kind, text))
        self.at = end
        return True

    def _comment(self) -> bool:
        # Blocks first: where `#=` begins one, `#` begins a comment to the end of the line.
        for start, stop in self._blocks():
            if self.text.startswith(start, self.at):
                end = self.text.find(stop, self.at + len(start))
                self.is_closed = end >= 0
                self.at = end + len(stop) if end >= 0 else len(self.text)
                return True
        for start in self.grammar.comments:
            if self.text.startswith(start, self.at) and not self._is_sigil_hash():
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
                return True
        return False

    def _blocks(self) -> tuple[tuple[str, str], ...]:
        """Give how block comments begin and end here."""
        if self.grammar.long_brackets and (opening := _LONG_COMMENT.match(self.text, self.at)):
            return ((opening[0], f"]{opening[1]}]"),)
        return self.grammar.blocks

    def _is_sigil_hash(self) -> bool:
        """Whether this `#` is Perl's `$#array`."""
        return self.text[self.at] == "#" and self.at > 0 and self.text[self.at - 1] == "$"

    def _special(self) -> bool:
        """Read the quotes only some languages have."""
        grammar, text = self.grammar, self.text
        if grammar.has_heredocs and text.startswith("<<", self.at):
            return self._heredoc()
        if grammar.long_brackets and (opening := _LONG_BRACKET.match(text, self.at)):
            stop = f"]{opening[1]}]"
            end = text.find(stop, opening.end())
            self.is_closed = end >= 0
            return self._add(TokenKind.TEXT, text[opening.end() : end], end + len(stop))
        if grammar.sign_names and text[self.at] == "$":
            sign = text[self.at + 1 : self.at + 2]
            if sign and sign in grammar.sign_names:
                return self._add(TokenKind.NAME, "$" + sign, self.at + 2)
        if grammar.has_patterns and text[self.at] == "/" and self._wants_value():
            return self._delimited(TokenKind.PATTERN, self.at, has_flags=True)
        for word, kind in grammar.quote_words.items():
            if text.startswith(word, self.at) and self._is_quote_word(word):
                return self._delimited(kind, self.at + len(word), pieces=2 if word in _TWO else 1)
        return False

    def _is_quote_word(self, word: str) -> bool:
        after = self.text[self.at + len(word) : self.at + len(word) + 1]
        before = self.text[self.at - 1 : self.at]
        if before.isalnum() or (before and before in "_$@.>&"):
            return False
        # Behind a value `%` is the remainder: `a %w(b)` in Ruby depends on what `a` is.
        if word[0] == "%" and not self._wants_value():
            return False
        return bool(after) and not after.isalnum() and after not in "_,;=) \n\t" and after != "-"

    def _delimited(
        self, kind: TokenKind, start: int, *, pieces: int = 1, has_flags: bool = False
    ) -> bool:
        """Read what stands between a sign of one's own choice and its partner."""
        opener = self.text[start]
        closer = _CLOSERS.get(opener, opener)
        parts: list[str] = []
        at = start + 1
        for number in range(pieces):
            if number and closer != opener:
                at = self.text.find(opener, at) + 1
            end = self._partner(opener, closer, at)
            if end < 0:
                self.is_closed = False
                return self._add(kind, self.text[at:], len(self.text))
            parts.append(self.text[at:end])
            at = end + 1
        flags = re.compile(r"[a-z]*").match(self.text, at) if pieces > 1 or has_flags else None
        if pieces > 1 and flags and "e" in flags[0]:
            kind, parts = TokenKind.CODE, parts[1:]
        return self._add(kind, parts[0], flags.end() if flags else at)

    def _partner(self, opener: str, closer: str, at: int) -> int:
        depth = 1
        pattern = re.compile(rf"\\.|[{re.escape(opener)}{re.escape(closer)}]", re.DOTALL)
        for match in pattern.finditer(self.text, at):
            sign = match[0]
            if sign == closer:
                depth -= 1
                if depth == 0:
                    return match.start()
            elif sign == opener:
                depth += 1
        return -1

    def _heredoc(self) -> bool:
        opening = _HEREDOC.match(self.text, self.at)
        if opening is None:
            return False
        # Each one cuts the rest of the text, so their number bounds the time.
        self.heredocs += 1
        if self.heredocs > MAX_HEREDOCS:
            self.is_closed = False
            return False
        line_end = self.text.find("\n", opening.end())
        body = re.compile(rf"^[ \t]*{opening[2]}\b", re.MULTILINE).search(
            self.text, max(line_end, 0)
        )
        if line_end < 0 or body is None:
            return False
        kind = TokenKind.TEXT if opening[1] == "'" else TokenKind.WOVEN
        self.found.append(ScriptToken(kind, self.text[line_end + 1 : body.start()]))
        rest = self.text[opening.end() : line_end]
        self.text = self.text[: opening.end()] + rest + self.text[body.end() :]
        self.at = opening.end()
        return True

    def _quote(self) -> bool:
        quote = self.text[self.at]
        kind = self.grammar.quotes.get(quote)
        if kind is None:
            return False
        match = _quote_pattern(quote).match(self.text, self.at)
        if match is None:
            self.is_closed = False
            return self._add(kind, self.text[self.at + 1 :], len(self.text))
        inner = match[0][1:-1]
        if kind is not TokenKind.TEXT or self.grammar.escapes_raw:
            inner = unescape(inner)
        else:
            inner = inner.replace("\\" + quote, quote).replace("\\\\", "\\")
        return self._add(kind, inner, match.end())

    def _plain(self) -> None:
        if self.text[self.at] == "\n":
            self._add(TokenKind.END, "\n", self.at + 1)
        elif self._is_tag():
            self._add(TokenKind.NAME, "$", self.at + 1)
        elif name := _NAME.match(self.text, self.at):
            self._add(TokenKind.NAME, name[0], name.end())
            if self.grammar.ends_names and self.text.startswith(self.grammar.ends_names, self.at):
                self.at += 1
        elif number := _NUMBER.match(self.text, self.at):
            self._add(TokenKind.NUMBER, number[0], number.end())
        elif own := next(filter(self._is_here, self.grammar.signs), ""):
            self._add(TokenKind.SIGN, own, self.at + len(own))
        elif sign := _SIGNS.match(self.text, self.at):
            self._add(TokenKind.SIGN, sign[0], sign.end())

    def _is_here(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at)

    def _is_tag(self) -> bool:
        """Whether the name `$` stands in front of a template: $`rm a`."""
        is_woven = self.grammar.quotes.get("`") is TokenKind.WOVEN
        return is_woven and self.text.startswith("$`", self.at)

    def _wants_value(self) -> bool:
        """Whether a value can begin here, so that `/` is a pattern and `%` a quote."""
        last = next(
            (token for token in reversed(self.found[-3:]) if token.kind is not TokenKind.END), None
        )
        if last is None:
            return True
        if last.kind is TokenKind.NAME:
            return last.text in _BEFORE_VALUES
        return last.kind is TokenKind.SIGN and last.text not in {")", "]", "}"}


_TWO = frozenset({"s", "tr", "y"})
_BEFORE_VALUES = frozenset({
    "return", "if", "unless", "and", "or", "not", "split", "grep", "print", "when", "case", "in",
    "typeof", "puts", "while", "until", "map", "join", "x", "say", "p",
})  # fmt: skip


def _quote_pattern(quote: str) -> re.Pattern[str]:
    sign = re.escape(quote)
    return re.compile(rf"{sign}[^{sign}\\]*(?:\\.[^{sign}\\]*)*{sign}", re.DOTALL)


def unescape(text: str) -> str:
    """Decode the backslash escapes that most languages share."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3] or match[4]
    if code:
        number = int(code, 16)
        # Beyond Unicode's last code point `chr` raises.
        return chr(number) if number < 0x110000 else ""
    if match[5]:
        return chr(int(match[5], 8))
    return _PLAIN_ESCAPES.get(match[6], match[6])


def tokens(text: str, grammar: Grammar) -> tuple[list[ScriptToken], bool]:
    """Tokenize a text.

    Returns the tokens, and False if a quote stays open or the text is too long.
    """
    lexer = ScriptLexer(text, grammar)
    found = lexer.run()
    return found, lexer.is_closed and len(found) <= MAX_TOKENS
