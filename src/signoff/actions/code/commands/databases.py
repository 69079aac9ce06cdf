"""Shells of databases: backslash and dot commands beside SQL (psql, sqlite3, mysql)."""

from __future__ import annotations

import re
from collections.abc import Callable

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN_PART, Value

MAX_LINES = 2_000

Line = Callable[[str, str, Recorder], None]
MAX_ON_LINE = 20  # backslash commands
# The rest of the line is theirs, backslashes included.
_TAKES_LINE = re.compile(r"\\(?:!|copy\b|(?:o|g|gx|w|write|out)\s*\|)")
_PIPED = re.compile(r"(?:^|\s)['\"]?\|(.+)")
# Commands of sqlite3 with an effect; it takes the beginning of a name.
_SQLITE_NAMES = (
    "shell", "system", "load", "read", "output", "once", "open", "import", "restore", "log",
    "backup", "save", "excel", "www",
)  # fmt: skip
_QUOTED = re.compile(r"'((?:[^']|'')*)'")


def _read(text: str, recorder: Recorder, *, signs: tuple[str, ...], command: Line) -> None:
    """Give each line that begins with a sign to `command`, and the rest on as SQL."""
    rest: list[str] = []
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        recorder.opaque("text is too long to be read", "sql")
        return
    for line in lines:
        stripped = line.strip()
        if stripped.startswith(signs):
            word, _, tail = stripped.partition(" ")
            command(word, tail.strip(), recorder)
        else:
            rest.append(line)
    statement = "\n".join(rest).strip()
    if statement:
        recorder.sql.append(statement)


def read_sqlite(text: str, recorder: Recorder) -> None:
    """Record what input for `sqlite3` does: SQL and dot commands."""
    _read(text, recorder, signs=(".",), command=_sqlite)


def _sqlite(word: str, tail: str, recorder: Recorder) -> None:
    name = word.lstrip(".")
    if len(name) > 1:
        name = next((full for full in _SQLITE_NAMES if full.startswith(name)), name)
    piped = _PIPED.search(tail)
    path = Value(constant=tail.split()[-1].strip("'\"") if tail.split() else UNKNOWN_PART)
    if name in {"shell", "system"}:
        recorder.run(f".{name}", Value(constant=tail or UNKNOWN_PART))
    elif piped is not None:
        # What stands behind the text, as the name of a table, may be a part of the line, too.
        quoted = re.match(r"['\"]\|(.*?)['\"]", piped[0].strip())
        line = quoted[1] if quoted else piped[1].rstrip("'\"")
        recorder.run(f".{name}", Value(constant=line))
    elif name in {"output", "once", "log", "backup", "save", "excel", "www"} and tail not in {
        "",
        "stdout",
        "off",
    }:
        recorder.write(f".{name}", path)
    elif name in {"read", "import", "open", "restore"}:
        first = Value(constant=tail.split()[0].strip("'\"") if tail.split() else UNKNOWN_PART)
        recorder.read(f".{name}", first)
        if name == "read":
            recorder.opaque("runs a script that is not known", "sqlite3")
    elif name == "load":
        recorder.opaque("loads code into the database", "sqlite3")


def read_psql(text: str, recorder: Recorder) -> None:
    """Record what input for `psql` does: SQL and backslash commands, which may also end a line."""
    _read(_apart(text, "!ocgwis"), recorder, signs=("\\",), command=_psql)


