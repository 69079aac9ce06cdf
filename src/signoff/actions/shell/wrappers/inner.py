"""What a carrier runs: words, or a text for a shell to read.

sudo -u web rm x        ->  Inner(carrier="sudo", words=(rm, x))
bash -c 'rm "$1"' _ x   ->  Inner(carrier="bash -c", text='rm "$1"', parameters=(x,))
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from signoff.actions.shell.command import Stream, Word


class Inner(Struct, frozen=True, kw_only=True, gc=False):
    """One thing a carrier runs.

    Args:
        carrier: what the inner commands name as their wrapper.
        text: shell text, read as a script; `words` are then not used.
        parameters: `$1`, `$2` ... of the text.
        folder: where it runs, as written; None = where the carrier runs, "" = nobody knows.
        stdin: what it reads; None = what the carrier reads.
        in_shell: it runs in the shell itself, so what it sets stays (eval, command).
        input_words: words come from input or from a list that is not known.
        why: it is known that something runs, but not what.
        is_at_end: the text of a trap that runs when the shell ends.
    """

    carrier: str
    words: tuple[Word, ...] = ()
    text: Word | None = None
    parameters: tuple[Word, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()
    folder: str | None = None
    stdin: Stream | None = None
    in_shell: bool = False
    is_background: bool = False
    input_words: bool = False
    why: str = ""
    is_at_end: bool = False


class WrapperCall(Struct, frozen=True, kw_only=True, gc=False):
    """A command as a carrier sees it. `file_text` tells the text of a file written before."""

    words: tuple[Word, ...]
    stdin: Stream | None
    file_text: Callable[[Word], Word | None]
    name: str

    @property
    def operands(self) -> tuple[Word, ...]:
        """The words behind the program."""
        return self.words[1:]


Unfold = Callable[[WrapperCall], tuple[Inner, ...]]


def joined(words: tuple[Word, ...]) -> Word:
    """Words as one text, with blanks between them."""
    return Word(
        text=" ".join(word.text for word in words),
        is_known=all(word.is_known for word in words),
        sources=tuple(source for word in words for source in word.sources),
        is_decoded=any(word.is_decoded for word in words),
    )
