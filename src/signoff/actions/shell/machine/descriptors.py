"""Descriptors beside the standard ones: what `exec 3< file` opens, `<&3` reads, `>&3` writes.

exec 3< <(curl -s $U); sh <&3     sh reads what curl prints
exec 3> x; echo 'rm y' >&3        x holds `rm y`
coproc curl -s $U; sh <&${COPROC[0]}
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.shell.command import Redirect, RedirectKind, Stream, Word
from signoff.actions.shell.state import UNKNOWN, Descriptors, Output, ShellFrame, ShellScope
from signoff.actions.shell.syntax.characters import is_digits
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

# bash gives descriptors from 10 on to `{name}<file` (Bash manual, Redirections).
FIRST_FREE = 10
STANDARD = frozenset({"", "0", "1", "2"})
# What bash usually opens; a script names them by `${COPROC[0]}` and `${COPROC[1]}`.
COPROCESS = ("63", "60")  # what it prints, what it reads
_OPEN_FILE = lazy_re(r"/(?:dev|proc/(?:self|thread-self|[0-9]+|\$\$))/fd/([0-9]+)")


def number_of(descriptor: str, scope: ShellScope) -> str:
    """Return a descriptor's number; `{name}` allocates a free one and sets the variable."""
    if descriptor[:1] != "{":
        return descriptor
    number = str(FIRST_FREE + len(scope.descriptors))
    scope.assign(descriptor[1:-1], Word(text=number))
    return number


def open_descriptors(opened: Descriptors, scope: ShellScope) -> Descriptors:
    """Open file descriptors in this shell; return those that were open before."""
    before = scope.descriptors
    if opened:
        scope.descriptors = {**before, **opened}
        for number, one in opened.items():
            _keep(number, one, scope)
    return before


def _keep(number: str, opened: Stream | Redirect, scope: ShellScope) -> None:
    """Say what is read from the descriptor's own file, or that a file is emptied."""
    if isinstance(opened, Stream):
        output = Output(opened.text, opened.sources, opened.is_decoded)
        scope.files[f"/dev/fd/{number}"] = scope.files[f"/proc/self/fd/{number}"] = output
        return
    path = scope.absolute(opened.target.text) if opened.target.is_known else ""
    # Opening for writing empties a file; a device holds no text.
    if path and path not in scope.files and not path.startswith("/dev/"):
        scope.files[path] = Output("")


def behind(text: str, scope: ShellScope, opened: Descriptors) -> Stream | Redirect | None:
    """Return what a descriptor is open on, None for standard ones and closed ones."""
    # `3<&4-` moves a descriptor (Bash manual); what it is open on stays the same.
    number = text.rstrip("-")
    return opened.get(number) or scope.descriptors.get(number)


def any_of(opened: Descriptors) -> Stream:
    """Return the merged stream of these descriptors, where it is unknown which is read."""
    streams = [one for one in opened.values() if isinstance(one, Stream)]
    return Stream(sources=tuple(source for one in streams for source in one.sources))


def writes_to(redirect: Redirect) -> Redirect:
    """Return the redirection for later writes to the same file, which append."""
    return replace(redirect, kind=RedirectKind.APPEND)


def tied(words: Sequence[Word], scope: ShellScope) -> list[Word]:
    """Return the words; paths of open descriptors are linked to their content."""
    return [_tied(word, scope) if word.text[:1] == "/" else word for word in words]


def _tied(word: Word, scope: ShellScope) -> Word:
    match = _OPEN_FILE.fullmatch(word.text)
    opened = scope.descriptors.get(match[1]) if match else None
    if not isinstance(opened, Stream):
        return word
    if opened.path and opened.text is None and not opened.sources:
        return replace(word, text=opened.path)  # it is that file
    sources = tuple(dict.fromkeys((*word.sources, *opened.sources)))
    return replace(word, sources=sources, is_decoded=word.is_decoded or opened.is_decoded)


def read_from(words: Sequence[Word], scope: ShellScope) -> Stream | None:
    """Return the stream that `read -u 3` and `mapfile -u 3` read, None for standard input."""
    for n, word in enumerate(words):
        if word.text[:2] != "-u" and word.text not in ("-ru", "-tu"):
            continue
        number = word.text[2:] if is_digits(word.text[2:]) else ""
        if not number and n + 1 < len(words):
            number = words[n + 1].text
        opened = scope.descriptors.get(number)
        return opened if isinstance(opened, Stream) else Stream()
    return None


def is_bare_exec(words: Sequence[Word]) -> bool:
    """Return whether an `exec` has only redirections, which then hold for the shell."""
    return len(words) == 1 and words[0].text == "exec"


def default_input(scope: ShellScope) -> Stream | None:
    """Return the stream that `exec < FILE` made standard input, None if none did."""
    opened = scope.descriptors.get("0") if scope.descriptors else None
    return opened if isinstance(opened, Stream) else None


def coprocess(name: str, scope: ShellScope, frame: ShellFrame, index: int) -> ShellFrame:
    """Open the descriptors of a coprocess; return the frame for its commands.

    The written input of a single command is unknown; among several commands it is unknown which one
    reads it.
    """
    printed, read = COPROCESS
    scope.arrays[name.rstrip("{")] = (Word(text=printed), Word(text=read))
    opened: dict[str, Stream | Redirect] = {printed: Stream(sources=(index,))}
    if name[-1] == "{":
        opened[read] = Redirect(kind=RedirectKind.WRITE, target=UNKNOWN)
    open_descriptors(opened, scope)
    return frame if name[-1] == "{" else frame.fed(Stream())
