"""Tells a whole statement, program or formula from a piece that leaves a value.

What is put into a value goes on from there: it begins with a quote, a bracket or a sign that ends
what stood before, or leaves one open for the application to close. A whole piece does neither. One
that harms wherever it is run (a shell for somebody else, a file of passwords, a wait that measures)
is no whole piece here.

    is_statement("SELECT a FROM t; UPDATE t SET a = 1 WHERE b = 2")  ->  True
    is_statement("x'; UPDATE t SET a = 1 --")                        ->  False
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.languages.brackets import closes_more_than_it_opens
from signoff.assess.contexts.languages.landing import CREDENTIALS

TEXT_LIMIT = 64 << 10
LINE_LIMIT = 500
COMMENTS_LIMIT = 50  # each one that is left open is read to the end of the text
LINES_OF_SOURCE = 2
LINES_OF_COMMANDS = 3
_QUOTED = lazy_re(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`|--[^\n]*|/\*.*?\*/", re.DOTALL
)
_COMMENT = lazy_re(r"/\*.*?\*/", re.DOTALL)

_READS = (
    r"(?:(?:select|with|show|explain|describe)\b"
    # A variable or a table of this session.
    r"|declare\s+\w+(?:\s*,\s*\w+)*\s+[a-z]|create\s+(?:or\s+replace\s+)?temp(?:orary)?\s+table\b)"
)
_READING = lazy_re(rf"\s*(?:--[^\n]*\n\s*)*{_READS}", re.IGNORECASE)
# `process where process.name == "a"`: no statement of SQL begins like this.
_EVENTS = lazy_re(
    r"\s*(?:any|process|file|network|registry|library|dns|iam|driver|authentication)\s+where\s+[a-z]"
    r"[\w.]*\s*(?::|[=!<>]|\b(?:in|like|regex)\b)"
)
_STATEMENT = lazy_re(
    rf"\s*(?:--[^\n]*\n\s*)*(?:{_READS}|(?:insert|update|delete|merge|replace|alter|create|analyze"
    r"|vacuum|begin|use|desc)\b)",
    re.IGNORECASE,
)
# `country IN ('DE', 'AT') OR total > 100`
_CONDITION = lazy_re(
    r"\s*[a-z_][\w.]*\s*(?:[=<>]|!=|\b(?:not\s+)?(?:in\s*\(|like\s|between\s|is\s))", re.IGNORECASE
)
_JOINS = lazy_re(r"\bunion\b|\b(?:information_schema|pg_catalog|sqlite_master)\b", re.IGNORECASE)
_HARMFUL_SQL = lazy_re(
    r"\b(?:drop|truncate)\s+(?:table|database|schema|user|role|login|view|function|procedure)\b"
    r"|\btruncate\s|\bdelete\s+from\s+[\w.`\"\[\]]+\s*(?:;|\Z)"
    r"|\b(?:grant|revoke|shutdown|exec|execute|waitfor|benchmark|sleep|pg_sleep|extractvalue"
    r"|updatexml|load_file|dbms_\w+|utl_\w+|xp_\w+|sp_\w+|pg_read_\w+|lo_import|lo_export)\b"
    r"|\binto\s+(?:out|dump)file\b|\bload\s+data\b|\bprogram\s+'"
    r"|\bcreate\s+(?:or\s+replace\s+)?(?:user|role|login|extension|trigger|procedure"
    # In PostgreSQL a stable or immutable function of SQL can change nothing.
    r"|function(?![^;]{1,400}\$\$[^$]*\$\$\s*language\s+sql\s+(?:stable|immutable)\s*;?\s*\Z))\b"
    r"|\balter\s+(?:user|role|login|system)\b"
    r"|\bmysql\.user\b|\bpg_(?:shadow|authid)\b|\bsql_logins\b|@@",
    re.IGNORECASE,
)

_GOES_ON = lazy_re(r"\s*['\"`)\]};|&,?*+$]")
_HEAD = lazy_re(
    r"\s*(?:#!/|#cloud-config\s*\n|<\?php\b|%%\w+|#\s?include\b|---\s*\n|FROM\s+[\w./:@-]+|//|/\*|\(?(?:async\s+)?\("
    r"|(?:node|pipeline|stages?)\s*(?:\([^()\n]*\)\s*)?\{"
    r"|(?:const|let|var|async|await|function|import|export|from|def|class|return|public|private"
    r"|package|using|use|namespace|module|local|require|fn|func|try|if|for|while)\b"
    r"[ \t(]*[\w({'\"$*]"
    r"|\w+(?:\s+\"[^\"\n]*\"){1,2}\s*\{"
    r"|[A-Za-z_][\w.]*\s*=\s|[A-Za-z_]\w*(?:\.\w+)*\([^\n]*\)|\w[\w.-]*:(?:\s*\n|\s+\S))"
)
_SURE_HEAD = lazy_re(r"\s*(?:#!/|%%\w+\s*\n|#\s?include\b|FROM\s+[\w./:@-]+\s*\n)")
_HARMFUL_PROGRAM = lazy_re(
    r"/dev/(?:tcp|udp)/|\b(?:nc|ncat|socat)\b[^\n]{0,200}\s(?:-e|-c|exec)|\b(?:ba|z|da)?sh\s+-i\b|/etc/shadow"
    r"|169\.254\.169\.254|metadata\.google|/\.?ssh/id_|\.aws/credentials|/proc/self/environ"
    r"|base64\s+(?:-d|--decode)[^\n]{0,200}\|\s*(?:ba|z|da)?sh\b|__(?:globals|subclasses|builtins|import)__"
    # How a program of another language starts one of the machine, as searches and consoles ran it.
    r"|getRuntime|ProcessBuilder|lang\.Runtime|\bforName\(|\.execute\(\)|child_process"
    # Objects that a reader of YAML makes, and a template that runs a command.
    r"|!!?(?:python|ruby|java|javax|perl|php|org|com|sun)\b|lookup\(\s*['\"]pipe"
)
# Behind a quote that ends a string of the application.
_SQL_BEHIND_A_QUOTE = lazy_re(
    r"['\"`][\s)]*(?:(?:x?or|and|union|having|where|limit|order|group|r?like|regexp|between|in|is)\b"
    r"|(?:;\s*)?(?:--|#|/\*)|;\s*(?:select|insert|update|delete|drop|alter|create|exec)\b)",
    re.IGNORECASE,
)
_FETCHES_AND_RUNS = lazy_re(
    r"\b(?:curl|wget|fetch)\b[^\n]{0,400}(?:\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|[;&]\s*(?:ba|z|da)?sh\b)"
    r"|\bos\.system\b|\bpopen\b|\bsubprocess\b|/etc/passwd"
)
# What builds, tests and ships, and what only shows the state of a machine or sorts lines.
_TOOLS = (
    r"(?:npm|npx|yarn|pnpm|node|tsc|vite|webpack|eslint|jest|make|cmake|mvn|gradle|ant|go|cargo|rustc"
    r"|docker|podman|kubectl|helm|terraform|ansible-playbook|pip|pip3|poetry|pytest|tox|ruff|mypy"
    r"|dotnet|composer|phpunit|bundle|rake|rspec|git|cd|mkdir|echo|cp|mv|tar|zip|unzip|gzip|set|export"
    r"|test|true|false|exit|df|du|free|uptime|ps|grep|egrep|sort|uniq|head|tail|wc|cut|tr|date|ls"
    r"|systemctl status)"
)
_TOOL_LINE = lazy_re(
    rf"\s*{_TOOLS}(?:\s[^;&|\n`$<>]*)?(?:(?:&&|\|\|?|;)\s*{_TOOLS}(?:\s[^;&|\n`$<>]*)?)*;?\s*"
)
# Files of the machine, and programs behind an option.
_HARM_OF_TOOLS = lazy_re(
    r"[\s=](?:/(?:etc|root|proc|home|boot)\b|~)|\.\./\.\.|\s-(?:e|-eval|c|-exec\w*|-to-command\S*)\b"
)
_COMMAND_LINE = lazy_re(r"\s*(?:[A-Za-z./#][^\n]*)?")

_CALL = lazy_re(r"\s*=?\s*[A-Z][A-Z0-9_.]*\(")
_OF_FORMULAS = lazy_re(r"[A-Z\d.,;()<>=!&+*/\s$:%^_-]*")
_OWN_FIELD = lazy_re(r"\{[\w .-]{1,80}\}|\[[\w .-]{1,80}\]")


def is_statement(value: str) -> bool:
    """Return whether a value is whole statements of SQL, or one condition of them."""
    is_begun = _STATEMENT.match(value) is not None or _CONDITION.match(value) is not None
    return is_begun and _is_harmless_sql(value)


def is_reading_statement(value: str) -> bool:
    """Return whether a value is whole statements of SQL that only read."""
    if _READING.match(value) is None or not _is_harmless_sql(value):
        return False
    statements = _QUOTED.sub("_", value).split(";")
    return all(_READING.match(one) for one in statements if one.strip(" \t\n_"))


def is_reading_query(value: str) -> bool:
    """Return whether a value is SQL that only reads, or events that are looked for by EQL."""
    if _EVENTS.match(value) is not None:
        return "'" not in value and _is_harmless_sql(value)  # its texts have double quotes
    return is_reading_statement(value)


def is_query(value: str) -> bool:
    """Return whether a value is a query of another language than SQL, by itself."""
    return _GOES_ON.match(value.replace("$", "_", 1)) is None and _is_harmless_sql(value)


def is_program(value: str) -> bool:
    """Return whether a value is a program, a build or a document that a tool runs."""
    if _is_a_piece(value) or _HARMFUL_PROGRAM.search(value):
        return False
    first, *further = _lines(value)
    if not further and _is_tool_line(value):
        return True
    if not further and _FETCHES_AND_RUNS.search(value):
        return False
    return _HEAD.match(value) is not None or (bool(further) and " " in first)


def is_source(value: str) -> bool:
    """Return whether a value is evidently a program, in a field that may take other texts."""
    if _is_a_piece(value) or not _stays_in_place(value):
        return False
    has_lines = len(_lines(value)) >= LINES_OF_SOURCE and _HEAD.match(value) is not None
    return has_lines or _SURE_HEAD.match(value) is not None


def is_command_list(value: str) -> bool:
    """Return whether a value is several commands, one a line, as a build has them."""
    if _is_a_piece(value) or not _stays_in_place(value):
        return False
    lines = _lines(value)
    if len(lines) == 1 and _is_tool_line(value):
        return True
    return len(lines) >= LINES_OF_COMMANDS and all(map(_COMMAND_LINE.fullmatch, lines))


def is_formula(value: str) -> bool:
    """Return whether a value is one call of a function of a sheet or a table, and all it holds."""
    if len(value) > TEXT_LIMIT or value.count("/*") > COMMENTS_LIMIT:
        return False
    if _CALL.match(value) is None:
        return False
    rest = _OWN_FIELD.sub("_", _QUOTED.sub("_", value))
    return _OF_FORMULAS.fullmatch(rest) is not None and _is_closed(rest)


def _is_harmless_sql(value: str) -> bool:
    if len(value) > TEXT_LIMIT or value.count("/*") > COMMENTS_LIMIT:
        return False
    if _HARMFUL_SQL.search(_COMMENT.sub(" ", value)):
        return False
    if _JOINS.search(value) and CREDENTIALS.search(value):
        return False
    return _is_closed(_QUOTED.sub("_", value))


def _is_closed(rest: str) -> bool:
    """Return whether each bracket of a text without its quotes is closed, and no other."""
    is_even = all(rest.count(one) == rest.count(other) for one, other in ("()", "[]", "{}"))
    return is_even and not closes_more_than_it_opens(rest) and not set("'\"`") & set(rest)


def _is_a_piece(value: str) -> bool:
    is_long = len(value) > TEXT_LIMIT
    return is_long or not value.strip() or _GOES_ON.match(value) is not None


def _is_tool_line(value: str) -> bool:
    """Return whether a line is calls of tools that build, test, or show a state."""
    if len(value) > LINE_LIMIT:
        return False
    return _TOOL_LINE.fullmatch(value) is not None and _HARM_OF_TOOLS.search(value) is None


def _stays_in_place(value: str) -> bool:
    """Return whether a program harms nobody by itself, and is no value of a statement either."""
    is_harmful = _HARMFUL_PROGRAM.search(value) or _FETCHES_AND_RUNS.search(value)
    return not is_harmful and _SQL_BEHIND_A_QUOTE.search(value) is None


def _lines(value: str) -> list[str]:
    return [line for line in value.split("\n") if line.strip()]
