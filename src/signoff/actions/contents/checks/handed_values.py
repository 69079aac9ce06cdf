"""Lines for a shell, and whole statements for a database, that a value of somebody else completes.

A name with a blank, a quote or `;` in it ends the command and begins another. What is quoted
before, or handed over as an argument of its own, does not.

    exec.Command("sh", "-c", "convert "+name)          whoever chooses the name
    system("convert #{upload.name} out.png")           a field of a record
    EXECUTE IMMEDIATE p_stmt                           the parameter of a procedure, as it is
    system("git describe --tags")                      a text of the source
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_BODY = 3_000
_HINTS = ("system", "os:cmd", "popen", "shell", "-c", "exec", "execute_command_line", "query")
_SHELL = (
    r"(?:\bexec\.Command(?:Context)?\s*\((?:\s*\w+\s*,)?\s*\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-l?c\"\s*,\s*"
    r"|[\"'](?:/bin/)?(?:ba|z|da)?sh[\"']\s*,\s*[\"']-l?c[\"']\s*,\s*|[\"']cmd(?:\.exe)?[\"']\s*,\s*[\"']/c[\"']\s*,\s*"
    r"|(?:^|[^.\w])(?:system|shell_exec|passthru|popen)\s*\(\s*|\bos:cmd\s*\(\s*|\bos\.(?:system|popen|execute)\s*\(\s*|\bio\.popen\s*\(\s*"
    r"|\bKernel\.system\s*\(\s*|\bSystem\.shell\s*\(\s*|\bexecute_command_line\s*\(\s*|\bchild_process\.exec(?:Sync)?\s*\(\s*|\bexecSync\s*\(\s*)"
)
_LINE = lazy_re2(rf"(?m){_SHELL}(?:f|\$|s)?(?P<text>[\"'`][^\n]{{3,200}})")
# A value that is put in: a field of a record, or a name alone.
_PUT_IN = (
    lazy_re2(r"[#$]?\{\s*[@$]?([a-z_]\w*(?:(?:\.|->|\[)[\w'\"\]]+)*)\s*\}"),
    lazy_re2(r"[\"'`]\s*(?:\+\+|\+|\.\.|//|<>|\^|\.)\s*[$]?([A-Za-z_]\w*(?:(?:\.|->)\w+)*)"),
)
_QUOTED = lazy_re2(r"(?i)escape|quot|shellwords|shlex|sanitiz|basename|to_?i\b|int\(|intval|uuid")
_DEFINED = (
    r"(?m)(?:\b(?:def|func|fun|fn|function|sub|subroutine|procedure)\s+[\w.:]+[?!]?\s*"
    r"\([^)]{{0,200}}\b{name}\b|^\w+\s*\([^)\n]{{0,120}}\b{name}\b[^)\n]{{0,120}}\)\s*->)"
)
_FOREIGN = lazy_re2(
    r"(?i)^\$?(?:upload|params?|req\w*|row|record|user|input|file|attachment|photo|image|doc\w*|form|payload|msg|message|event|order|customer|item|body|query)\w*(?:\.|->|\[)"
)
_PROCEDURE = lazy_re2(
    r"(?is)\bcreate\s+(?:or\s+(?:replace|alter)\s+)?(?:procedure|proc|function)\s+[\w.\[\]\"]{1,80}\s*\(?(?P<given>[^;]{3,600}?)\b(?:as|is)\b"
)
_RUNS = lazy_re2(
    r"(?i)\b(?:execute\s+immediate|exec(?:ute)?\s+sp_executesql|exec(?:ute)?\s*\()\s*(@?[a-z_]\w*)\s*[;,)\n]"
)


# A whole statement that a request or a command line brings.
_BROUGHT = (
    r"(?:\$_(?:POST|GET|REQUEST)\b|\b(?:req|request)\.(?:body|query|params|form|args|GET|POST|json)\b|\bparams\[|\bargs?\[\d"
    r"|\b(?:sys\.)?argv\[|\bprocess\.argv\[|\bR\.URL\.Query\(\)|\br\.FormValue\(|\bRequest\.Form\b|\bgetParameter\()"
)
_RUN_SQL = (
    r"(?:(?:->|\.)(?:exec|query|execute|executeQuery|executeUpdate|executescript|executemany|raw|unsafe|createNativeQuery|multi_query)\s*\(\s*"
    r"|\bdb(?:Execute|GetQuery|SendQuery|SendStatement)\s*\(\s*\w+\s*,\s*|\b(?:mysqli_query|pg_query)\s*\((?:\s*\$\w+\s*,)?\s*)"
)
_SQL_BROUGHT = lazy_re2(rf"{_RUN_SQL}{_BROUGHT}[^,\n]{{0,60}}")
_SQL_NAMED = lazy_re2(rf"{_RUN_SQL}\$?(?P<name>[A-Za-z_]\w{{0,40}})\s*[,)]")


def handed_value(text: str, low: str) -> str:
    """Return the line or statement that a foreign value completes, "" if none.

    Args:
        text: what runs, without comments.
        low: the same in lower case.
    """
    if not any([hint in low for hint in _HINTS]):
        return ""
    head = text[:_READ]
    for match in islice(_LINE.finditer(head), _MOST):
        line = str(match.group("text"))
        if _QUOTED.search(line) is None and any([_is_foreign(one, head) for one in _values(line)]):
            return str(match.group()).strip()
    if "exec" in low and "create" in low and (whole := _whole_statement(head)):
        return whole
    return _brought_statement(head)


def _brought_statement(text: str) -> str:
    """A call that runs what a request brings as a whole statement."""
    match = _SQL_BROUGHT.search(text)
    if match is not None:
        return str(match.group()).strip()
    for named in islice(_SQL_NAMED.finditer(text), _MOST):
        name = re2.escape(str(named.group("name")))
        filled = rf"(?:^|[\s$;]){name}\s*(?::=|<-|=)\s*\(?{_BROUGHT}[^\n+]{{0,40}}(?:;|\n|$)"
        if re2.search(filled, text) is not None:
            return str(named.group()).strip()
    return ""


def _values(line: str) -> list[str]:
    return [found for find in _PUT_IN for found in find.findall(line)][:6]


def _is_foreign(value: str, text: str) -> bool:
    if _FOREIGN.match(value) is not None:
        return True
    defined = _DEFINED.format(name=re2.escape(value))
    return value.isidentifier() and re2.search(defined, text) is not None


def _whole_statement(text: str) -> str:
    """A procedure that runs its parameter as it is."""
    for procedure in islice(_PROCEDURE.finditer(text), _MOST):
        given, body = str(procedure.group("given")), text[procedure.end() :][:_BODY]
        for run in islice(_RUNS.finditer(body), _MOST):
            name = re2.escape(str(run.group(1)))
            is_given = re2.search(rf"(?i)(?:^|[\s(,]){name}\s", given) is not None
            if is_given and re2.search(rf"(?i){name}\s*(?::=|\+?=)", body) is None:
                return str(run.group()).strip()
    return ""
