"""Ways in that an edit of ordinary source plants: a web shell, a second password.

Frameworks differ, what happens does not: the value of a request is the whole command of a shell, or
a password is compared with a text of the source beside the check that was there.

    cmd = request.headers.get("X-Ctx"); subprocess.getoutput(cmd)    -> "subprocess.getoutput(cmd"
    if params[:password] == "l3t-me-1n" || user.authenticate(..)     -> the comparison
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.vocabulary import keyed, lazy_re2

_MOST = 40  # values of a text
_READ = 40_000  # characters
# What a program calls the request it answers, and one value of it: where each begins, and the rest.
_REQUEST_PARTS = (
    (
        r"\b(?:request|req|ctx|context|event|httpContext|HttpContext|exchange|r|c|conn|applet"
        r"|session)\b(?:\(\))?(?:\.|->|\[|::)",
        r"[^\n;]{0,80}?(?:headers?|cookies?|args|query|queryString|params?|parameters?|form"
        r"|body|data|json|get(?:Header|Parameter|Query|Cookie)|GET|POST|values|FormValue|URL)",
    ),
    (r"\$_", r"(?:GET|POST|REQUEST|COOKIE|SERVER)\b"),
    (r"\bparams\[|\bgetParameter\(|\bget_header\b|\benv\[[\"']HTTP_", ""),
    # A parameter that a framework fills, and what people write to a bot.
    (r"\b(?:Query|Body|Form|Header|Cookie)\s*\(|\$(?:q|cgi|query)->param\(|\bread_body\(", ""),
    (r"\bRequest\.", r"(?:QueryString|Form|Headers)\b"),
    (
        r"\b(?:command|cmd|message|msg|update|interaction|callback)\.",
        r"(?:args|text|content|get_args\(|options|data|payload|body)\b",
    ),
    (r"\b(?:req|request)\.(?:get|header)\(", ""),
    (r"\.getHeader", r"(?:Line|String)?\("),
    (r"\.(?:get)?first_?header\(", ""),
    # What came over a connection.
    (r"\.recv", r"(?:from|_string|_multipart)?\("),
    (r"\bws\.receive", r"\w*\("),
)
_REQUEST = f"(?:{'|'.join(head + rest for head, rest in _REQUEST_PARTS)})"
# A text without any of the beginnings has no request; the rest, up to a number, costs much.
_MAY_REQUEST = lazy_re2("|".join(head for head, _ in _REQUEST_PARTS))
# A parameter that a framework fills from a request: `@RequestParam("q") String name`.
_FILLED = lazy_re2(
    r"(?:@(?:Request(?:Param|Body|Header)|PathVariable|CookieValue|(?:Query|Header|Form|Cookie"
    r"|Matrix)Param|Body|Query|Headers?|Param)\b|\[From(?:Body|Query|Header|Route|Form)\b)"
    r"(?:\([^()\n]{0,120}\))?\]?\s+(?:final\s+|[\w<>?.\[\]]{1,40}\s+)?(\w{1,40})\s*[?:,)=]"
)
# `{:ok, body, conn} = read_body(conn)`
_TAKEN = lazy_re2(rf"[{{(]\s*:ok\s*,\s*(\w+)[^\n=]{{0,40}}=[^\n]{{0,40}}{_REQUEST}")
_BOUND = lazy_re2(
    r"(?m)(?:^|[\s;({])\$?([A-Za-z_]\w{0,40})\s*(?::\s*[\w<>?\[\]. ]{1,30})?(?::=|=)"
    rf"\s*[^\n=;]{{0,80}}?{_REQUEST}"
)
# Calls whose first argument is a line for the shell.
_SHELL_CALL = (
    r"(?:subprocess\.(?:getoutput|getstatusoutput|check_output|run|call|Popen|check_call)"
    r"|os\.(?:system|popen)"
    r"|commands\.getoutput|child_process(?:[\"']\))?\.exec(?:Sync)?|\bexecSync|\bexecAsync"
    r"|\bshell_exec|\bpassthru"
    r"|\bproc_open|\bpopen|\bsystem|\bpcntl_exec|getRuntime\(\)\.exec|Process\.Start|\bOpen3\.\w+"
    r"|\bProcessBuilder|\bsubprocess_shell|\beval|\b(?:instance|class|module)_eval"
    r"|\bcreate_function"
    r"|\bKernel\.(?:system|exec|spawn)|System\.shell|:os\.cmd|Runtime\.exec|\b(?:IO|io)\.popen"
    r"|create_subprocess_shell|create_subprocess_exec|os\.execute|\bCode\.eval_(?:string|quoted)"
    r"|\bprocess\.(?:read|run)"
    # Engines of expressions that reach the whole machine.
    r"|(?:SpelExpressionParser\(\)|\b[Ss]pel\w*|\b[Ee]xpressionParser)\.parseExpression|\bOgnl\.(?:getValue|parseExpression)|\bMVEL\.(?:eval|executeExpression)"
    r"|\b(?:GroovyShell|groovyShell|[Ss]hell|[Ee]ngine|scriptEngine|interpreter)(?:\(\))?"
    r"\.(?:eval\w*|exec)|\bGroovyShell\(\)\.parse|CSharpScript\.\w+|\bnew\s+Function|\bvm\.run\w+"
    r"|\bcreateExpression|\bloadstring|\bInvoke-Expression|\biex"
    r"|\bopen\s+(?:my\s+)?\$?\w+\s*,\s*[\"'](?:-\||\|-)[\"']\s*,\s*[\"']?)"
)
_WRAPPED = r"(?:\[?\s*[\"'](?:/bin/)?(?:ba|z|da)?sh[\"']\s*,\s*[\"']-c[\"']\s*,\s*)?"
# What decodes or cuts the value on its way: `eval($d(substr($k, 8)))`.
_INNER_CALLS = r"(?:[$\w.:]{0,30}\(){0,2}"
_NAMED = r"(?:\w+\s*=\s*[\w.]+\s*,\s*)?"
# A function of the program that runs what it is given: `read_all(cmd)`.
_FUNCTION = lazy_re2(
    r"(?m)\b(?:function|def|func|fn|sub"
    r"|local function)\s+(\w{2,60})\s*\(\s*\$?(\w+)[^)\n]*\)(?P<body>(?s:.{0,400}))"
)
# The name of a call that starts processes, written so that nobody finds it.
_HIDDEN_NAME = lazy_re2(
    r"(?i)\bstrrev\(\s*[\"'](?:metsys|cexe(?:_llehs)?|lave|urhtssap|nepop|tressa|nepo_corp)[\"']"
    r"|\bstr_rot13\(\s*[\"'](?:flfgrz|rkrp|nffreg|riny|cnffgueh|furyy_rkrp|cbcra)[\"']"
)
# A function of a database in a language that reaches the machine, with a command of a parameter.
_IN_DATABASE = lazy_re2(
    r"(?is)\blanguage\s+[\"']?pl(?:python[23]?|perl|tcl|sh)u?\b.{0,800}?(?:os\.(?:popen|system)"
    r"|subprocess\.\w+|\bsystem)\s*\(\s*\$?[a-z_]\w*\s*[,)]"
)
_GO_SHELL = (
    r"exec\.Command(?:Context)?\(\s*(?:[\w.()]{1,40},\s*)?[\"'](?:/bin/)?(?:ba)?sh[\"']"
    r",\s*[\"']-c[\"'],\s*"
)
# `Command::new("sh").arg("-c").arg(value)`, `new ProcessBuilder(List.of("sh", "-c", value))`.
_ARGUED = (
    r"(?:Command::new\(\s*[\"'](?:/bin/)?(?:ba)?sh[\"']\s*\)\s*\.args?\(\s*[&\[]{0,2}[\"']-c[\"']\s*"
    r"(?:\)\s*\.arg\(|,)\s*&?|(?:List\.of|Arrays\.asList|listOf|arrayOf|new\s+String\[\]\s*\{)\s*\(?"
    r"\s*[\"'](?:/bin/)?(?:ba)?sh[\"']\s*,\s*[\"']-l?c[\"']\s*,\s*)"
)
_DIRECT = lazy_re2(
    rf"(?:{_SHELL_CALL}\s*\(?\s*{_WRAPPED}{_NAMED}|{_GO_SHELL}|{_ARGUED})[\w.]{{0,20}}\(?{_REQUEST}"
)
_TYPED = (
    r"[\w.$\[\]:\"'>()-]{0,40}(?:passw(?:or)?d|passphrase|passcode|pin_?code|otp|secret_?word"
    r"|\bpwd?\b|\bpass\b)"
    r"[\w\"'\])?]{0,12}"
)
_LITERAL = r"(?:\"[^\"\n]{4,80}\"|'[^'\n]{4,80}')"
_EQUALS = r"(?:[!=]==?|\.eql\?|\.equals\(|\.Equals\(|\beq\b)"
_CHECK = r"(?:authenticat|verif|check|compare|match|valid|bcrypt|hash|digest|login|sign_?in)"
_OR = r"\s*\)?\s*(?:\|\||&&|\bor\b|\band\b|\borelse\b)"
_SECOND = keyed(
    lazy_re2(
        rf"(?i)(?:{_TYPED}\s*{_EQUALS}\s*\(?{_LITERAL}{_OR}[^\n]{{0,160}}{_CHECK}"
        rf"|{_CHECK}[^\n]{{0,160}}(?:\|\||&&|\bor\b|\band\b"
        rf"|\borelse\b)\s*\(?\s*{_TYPED}\s*{_EQUALS}\s*\(?{_LITERAL})"
    ),
    "pass pin otp secret pw",
    "== != eq",
    "|| && or and",
    "authenticat verif check compare match valid bcrypt hash digest login sign",
)


def runs_request(text: str) -> str:
    """Return a call that runs a request's value as a command, "" if the text has none."""
    head = text[:_READ]
    for find in (_DIRECT, _HIDDEN_NAME, _IN_DATABASE):
        if (direct := find.search(head)) is not None:
            return str(direct.group())
    finds = (_FILLED,) if _MAY_REQUEST.search(head) is None else (_BOUND, _TAKEN, _FILLED)
    names = {str(match.group(1)) for find in finds for match in islice(find.finditer(head), _MOST)}
    if not names:
        return ""
    bound = "|".join(sorted(names))
    calls = "|".join([_SHELL_CALL, *(rf"\b{one}" for one in _running_functions(head))])
    used = re2.compile(
        rf"(?:(?:{calls})\s*\(?\s*{_WRAPPED}"
        rf"|{_GO_SHELL}|{_ARGUED}){_INNER_CALLS}\$?\b(?:{bound})\b\s*[,)\n?.\"' ]"
    )
    match = used.search(head)
    return str(match.group()) if match is not None else ""


def _running_functions(text: str) -> list[str]:
    """The functions of a text that run their first parameter as a command."""
    found: list[str] = []
    for match in islice(_FUNCTION.finditer(text), _MOST):
        runs = re2.compile(rf"{_SHELL_CALL}\s*\(?\s*{_WRAPPED}\$?\b{match.group(2)}\b")
        if runs.search(str(match.group("body"))) is not None:
            found.append(str(match.group(1)))
    return found


def second_password(text: str) -> str:
    """Return a comparison that bypasses a password check, "" if the text has none."""
    match = _SECOND.search(text[:_READ])
    return str(match.group()) if match is not None else ""
