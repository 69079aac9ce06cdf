"""What is typed into a terminal: `keys`, `input` and the like of tools named as one.

typed("rm -rf build Enter") == ("rm -rf build",)
typed("C-c") == ()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from signoff.actions.action import Action, Json
from signoff.actions.contents.pattern_parts import FETCH_AND_RUN
from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.servers import ServerKind, Tool
from signoff.actions.vocabulary import lazy_re2

_TYPED = vocabulary("keys key input text data keystrokes line lines chars characters content")
_TERMINALS = vocabulary("terminal tmux pty tty console shell screen repl process")
_TYPES = vocabulary("send write type input interact keys press enter submit paste")
_ENDS = frozenset({"enter", "return", "c-m", "kpenter", "\\n", "\\r"})
_TYPED_BY = vocabulary("type paste keyboard")
# What fetches and runs, hands a shell out or sends what it reads, at the begin of a line.
_FOR_SHELL = lazy_re2(
    rf"(?i)^\s*(?:sudo\s+)?(?:{FETCH_AND_RUN}|\bn(?:c|cat)\b[^\n]*\s-\w*[ec]\b|bash\s+-i\b[^\n]*>&"
    r"|powershell[^\n]*\s-e(?:nc\w*)?\s+[a-z0-9+/=]{20})"
)
_MOST = 200
_ADDRESS = lazy_re2(r"://|[\w-]\.[a-zA-Z0-9]")
# Tools that press keys on a screen, whatever window is in front.
_SCREENS = vocabulary("computer keyboard desktop vnc rdp gui")


def is_terminal(tool: Tool) -> bool:
    """Return whether a tool types into a terminal, by its server's name or its own."""
    types = not _TYPES.isdisjoint(tool.words)
    return types and (tool.kind is ServerKind.SHELL or not _TERMINALS.isdisjoint(tool.words))


def lines_typed(action: Action, tool: Tool) -> tuple[str, ...]:
    """Return the lines that a call types into a terminal."""
    if tool.kind is ServerKind.EDITOR and not {"command", "cmd", "ex"}.isdisjoint(tool.words):
        return tuple(_bangs(action))
    if not _SCREENS.isdisjoint((*tool.server, *tool.words)):
        return tuple(dict.fromkeys((*_sent_lines(action), *_lines_into_window(action, tool))))
    if not is_terminal(tool):
        return tuple(_lines_into_window(action, tool))
    values = (
        value
        for name, value in islice(action.arguments.items(), _MOST)
        if not _TYPED.isdisjoint(split_words(name))
    )
    return tuple(line for value in values for line in typed(value))


def _lines_into_window(action: Action, tool: Tool) -> Iterator[str]:
    """Yield lines that are typed into whatever window is in front, and can only be for a shell."""
    acts = {*tool.words, *split_words(action.text("action"))}
    if _TYPED_BY.isdisjoint(acts):
        return
    for name, value in islice(action.arguments.items(), _MOST):
        if not _TYPED.isdisjoint(split_words(name)):
            yield from (line for line in typed(value) if _is_for_shell(line))


def _sent_lines(action: Action) -> Iterator[str]:
    """Yield typed texts that a line break sends, where they read as a line for a shell.

    Which window has the keyboard is not known: a sentence is typed as often.
    """
    for value in islice(action.arguments.values(), _MOST):
        if isinstance(value, str) and value.endswith(("\n", "\r")):
            yield from [line for line in value.splitlines() if _is_sent(line)]


def _is_sent(line: str) -> bool:
    return starts_as_line(line) and _may_be_a_pipe(line)


def _is_for_shell(line: str) -> bool:
    return _FOR_SHELL.match(line) is not None and _may_be_a_pipe(line)


def _may_be_a_pipe(line: str) -> bool:
    """Return whether a line with a bar names an address: "curl is fine | sh is not" does not."""
    return "|" not in line or _ADDRESS.search(line) is not None


def _bangs(action: Action) -> Iterator[str]:
    """Yield the shell lines of an editor's own command line: `:!ls`, `:r !ls`, `:%!sort`."""
    for value in islice(action.arguments.values(), _MOST):
        head, bang, line = value.partition("!") if isinstance(value, str) else ("", "", "")
        # `:q!` and `:w! name` end in the sign, or have it behind a name.
        if (
            bang
            and line.strip()
            and head.strip(":%.$0123456789, ") in ("", "r", "read", "w", "write")
        ):
            yield line


def typed(value: Json) -> tuple[str, ...]:
    """Return the lines among typed keys, without control keys."""
    if isinstance(value, str):
        return tuple(_lines(value))
    if isinstance(value, Sequence):
        words = [item for item in islice(value, _MOST) if isinstance(item, str)]
        return tuple(_lines(" ".join(words)))
    return ()


def _lines(text: str) -> Iterator[str]:
    for line in text.replace("\r", "\n").split("\n"):
        words = line.split(" ")
        # `Enter` at the end is a key that sends the line, not a word of it.
        while words and (words[-1].lower() in _ENDS or not words[-1]):
            words.pop()
        kept = " ".join(words).strip()
        if kept and not all(_steers(word) for word in words):
            yield kept


def _steers(word: str) -> bool:
    """Tell a key's name from a word: `C-c`, `Escape`, `q`."""
    is_chord = word[:2] in ("C-", "M-", "S-", "^C", "^D") and len(word) <= 4
    names = ("Escape", "Esc", "Up", "Down", "Left", "Right", "Tab", "Space", "BSpace", "PageUp")
    return is_chord or word in (*names, "PageDown", "Home", "End") or len(word) <= 1
