"""Words by which code of any language fetches, decodes, starts, reads secrets and sends.

RE2 syntax, case-blind. Names of the languages' own libraries, not of programs or services; what a
match means is decided by the values that flow into it (`flow.py`).
"""

from __future__ import annotations

from signoff.actions.contents.pattern_parts import DECODE_CALL, FETCH, SHELL
from signoff.actions.vocabulary import lazy_re2

# One search of a text: nothing that is fetched or sent goes without one of these.
NETWORK = lazy_re2(
    r"(?i)\bhttp|ftp:|\bcurl\b|\bwget\b|socket|download|urlopen|openconnection|webclient"
    r"|\bfetch|\biwr\b|\birm\b|webrequest|xmlhttp|winhttp|base64|unhexlify|gen_tcp|/dev/tcp|decompress"
    r"|ptth\b|68747470|\bahr0c|\\x68\\x74|\bsend|tcp_?(?:stream|client|socket)|\bnet\.|\.connect\b|gethostbyname|\bdns\b|upload|b64decode|\s-enc|\bdig\s|nslookup|\bgunzip|\bs_client\b|decode_?64|\bimport\s*\(|\bexec\s*\(|command::new|\bmshta\b|(?:0x)?6375726c|77676574|\by3vybc|\bd2dld|\b(?:nc|ncat|socat|aria2c)\b|\|\s*(?:/\w+)*/?(?:ba)?sh\b"
)
# An address that nobody is to read: backwards, in hexadecimal, in Base64.
HIDDEN_ADDRESS = lazy_re2(
    r"//:s?ptth\b|(?i:687474703a2f2f|68747470733a2f2f)|\baHR0c(?:DovL|HM6Ly)[\w+/]{4}"
    r"|(?:\\x68|\\u0068)(?:\\x74|\\u0074){2}(?:\\x70|\\u0070)"
)
# Files of secrets, as they are written behind a home folder.
SECRET_FILES = lazy_re2(
    r"(?i)\.(?:ssh|aws|azure|netrc|npmrc|pypirc|gnupg|docker|kube|git-credentials|pgpass"
    r"|config/|local/|mozilla"
    r"|password-store|m2/|gradle/|cargo/|gem/|vault|terraform|databricks|kaggle|huggingface"
    r"|bitcoin|ethereum"
    r"|electrum|solana|claude|codex|gemini|copilot|oci|composer|nuget|pulumi|fly|thunderbird"
    r"|mylogin|env\b|kamal)"
    r"|library/|appdata"
)

