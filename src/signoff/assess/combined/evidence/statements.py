"""Statements of consoles that have a language of their own: what empties a store, or blinds.

A console is told by a here-document, a pipe, a file of a job or an argument. What a statement does
stands in its first words, whatever carries it there.

    rman target /@GSPROD <<< 'DELETE NOPROMPT BACKUP;'            every backup of production
    run_cl_command(system="AS400PRD", command="CLRLIB LIB(X)")    all objects of a library
    rman target / <<< 'DELETE NOPROMPT OBSOLETE;'                 nothing: what is kept stays
"""

from __future__ import annotations

from typing import NamedTuple

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Operation, Reach, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.understand import HOST_TOOLS
from signoff.actions.vocabulary import keyed, lazy_re, lazy_re2
from signoff.assess.combined.call import (
    TEXT_LIMIT,
    TRIAL_IN_LINE,
    Call,
    cached_per_call,
    entries_of,
    texts_of,
)


class ConsoleStatement(NamedTuple):
    """A statement of a console.

    Args:
        console: what the line or call names, if it is handed to the console.
        says: the statement with its arguments.
        is_grave: it is grave wherever it happens; others count in production.
    """

    console: str
    says: str
    is_grave: bool = False


_SQL = r"(?i)sql|snowflake|\bdb\b|database|oracle|postgres"
_STATEMENTS = (
    # Oracle Recovery Manager: without a time or tag the word means every backup.
    ConsoleStatement(
        r"\brman\b",
        r"(?im)^[ \t]{0,80}delete\s+(?:noprompt\s+|force\s+|copy\s+of\s+)*"
        r"(?:backup(?:set|piece)?|archivelog\s+all)\s*;",
    ),
    ConsoleStatement(
        r"(?i)\b(?:run)?mqsc\b|\bmq_?\w*",
        r"(?i)\bclear\s+q(?:l|local)\s*\([^)\n]*\)|\bdelete\s+q(?:l|local)\s*\([^)\n]*\)\s+purge",
    ),
    ConsoleStatement(
        r"(?i)\b(?:redis|valkey|keydb)\b", r"(?im)^[ \t]{0,80}flush(?:all|db)\b|['\"\s]flushall\b"
    ),
    # IBM i: a library with all its objects; the journal and the values of the audit.
    ConsoleStatement(
        r"(?i)\bsystem\b|qcmdexc|(?:^|[^a-z])cl(?:[^a-z]|$)|ibm_?i|as_?400",
        r"(?i)\b(?:clrlib|dltlib|clrpfm|inzdsk|dltusrprf)\s+(?:\w+\()?[\w/$#@*]+\)?",
    ),
    ConsoleStatement(
        r"(?i)\bsystem\b|qcmdexc|(?:^|[^a-z])cl(?:[^a-z]|$)|ibm_?i|as_?400",
        r"(?i)\bchgsysval\s+sysval\(qaud\w+\)\s+value\('?\*(?:none|notavl)"
        r"|\bendjrn\s+obj\(\*all\)|\bdltjrnrcv\s+jrnrcv\([^)\n]*\*\)",
        is_grave=True,
    ),
    # z/OS: data sets by a mask or before their date, a volume made new without a look at it.
    ConsoleStatement(
        r"(?i)pgm=idcams",
        r"(?im)^[ \t]{0,80}delete\s+\(?'?[\w.$#@]*\*[\w.$#@*]*'?\)?[^\n]*\b(?:mask|purge)\b",
    ),
    ConsoleStatement(
        r"(?i)pgm=ickdsf", r"(?im)^[ \t]{0,80}init\s+unit\w*\([^)\n]*\)[^\n]*\b(?:noverify|purge)\b"
    ),
    # Splunk hides what a search found, here of the logs that tell who was where.
    ConsoleStatement(
        r"(?i)splunk",
        r"(?im)(?:index\s*=\s*\*|wineventlog|linux_secure|\b_?audit|security|firewall|sysmon)"
        r"[^\n]*\|\s*delete\s*(?:['\"]|$)",
        is_grave=True,
    ),
    ConsoleStatement(
        r"\berl_call\b|\brpc\b|\beval\b|\biex\b", r"\bmnesia:delete_schema\(", is_grave=True
    ),
    # SQL of any dialect: what goes through all tables, replaces a database, or calls a function
    # that deletes for each row.
    ConsoleStatement(
        _SQL,
        r"(?is)\bfor\s+\w+\s+in\s*\(?\s*select\b[^;]{0,200}(?:user_tables|all_tables|pg_tables"
        r"|information_schema|sys\.tables)[^;]{0,400}\b(?:truncate|drop|delete\s+from)\b",
    ),
    ConsoleStatement(
        _SQL,
        r"(?i)\bcreate\s+or\s+replace\s+(?:transient\s+)?(?:database|schema)\s+"
        r"[\w.\"]*(?:prod|prd)[\w.\"]*",
    ),
    ConsoleStatement(
        _SQL,
        r"(?im)\bselect\s+(?:\w+\.)?(?:delete|drop|purge|remove|truncate|destroy|wipe)_\w+\s*\([^)]*\)"
        r"\s+from\s+[\w.\"]+\s*(?:;|$)",
    ),
    # Everybody's state is changed where it is the ordinary one, or everything is opened to all.
    ConsoleStatement(
        _SQL,
        r"(?is)\bupdate\s+[\w.\"]*(?:voter|patient|customer|employee|member|user|account|student|pupil"
        r"|citizen|tenant|subscriber|person|people)\w*\"?(?:\s+(?!set\b)\w+)?\s+set\s+(?P<state>\w*(?:status|state"
        r"|active|enabled)\w*)\s*=\s*[^;]{1,300}?\bwhere\s+(?:\w+\.)?(?P=state)\s*=\s*[^\s;]+\s*(?:;|$)",
    ),
    ConsoleStatement(
        _SQL,
        r"(?is)\binsert\s+into\s+[\w.]*(?:policy|policies|permission|grant|acl|role)\w*[^;]{0,500}"
        r"'(?:anonymous|public|everyone|guest)'[^;]{0,300}\bfrom\s+[\w.]+(?:\s+\w+)?\s*;",
    ),
)
_COMPILED = tuple([(lazy_re2(one.console), lazy_re(one.says), one.is_grave) for one in _STATEMENTS])
# Names on mainframes and queues are written together: `WMSPRDDTA`, `QMPROD1`.
_LIVE_NAME = lazy_re(r"\b[A-Z0-9@$#]{0,40}(?:PROD(?!U)|PRD)[A-Z0-9]{0,40}\b")
_TRIAL_NAME = lazy_re2(r"(?i)(?:^|[^a-z])(?:tst|qa|sandbox)(?:[^a-z]|$)|\w*test\w*\)")


