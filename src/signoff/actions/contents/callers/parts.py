"""What the readers here share: values of requests, starts of processes, what is no application."""

from __future__ import annotations

import re

from signoff.actions.vocabulary import lazy_re2

# One value that somebody else sends: not a part of a text, and nothing that made it of one.
VALUE = (
    r"\$?(?:\b(?:req|request|ctx|context|c|r)(?:\.(?:raw|req|request|nextUrl))?(?:\.|->)"
    r"(?:query|body|params|args|form|GET|POST|headers|values|cookies|searchParams|query_params|queryParameters)"
    r"(?:\.get\(\s*[\"'][\w-]{1,40}[\"']\s*\)|\[\s*[\"':]?[\w-]{1,40}[\"']?\s*\]|\.\w{1,40}\b)"
    r"|\b(?:req|request|ctx|c)\.(?:query|param|header|get|QueryParam|FormValue|queryParam)\(\s*[\"'][\w-]{1,40}[\"']\s*\)"
    r"|\bparams\[\s*:?[\"']?\w{1,40}[\"']?\s*\]|\bconn\.params\[\s*\"\w{1,40}\"\s*\]|\b_(?:GET|POST|REQUEST|COOKIE)\[\s*[\"']\w{1,40}[\"']\s*\]"
    r"|\bctx\.match(?:\[\d\])?|\br\.(?:FormValue|URL\.Query\(\)\.Get|Header\.Get)\(\s*\"[\w-]{1,40}\"\s*\)"
    r"|\bself->req->(?:body|param\([^)\n]{1,40}\))|\brequest\.(?:get_data\(\)|data\b|body\b)|\b(?:req|request)\.body\b|\bread_body\(conn\))"
)
# The start of a process or of code.
STARTS = (
    r"(?:\bsubprocess\.(?:run|call|Popen|check_\w+|getoutput)|\bos\.(?:system|popen|startfile|exec\w+)|\bexec(?:Sync|File|FileSync)?\b|\bspawn(?:Sync)?\b"
    r"|\bpopen\b|\bsystem\b|\bshell_exec|\bpassthru|\bproc_open|Command::new\([^;\n]{0,60}?\.arg|\bexec\.Command|\bProcess\.Start|\bProcessBuilder|getRuntime\(\)\.exec"
    r"|\$`[^`\n]{0,40}|\bOS\.execute|\bos\.execute|\bio\.popen|:os\.cmd|\bSystem\.(?:cmd|shell)|\bOpen3\.\w+|\beval\b|\bDeno\.Command|\bBun\.spawn)"
)
_TRIALS = (
    r"test\w{0,4}|specs?|__tests__|e2e|fixtures?|seed\w*|demo|samples?|examples?|bench\w*|mocks?"
)


def outside_application(more: str) -> re.Pattern[str]:
    """Return the pattern for paths of tests, samples and the like, which no caller reaches.

    Args:
        more: alternatives for further names of folders, files or parts of them; case counts not.
    """
    return lazy_re2(rf"(?i)(?:^|[/_.-])(?:{_TRIALS}|{more})(?:[/_.-]|$)")
