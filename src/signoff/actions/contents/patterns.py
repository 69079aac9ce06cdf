"""What added lines of a file can mean: patterns as data for `added.py`.

Each pattern is RE2 syntax, matched on bytes, case-blind, `^` and `$` at lines. It belongs to the
kinds of files in which it means something; in tests and documents none of them does.

    LineMeaning(RUN_LATER, {RUNS_LATER}, "fetches and runs code", r"curl ... | sh")
"""

from __future__ import annotations

from typing import NamedTuple

from signoff.actions.contents.pattern_parts import (
    BEACON,
    CALLS,
    CARD,
    DECODE_AND_RUN,
    DECODE_CALL,
    ENVIRONMENT,
    EVAL_CALL,
    FETCH_AND_RUN,
    FETCH_CALL,
    LOADER,
    SECRETS_OUT,
    SENDING,
    WALLET,
    WAY_IN,
)
from signoff.actions.operation import FileKind, Trait

K = FileKind
T = Trait

# Files that run by themselves, at the latest with the next ordinary command.
START_UP = frozenset({K.GIT_HOOK, K.SHELL_STARTUP, K.SCHEDULE, K.AGENT_CONFIG, K.EDITOR_CONFIG})
PIPELINES = frozenset({K.CI, K.CONTAINER, K.INFRA})
PACKAGES = frozenset({K.BUILD, K.MANIFEST})
RUN_LATER = START_UP | PIPELINES | PACKAGES
SOURCES = frozenset({K.SOURCE, K.BUILD, K.CI, K.CONTAINER, K.DATA, K.ENV, K.OTHER, K.TOOL_CONFIG})
CODE = frozenset({K.SOURCE, K.BUILD})
SETTINGS = frozenset({K.AGENT_CONFIG, K.EDITOR_CONFIG, K.TOOL_CONFIG})
DEPLOYED = frozenset({K.CONTAINER, K.INFRA, K.DATA, K.CI})


class LineMeaning(NamedTuple):
    """A pattern for lines in a file: where it counts, what it means, and examples."""

    kinds: frozenset[FileKind]
    traits: frozenset[Trait]
    says: str
    pattern: str


def _line(kinds: frozenset[FileKind], traits: set[Trait], says: str, pattern: str) -> LineMeaning:
    return LineMeaning(kinds, frozenset(traits), says, pattern)