def _apart(text: str, letters: str) -> str:
    """The text with each backslash command of these letters on a line of its own."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        for _ in range(MAX_ON_LINE):
            at = _next_command(rest, letters)
            if at < 0:
                break
            lines.append(rest[:at])
            rest = rest[at:]
            if _TAKES_LINE.match(rest):
                break
            # Its own sign stays with it while the next one is looked for.
            at = _next_command(rest[1:], letters) + 1
            lines.append(rest[:at] if at else rest)
            rest = rest[at:] if at else ""
        lines.append(rest)
    return "\n".join(lines)


def _next_command(line: str, letters: str) -> int:
    """Where the next backslash command begins outside of a text of SQL, -1 if none does."""
    at = line.find("\\")
    while at >= 0:
        # An odd number of quotes: the backslash stands in a text of SQL.
        if line.count("'", 0, at) % 2 == 0 and line[at + 1 : at + 2] in {*letters}:
            return at
        at = line.find("\\", at + 1)
    return -1


def _psql(word: str, tail: str, recorder: Recorder) -> None:
    if word.startswith("\\!"):
        recorder.run("\\!", Value(constant=(word[2:] + " " + tail).strip() or UNKNOWN_PART))
    elif word == "\\copy":
        _copy(tail, recorder)
    elif word in {"\\o", "\\out", "\\g", "\\w", "\\write", "\\gx", "\\s"} and tail:
        if tail.startswith("|"):
            recorder.run(word, Value(constant=tail[1:].strip()))
        else:
            recorder.write(word, Value(constant=tail))
    elif word in {"\\i", "\\ir", "\\include"}:
        recorder.read(word, Value(constant=tail or UNKNOWN_PART))
        recorder.opaque("runs a script that is not known", "psql")
    elif word in {"\\gexec", "\\setenv", "\\password"}:
        recorder.opaque(f"`{word}` does something unknown", "psql")


def _copy(tail: str, recorder: Recorder) -> None:
    end = _end_of_query(tail)
    words = (")" + tail[end + 1 :] if end else tail).split()
    lowered = [word.lower() for word in words]
    way = next((word for word in lowered if word in {"to", "from"}), "")
    after = words[lowered.index(way) + 1 :] if way else []
    if end:
        # The query runs as any other: it may read people, or delete and return what was there.
        recorder.sql.append(tail[1:end].strip())
    elif way == "to":
        recorder.sql.append(f"COPY {words[0]} TO STDOUT")
    if after and after[0].lower() == "program":
        quoted = _QUOTED.search(" ".join(after[1:]))
        line = quoted[1].replace("''", "'") if quoted else " ".join(after[1:])
        recorder.run("\\copy", Value(constant=line))
    elif after and way == "to" and after[0].lower() not in {"stdout", "pstdout"}:
        recorder.write("\\copy", Value(constant=after[0].strip("'\"")))
    elif after and way == "from" and after[0].lower() not in {"stdin", "pstdin"}:
        recorder.read("\\copy", Value(constant=after[0].strip("'\"")))
        # It fills a table: judged as the statement that psql sends for it.
        recorder.sql.append(f"COPY {words[0]} FROM STDIN")


def _end_of_query(tail: str) -> int:
    """Where the bracket closes that a query of `\\copy` begins with, 0 without one."""
    depth = 0
    is_quoted = False
    for at, sign in enumerate(tail if tail[:1] == "(" else ""):
        is_quoted ^= sign == "'"
        depth += 0 if is_quoted else (sign == "(") - (sign == ")")
        if not depth and not is_quoted:
            return at
    return len(tail) if tail[:1] == "(" else 0


def read_mysql(text: str, recorder: Recorder) -> None:
    """Record what input for the `mysql` client does."""
    signs = ("\\!", "system ", "source ", "\\.", "tee ", "pager ", "\\T", "\\P", "edit", "\\e")
    _read(_apart(text, "!.TP"), recorder, signs=signs, command=_mysql)


def _mysql(word: str, tail: str, recorder: Recorder) -> None:
    if word in {"system", "pager", "\\P"} or word.startswith("\\!"):
        line = (word[2:] + " " + tail if word.startswith("\\!") else tail).strip(" ;")
        recorder.run(word, Value(constant=line or UNKNOWN_PART))
    elif word in {"tee", "\\T"}:
        recorder.write(word, Value(constant=tail.strip(" ;")))
    else:
        recorder.opaque("runs a script that is not known", "mysql")
