"""Takes a text apart into the pieces the grammar sees, and checks that everything closes.

Each run of words and redirections between two operators becomes one `w` of a skeleton, so that
`curl -s "$u" | sudo sh -` is `w | w` to the grammar library. What it would read wrongly (quotes,
here-documents, substitutions, `time`, `coproc`, `{a,b}`) never reaches it. Reserved words are
written out only where the shell takes them as such.

    "if a; then b c >d; fi"  ->  skeleton "if w ; then w ; fi ", pieces at 3 and 12
"""

from __future__ import annotations

import re

from signoff.actions.shell.syntax.characters import refuse_odd
from signoff.actions.shell.syntax.heredoc import end_of_body, open_heredoc
from signoff.actions.shell.syntax.scan import MAX_DEPTH, Fuel, Scanner
from signoff.actions.shell.syntax.skeleton import BLANK, MAX_WORDS, SPACE, SkeletonLexer
from signoff.actions.shell.syntax.tree import (
    Arithmetic,
    ForHead,
    Heredoc,
    RawRedirect,
    Simple,
    Test,
    Unreadable,
)

_PLAIN = r"[A-Za-z0-9_./:@%+,=~^*?\[\]-]+(?=[ \t\n;&|)]|\Z)"
_PLAIN_WORDS = re.compile(rf"[ \t]*({_PLAIN}(?:[ \t]+{_PLAIN})*)")
_REDIRECT = re.compile(r"&>>|&>|<<<|<<-|<<|<>|<&|>>\||>>|>\||>&|<|>")
_OPERATOR = re.compile(r";;&|;;|;&|;|&&|&|\|\||\|&|\|")
_DESCRIPTOR = re.compile(r"(?:[0-9]{1,6}|\{[A-Za-z_][A-Za-z0-9_]{0,60}\})(?=[<>])")
_TIMED = re.compile(r"time[ \t]+(?:-p[ \t]+)?(?=[{(!]|(?:if|for|while|until|case)[ \t])")
_COPROC = re.compile(r"coproc[ \t]+(?:([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=[{(]))?([{(])?")

_OPENERS = {"if": "if", "while": "loop", "until": "loop", "{": "{"}
_MIDDLES = {"then": "if", "elif": "if", "else": "if", "do": "loop"}
_CLOSERS = {"fi": "if", "done": "loop", "}": "{", "esac": "case"}
_HEADS = frozenset({"for", "select", "case", "function", "!", "[["})

RESERVED = _HEADS | _OPENERS.keys() | _MIDDLES.keys() | _CLOSERS.keys() | {"time", "coproc"}


