"""Here-documents: delimiters and bodies.

open_heredoc(RawRedirect("<<-", "", "'END'"))  ->  Heredoc("END", quoted, strips tabs)
"""

from __future__ import annotations

import re

from signoff.actions.shell.syntax.tree import Heredoc, RawRedirect, Unreadable

_QUOTE = re.compile(r"\$(?=['\"])|['\"]|\\(?=.)")
_INDENT = re.compile(r"^\t+", re.MULTILINE)


def open_heredoc(redirect: RawRedirect) -> Heredoc:
    """Return the here-document that a redirection opens; its body is filled in later."""
    delimiter = _QUOTE.sub("", redirect.target)
    return Heredoc(
        delimiter=delimiter,
        is_quoted=delimiter != redirect.target,
        strips_tabs=redirect.operator == "<<-",
    )


def end_of_body(text: str, start: int, heredoc: Heredoc, must_end: bool) -> tuple[str, int]:  # noqa: FBT001 - `Lexer.closing`, passed through
    """Return the body that starts at `start`, and the index after its delimiter line.

    Args:
        must_end: raise if the delimiter is missing.

    Raises:
        Unreadable: the delimiter is missing.
    """
    line = start
    while line < len(text):
        found = text.find(heredoc.delimiter, line)
        if found < 0:
            break
        line = text.rfind("\n", line, found) + 1 or line
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if _is_delimiter(text[line:end], heredoc) and not _is_joined(text, start, line, heredoc):
            return _body(text[start:line], heredoc), min(end + 1, len(text))
        line = end + 1
    if must_end:
        raise Unreadable("here-document without an end")
    return _body(text[start:], heredoc), len(text)


def _is_delimiter(line: str, heredoc: Heredoc) -> bool:
    line = line.removesuffix("\r")
    return (line.lstrip("\t") if heredoc.strips_tabs else line) == heredoc.delimiter


def _is_joined(text: str, start: int, line: int, heredoc: Heredoc) -> bool:
    """Whether a backslash joins the line to the one before it."""
    # With a quoted delimiter a backslash is an ordinary character (POSIX 2.7.4).
    if heredoc.is_quoted or line <= start:
        return False
    before = text[max(start, line - 64) : line - 1]
    # An even number of backslashes are escaped ones, and join nothing.
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _body(text: str, heredoc: Heredoc) -> str:
    return _INDENT.sub("", text) if heredoc.strips_tabs else text
