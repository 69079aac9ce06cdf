"""What a carrier runs: words, or a text for a shell to read.

sudo -u web rm x        ->  Inner(carrier="sudo", words=(rm, x))
bash -c 'rm "$1"' _ x   ->  Inner(carrier="bash -c", text='rm "$1"', parameters=(x,))
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from signoff.actions.shell.command import Stream, Word

NO_NAME = Word(text="\ufffd", is_known=False, raw="0")


class Inner(Struct, frozen=True, kw_only=True, gc=False):
    """A command that a wrapper command runs.

    Args:
        carrier: the wrapper command's name, as listed in `Command.carriers`.
        text: shell text that is read as a script; `words` are then unused.
        parameters: `$1`, `$2` ... of the text.
        own_name: `$0` of the text; an unknown word where nobody gives it.
        folder: its working folder as written; None = the wrapper's, "" = unknown.
        stdin: its standard input; None = the wrapper's.
        in_shell: True if it runs in the same shell, so variables it sets stay (eval, command).
        input_words: True if more words come from standard input or an unknown list.
        why: if the command itself is unknown: why; else "".
        is_at_end: True for the text of a trap, which runs when the shell ends.
    """

    carrier: str
    words: tuple[Word, ...] = ()
    text: Word | None = None
    parameters: tuple[Word, ...] = ()
    own_name: Word = NO_NAME
    assignments: tuple[tuple[str, Word], ...] = ()
    folder: str | None = None
    stdin: Stream | None = None
    in_shell: bool = False
    is_background: bool = False
    input_words: bool = False
    why: str = ""
    is_at_end: bool = False


class WrapperCall(Struct, frozen=True, kw_only=True, gc=False):
    """A wrapper command as its model sees it.

    Args:
        file_text: returns the text of a file the line wrote before, None if unknown.
        name: the wrapper's name, without its folder.
        assignments: variables that stand before it.
    """

    words: tuple[Word, ...]
    stdin: Stream | None
    file_text: Callable[[Word], Word | None]
    name: str
    assignments: tuple[tuple[str, Word], ...] = ()

    @property
    def operands(self) -> tuple[Word, ...]:
        """The words after the program's name."""
        return self.words[1:]


Unfold = Callable[[WrapperCall], tuple[Inner, ...]]


def joined(words: tuple[Word, ...]) -> Word:
    """Join words with blanks into one word; it is known only if all of them are."""
    return Word(
        text=" ".join(word.text for word in words),
        is_known=all(word.is_known for word in words),
        sources=tuple(source for word in words for source in word.sources),
        is_decoded=any(word.is_decoded for word in words),
    )


_PLACES = ("_URL", "_URI", "_DSN", "_ENV", "_HOST", "_ENVIRONMENT")
_PLACE_NAMES = frozenset({"PGHOST", "PGDATABASE", "PGSERVICE", "MYSQL_HOST", "ENV", "ENVIRONMENT"})


def inherited(
    assignments: tuple[tuple[str, Word], ...],
) -> tuple[tuple[str, Word], ...]:
    """Return only the assignments that select a database: `DATABASE_URL=... npx prisma`."""
    return tuple(
        [pair for pair in assignments if pair[0].endswith(_PLACES) or pair[0] in _PLACE_NAMES]
    )
