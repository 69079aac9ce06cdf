"""What the shell reader gives: every simple command of a line, with its words resolved.

A line is read once into a flat tuple of `Command`s in the order they would run. What wraps a
command (sudo, env, xargs, bash -c, eval, ssh ...) is unfolded: the inner command stands in the
tuple with the wrappers' names in `carriers`. Data flow is kept as indices into that tuple.

    "curl -s $U | sudo sh -"  with nothing known of U:
        Command(words=(curl, -s, <unknown>), index=0)
        Command(words=(sudo, sh, -), index=1, stdin=Stream(sources=(0,)))
        Command(words=(sh, -), index=2, parent=1, carriers=("sudo",), stdin=Stream(sources=(0,)))
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary


class Word(Struct, frozen=True, kw_only=True, gc=False):
    """One word of a command after quotes, escapes and known variables are resolved.

    Args:
        text: the value; an unknown part stands as the character U+FFFD in it.
        is_known: False if any part was unknown (variables from outside, substitutions
            whose output is not known, history expansion).
        has_glob: an unquoted `*`, `?` or `[` stands in it.
        is_quoted: some part was quoted.
        sources: indices of the commands inside substitutions whose output is part of it.
        raw: as written.
        is_decoded: some part came out of a decoder (base64, xxd, gzip ...).
        selected: which of the files a search takes: "all", "empty", "old"; "" for none.
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
    """Direction of a redirection to or from a file."""

    READ = "read"
    WRITE = "write"  # > >| &> <>
    APPEND = "append"


class Redirect(Struct, frozen=True, kw_only=True, gc=False):
    """A redirection to or from a named file; duplications (2>&1) are left out.

    `text` is what is written, where it is known, else None.
    """

    kind: RedirectKind
    target: Word
    text: str | None = None


class Stream(Struct, frozen=True, kw_only=True, gc=False):
    """What arrives on standard input.

    `text` is the content where it is known (heredoc, here-string, echo or printf of known
    words), else None. `sources` are indices of the commands that produce it. `path` is the file
    it is redirected from, as written, else "". `is_decoded`: it came out of a decoder.
    `sketch` is the text with U+FFFD for unknown parts, where only part of it is known.
    """

    text: str | None = None
    sources: tuple[int, ...] = ()
    path: str = ""
    is_decoded: bool = False
    sketch: str = ""


class Command(Struct, frozen=True, kw_only=True, gc=False):
    """One simple command that would run.

    Args:
        words: program first. Empty for bare assignments and bare redirections.
        assignments: leading `NAME=value` pairs and those of `env`, `export`, `declare`.
        cwd: absolute folder in force, "" once it is unknown.
        carriers: what wraps it, outermost first; `function NAME` at the end says that the
            function NAME calls itself here and is not followed further.
        index: its own place in the tuple.
        parent: index of the carrier that runs it, -1 = the line itself.
        is_background: started with `&` or the like.
        input_words: True where words come from standard input or a list that is not known
            (xargs, parallel, find -exec): `{}` and appended operands are then unknown words
            unless the reader could tell them.
        known_files: absolute paths and texts of files named here that the line itself wrote.
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
        if not self.words or not self.words[0].is_known:
            return ""
        text = self.words[0].text
        return text.rsplit("/", 1)[-1] if "/" in text else text


class Opaque(Struct, frozen=True, kw_only=True, gc=False):
    """A part of a line that could not be read; it is asked about, never skipped."""

    why: str
    source: str = ""
    carriers: tuple[str, ...] = ()


class Reading(Struct, frozen=True, kw_only=True, gc=False):
    """The whole line: commands in the order they would run, and what could not be read."""

    commands: tuple[Command, ...] = ()
    opaque: tuple[Opaque, ...] = ()