class ShellLexer(SkeletonLexer):
    """Tokenizes one text in one pass. `run` it, then read `skeleton`, `pieces`, `trailing`."""

    __slots__ = ("closing", "coprocess", "heredocs", "is_negated")

    def __init__(
        self, text: str, fuel: Fuel, start: int = 0, *, depth: int = 0, closing: bool = False
    ) -> None:
        super().__init__(text, fuel, command_end, start=start, depth=depth)
        self.closing = closing
        self.heredocs: list[Heredoc] = []
        self.is_negated = False
        self.coprocess = ""

    def run(self) -> int:
        """Read to the end of the text, or to its closing `)`; return the index after it.

        Raises:
            Unreadable: a quote or bracket does not close, or a sign is out of place.
        """
        text, blank, plain = self.text, BLANK, _PLAIN_WORDS
        while True:
            words = plain.match(text, self.pos)
            if words and self._plain_words(words[1].split(), words.start(1)):
                self.pos = words.end()
                continue
            if space := blank.match(text, self.pos):
                self.pos = space.end()
            if self.pos >= self.length:
                self._finish(is_closed=False)
                return self.pos
            c = text[self.pos]
            if c == ")" and self.closing and not self.nest:
                self._finish(is_closed=True)
                return self.pos + 1
            self._step(c)

    def _finish(self, *, is_closed: bool) -> None:
        self.flush()
        self.fuel.burn(2 * self.words)
        if self.closing is not is_closed or self.nest:
            raise Unreadable("something is left open")
        if self.closing and self.heredocs:
            raise Unreadable("here-document without a body")
        if not self.complete and self.parts and self.parts[-1] not in (";", "&"):
            raise Unreadable("ends in the middle of a command")

    def _step(self, c: str) -> None:
        self.fuel.burn()
        if c == "\n":
            self._newline()
        elif c == "#":
            end = self.text.find("\n", self.pos)
            self.pos = self.length if end < 0 else end
        elif c in ";|&" and not self.text.startswith("&>", self.pos):
            self._operator()
        elif c in "()":
            self._parenthesis(c)
        elif c in "<>&" and not self.text.startswith("(", self.pos + 1):
            self._redirect("")
        elif c in "0123456789{" and (descriptor := _DESCRIPTOR.match(self.text, self.pos)):
            self.pos = descriptor.end()
            self._redirect(descriptor.group())
        else:
            self._word()

    # -- operators

    def _newline(self) -> None:
        self.pos += 1
        self.flush()
        for heredoc in self.heredocs:
            heredoc.body, self.pos = end_of_body(self.text, self.pos, heredoc, self.closing)
        self.heredocs.clear()
        self.separate()

    def _operator(self) -> None:
        match = _OPERATOR.match(self.text, self.pos)
        operator = match.group() if match else ";"
        self.flush()
        self.pos += len(operator)
        if operator[:2] in (";;", ";&"):
            self._end_case_item()
            self._case_pattern()
            return
        if not self.complete:
            raise Unreadable(f"`{operator}` with nothing before it")
        self.emit(operator)
        self.complete = False

    def _parenthesis(self, c: str) -> None:
        if c == ")":
            self.flush()
            self.pos += 1
            self.close(")", "(")
        elif self.current is not None:
            self._definition(self.current)
        elif self.after_closer:
            raise Unreadable("parenthesis where none can stand")
        elif not self._arithmetic():
            self.pos += 1
            self.open("(", "(")

    def _arithmetic(self) -> bool:
        """Take `((...))` at the current place, if that is what is there."""
        if not self.text.startswith("((", self.pos):
            return False
        end = self.arithmetic_end(self.pos)
        if end < 0:
            return False
        self.emit("w", Arithmetic(self.text[self.pos + 2 : end - 2]))
        self.complete = self.after_closer = True
        self.pos = end
        return True

    def _definition(self, named: Simple) -> None:
        space = SPACE.match(self.text, self.pos + 1)
        end = space.end() if space else self.pos + 1
        if len(named.words) != 1 or named.redirects or not self.text.startswith(")", end):
            raise Unreadable("parenthesis where none can stand")
        self.pos = end + 1
        self.current = None
        self.emit("w()", named)
        self.complete = False

    def _redirect(self, descriptor: str) -> None:
        self.fuel.burn(5)
        match = _REDIRECT.match(self.text, self.pos)
        if match is None:
            raise Unreadable("redirection to nothing")
        self.pos = match.end()
        redirect = RawRedirect(match.group(), descriptor, self.next_word())
        if redirect.operator in ("<<", "<<-"):
            redirect.heredoc = open_heredoc(redirect)
            self.heredocs.append(redirect.heredoc)
            self.fuel.burn(20)
        into = self._redirects()
        into.append(redirect)
        # zsh: `>! file` clobbers `file`; in bash `!` is the file and the rest is a word.
        blank = BLANK.match(self.text, self.pos)
        if redirect.target == "!" and blank and self.word_end(blank.end()) > blank.end():
            into.append(RawRedirect(redirect.operator, descriptor, self.next_word()))

    def _redirects(self) -> list[RawRedirect]:
        if self.after_closer:
            return self.trailing.setdefault(self.size - 1, [])
        if self.current is None:
            self.current = Simple(start=self.pos)
        return self.current.redirects

    # -- words

    def _plain_words(self, raws: list[str], start: int) -> bool:
        """Take words without anything special in them; False where the first may be reserved."""
        if self.current is None:
            if self.after_closer or raws[0] in RESERVED:
                return False
            self.current = self._begun(start)
        words = self.current.words
        if self.words + len(raws) <= MAX_WORDS:
            self.words += len(raws)
            words += raws
            return True
        for raw in raws:
            self.count_word()
            words.append(raw)
            self.pos = self.text.index(raw, self.pos) + len(raw)
        return True

    def _begun(self, start: int) -> Simple:
        made = Simple([], [], start, is_negated=self.is_negated)
        self.is_negated = False
        if self.coprocess:
            made.coprocess, self.coprocess = self.coprocess, ""
        return made

    def _word(self) -> None:
        start = self.pos
        end = self.word_end(start)
        raw = self.text[start:end]
        if self.current is None:
            if self._reserved(raw, end):
                return
            if self.after_closer:
                raise Unreadable(f"`{raw[:40]}` after the end of a command")
            self.current = self._begun(start)
        self.count_word()
        if end == start:
            raise Unreadable("stray character")
        refuse_odd(raw)
        self.current.words.append(raw)
        self.pos = end

    # -- reserved words

    def _reserved(self, raw: str, end: int) -> bool:
        """Take the word if it is reserved where it is."""
        if raw in _MIDDLES or raw in _CLOSERS:
            self.pos = end
            self._middle_or_closer(raw)
            return True
        if self.after_closer:
            return False
        if raw in _OPENERS:
            self.pos = end
            self.open(raw, _OPENERS[raw])
            return True
        if raw in ("time", "coproc"):
            return self._timed() if raw == "time" else self._coprocess()
        if raw in _HEADS:
            self.pos = end
            self._head(raw)
            return True
        return False

    def _timed(self) -> bool:
        match = _TIMED.match(self.text, self.pos)
        self.pos = match.end() if match else self.pos
        return match is not None

    def _coprocess(self) -> bool:
        """`coproc NAME {`: the next command says that it is one, or the first of several."""
        match = _COPROC.match(self.text, self.pos)
        if match is None:
            return False
        self.pos = match.end() - len(match[2] or "")
        self.coprocess = f"{match[1] or 'COPROC'}{'{' if match[2] else ''}"
        return True

    def _middle_or_closer(self, raw: str) -> None:
        self.after_closer = False
        if raw in _CLOSERS:
            if raw == "esac":
                self._end_case_item()
            self.close(raw, _CLOSERS[raw])
            return
        if not self.nest or self.nest[-1] != _MIDDLES[raw]:
            raise Unreadable(f"`{raw}` belongs to nothing")
        self.separate()
        self.emit(raw)

    def _head(self, raw: str) -> None:
        if raw == "[[":
            self._test()
        elif raw == "case":
            self.open("case", "case")
            self.emit("w", [self.next_word()])
            self.skip_space()
            if self.next_word() != "in":
                raise Unreadable("case without `in`")
            self.emit("in")
            self._case_pattern()
        elif raw == "function":
            self.emit("w()", Simple(words=[self.next_word()]))
            self.complete = False
            space = SPACE.match(self.text, self.pos)
            end = space.end() if space else self.pos
            if self.text.startswith("()", end):
                self.pos = end + 2
        elif raw == "!":
            self.is_negated = True
        else:
            self._for_head()

    def _test(self) -> None:
        words: list[str] = []
        while True:
            self.fuel.burn()
            self.skip_space()
            end = self.word_end(self.pos)
            word = self.text[self.pos : end]
            if word == "]]":
                break
            if self.pos >= self.length:
                raise Unreadable("`[[` without an end")
            if word:
                words.append(word)
            self.pos = end if word else self.pos + 1
        self.pos = end
        self.emit("w", Test(words))
        self.complete = self.after_closer = True

    def _for_head(self) -> None:
        self.open("for", "loop")
        self.skip_space()
        head = ForHead(name="", words=None)
        if self.text.startswith("((", self.pos):
            end = self.arithmetic_end(self.pos)
            if end < 0:
                raise Unreadable("unclosed loop head")
            head.arithmetic = self.text[self.pos + 2 : end - 2]
            self.pos = end
        else:
            head.name = self.next_word()
            self.skip_space()
            if self.text.startswith("in", self.pos) and self.word_end(self.pos) == self.pos + 2:
                self.pos += 2
                head.words = self.list_words()
        self.skip_space()
        if self.text.startswith(";", self.pos):
            self.pos += 1
        self.emit("w", head)
        self.emit("in w ;")
        self.complete = False

    def _end_case_item(self) -> None:
        """Close the body of a case item so that the grammar sees `w) w ;;`."""
        if not self.nest or self.nest[-1] != "case":
            raise Unreadable("`;;` outside of a case")
        last = self.parts[-1]
        if last == ";":
            self.parts.pop()
            self.size -= 2
        elif last == "w)":
            self.emit("w", Simple())
        if last not in (";;", "in"):
            self.emit(";;")
        self.complete = self.after_closer = False

    def _case_pattern(self) -> None:
        self.skip_space()
        end = self.word_end(self.pos)
        if self.text[self.pos : end] == "esac":
            return
        if self.text.startswith("(", self.pos):
            self.pos += 1
        patterns = [self.next_word()]
        while True:
            self.skip_space()
            c = self.text[self.pos : self.pos + 1]
            self.pos += 1
            if c == ")":
                break
            if c != "|":
                raise Unreadable("case pattern without an end")
            self.skip_space()
            patterns.append(self.next_word())
        self.emit("w)", patterns)
        self.complete = False


def command_end(scanner: Scanner, start: int) -> int:
    """Return the index after the `)` that closes the commands starting at `start`."""
    if scanner.depth >= MAX_DEPTH:
        raise Unreadable("nested too deep")
    scanner.fuel.burn(10)
    inner = ShellLexer(scanner.text, scanner.fuel, start, depth=scanner.depth + 1, closing=True)
    return inner.run()