MEANINGS: tuple[LineMeaning, ...] = (
    _line(
        START_UP | {K.MANIFEST, K.BUILD, K.TOOL_CONFIG},
        {T.REMOTE_CODE, T.RUNS_LATER},
        "fetches and runs code at every start",
        FETCH_AND_RUN,
    ),
    _line(
        PIPELINES,
        {T.RUNS_LATER, T.UNTRUSTED_SOURCE},
        "fetches and runs code",
        FETCH_AND_RUN,
    ),
    _line(
        PIPELINES,
        {T.REMOTE_CODE, T.RUNS_LATER},
        "decodes a text and runs it",
        DECODE_AND_RUN,
    ),
    _line(
        frozenset({K.CONTAINER}),
        {T.REMOTE_CODE, T.RUNS_LATER},
        "fetches and runs code at every start of the container",
        rf"^[ \t]*-?[ \t]*(?:entrypoint|cmd|command|healthcheck)\b[^\n]*(?:{FETCH_AND_RUN})",
    ),
    _line(
        frozenset({K.BUILD, K.GIT_HOOK, K.MANIFEST, K.CONTAINER}),
        {T.REMOTE_CODE, T.RUNS_LATER},
        "runs fetched or decoded code by itself",
        LOADER,
    ),
    _line(
        frozenset({K.BUILD, K.GIT_HOOK, K.MANIFEST}),
        {T.REMOTE_CODE, T.RUNS_LATER},
        "runs fetched or decoded code by itself",
        rf"(?s:(?:{FETCH_CALL}|{DECODE_CALL}).{{0,400}}?{EVAL_CALL})",
    ),
    _line(
        frozenset({K.SOURCE}),
        {T.RUNS_LATER},
        "runs code that was fetched or decoded",
        rf"\b(?:exec|eval)\s*\([^\n]*(?:{FETCH_CALL}|{DECODE_CALL})",
    ),
    _line(
        frozenset({K.BUILD}),
        {T.RUNS_LATER},
        "uses the network or a shell while building",
        rf"{FETCH_CALL}|command::new\s*\(\s*\"(?:sh|bash|curl|wget|powershell|cmd)"
        rf"|os\.system\s*\(|execute_process\s*\([^\n]*(?:curl|wget|sh\b)"
        rf"|file\s*\(\s*download",
    ),
    _line(
        RUN_LATER | {K.TOOL_CONFIG},
        {T.BACKDOOR, T.RUNS_LATER},
        "opens a way in",
        WAY_IN,
    ),
    _line(
        RUN_LATER | CODE,
        {T.SENDS_SECRET, T.RUNS_LATER},
        "sends the environment or secrets out",
        SECRETS_OUT,
    ),
    _line(
        RUN_LATER,
        {T.SENDS_SECRET, T.RUNS_LATER},
        "sends the whole environment out",
        rf"(?s:(?:{ENVIRONMENT}).{{0,500}}?(?:{SENDING})|(?:{SENDING}).{{0,500}}?(?:{ENVIRONMENT}))",
    ),
    _line(
        frozenset({K.TOOL_CONFIG, K.ENV}),
        {T.ENVIRONMENT, T.RUNS_LATER},
        "loads an agent into every run",
        r"-javaagent:|-agentpath:|-agentlib:|-xx:on(?:error|outofmemoryerror)=",
    ),
    _line(
        frozenset({K.SOURCE}),
        {T.BACKDOOR},
        "runs what a request brings",
        r"\b(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open)\s*\([^\n;]{0,80}"
        r"(?:\$_(?:get|post|request|cookie)\b|\$_server\s*\[\s*['\"]http_|php://input)|getruntime\(\)\.exec\(\s*request\.getparameter",
    ),
    _line(
        # Windows leaves these users out of its sign-in screen.
        CODE | RUN_LATER,
        {T.BACKDOOR},
        "hides an account from the people at the machine",
        r"\bspecialaccounts\\+userlist\b",
    ),
    # Pipelines
    _line(
        frozenset({K.CI}),
        {T.RUNS_LATER, T.OPENS_ACCESS},
        "gives the secrets to changes of strangers",
        r"\bpull_request_target\b|\bworkflow_run\s*:",
    ),
    _line(
        frozenset({K.CI}),
        {T.OPENS_ACCESS},
        "gives the workflow every right",
        r"permissions\s*:\s*write-all",
    ),
    _line(
        frozenset({K.CI}),
        {T.RUNS_LATER},
        "puts foreign text into a script",
        r"\$\{\{\s*github\.(?:event\.(?:issue|pull_request|comment|review|head_commit"
        r"|discussion)\.[\w.]*(?:title|body|message|ref|label|name|email)|head_ref)",
    ),
    _line(
        frozenset({K.CI}),
        {T.WEAKENS},
        "lets a failing check pass",
        r"continue-on-error\s*:\s*true|\|\|\s*true\s*$|allow_failure\s*:\s*true",
    ),
    # Containers and infrastructure
    _line(
        DEPLOYED,
        {T.WEAKENS, T.OPENS_ACCESS},
        "gives a container rights on this machine",
        r"\bprivileged\s*[:=]\s*true|--privileged\b|docker\.sock|^\s*-\s*[\"']?/(?:etc"
        r"|root|home|var/run)?/?:/|network_mode\s*:\s*[\"']?host|\bhost(?:network|pid"
        r"|ipc)\s*:\s*true|\bpid\s*:\s*[\"']?host|sys_admin|cap_add\s*:\s*\[?\s*[\"']?all"
        r"|seccomp[:=]unconfined|apparmor[:=]unconfined|hostpath\s*:",
    ),
    _line(
        frozenset({K.CONTAINER}),
        {T.RUNS_LATER},
        "adds a file from the network",
        r"^\s*add\s+(?:--\S+\s+)*https?://",
    ),
    _line(
        frozenset({K.INFRA, K.DATA}),
        {T.OPENS_ACCESS},
        "opens access to everybody",
        r"public-read|publicly_accessible\s*=\s*true"
        r"|\"?principal\"?\s*[:=]\s*[\"{]?\s*(?:\"aws\"\s*:\s*)?\"\*\""
        r"|\"?actions?\"?\s*[:=]\s*\[?\s*\"\*\"|allusers\b|cluster-admin"
        r"|cidr_blocks\s*=\s*\[\s*\"0\.0\.0\.0/0|allow\s+(?:read|write"
        r"|read,\s*write)\s*:\s*if\s+true|\"\.(?:read|write)\"\s*:\s*\"?true",
    ),
    # Start-up of shells
    _line(
        frozenset({K.SHELL_STARTUP, K.ENV, K.TOOL_CONFIG}),
        {T.ENVIRONMENT, T.RUNS_LATER},
        "changes which program runs",
        r"\bld_preload\b|\bld_library_path\s*=|dyld_insert_libraries|\bprompt_command\s*="
        r"|\btrap\b[^\n]*\bdebug\b|alias\s+(?:sudo|ssh|su|git|ls|cd|rm|docker|kubectl|curl"
        r"|npm|pip)=|^\s*(?:function\s+)?(?:sudo|ssh|su|git)\s*\(\)|path=[\"']?(?:\.|/tmp"
        r"|\./|:|/dev/shm)|node_options\s*=[^\n]*--require|pythonstartup\s*=|bash_env\s*="
        r"|git_ssh_command\s*=",
    ),
    # What coding agents and editors may do unasked
    _line(
        SETTINGS,
        {T.SELF_APPROVAL, T.WEAKENS},
        "lets the agent act unasked",
        r"bypasspermissions|\"?defaultmode\"?\s*[:=]\s*\"?(?:dontask|bypass|acceptedits"
        r"|auto)|disableallhooks\"?\s*[:=]\s*true|dangerously"
        r"|autoapprove\w*\"?\s*[:=]\s*(?:true|\[|\{)|alwaysallow\"?\s*[:=]"
        r"|enableallprojectmcpservers\"?\s*[:=]\s*true|approval_policy\s*=\s*[\"']never"
        r"|danger-full-access|\byolo\w*\"?\s*[:=]\s*true|skippermissions"
        r"|trust\"?\s*[:=]\s*true|\"(?:(?:bash|shell)\(\*\)|\*)\"\s*[,\]]"
        r"|always_allow\w*\"?\s*[:=]\s*(?:true|[\[\"{])"
        r"|globalautoapprove|auto_?run\"?\s*[:=]\s*true|failclosed\"?\s*:\s*false"
        r"|\"hooks\"\s*:\s*false|hooks\s*=\s*false",
    ),
    # In a list of what is allowed; the tasks of an editor name the same words as programs.
    _line(
        SETTINGS - {K.EDITOR_CONFIG},
        {T.SELF_APPROVAL, T.WEAKENS},
        "lets the agent run any command",
        r"(?:^|[\[,])\s*\"(?:bash|shell)\"\s*(?:[,\]]|$)",
    ),
    _line(
        frozenset({K.EDITOR_CONFIG}),
        {T.RUNS_LATER},
        "runs a command when the folder is opened",
        r"runon\"?\s*:\s*\"folderopen|postcreatecommand|poststartcommand|initializecommand"
        r"|onstartcommand",
    ),
    _line(
        frozenset({K.MANIFEST, K.TOOL_CONFIG}),
        {T.UNTRUSTED_SOURCE},
        "takes packages from elsewhere",
        r"git\+(?:https?|ssh|file)://|\"(?:github|gitlab|bitbucket|git):"
        r"|:\s*\"https?://[^\"\n]*\.(?:tgz|tar\.gz|zip|git)|\bgit\s*=\s*\""
        r"|--(?:extra-)?index-url|^\s*(?:extra-)?index-url\s*="
        r"|^\s*@?\S*registry\s*=\s*https?://|@\s*https?://|^\s*https?://\S+\.(?:whl"
        r"|tar\.gz|zip)|--trusted-host|^\s*-f\s+https?://|--find-links\s+https?://",
    ),
    _line(
        frozenset({K.TOOL_CONFIG, K.GIT_INTERNAL}),
        {T.RUNS_LATER},
        "has a tool run a command",
        r"^\s*(?:fsmonitor|sshcommand|hookspath|pager|editor|textconv|smudge|clean|process"
        r"|helper|askpass|proxycommand|localcommand|gitproxy)\s*=|^\s*\w+\s*=\s*[\"']?!"
        r"|\bfilter=|init-module|script-shell\s*=",
    ),
    # Checks that are switched off
    _line(
        SOURCES | {K.MANIFEST},
        {T.WEAKENS},
        "switches TLS verification off",
        r"\bverify(?:_?(?:host(?:_?name)?|peer|certs?|certificates?))?\s*=\s*false|verify_ssl\s*=\s*false|ssl_verify\w*\s*[=:]\s*(?:false|0"
        r"|off|none)|rejectunauthorized\"?\s*[:=]\s*false|insecureskipverify\s*:\s*true"
        r"|node_tls_reject_unauthorized\"?\]?\s*[=:]\s*[\"']?0|_create_unverified_context"
        r"|cert_none\b|check_hostname\s*=\s*false|danger_accept_invalid_certs\s*\(\s*true"
        r"|strict-?ssl\"?\s*[=:]\s*\"?false|sslverify\"?\s*=\s*\"?false|verify_none\b"
        r"|curlopt_ssl_verify(?:peer|host)\s*,\s*(?:false|0)|trustallcerts"
        r"|allowallhostnameverifier|noophostnameverifier"
        r"|servercertificate(?:custom)?validationcallback|dangerousacceptanyserver|badcertificatecallback"
        r"|hostnameverifier\s*\(?\s*\([^\n)]*\)\s*->\s*true|pythonhttpsverify\s*=\s*0|git_ssl_no_verify"
        r"|stricthostkeychecking\s*[= ]\s*no|autoaddpolicy\b"
        r"|disable_warnings\s*\([^\n]*insecurerequest|usesCleartextTraffic=.true"
        # Network security configuration of Android: what holds for every build and host.
        r"|<base-config[^>]{0,120}cleartexttrafficpermitted\s*=\s*[\"']true"
        r"|(?s:<base-config.{0,400}?<certificates[^>]{0,80}src\s*=\s*[\"']user)"
        r"|nsallowsarbitraryloads|ssl_verify\s+off\b|\bssl\s[^\n]*\bverify\s+none\b|smtpd?_tls_security_level\s*=\s*none"
        r"|sslmode\s*=\s*disable|tlsinsecure\s*[:=]\s*true|insecure_skip_verify\s*[:=]\s*true",
    ),
    _line(
        SOURCES,
        {T.WEAKENS},
        "switches a web protection off",
        r"@csrf_exempt|csrf_?(?:protect(?:ion)?|enabled|_check)\w*\"?\s*[=:]\s*(?:false"
        r"|off|null|none)|\bcsrf\s*[:=(]\s*(?:false|off)|\.csrf\(\)\.disable"
        r"|csrf\s*->\s*csrf\.disable|csrf\s*\(?\s*(?:\w+\s*)?::\s*disable|skip_forgery_protection"
        r"|skip_before_action\s+:(?:verify_authenticity_token|authenticate)"
        r"|protect_from_forgery\s+.*null_session|wtf_csrf_enabled\s*=\s*false"
        r"|permitall\(\)|@permitall\b|@allow_anonymous|\[allowanonymous\]"
        r"|permission_classes\s*=\s*[\[(]\s*(?:allowany)?\s*[\]),]"
        r"|authentication_classes\s*=\s*[\[(]\s*[\])]|login_required\s*=\s*false"
        r"|auth_required\"?\s*[=:]\s*false|require_auth\w*\"?\s*[=:]\s*false|(?:disable"
        r"|skip|bypass)_?auth\w*\"?\s*[=:]\s*(?:true|1)"
        r"|(?:[^w]|^)auth_?(?:enabled)?\"?\s*[=:]\s*(?:false|off)\b|security\.enabled\s*[=:]\s*false",
    ),
    _line(
        CODE | {K.DATA, K.INFRA},
        {T.WEAKENS, T.OPENS_ACCESS},
        "lets every origin in",
        r"access-control-allow-origin[\"']?\s*[,:=]\s*[\"']?\*"
        r"|allow(?:ed)?_origins[\"']?\s*=>?\s*\[\s*[\"']\*|cors_(?:origin_)?allow_all\w*\s*=\s*true"
        r"|cors_allowed_origins\s*=\s*[\"'\[]\s*[\"']?\*|origin\s*:\s*(?:[\"']\*|true\b)"
        r"|allowanyorigin\(\)|allowedorigins\(\s*\"\*",
    ),
    _line(
        CODE,
        {T.WEAKENS},
        "runs text as code or as a command",
        r"\bshell\s*=\s*true|\bpickle\.loads?\s*\(|\byaml\.load\s*\([^\n,)]*\)"
        r"|yaml\.(?:unsafe_load|unsafeloader|loader=loader)"
        r"|loader\s*=\s*(?:yaml\.)?(?:unsafe)?loader\b|\beval\s*\(\s*(?:input|request"
        r"|req\.|params|user|sys\.argv|event|body|data\b|query)|(?:^|[^\w.]|process\.|\bcp\.)exec\s*\(\s*(?:input"
        r"|request|req\.|params|user|sys\.argv|event|body|data\b)|dangerouslysetinnerhtml"
        r"|\bmark_safe\s*\(\s*request|\bbypasssecuritytrust|autoescape\s*=\s*false"
        r"|vm\.runinnewcontext|trust_remote_code[\"']?\s*[=:]\s*true"
        r"|(?:task|result|accept)_(?:serializer|content)\s*=[^\n]*pickle|\bunserialize\s*\(\s*\$_|objectinputstream\s*\(\s*request",
    ),
    _line(
        SOURCES,
        {T.WEAKENS},
        "takes tokens without checking who signed them",
        r"none\"?\s*[,)]\s*#\s*jwt|algorithms?\s*[=:]\s*\[?\s*[\"']none"
        r"|verify_(?:signature|aud|iss|exp|nbf|sub)[\"']?\s*(?:=>|[:=])\s*false"
        r"|ignore_?expiration[\"']?\s*(?:=>|[:=])\s*true|allow_missing(?:_or_failed)?\s*:",
    ),
    _line(
        CODE | {K.DATA, K.ENV},
        {T.WEAKENS},
        "lets every host name in",
        r"allowed_hosts\s*=\s*\[?\s*[\"']\*",
    ),
    _line(
        frozenset({K.INFRA}),
        {T.WEAKENS, T.OPENS_ACCESS},
        "gives every right or lets everybody in",
        r"\"?(?:actions?|resources?|principals?)\"?\s*[:=]\s*\[?\s*\"\*\""
        r"|^\s*[\"']\*[\"'],?\s*$|cidr_blocks\s*=\s*\[\s*\"0\.0\.0\.0/0"
        r"|acl\s*=\s*\"public-read",
    ),
    _line(
        SOURCES | {K.MANIFEST, K.TEST},
        {T.WEAKENS},
        "leaves tests out",
        r"(?:testpathignorepatterns|--testpathignorepatterns)[^\n]*[\"'/](?:src|tests?|__tests__)/?[\"']"
        r"|--ignore=tests?\b|addopts[^\n]*(?:-k\s|--deselect)|testmatch\"?\s*[:=]\s*\[\s*\]|testpaths\s*=\s*$"
        r"|collect_ignore_glob\s*=\s*\[\s*[\"'](?:\*|test_?\*)|passwithnotests\"?\s*[:=]\s*true"
        r"|<(?:maven\.test\.skip|skiptests)>\s*true|surefire-plugin</artifactid>[^~]{0,400}<skip>\s*true"
        r"|\b(?:tasks\.)?test\s*\{[^{}]*\benabled\s*=\s*false|\btest\.enabled\s*=\s*false"
        r"|^\s*\+enabled\s*:\s*false"
        r"|withtype[<(]test[>)](?:\.configureeach)?\s*\{[^{}]*\benabled\s*=\s*false",
    ),
    _line(
        frozenset({K.TOOL_CONFIG, K.MANIFEST}),
        {T.UNTRUSTED_SOURCE},
        "takes packages from another place",
        r"(?:registry\w*|index-url|extra-index-url|find-links)\s*[:=]\s*[\"']?http://",
    ),
    _line(
        frozenset({K.MANIFEST, K.BUILD}),
        {T.UNTRUSTED_SOURCE},
        "takes packages from another place",
        r"^\s*source\s*\(?\s*[\"']http://|^\s*(?:replace\s+)?\S+(?:\s+v\S+)?\s+=>\s+[a-z0-9-]+\.[a-z]",
    ),
    _line(
        CODE,
        {T.SENDS_SECRET},
        "sends what people type in secret to another site",
        rf"{BEACON}{CARD}|{CALLS}{WALLET}",
    ),
    _line(
        frozenset({K.SHELL_STARTUP}),
        {T.BLINDS},
        "keeps no record of what is typed",
        r"\bunset\s+histfile\b|\bhistfile=(?:/dev/null|[\"']{2}|$)|\bset\s+\+o\s+history\b",
    ),
    _line(
        SOURCES,
        {T.WEAKENS, T.OPENS_ACCESS},
        "opens files to everybody",
        r"\bchmod(?:\s+|[\"']\s*,\s*[\"'])(?:-\w+(?:\s+|[\"']\s*,\s*[\"']))*(?:0?777|a\+rwx|ugo\+rwx|o\+w)|chmod\s*\([^\n)]*0?o?777"
        r"|umask\s*\(?\s*0+\b",
    ),
    _line(
        SOURCES | {K.MANIFEST, K.INFRA},
        {T.WEAKENS},
        "switches a sandbox or limit off",
        r"--no-sandbox|nosandbox|sandbox\"?\s*[:=]\s*false|disable-web-security"
        r"|allow-running-insecure|noaslr|--disable-setuid|selinux\s*=\s*(?:disabled"
        r"|permissive)|permitrootlogin\s+yes|passwordauthentication\s+yes"
        r"|permitemptypasswords\s+yes|rate_?limit\w*\"?\s*[:=]\s*(?:false|none|off)"
        r"|helmet\s*\(\s*\{\s*contentsecuritypolicy\s*:\s*false|allow_anonymous\s+true"
        r"|protected-mode\s+no|--filesystem=host\b|--talk-name=org\.freedesktop\.flatpak\b|secure\s*[:=]\s*false[^\n]*(?:cookie|session)|(?:session"
        r"|csrf)_cookie_secure\s*=\s*false|httponly\s*:\s*false",
    ),
)