_FAR = r"(?:https?|ftp)://"
# A call by a name that reads, of an address in its text.
_READS_ADDRESS = (
    r"\b\w*(?:http|get|req|fetch|load|read|open|ur[il]|pull|retriev|scan|slurp|curl|wget)\w*[!?]?"
    rf"(?:[ \t]+|[ \t]*\()[^\n\"'=:;]{{0,60}}(?:\w+[ \t]*(?:=>|[:=])[ \t]*)?~?\w?[\"'`]{_FAR}"
)
# A connection that this machine opens, with the host behind it.
CONNECTS = lazy_re2(
    r"(?i)(?:\b\w*connect(?:ion)?\w*|\bnew\s+(?:[\w.]+\.)?\w*socket|\b\w*socket(?:_client)?|net\.dial\w*"
    r"|fsockopen|tcp_?(?:client|socket|stream)(?:\.new|::connect|\.connect|::new)?|gen_tcp[:.]connect"
    r"|createconnection)\s*!?\s*[({]\s*(?:[^\n()\"']{0,40}?[({\[,]\s*)?(?:\w+\s*[:=]+\s*)?"
    r"(?:[\"'](?:tcp|ssl|udp)4?[\"']\s*,\s*)?"
    r"(?:(?:ip)?[\"'](?:\w{2,4}://)?([\w.-]+?)(?::\d{1,5})?[\"']|\{(\d{1,3}(?:,\s*\d{1,3}){3})\})"
)
# A value that came over the network.
FETCHES = lazy_re2(
    r"(?i)\burlopen\b|urlretrieve|\bwp_remote_(?:get|post|request|retrieve)\w*|guzzle|\bhttp::(?:get|post)"
    r"|\bdig\s[^\n]{0,120}\btxt\b|resolve_?txt|nslookup\b[^\n]{0,60}\btxt|\bdata\s+\"http\"|\bdata\.http\.|<downloadfile\b"
    r"|\brequests\.(?:get|request|session)|\bhttpx\.\w+|http\.client"
    r"|\baiohttp\b"
    r"|\w*download\w*\s*[(!]|\bdownload\.file\s*\(|\bfetch(?:er|content|text|url|file|string|sync|_?remote)?\s*\("
    r"|\w+fetcher\b"
    r"|web_?client|http_?client|http_?requests?\b|xmlhttp|winhttp|inet_?get|urldownload"
    r"|url_?download"
    r"|open_?connection\s*\(|open_?stream\s*\(|\burl\s*\([^\n]{0,200}\)\s*\.\s*(?:text"
    r"|read_?text|read_?bytes|content|getcontent)"
    r"|\btourl\(\)|net::http|lwp::|http::tiny|\bhttp\.get\b|axios\b|\bgot\s*\(|superagent"
    r"|undici|needle\b"
    r"|reqwest|ureq::|minreq|attohttpc|faraday|httparty|uri\.open|open-uri|httpoison|:httpc"
    r"|\breq\.get!?|tesla\.get"
    r"|file_get_contents\s*\(\s*.(?:http|ftp)|curl_(?:exec|easy|init|multi)\w*|\bwebread\b"
    r"|\bwebsave\b|\burlread\b|\burlwrite\b"
    r"|url-retrieve|url-insert|drakma|dexador|slurp\s+\"http|clj-http|http/get|httpkit"
    r"|simplehttp|wreq|network\.http"
    r"|(?:readlines|scan|source|source_url|include|load|import|require|getstring|loadfile|open"
    r"|read)\w*\s*\(\s*[^\n()\"']{0,30}[\"'](?:http|ftp)s?://"
    r"|\burlsession\b|contentsof:\s*url|nsurl|data\(contentsof|invoke-(?:webrequest|restmethod)"
    r"|\biwr\b|\birm\b|start-bitstransfer"
    r"|\bsocket\.(?:create_connection|socket|connect)|tcp_?(?:client|socket|stream)"
    r"|\bnet\.(?:dial|connect|get)\b|io::socket"
    r"|\bhttpc:request\b|gen_tcp[:.]connect|\bhttp_(?:open|get)\s*\(|\bconnect\s*\(\s*(?:ip)?[\"']"
    r"|\bnew\s+(?:[\w.]+\.)?\w*socket\s*\(|\bsocket\s*\(\s*[\"']|curlopt_url\b"
    r"|<get\b[^\n]*\bsrc=|<httpget\b|<download\b|get_url\s*:|\bfile\s*\(\s*download"
    r"|http::(?:geturl|data)"
    rf"|\b(?:curl|wget|aria2c)\b[^\n]*{_FAR}|{_READS_ADDRESS}"
)
DECODES = lazy_re2(
    rf"(?i){DECODE_CALL}|decode_?base64|decode_?64|gunzip\s*\(|gzuncompress|\binflate\s*\("
    # Every byte combined with a key, as no format does.
    r"|\b\w{1,12}\s*\^\s*(?:0x[0-9a-f]{1,4}|k(?:ey)?)\b|base64_decode|base64::decode|\bunpack\s*\(?\s*[\"']m"
    rf"|gzinflate"
    # The decoders of Java, Julia, R, Go, Lua, Godot and Swift.
    r"|get(?:mime|url)?decoder\b(?:\(\s*\))?\s*\.\s*decode|base64decode|base64_dec\w*\s*\("
    r"|base64_to_\w+\s*\(|\bunb64\s*\(|\bhex\.decodestring|\bparsehex\s*\(|fromhexstring"
    r"|(?:std|url)encoding\.decodestring|base64encoded:"
)
SHELL_DECODES = lazy_re2(
    r"(?i)\b(?:xz|gzip|bzip2|zstd|base64|base32)\s+-(?:d|dc|D|-decode|-decompress)\b|\bgunzip\b"
    r"|\bxxd\s+-r"
    r"|openssl\s+enc\s[^\n]*-d\b"
)
FAR_ADDRESS = lazy_re2(
    r"(?i)\b(?:https?|ftp|wss?)://(\[?[\w.:%${}-]+)|[\"'](\d{1,3}(?:\.\d{1,3}){3})[\"':]"
    r"|[\"']((?:[a-z0-9-]+\.){1,4}[a-z]{3,10})[\"']"
)

