"""Reads the options of a carrier up to the program it runs.

Only what takes a value must be known: everything else that starts with a dash is a flag. Long
options may be shortened as far as they stay clear, the way GNU programs take them.

    OptionTable.of("ug", "user group").read(("-n", "-u", "web", "rm"))  ->  operands from 3
"""

from __future__ import annotations

from msgspec import Struct, field

from signoff.actions.shell.command import Word


class Options(Struct):
    """The parsed options of a wrapper command; `start` is the index of the first operand."""

    start: int
    values: list[tuple[str, Word]] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    dashes: bool = False

    def value(self, *names: str) -> Word | None:
        """Return the last value of an option given under any of these names; None if none was."""
        for name, word in reversed(self.values):
            if name in names:
                return word
        return None


class OptionTable(Struct, frozen=True):
    """Options of a program: `short` letters and `long` names take a value, `flags` do not."""

    short: str = ""
    long: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @classmethod
    def of(cls, short: str = "", long: str = "", flags: str = "") -> OptionTable:
        """Make a table from names written as one text, with blanks between them."""
        return cls(short, tuple(long.split()), tuple(flags.split()))

    def read(self, words: tuple[Word, ...], start: int = 0) -> Options:
        """Parse the options from index `start` up to the first operand or past `--`."""
        found = Options(start)
        while found.start < len(words):
            text = words[found.start].text
            if text == "--":
                found.start += 1
                found.dashes = True
                return found
            # A single dash is an operand: standard input to most programs.
            if len(text) < 2 or text[0] != "-":
                return found
            if text.startswith("--"):
                self._long(words, text[2:], found)
            else:
                self._short(words, text, found)
        return found

    def _long(self, words: tuple[Word, ...], text: str, found: Options) -> None:
        name, equals, value = text.partition("=")
        full = self._full(name)
        word = words[found.start]
        found.start += 1
        if equals:
            found.values.append((full, _part(word, value)))
        elif full in self.long and found.start < len(words):
            found.values.append((full, words[found.start]))
            found.start += 1
        else:
            found.flags.add(full)

    def _full(self, name: str) -> str:
        known = (*self.long, *self.flags)
        if name in known or not name:
            return name
        starting = [full for full in known if full.startswith(name)]
        # getopt_long refuses a shortened name that fits two options.
        return starting[0] if len(starting) == 1 else name

    def _short(self, words: tuple[Word, ...], text: str, found: Options) -> None:
        word = words[found.start]
        found.start += 1
        for n, letter in enumerate(text[1:], 2):
            # `-nu web`: letters may share a dash until one of them takes the rest as its value.
            if letter not in self.short:
                found.flags.add(letter)
                continue
            if n < len(text):
                found.values.append((letter, _part(word, text[n:])))
            elif found.start < len(words):
                found.values.append((letter, words[found.start]))
                found.start += 1
            return


NO_OPTIONS = OptionTable.of()


def _part(word: Word, text: str) -> Word:
    """Return a part of a word, with the properties of the whole word."""
    return Word(
        text=text,
        # `--user=web` is known where only another part of the word is not.
        is_known=word.is_known or "\ufffd" not in text,
        has_glob=word.has_glob,
        is_quoted=word.is_quoted,
        sources=word.sources,
        is_decoded=word.is_decoded,
    )
