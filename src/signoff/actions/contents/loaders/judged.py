"""What a file's text fetches and runs, or sends of secrets, and how certain it is that it will.

Independent of the kind of file and of the language. Denied is what runs by itself or hides what it
does; the same in a program that somebody has to start is asked about. Prose, data sets, tests that
hold such code as texts, and programs that check what they fetched are left alone.

    build.gradle.kts  exec { commandLine("bash", "-c", URL("https://...").readText()) }  denied
    src/update.py     run([fetched_file])                                                asked
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.contents.loaders import call_words as calls
from signoff.actions.contents.loaders.concealment import is_concealed
from signoff.actions.contents.loaders.flow import Flow, flows_in, may_flow
from signoff.actions.contents.loaders.hidden_literals import hidden_line, hides_address
from signoff.actions.contents.loaders.lines import INSTALLED, code_literals
from signoff.actions.contents.loaders.marks import is_foreign
from signoff.actions.contents.loaders.started_downloads import started_download
from signoff.actions.contents.loaders.statements import joined, without_prose, without_texts
from signoff.actions.contents.pattern_parts import FETCH, SHELL
from signoff.actions.file_endings import ENDINGS
from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.operation import FileKind
from signoff.actions.paths import Located
from signoff.actions.vocabulary import keyed, lazy_re2, words

MAX_TEXT = 16_000  # characters; of a longer text only the lines with telling words are read
_NEAR = 1_500
_PROGRAM_TEXTS = words("tex sty cls ltx dtx rmd qmd")
_PIPELINES = words("yml yaml json toml")
_SHELLS = words("sh bash zsh fish ps1 psm1 bat cmd ipynb")
_NOT_READ = frozenset(
    {
        *(FileKind.DOC, FileKind.LOG, FileKind.LOCK, FileKind.GENERATED, FileKind.AGENT_NOTES),
        *(FileKind.CREDENTIALS, FileKind.SHELL_HISTORY, FileKind.AUDIT_LOG),
    }
)
_RUN_BY_TOOLS = frozenset(
    {
        *(FileKind.BUILD, FileKind.MANIFEST, FileKind.GIT_HOOK, FileKind.SHELL_STARTUP),
        *(FileKind.SCHEDULE, FileKind.EDITOR_CONFIG, FileKind.TOOL_CONFIG, FileKind.AGENT_CONFIG),
    }
)
# Where programs look for code to load: parts that others add, what runs at certain times, and
# hidden files of settings.
_LOADED = lazy_re2(
    r"(?i)/(?:hooks?|tasks?|plug-?ins?|add-?ons?|extensions?|macros|start-?up|auto-?load"
    r"|auto-?start"
    r"|init(?:\.d)?|(?:pre|post)[\w-]*)/[^/]*$|/\.[\w-]+(?:\.\w+)?$"
    r"|/build[\w-]*/(?:[^/]+/)*src/|/buildsrc/|/build-logic/|/project/[^/]+\.(?:scala|sbt)$"
    r"|/(?:formula|casks?|vars)/[^/]+\.(?:rb|groovy)$|/config/schedule\.rb$"
    # Named by what it is for, or by the tool that reads it: such names have no ending.
    r"|[/_.-](?:conf|config|settings|rc|init|set-?up|start-?up|bootstrap|auto-?exec|site-?customize"
    r"|profile|hooks?|plug-?in|extension|add-?on|build|rules|macros?|(?:pre|post)-?(?:install"
    r"|build|pack|publish|test|start|prepare|link))\.\w+$|/[\w-]+$"
)
# What the interpreter runs at each start, among installed packages as well.
# What a program does with a sum that it checks: it compares, and stops if the two differ.
_COMPARES = lazy_re2(
    r"(?i)mismatch|[!=]==?|\.equals?\b|compare|verif|\bassert|\bexpect|\bne\b|constant_?time"
    r"|-ne\b|sum\s+-c|--check"
)
_START_UP = lazy_re2(r"\.pth$|/(?:site|user)customize\.py$")
_PROGRAMS = _RUN_BY_TOOLS | {FileKind.SOURCE, FileKind.TEST, FileKind.INFRA}
_SAMPLES = frozenset({FileKind.TEST})
_LOCAL = frozenset({HostClass.LOOPBACK})
# Programs of Windows that run what an address holds, and a shell line in any markup.
_RUNS_ADDRESS = lazy_re2(
    r"(?is)\b(?:mshta|regsvr32|wscript"
    r"|cscript)(?:\.exe)?\b[^\n]{0,60}(?:\n[^\n]{0,40}){0,2}?[\"'> ]https?://\S+"
)
# The same in other words than a shell's: `"curl u" #| "bash"`, `ruby -e 'eval URI.open(u).read'`,
# a list of arguments in any markup, a script that a record holds.
_PIPED = keyed(
    lazy_re2(
        rf"(?i)[\"'](?:curl|wget)\b[^\n\"']*[\"']\s*#\|\s*[\"']{SHELL}"
        r"|\b(?:ruby|perl|python3?|node|php)\s[^\n]{0,80}-[ecr]\s[^\n]{0,80}\b(?:eval|exec"
        r"|load)\b[^\n]{0,80}https?://"
        rf"|\b(?:ba|z|da)?sh(?:</?\w+>|[^\w\n]){{1,20}}-l?c(?:</?\w+>"
        rf"|[^\w\n]){{1,20}}{FETCH}[^\n]*\|\s*{SHELL}"
        rf"|[>:\"'|]\s*#!/(?:usr/)?bin/(?:env )?\w*sh\b(?s:.{{0,900}}?){FETCH}"
        rf"[^\n|]*\|(?:[^\n|]*\|)?\s*{SHELL}"
        # The shell is named in one argument, its line in another.
        r"|[\"'](?:/[\w/]{0,40}/)?(?:ba|z|da|k|a)?sh[\"'][^\"']{0,120}[\"']-l?i?c[\"'][^\"']{0,40}[\"']"
        rf"[^\"'\n]{{0,80}}{FETCH}[^\n]*\|\s*{SHELL}"
    ),
    "curl wget fetch iwr irm invoke- aria2c http",
    "| ://",
)
# A shell line in any text that packs or reads logins of a home folder and hands them to another
# machine, and one that asks for a password and does.
_SENT_LINE = lazy_re2(
    r"(?i)\b(?:tar|cat|base64|zip|gzip|xxd|openssl)\b[^\n|]*(?:~|\$\{?home\}?|/root"
    r"|/home/\w+)/\.(?:ssh|aws|gnupg|kube|docker|netrc"
    r"|npmrc|pypirc|azure|git-credentials|config/(?:gcloud|sops|gh))\b[^\n]*\|[^\n]*(?:\b(?:curl"
    r"|wget|nc|ncat|socat)\b|openssl\s+s_client)"
    r"|\b(?:curl|wget)\b[^\n]*(?:@|-T\s*|--upload-file[ =]|--post-file[ =])(?:&quot;"
    r"|[\"'\\])*(?:~|\$[({]?home[)}]?|%userprofile%|/root|/home/\w+)[/\\]"
    r"\.?(?:ssh|aws|nuget|npmrc|pypirc|netrc|gnupg|kube|docker|azure|git-credentials|cargo|m2|gem"
    r"|config/gcloud)\b"
    # The logins of a home server, and files of secrets by their own names.
    r"|\bcurl\s(?s:[^;|&]{0,400}?)(?:[=@]@?|-T\s*|--upload-file[ =])[\"'\\]{0,2}(?:[\w.-]*/)*"
    r"(?:secrets\.ya?ml|\.storage/auth\w*|\.esphome/secrets\.\w+|master\.key|credentials\.(?:json|xml|ya?ml)"
    r"|keystore\.properties)\b"
    r"|\bread\s+-\w*s\w*\b(?s:.{0,240}?)\|\s*(?:openssl\s+s_client|(?:nc|ncat|socat|curl)\s)"
)
# A name server answers for others, whatever name it is asked for.
_ASKS_NAMES = lazy_re2(r"(?i)resolve_?\w{0,4}\s*\(|\bdig\s|nslookup|\bdns\b")
# What a package runs when it is loaded, of R and of Julia, up to the sign that ends it.
_WHEN_LOADED = lazy_re2(
    r"(?ms)^[ \t]*(?:\.on(?:Load|Attach)|\.First(?:\.lib)?)\s*(?:<-|=)\s*function.*?^\}"
    r"|^[ \t]*function\s+__init__\s*\(\s*\).*?^end"
)
_MOST_ADDRESSES = 40
_MOST_FLOWS = 12
_MOST_LINES = 200


class Loader(Struct, frozen=True, kw_only=True):
    """One find in a text.

    Args:
        is_secret: secrets are sent; otherwise fetched or decoded code is run.
        is_certain: it runs by itself, or hides what it does.
        line: where it happens.
        is_shell: another machine gets a shell here.
    """

    is_secret: bool
    is_certain: bool
    line: str
    is_shell: bool = False


def is_worth_reading(text: str) -> bool:
    """Return whether a text has a word without which nothing is fetched, decoded or sent."""
    return calls.NETWORK.search(text) is not None


def loaders_in(text: str, where: Located, *, loaded: bool) -> Iterator[Loader]:
    """Yield what a text fetches and runs, and what secrets it sends.

    Args:
        loaded: some tool loads the file by itself.
    """
    text = joined(text)
    if not _is_program(where):
        return
    hidden = hidden_line(text) if where.kind in _PROGRAMS else ""
    if line := (hidden or _fetched_program(text)):
        yield Loader(is_secret=False, is_certain=True, line=line[:200])
    sent = _SENT_LINE.search(text)
    if sent is not None and where.kind is not FileKind.TEST:
        yield Loader(is_secret=True, is_certain=True, line=str(sent.group())[:200])
    piped = _PIPED.search(text)
    is_installed = where.path.rpartition(".")[2].lower() in INSTALLED and "#!" not in text
    if piped is not None and where.kind not in _SAMPLES and not is_installed:
        is_sure = loaded or runs_by_itself(where) or is_concealed(piped.group())
        yield Loader(is_secret=False, is_certain=is_sure, line=str(piped.group())[:200])
    if not may_flow(text):
        return
    yield from _in_literals(text, where)
    is_test = where.kind is FileKind.TEST
    code = without_prose(text) if is_test else text
    read = code if len(code) <= MAX_TEXT else _telling(code)
    runs_itself = loaded or runs_by_itself(where)
    # What is decoded lies in the project already.
    is_far = runs_itself or _is_far(text) or calls.FETCHES.search(text) is None
    is_checked = _is_checked(code, where)
    for flow in islice(flows_in(read) if is_far else (), _MOST_FLOWS):
        is_plain = not (flow.is_secret or flow.is_pieced or flow.is_shell)
        if is_checked and is_plain:
            continue
        is_sure = runs_itself or is_test or not is_plain or _is_when_loaded(text, flow)
        is_certain = is_sure or is_concealed(_around(code, flow))
        yield Loader(
            is_secret=flow.is_secret,
            is_certain=is_certain,
            line=flow.line,
            is_shell=flow.is_shell,
        )


def _fetched_program(text: str) -> str:
    """Return what a format has a machine fetch and run at once, else ""."""
    line = _RUNS_ADDRESS.search(text)
    if line is not None:
        return str(line.group())
    return started_download(text)


def _in_literals(text: str, where: Located) -> Iterator[Loader]:
    """Yield what code does that settings hold as one text: `init => "eval(URI.open(u).read)"`."""
    for inner in code_literals(text, where):
        for flow in islice(flows_in(inner), 1):
            is_sure = where.kind is not FileKind.DATA or is_concealed(inner)
            yield Loader(is_secret=flow.is_secret, is_certain=is_sure, line=inner[:200])


def _is_program(where: Located) -> bool:
    """Whether a file's text may be run by something: it is neither prose nor a record."""
    if _START_UP.search(where.path) is not None:
        return True
    ending = where.path.rpartition(".")[2].lower()
    is_pipeline = where.kind is FileKind.CI and ending in _PIPELINES
    if ending in _SHELLS or is_pipeline or where.kind is FileKind.CONTAINER:
        return False  # their shell lines have readers of their own
    if where.kind not in _NOT_READ:
        return True
    is_source = ENDINGS.get(ending) in (FileKind.SOURCE, FileKind.BUILD)
    return where.kind is FileKind.DOC and (is_source or ending in _PROGRAM_TEXTS)