# Runs a text as code of its language, or loads code into this process. The value follows.
RUNS_TEXT = lazy_re2(
    r"(?i)(?:^|[^\w.])(?:exec|eval|evaluate|execute_?global|loadstring|load_string|load-string"
    r"|include_string"
    r"|eval_string|parse_eval)\s*!?\s*\(|\bbuiltins\.(?:exec|eval)\s*\(|\bnew\s+function\s*\("
    r"|\b(?:window|self|globalthis|global)\.eval\s*\("
    r"|\bvm\.(?:run\w*|script|compilefunction)\s*\(?|code\.(?:eval|compile)_\w+\s*\(?"
    r"|(?:instance|class|module)_eval\b"
    r"|(?:script_?engine|engine|shell|groovy_?shell|interp\w*|context|runtime"
    r"|binding)\w*(?:\(\))?\.(?:eval\w*|evaluate|exec|parse)\s*\("
    r"|\b(?:run_?script|run_?string|eval_?string|eval_?code|run_?code|run_?python\w*"
    r"|py_?run_?\w+|compile_?and_?run|runtext)\s*\("
    r"|assembly\W{1,3}load\w*\s*\(|scriptblock\]::create\s*\(|class_?loader\w*\s*[({]|define_?class\s*\("
    r"|\bimportlib\.(?:machinery|util)\b|sourcefileloader|spec_from_file_location\s*\(|exec_module"
    r"|\bdlopen\s*\(|load_?library\w*\s*\(|system\.load\s*\(|\bimportscripts\s*\("
    r"|\bassert\s*\(\s*load\s*\("
    r"|\bload\s*\([^\n)]{1,200}\)\s*\(|\bdo_?file\s*\(|\bload_?file\s*\(|\bsource_code\s*="
    r"|\beval-(?:buffer|region|string|after)\b|\(\s*(?:eval|load|load-file|funcall)\s+"
    r"|(?:^|[\s;\[{(])eval\s+[\"'$({@]"
    r"|(?:^|[;\[{(=]\s*)eval[ \t]+|\beval\s*\{|\bevalin\s*\(|\bfeval\s*\(|eval\s*\(\s*parse"
    r"|\bdo\s+shell\s+script|\brun\s+script\b"
    r"|\bload_binary\s*\(|\bload_files\s*\(|\bconsult\s*\(|\berl_eval:\w+\s*\(|\bf?execve(?:at)?\s*\("
    r"|\bgenerate\s+subroutine\s+pool\b|\binsert\s+report\b|\beval\s+\["
    r"|\bload_resource_pack\s*\(|(?:^|[\s;=(])source\s*\(|\biex\b|invoke-expression|(?:await|="
    r"|return|\()\s*import\s*\("
    r"|\brun_cell\s*\(|\(\s*0\s*,\s*eval\s*\)\s*\(|\(load-reader\b|\beval\.(?:me|xy?|xyz)\s*\(|\brun_?in_?(?:this|new)?_?context\s*\(|\bscripting\.execute_?script\s*\(|load_?extension\s*\("
    # The line of a shell that is named apart from it: `.arg("-c").arg(line)`.
    r"|\b(?:args?|arguments?|argument_?list|set_?arguments)\b\s*[:=(]?\s*[\[({&]{0,2}\s*[\"'](?:-l?i?c|/c|-e)"
    r"[\"']\s*(?:\)\s*\.\s*arg\s*\(|,)"
    r"|\bcfunctype\s*\([^)\n]*\)\s*\(|(?:include|require)(?:_once)?\s+[\"'$]|\.eval(?:_?string|_?script|_?code)?\s*\(|(?:^|[^\w.#])(?:include|require|require_once"
    r"|run_?file)\s*\("
)
# The same of an address: `source("https://...")`.
LOADS_ADDRESS = lazy_re2(
    r"(?i)(?:^|[^\w.])(?:source|include|include_once|require_once|load|load_?file|do_?file"
    r"|source_url"
    rf"|(?:ur[il])?_?class_?loader\w*|eval_?file|run_?file)\s*\([^\n]{{0,80}}?[\"']{_FAR}"
)
# Starts a process. What follows names the program first.
STARTS = lazy_re2(
    r"(?i)(?:^|[^\w.])(?:(?:system\.diagnostics\.)?process\.(?:start|run|spawn\w*|launch)|process_?start_?info"
    r"|processbuilder|(?:get)?runtime\(\)\.exec"
    r"|subprocess\.\w+|os\.(?:system|popen|exec\w*|spawn\w*|startfile|execute|create_process"
    r"|shell_open|posix_spawn)"
    r"|child_process\.\w+|(?:cp|proc|shell|sh|kernel|io|posix|unix|bun|deno)\.(?:exec\w*"
    r"|spawn\w*|popen|run|system|command)"
    r"|exec(?:file|sync|filesync|v|vp|ve|l|lp|le|_command|a|_shell)?|spawn\w*|(?:try)?system2?"
    r"|popen[234]?|shell_exec|passthru|proc_open|command_?line"
    r"|exec\.command\w*|command(?:::new)?|cmd|shell(?:_?execute\w*|_?exec|_?out|out)?"
    r"|create_?process\w*|win_?exec|run_?command|run_?process"
    r"|executable_?(?:path|url)?|start_?process|call-process\w*|start-process"
    r"|async-shell-command|shell-command|launch_?path|nstask"
    r"|perform_?shell|run-program|execute_?(?:command|process|shell|file)|check_(?:call|output)"
    r"|call\s+\"system\"|javaexec"
    r"|(?:vm\.)?ffi|os:cmd|os\.execute|:os\.cmd|system\.cmd|sys\.command|process_create|open3\.\w+|backtick"
    r"|callprocess|qprocess\w*)"
    r"\s*!?\s*(?:\.start\w*\s*\(|[({]|\s+[\"']|\s*using\b|\s+\$|<\()|\b(?:jar"
    r"|command_?line|launch_?path)\s*[=:]|\bprogram\s*=\s*\["
    r"|\b\w+\.execute\s*\(\s*\["
    # Scala, and the backticks of Julia.
    r"|(?:^|[^\w.])process\s*\(|\b(?:run|read|readchomp|success|pipeline)\s*\(\s*`"
    r"|(?m:^[ \t]*(?:shell|exec|system|run)[ \t,]+)"
    r"|(?:run|call|exec\w*|spawn|start|launch|invoke|create|system|shell|raw|read|open"
    r"|sub)_?(?:command"
    r"|cmd|process|proc|shell|program|binary|executable|exe)\w*!?(?:\s*\(|\s+[\"'$])"
)
INTERPRETERS = (
    r"(?:(?:/\S*/)?(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|deno|bun|lua"
    r"|rscript|java|pwsh|powershell"
    r"|process\.execpath|mshta|rundll32|regsvr32|wscript|cscript|dotnet|mono|osascript|source)(?:\.exe)?|(?:cmd"
    r"|command)(?:\.exe)?|sys\.executable)"
)
# In a shell line inside of any text: a name is run as a program or as code.
SHELL_RUNS = lazy_re2(
    r"(?i)(?:^|[\s;&|\[{(\"'`])eval\s+[\"'\\]*\$|\|\s*(?:/\w+)*/?(?:(?:ba|z|da|k|a)?sh|python3?"
    r"|perl|ruby|node)\b"
    r"|(?:^|[\s;&|\"'`(])(?:(?:ba|z|da|k)?sh|source|\.)\s+(?:-\w+\s+)*[\"'\\]*(?:\$|/|\./|~/"
    r"|[\w.-]+/)"
)
# A whole line, or its two halves, as texts that are put together and started elsewhere.
WHOLE_LINE = lazy_re2(
    rf"(?i)[\"'`\[]\s*(?:sudo\s+|\(|@|-)*(?:{FETCH}[^\n]*\|\s*{SHELL}|(?:{SHELL}\s+-\w*c\s+"
    rf"|eval\s+)[\\\"']*(?:\$\(|`)\s*{FETCH})"
    r"|(?:powershell|pwsh)[^\n]*\s-e(?:nc\w*|c)?\s+[a-z0-9+/=]{24}"
)
FIRST_HALF = lazy_re2(
    r"(?i)[\"'`]\s*(?:\(\s*)?(?:sudo\s+)?(?:curl|wget|fetch|aria2c)\s+-?[^\n|]{0,200}[\"'`]"
)
SECOND_HALF = lazy_re2(rf"(?i)[\"'`][^\n\"'`|]{{0,120}}\|\s*{SHELL}[^\n\"'`]{{0,80}}[\"'`]")