def empties_by_statement(op: Operation, call: Call) -> bool:
    """True if a console in production is told to empty what it holds, or to blind the audit."""
    return _is_told(call) and _carries(op, call)


def names_console(op: Operation, call: Call) -> bool:
    """True if a console is named whose language is known, or a statement of one."""
    return _names_console(call)


# Most calls name none of them.
_CONSOLES = keyed(
    lazy_re2(
        r"(?i)rman\b|mqsc|\bmq|redis|valkey|keydb|clrlib|dltlib|clrpfm|inzdsk|dltusrprf|qaud|endjrn"
        r"|dltjrnrcv|pgm=|splunk|mnesia:|sql|snowflake|oracle|database"
    ),
    "sql redis database oracle splunk snowflake valkey keydb mq rman clrlib dltlib clrpfm inzdsk"
    " dltusrprf qaud endjrn dltjrnrcv pgm= mnesia:",
)


@cached_per_call
def _names_console(call: Call) -> bool:
    return _CONSOLES.search(f"{call.action.tool}\n{_texts(call)}") is not None


@cached_per_call
def _texts(call: Call) -> str:
    """Return the line of a shell, or what the arguments of a tool call statements."""
    line = call.action.text("command")
    if call.action.arguments.keys() <= _OF_SHELL:
        return line[:TEXT_LIMIT]
    given = [
        one.value
        for one in entries_of(call)
        if isinstance(one.value, str) and not _STATED.isdisjoint(one.name)
    ]
    return "\n".join([line, *given])[:TEXT_LIMIT]


_OF_SHELL = frozenset({"command", "description", "timeout"})
_STATED = vocabulary(
    "sql query statement statements command commands cmd jcl cl mqsc script code search spl input"
)


def _carries(op: Operation, call: Call) -> bool:
    """Tell the Operation of the console from its neighbours in the line."""
    if "command" not in call.action.arguments or call.action.tool.startswith("mcp__"):
        return call.action.tool not in HOST_TOOLS
    said = f"{op.program} {op.source[:TEXT_LIMIT]}"
    if op.verb is Verb.READ and "cli" not in said:
        return False
    return any([console.search(said) is not None for console, _, _ in _COMPILED]) or "<<" in said


@cached_per_call
def _is_told(call: Call) -> bool:
    text = _texts(call)
    place = f"{call.action.tool}\n{texts_of(call)}"
    is_live = any([op.reach is Reach.PRODUCTION for op in call.operations]) or _names_live(place)
    for console, says, is_grave in _COMPILED:
        found = says.search(text)
        # How a shell's `printf` writes the end of a line.
        found = found or says.search(text.replace("\\n", "\n"))
        if found is None or console.search(place) is None:
            continue
        if (is_live or is_grave) and not _is_trial(found[0]):
            return True
    return False


def _names_live(place: str) -> bool:
    return is_production(place) or _LIVE_NAME.search(place) is not None


def _is_trial(statement: str) -> bool:
    said = TRIAL_IN_LINE.search(statement) or _TRIAL_NAME.search(statement)
    return said is not None
