"""Redirections: what a command reads, and where its output goes.

"cmd < in > out 2>&1"  ->  files (read in, write out), stdin from `in`, output away
"""

from __future__ import annotations

from msgspec import Struct, field

from signoff.actions.shell.command import Command, Redirect, RedirectKind, Stream, Word
from signoff.actions.shell.machine.descriptors import (
    STANDARD,
    any_of,
    behind,
    number_of,
    tied,
    writes_to,
)
from signoff.actions.shell.state import Output, ShellScope
from signoff.actions.shell.syntax.characters import is_digits
from signoff.actions.shell.syntax.tree import RawRedirect
from signoff.actions.shell.words.expand import Expander
from signoff.actions.shell.wrappers.shells import SHELLS
from signoff.values import replace

_KINDS = {
    "<": RedirectKind.READ,
    ">": RedirectKind.WRITE,
    ">|": RedirectKind.WRITE,
    "&>": RedirectKind.WRITE,
    ">&": RedirectKind.WRITE,
    "<>": RedirectKind.WRITE,
    ">>": RedirectKind.APPEND,
    "&>>": RedirectKind.APPEND,
    ">>|": RedirectKind.APPEND,
}

# These only read a file among their words, run it, or are followed with what they write.
_LOOKERS = frozenset(
    {*SHELLS, ".", "source", "chmod", "cat", "ls", "echo", "printf", "grep", "test", "[", "head"}
    | {"tail", "wc", "diff", "cmp", "file", "stat", "cp", "mv", "ln", "install", "sudo", "env"}
    | {"nohup", "timeout", "time", "command", "exec", "python", "python3", "tee", "xargs", "eval"}
    | {"parallel", "jq", "gojq", "jaq", "egrep", "fgrep", "cut", "uniq", "tail", "tac"}
)


class Redirects(Struct):
    """The result of redirections: files, standard input, and the target of the output."""

    files: tuple[Redirect, ...] = ()
    stdin: Stream | None = None
    output: Redirect | None = None
    is_away: bool = False
    opened: dict[str, Stream | Redirect] = field(default_factory=dict)


NO_REDIRECTS = Redirects()


def resolve(raws: list[RawRedirect], expander: Expander, scope: ShellScope) -> Redirects:
    """Expand the targets of redirections and return what they connect."""
    made = Redirects()
    files: list[Redirect] = []
    for raw in raws:
        if raw.operator in ("<<", "<<-", "<<<"):
            _here(raw, expander, made, scope)
            continue
        target = expander.word(raw.target)
        if scope.descriptors:
            target = tied((target,), scope)[0]
        if raw.operator in (">&", "<&") and (is_digits(target.text) or target.text in ("-", "")):
            _duplicate(raw, target, made, files, scope)
            continue
        if raw.operator == "<&" and not target.is_known and scope.descriptors:
            _feed(raw, any_of(scope.descriptors), made, scope)
            continue
        kind = _KINDS.get(raw.operator, RedirectKind.READ)
        redirect = Redirect(kind=kind, target=target)
        files.append(redirect)
        _note(raw, redirect, made, scope)
    made.files = tuple(files)
    return made


def _duplicate(
    raw: RawRedirect, target: Word, made: Redirects, files: list[Redirect], scope: ShellScope
) -> None:
    """`2>&1`, `<&3`, `4<&3`, `>&3`: one descriptor becomes what another one is."""
    opened = behind(target.text, scope, made.opened)
    is_input = raw.operator == "<&"
    if raw.descriptor not in STANDARD:
        made.opened[number_of(raw.descriptor, scope)] = opened or Stream()
    elif opened is None and is_input and is_digits(target.text) and target.text not in STANDARD:
        made.stdin = Stream()  # opened by whoever started the shell, or never
    elif isinstance(opened, Stream) and (is_input or raw.descriptor == "0"):
        made.stdin = opened
        if opened.path:
            files.append(Redirect(kind=RedirectKind.READ, target=Word(text=opened.path)))
    elif not is_input and raw.descriptor in ("", "1"):
        if isinstance(opened, Redirect):
            made.output = writes_to(opened)
            files.append(made.output)
        # `>&1` leaves the output where it is.
        made.is_away = made.is_away or target.text != "1"