# A shell that is started with nothing to run, or with what a name holds.
BARE_SHELL = lazy_re2(
    r"(?i)(?:process_?builder|exec\w*|spawn\w*|popen\d?|system|command(?:::new)?|process\.start"
    r"|process_?start_?info|process|run|cmd|open)\s*!?\s*[({]\s*(?:new\s+\w+(?:\[\])?\s*[({])?\[?\s*"
    r"[\"'](?:/\S*/)?(?:(?:ba|z|da|k|a)?sh|(?:cmd|powershell)(?:\.exe)?)[\"']\s*"
    r"(?:,\s*\[?\s*[\"']-\w*i\w*[\"']\s*)?[\])}]"
)
# A shell line in backticks that is a name: `sh -c $line`.
RUNS_NAME = lazy_re2(r"`\s*(?:/\S*/)?(?:ba|z|da|k|a)?sh\s+-\w*c\s+[\"']?\$\W?(\w+)")

# The whole environment as one value.
ENVIRONMENT = lazy_re2(
    r"(?i)\bdict\s*\(\s*os\.environ|os\.environ(?:\.(?:copy|items|values)\s*\(|b?\s*[,)}])"
    r"|\*\*\s*os\.environ"
    r"|\.\.\.\s*process\.env\b|json\.stringify\s*\(\s*process\.env"
    r"|object\.\w+\s*\(\s*process\.env|process\.env\s*[,)}\]]|=\s*process\.env\s*(?:$|[;\n])"
    r"|\benv\.(?:to_(?:h|a|json|hash)|each|map|collect|inspect|select|reject|sort)\b"
    r"|system\.getenv\s*\(\s*\)|\bos\.environ\s*\(\s*\)|env::vars(?:_os)?\s*\("
    r"|get_?environment_?variables?\s*\(\s*\)|\bgetenv\s*\(\s*\)|\$_env\b[^\[]"
    r"|sys\.getenv\s*\(\s*\)|system\.get_env\s*\(\s*\)"
    r"|%env\b|(?:get-childitem|gci|dir|ls)\s+env:|processinfo\.processinfo\.environment"
    r"|process_?environment\b|deno\.env\.toobject|bun\.env\s*[,)}]"
    r"|getenvironment\s*\(\s*\)|platform\.environment\b[^\[]|posix-environ|environ\s*\(\s*\)"
    # By a list of names, and the settings of a whole program with those of its key stores.
    r"|environ(?:\.get)?\s*[(\[]\s*[a-z_]\w*\s*[)\]][^\n]{0,20}\s+for\s|=>\s*\[?\s*[a-z_]\w*\s*,\s*process\.env\[\s*[a-z_]\w*\s*\]"
    r"|configuration\.asenumerable\s*\(\s*\)"
)
# Every secret of a store at once, by the name that such calls have in any program.
STORES = lazy_re2(
    r"(?i)\b\w*(?:lookup|list|all|dump|enum\w*|export|decrypt|collect)_?\w{0,20}(?:credential"
    r"|password|secret|api_?key|private_?key)s?\w*\s*\("
    r"|\b\w*(?:credential|password|secret)s?(?:provider|store|manager|vault)?\.(?:lookup|list"
    r"|all|dump|enum|export|getall|values|findall)\w*\s*\(?"
    # All cookies, the history, contacts and messages of the people who use the program.
    r"|\bcookies\.getall\s*\(\s*\{\s*\}|\bhistory\.search\s*\(|\bget_?contacts\w*\s*\(|contactscontract\.|telephony\.sms\b|content://sms"
    r"|cncontactfetchrequest|\bsession\.query\(\s*connection\s*\)|secure_?store\.get\w*\s*\("
    r"|credentialsprovider\b|secitemcopymatching|credenumerate\w*|cryptunprotectdata"
)
# Hands a value to another host.
SENDS = lazy_re2(
    r"(?i)\burlopen\b|urllib\.request\.request|\brequests\.(?:post|put|patch|request)"
    r"|\bhttpx\.(?:post|put|patch|request)"
    r"|\baxios\b|\bfetch\s*\(|https?\.request\b|\.(?:post|put|patch|sendall|sendto"
    r"|send_?request|request|upload\w*|do_?post|publish|execute_?post|post_?form)\w*!?\s*\("
    r"|\bhttp_?(?:post|put|send|request)\w*|upload_?(?:string|data|file|values)\w*\s*\("
    r"|\bwandb\.\w+\s*\(|\bnsl\s*\(|post_?as_?\w{0,12}async|post_?async|put_?async|sendbeacon"
    r"|open_?connection|web_?client|http_?client|http_?request|url_?session|xmlhttp|winhttp"
    r"|curl_(?:setopt|easy)\w*|net::http|lwp::"
    r"|url-retrieve|client/post|reqwest|ureq::|httpoison|:httpc\.request"
    r"|\bsocket\.(?:create_connection|socket|connect)\b|new\s+\w*socket\b|\bnet\.dial"
    r"|tcp_?(?:client|stream)|smtplib|sendmail|send_?mail"
    rf"|\b(?:curl|wget)\b[^\n]*{_FAR}|webwrite|invoke-(?:webrequest|restmethod)|\birm\b|\biwr\b"
    rf"|gethostbyname|getaddrinfo|dns\.resolve\w*\s*\(|nslookup"
)
# A program that sends, in the texts that a process is started with.
SENDING_PROGRAM = lazy_re2(
    rf"[\"'`\[,( ](?:/\S*/)?(?:curl|wget|nc|ncat|socat|http|xh)[\"'` ,][^\n]*{_FAR}"
)
# Logging in with a secret is what it is for.
LOGS_IN = lazy_re2(
    r"(?i)\bauth\w*\b|authorization|bearer|\bcert\w*\s*=|\bverify\s*=|set_?request_?property"
    r"|add_?header|\bheaders?\b"
    r"|pkey\s*=|key_?file\w*|private_?key\w*\s*[=:]|ssl_?context|load_cert_chain|\bnetrc\s*\("
    r"|login\s*\("
)
# Given to a child process, where the environment belongs.
TO_CHILD = lazy_re2(
    r"(?i)\b(?:env|environ|environment|cenv)\s*[:=]\s*(?:\{[^{}\n]*\}?|[\w.]+(?:\([^()\n]*\))?)"
    r"|\bexec[lv]p?e\s*\(|\.environment\(\)\.putall"
)
VERIFIES = lazy_re2(
    r"(?i)sha-?(?:1|256|384|512)\b|\bsha(?:256|512)\w*|hashlib|check_?sum|verify_?\w*\s*\("
    r"|\bsignature\b|minisign|gpg\s+--verify|cosign|digest\b"
)
