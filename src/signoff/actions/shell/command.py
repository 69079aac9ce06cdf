"""What the shell reader gives: every simple command of a line, with its words resolved.

A line is read once into a flat tuple of `Command`s in the order they would run. What wraps a
command (sudo, env, xargs, bash -c, eval, ssh ...) is unfolded: the inner command is in the
tuple with the wrappers' names in `carriers`. Data flow is kept as indices into that tuple.

    "curl -s $U | sudo sh -"  with nothing known of U:
        Command(words=(curl, -s, <unknown>), index=0)
        Command(words=(sudo, sh, -), index=1, stdin=Stream(sources=(0,)))
        Command(words=(sh, -), index=2, parent=1, carriers=("sudo",), stdin=Stream(sources=(0,)))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary

CHOSEN_CONTEXT = "CHOSEN_CONTEXT"  # the assignment that stands for `kubectl config use-context`


class Word(Struct, frozen=True, kw_only=True, gc=False):
    """One word of a command, with quotes, escapes and known variables resolved.

    Args:
        text: the value; U+FFFD stands for each unknown part.
        is_known: False if any part was unknown (variables from outside, substitutions
            whose output is not known, history expansion).
        has_glob: it contains an unquoted `*`, `?` or `[`.
        is_quoted: some part was quoted.
        sources: indices of the commands in substitutions whose output is part of the word.
        raw: the word as written in the line.
        is_decoded: some part came out of a decoder (base64, xxd, gzip ...).
        selected: for words from a search: which files it takes, "all", "empty" or "old"; else
            "".
    """

    text: str
    is_known: bool = True
    has_glob: bool = False
    is_quoted: bool = False
    sources: tuple[int, ...] = ()
    raw: str = ""
    is_decoded: bool = False
    selected: str = ""


class RedirectKind(Vocabulary):
    """Whether a redirection reads, writes or appends."""

    READ = "read"
    WRITE = "write"  # > >| &> <>
    APPEND = "append"


class Redirect(Struct, frozen=True, kw_only=True, gc=False):
    """A redirection to or from a named file; duplications (2>&1) are not listed.

    `text` is the written text if it is known, else None.
    """

    kind: RedirectKind
    target: Word
    text: str | None = None


class Stream(Struct, frozen=True, kw_only=True, gc=False):
    """What a command gets on standard input.

    Args:
        text: the content if it is known (heredoc, here-string, echo of known words), else None.
        sources: indices of the commands that produce it.
        path: the file it is redirected from, as written, else "".
        is_decoded: True if it came out of a decoder.
        sketch: the text with U+FFFD for unknown parts, if only part of it is known.
    """

    text: str | None = None
    sources: tuple[int, ...] = ()
    path: str = ""
    is_decoded: bool = False
    sketch: str = ""


class Command(Struct, frozen=True, kw_only=True, gc=False):
    """One simple command of a shell line that would run.

    Args:
        words: the program, then its arguments. Empty for bare assignments and redirections.
        assignments: leading `NAME=value` pairs and those of `env`, `export`, `declare`.
        cwd: absolute working folder at this point, "" once it is unknown.
        carriers: wrapper commands around it, outermost first. A last entry `function NAME`
            means that NAME calls itself here; the recursion is not followed.
        index: its position in the tuple of commands of the line.
        parent: index of the wrapper command that runs it, -1 = the line itself.
        is_background: started with `&` or the like.
        input_words: True if more words come from standard input or an unknown list (xargs,
            parallel, find -exec). `{}` and appended operands are then unknown words, unless the
            parser could compute them.
        known_files: (absolute path, text) of files named here that the line itself wrote.
        source: the text it was read from, at most 200 characters.
    """

    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    stdin: Stream | None = None
    cwd: str = ""
    carriers: tuple[str, ...] = ()
    index: int = 0
    parent: int = -1
    is_background: bool = False
    input_words: bool = False
    known_files: tuple[tuple[str, str], ...] = ()
    source: str = ""

    @property
    def program(self) -> str:
        """The program's name without its folder, "" if it is unknown."""
        words = self.words
        if not words:
            return ""
        first = words[0]
        # Half a name is no name: `$X/rm` may be any program.
        text = first.text if first.is_known else ""
        return text.rsplit("/", 1)[-1] if "/" in text else text


class Opaque(Struct, frozen=True, kw_only=True, gc=False):
    """A part of a line that could not be parsed; it is asked about, never skipped."""

    why: str
    source: str = ""
    carriers: tuple[str, ...] = ()


class Reading(Struct, frozen=True, kw_only=True, gc=False):
    """A parsed line: its commands in the order they would run, and its unreadable parts.

    Args:
        files: (absolute path, text) of files whose text is known when the line has run: those the
            reader was given, and those the line wrote.
    """

    commands: tuple[Command, ...] = ()
    opaque: tuple[Opaque, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


def operands(texts: Sequence[str], valued: Collection[str]) -> list[str]:
    """Return what is no option, nor the value of one: `["add", "x"]` of `-C /p add x`.

    Args:
        texts: the words behind the program.
        valued: options whose value is a word of its own.
    """
    found: list[str] = []
    before = ""
    for text in texts:
        if text[:1] != "-" and before not in valued:
            found.append(text)
        before = text
    return found