def runs_by_itself(where: Located) -> bool:
    """Return whether a tool runs a file by itself, as its kind or place tells."""
    is_placed = _LOADED.search(where.path) or _START_UP.search(where.path)
    return where.kind in _RUN_BY_TOOLS or is_placed is not None


def _is_far(text: str) -> bool:
    """Whether another machine is named, or no machine at all."""
    hosts: list[str] = []
    for match, _ in zip(calls.FAR_ADDRESS.finditer(text), range(_MOST_ADDRESSES), strict=False):
        hosts += [host for host in match.groups() if host]
    is_named = any([class_of_host(host.partition(":")[0]) not in _LOCAL for host in hosts])
    is_joined = any(map(is_foreign, calls.CONNECTS.finditer(text)))
    is_told = is_named or is_joined or hides_address(text)
    return (
        is_told
        or calls.HIDDEN_ADDRESS.search(text) is not None
        or _ASKS_NAMES.search(text) is not None
    )


def _is_checked(code: str, where: Located) -> bool:
    """Whether a program checks what it fetched before it starts it, as an updater does."""
    if where.kind in _RUN_BY_TOOLS:
        return False
    plain = without_texts(code)
    return calls.VERIFIES.search(plain) is not None and _COMPARES.search(plain) is not None


def _is_when_loaded(text: str, flow: Flow) -> bool:
    """Whether a flow stands in what a package runs when it is loaded."""
    return any([flow.line[:200] in found.group() for found in _WHEN_LOADED.finditer(text)])


def _around(code: str, flow: Flow) -> str:
    at = max(code.find(flow.line[:200]), 0)
    return code[max(at - _NEAR, 0) : at + len(flow.line) + _NEAR]


def _telling(code: str) -> str:
    """The lines of a long text that carry harm, and of the others as many that set a name."""
    found: list[str] = []
    for pattern in (calls.NETWORK, calls.RUNS_TEXT, calls.STARTS):
        for match in islice(pattern.finditer(code), _MOST_LINES):
            begin = code.rfind("\n", 0, match.start() + 1) + 1
            end = code.find("\n", match.end())
            found.append(code[begin : end if end >= 0 else len(code)])
    found += [line for line in code.split("\n") if "=" in line]
    kept: list[str] = []
    size = 0
    for line in dict.fromkeys(found):
        kept.append(line)
        size += len(line)
        if size > MAX_TEXT:
            break
    return "\n".join(kept)[:MAX_TEXT]
