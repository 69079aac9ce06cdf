"""Pieces of the patterns for added lines: what fetches, decodes, runs, lets in and sends out.

RE2 syntax, case-blind, matched on bytes.
"""

from __future__ import annotations

FETCH = r"\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c)\b"
SHELL = (
    r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+)?(?:\$\{[\w.]{1,40}\})?(?:/\S*/)?"
    r"(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|iex|deno)\b"
)
FETCH_CALL = (
    r"(?:urlopen|urlretrieve|requests\.(?:get|post)|httpx\.(?:get|post)|http\.client|"
    r"axios\.get|\bhttps?[\"'`\\]*\)?\.get\s*\(|fetch\s*\(|reqwest|ureq::|Net::HTTP|file_get_contents\s*\(\s*.http|"
    r"LWP::|downloadstring|webclient|minreq|:httpc\.request|httpoison\.get|\breq\.get!?|tesla\.get"
    r"|uri\.open|faraday\.get|http\.get\s*\(|\.openstream\s*\(|downloads\.download|slurp\s+\"http)"
)
DECODE_CALL = (
    r"(?:b64decode|base64\.decode|frombase64|atob\s*\(|fromhex|unhexlify|zlib\.decompress|"
    r"marshal\.loads|codecs\.decode|buffer\.from\s*\([^\n]*(?:base64|hex)|rot13|"
    r"lzma\.decompress|bytes\.fromhex)"
)
RUN_CALL = (
    r"(?:\bexec\s*\(|\beval\s*\)?\s*\(|os\.system\s*\(|os\.popen\s*\(|subprocess\.\w+\s*\(|"
    r"child_process|execsync\s*\(|spawnsync\s*\(|new\s+function\s*\(|\bcompile\s*\(|"
    r"vm\.runin\w+|__import__\s*\(|command::new|kernel\.exec|proc\.open|shell_exec\s*\()"
)
# Calls that run a text as code of their own language, wherever it came from.
EVAL_CALL = (
    r"(?:\bexec\s*\(|\beval\s*\(|new\s+function\s*\(|vm\.runin\w+|code\.(?:eval|compile)_\w+"
    r"|(?:instance|class|module)_eval|loadstring\s*\(|\bload\s*\(|include_string\s*\(|\beval\.me"
    r"|groovyshell|scriptengine|assembly\.load|load-string|\beval\s+\(?\w)"
)
# A text that stands there encoded: nobody who reads the file sees what runs.
DECODE_AND_RUN = (
    rf"\b(?:echo|printf)\s+(?:-\w+\s+|[\"'][^\"'\n]{{0,12}}[\"']\s+)*[\"']?[A-Za-z0-9+/=_-]{{12,}}[\"']?\s*\|\s*"
    rf"(?:base64|openssl\s+(?:base64|enc))\s+[^\n|]*(?:-d|--decode|-D)\b[^\n]*\|\s*{SHELL}"
)
FETCH_AND_RUN = (
    rf"{FETCH}[^\n]*\|\s*{SHELL}"
    rf"|(?:{SHELL}\s+(?:-\w+\s+)*|\beval\s+|\bsource\s+|(?:^|[\s;&|])\.\s+)[\"']?(?:\$\(|<\(|`)[^\n]*{FETCH}"
    rf"|\biex\b[^\n]*(?:\biwr\b|\birm\b|downloadstring|webrequest)"
    rf"|{FETCH}[^\n]*(?:&&|;)[^\n]*(?:chmod\s+\S*\+?x|chmod\s+7|(?:^|[\s;&])(?:ba|z)?sh\s|\./)"
    rf"|base64\s+(?:-d|--decode|-D)[^\n]*\|\s*{SHELL}"
    # A record of a name server, which is run.
    rf"|(?:\beval\s+|{SHELL}\s+-\w*c\s+)[\\\"']*(?:\$\(|`)\s*(?:dig|host|nslookup)\s"
    rf"|\b(?:dig|host|nslookup)\s[^\n]*\|\s*{SHELL}"
)
LOADER = (
    rf"{RUN_CALL}[^\n]*(?:{FETCH_CALL}|{DECODE_CALL}|\bcurl\s|\bwget\s|/dev/tcp/|https?://)"
    rf"|(?:{FETCH_CALL}|{DECODE_CALL})[^\n]*{RUN_CALL}"
)
WAY_IN = (
    r"/dev/(?:tcp|udp)/[\w.$]|\bn(?:c|cat)\b[^\n]*\s-\w*[ec]\b|\bbash\s+-i\b[^\n]*>&"
    r"|>>?\s*\S*authorized_keys|\bnopasswd\b|\bchmod\s+(?:u\+s|[ug]*\+s|[2467][0-7]{3})\s"
    r"|socket\.socket\([^\n]*dup2|\bdup2\s*\([^\n]*fileno|\bmkfifo\b[^\n]*\bn(?:c|cat)\b"
    r"|\b(?:useradd|adduser|usermod)\b[^\n]*\s(?:-u|--uid)[\s=]*0\b|:0:0:[^\n]*>>?\s*/etc/passwd"
    r"|\bsocat\b[^\n]*\bexec:|useradd\b[^\n]*\s-o\b|\bpty\.spawn\s*\("
)
SECRETS_OUT = (
    rf"\b(?:printenv|env)\b\s*\|[^\n]*{FETCH}|{FETCH}[^\n]*(?:\$\((?:printenv|env)\b|@?~?/?\S*\.ssh/id_|\.aws/credentials|@?\.env\b)"
    r"|tojson\s*\(\s*secrets\s*\)|(?:os\.environ|process\.env)\s*[,)}][^\n]*(?:requests\.post|fetch\s*\(|axios\.post)"
    r"|(?:requests\.post|axios\.post|urlopen)\s*\([^\n]*(?:dict\(os\.environ|os\.environ\s*[,)]|json\.dumps\(dict\(os\.environ|process\.env\s*[,)])"
)
ENVIRONMENT = r"json\.stringify\(process\.env\)|dict\(os\.environ\)|\benv\.to_(?:h|json)\b"
SENDING = r"https?\.request\s*\(|\bfetch\s*\(|requests\.(?:post|put)|urlopen\s*\(|net::http"

# To a literal address of another site.
BEACON = r"(?:\bsendbeacon|\bnew\s+image\s*\(\s*\)\.src\s*=)\s*\(?\s*[\"'`]https?://[^\n]{0,400}?"
CALLS = r"(?:\bfetch|\baxios(?:\.post)?|\bsendbeacon)\s*\(\s*[\"'`]https?://[^\n]{0,400}?"
WALLET = r"(?:\bdocument\.cookie\b|\bseed_?phrase\b|\bmnemonic\b)"
CARD = rf"(?:\bcard_?number\b|\bcvv2?\b|\bcvc\b|\bpassword\w*\.value\b|{WALLET})"
