"""How programs write one value of a request, and the start of a process, for the readers here."""

from __future__ import annotations

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