def _here(raw: RawRedirect, expander: Expander, made: Redirects, scope: ShellScope) -> None:
    if raw.heredoc is None:
        word = expander.word(raw.target)
        # bash ends a here-string with a newline.
        word = replace(word, text=word.text + "\n")
    elif raw.heredoc.is_quoted:
        # A quoted delimiter: nothing in the body is expanded (POSIX 2.7.4).
        word = Word(text=raw.heredoc.body)
    else:
        word = expander.body(raw.heredoc.body)
    stream = Stream(
        text=word.text if word.is_known else None,
        sketch="" if word.is_known else word.text,
        sources=word.sources,
        is_decoded=word.is_decoded,
    )
    _feed(raw, stream, made, scope)


def _feed(raw: RawRedirect, stream: Stream, made: Redirects, scope: ShellScope) -> None:
    if raw.descriptor in ("", "0"):
        made.stdin = stream
    else:
        made.opened[number_of(raw.descriptor, scope)] = stream


def _note(raw: RawRedirect, redirect: Redirect, made: Redirects, scope: ShellScope) -> None:
    """Record what a redirection does to the standard streams."""
    target = redirect.target
    # `<>` opens for both: it counts as written, and what is read comes from it too.
    if redirect.kind is RedirectKind.READ or raw.operator == "<>":
        _feed(raw, _content(target, scope), made, scope)
    elif raw.descriptor in ("", "1"):
        made.output = redirect
        made.is_away = True
    elif raw.descriptor != "2":
        made.opened[number_of(raw.descriptor, scope)] = redirect


def _content(target: Word, scope: ShellScope) -> Stream:
    """Return the stream read from a file."""
    known = file_text(target, scope)
    return Stream(
        text=known.text if known is not None else None,
        sources=target.sources or (known.sources if known is not None else ()),
        path=target.text,
        is_decoded=known.is_decoded if known is not None else target.is_decoded,
    )


def sent(output: Output, made: Redirects, scope: ShellScope) -> Output:
    """Return the output that redirections leave; redirected text is noted as the files' content."""
    if not made.is_away:
        return output
    if made.output is not None and made.output.target.is_known:
        path = scope.absolute(made.output.target.text)
        before = scope.files.get(path)
        appends = made.output.kind is RedirectKind.APPEND
        if path and not path.startswith("/dev/"):
            # Appended to a file from before the line, the text in front of it is unknown.
            kept = before.joined(output) if appends and before else output
            scope.files[path] = Output(
                None if appends and not before else kept.text, kept.sources, kept.is_decoded
            )
    return Output("")


def file_text(word: Word, scope: ShellScope) -> Word | None:
    """Return the text of a file this line wrote, None if it did not or the text is unknown."""
    path = scope.absolute(word.text) if word.is_known else ""
    written = scope.files.get(path)
    if written is None or written.text is None:
        return None
    return Word(text=written.text, sources=written.sources, is_decoded=written.is_decoded)


def written_files(words: tuple[Word, ...], scope: ShellScope) -> tuple[tuple[str, str], ...]:
    """Return (path, text) of the files among these words that the line itself wrote."""
    if not scope.files:
        return ()
    # A program named by its path may itself be a file that the line wrote.
    named = words if "/" in words[0].text else words[1:]
    paths = [scope.absolute(word.text) if word.is_known else "" for word in named]
    found = [(path, scope.files[path].text) for path in paths if path in scope.files]
    return tuple([(path, text) for path, text in found if text is not None])


def forget_files(command: Command, name: str, scope: ShellScope) -> None:
    """Forget the text of files that a program may have changed."""
    if name in _LOOKERS:
        return
    known = [path for path, output in scope.files.items() if output.text is not None]
    if not known:
        return
    operands = command.words[1:]
    is_open = any([not word.is_known or word.has_glob for word in operands])
    texts = "\0".join([word.text for word in operands])
    for path in known:
        # The name anywhere in the words is enough: `sed -i s/a/b/ ./x` changes what `x` holds.
        if is_open or (operands and path.rsplit("/", 1)[-1] in texts):
            scope.files[path].text = None
