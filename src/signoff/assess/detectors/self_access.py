"""Which operations come to signoff's own endpoints: addresses, sockets, databases, its process.

What an operation is done to is told by its target where the reader knows it, and by the text it
came from where it does not: any client, any notation of this machine, code in any language. A
text in which nothing is run or sent (a commit message, a document) is not looked at.

    match_own_endpoint(op, evidence)    "inbox" for a POST to http://127.0.0.1:4440/web/...
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.left_behind.guard_numbers import SOUGHT, reads_number
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.detectors.detector import Evidence, TextSource

SENDING = frozenset({Verb.NETWORK_IN, Verb.NETWORK_OUT})
RUNNING = frozenset({Verb.EXECUTE, Verb.CONTROL, Verb.CONFIGURE, Verb.DELETE})
ADDRESSED = frozenset({ResourceType.URL, ResourceType.DATABASE})
LIVING = frozenset(
    {ResourceType.PROCESS, ResourceType.SERVICE, ResourceType.MACHINE, ResourceType.DEVICE}
)
_READ, _WRITE = Verb.READ, Verb.WRITE
SOURCE_LIMIT = 200  # an Operation keeps so much of its text; beyond that the whole call counts
TEXT_LIMIT = 65_536
ANSWER_PATHS = ("/web/requests/", "/web/sign-in", "/web/passkeys")
INBOX = "/web"
OWN_FILES = (
    "daemon.sock",
    "daemon.lock",
    "approvals.db",
    "record.db",
    "locks.json",
    "approver.key",
    "approvers.json",
    "passkeys.json",
)
OWN_FOLDERS = ("config/signoff", "state/signoff", "share/signoff")
# As a host may be written: short, as one number, in hexadecimal and octal.
LOOPBACKS = ("127.", "localhost", "[::", "0.0.0.0", "::1", "0x7f", "2130706433", "0177")  # noqa: S104 - read, not bound
# Programs that look into or drive another process.
TRACERS = frozenset({"gdb", "lldb", "strace", "ltrace", "py-spy", "gcore", "rbspy", "perf"})
DOCUMENTS = (".md", ".rst", ".adoc")  # for people, whatever they name
# Programs that listen where they are told to.
SERVERS = words(
    "python python2 python3 php ruby node http-server serve live-server local-web-server httpd "
    "nc ncat netcat socat uvicorn gunicorn hypercorn daphne waitress-serve flask caddy busybox"
)
# Named alone, they are ours where the call goes into one of our folders.
_BARE = lazy_re2(
    r"(?:^|[\s\"'`:=])(?:daemon\.sock|daemon\.lock|approvals\.db|record\.db|locks\.json"
    r"|approver\.key|approvers\.json|passkeys\.json)"
)
_NAME = lazy_re2(r"(?:^|[\s\"'`(=:/.])signoff(?:$|[\s\"'`);|.])")
# signoff's commands that are for people, in a text that could not be read as a command.
_PEOPLES = lazy_re2(
    r"\bsignoff\b[^;|&\n]*\b(?:approve|allow-once|deny|open|unlock|nap|shadow|init|confirm|mode|approvers"
    r"|policies|grants|uninstall|down|setup|invite)\b"
)
# Whoever calls these takes an approval bot's answers in its place.
_TAKING = frozenset({"getupdates", "setwebhook", "deletewebhook", "logout", "close"})
_START_UPS = ("/sitecustomize.py", "/usercustomize.py", ".pth")
# Keys put into a terminal as if they had been typed there.
_TYPING = lazy_re2(r"(?i)\btiocsti\b|\bioctl\b[^;]*\b0x5412\b|\bioctl\b[^;]*\b21522\b")


# Interfaces on which programs of one machine talk to each other, and a filter for one port.
_LOCAL_PACKETS = lazy_re2(
    r"(?:^|[\s=]|-[idI])(?:lo0?|any|loopback|127\.[0-9.]+|localhost)(?:$|[\s;|&])"
)
_OTHER_PORT = lazy_re2(r"\bport\s+[0-9]")
# Run as the user of signoff's service: whoever is that user can answer.
_OUR_USER = lazy_re2(
    r"(?:\b(?:sudo|doas|runuser|setpriv|chroot|systemd-run)\b[^;|&\n]*"
    r"\s(?:-[A-Za-z]*[ugU]|--user|--group|--reuid|--regid|--userspec|--uid)[\s=]*"
    r"|\b(?:su|gosu|su-exec|runuser)\s+(?:-\S*\s+)*)[\"']?_?signoff[\"']?(?:[\s:@;|&)]|$)"
)
# What shows, or takes, the keys and texts of a terminal or a console.
SCREENS = ("/dev/pts/", "/dev/vcs", "/dev/input/", "/dev/uinput", "/dev/hidraw")
_STARTED = lazy_re2(r"\btmux\s+new(?:-session)?\b[^;|&\n]*?\s-s\s+([\w-]+)")


def match_own_endpoint(op: Operation, evidence: Evidence) -> str:
    """Return the endpoint of signoff that an Operation reaches, "" if none."""
    if op.carriers and _is_our_user(_whole(evidence)):
        return "process"
    verb = op.verb
    if verb in SENDING or op.thing in ADDRESSED:
        return _addressed(op, evidence)
    if verb in RUNNING:
        return _run(op, evidence)
    if verb is _READ:
        return _looked_at(op, evidence)
    is_start_up = verb is _WRITE and op.path.endswith(_START_UPS)
    return "start-up" if is_start_up and "/site-packages/" in op.path else ""


def _addressed(op: Operation, evidence: Evidence) -> str:
    if op.verb in SENDING or op.thing is ResourceType.URL:
        return _sent(op, evidence)
    return "database" if _names_file(_store(op, evidence), evidence) else ""


def _looked_at(op: Operation, evidence: Evidence) -> str:
    if op.path.startswith(SCREENS):
        return "" if _is_own_terminal(op, evidence) else "keyboard"
    is_process = op.program in TRACERS or op.target.startswith("/proc/")
    return "process" if is_process and _is_named(_text(op, evidence)) else ""


def _is_own_terminal(op: Operation, evidence: Evidence) -> bool:
    """Tell whether the session itself started the terminal that is read, in this call or before."""
    name = op.target
    if not op.path.startswith("/dev/pts/tmux") or not name:
        return False
    if f"tmux:{name}" in evidence.facts.created:
        return True
    started = [found.group(1) for found in _STARTED.finditer(_whole(evidence))]
    return name in started


def _sent(op: Operation, evidence: Evidence) -> str:
    text = _text(op, evidence)
    if op.thing is ResourceType.NETWORK and op.target == "packets":
        return _captured(text, evidence)
    if _names_file(text, evidence):
        return "socket"
    if "://" in op.target:
        return _requested(op, evidence)
    if op.target.startswith(ANSWER_PATHS):
        return "inbox"
    return "inbox" if _names_port(text, evidence.facts.guard_ports, op.target) else ""


def _captured(text: str, evidence: Evidence) -> str:
    """Packets of this machine hold the inbox's cookie and the codes that browsers send."""
    if any(_has_number(text, str(port)) for port in evidence.facts.guard_ports):
        return "inbox"
    return "channel" if _LOCAL_PACKETS.search(text) and not _OTHER_PORT.search(text) else ""


def _requested(op: Operation, evidence: Evidence) -> str:
    """A request whose address is known; looking at the API shows nothing without its token."""
    url = look_at_url(op.target)
    if url.host == "api.telegram.org" and _last_part(url.path) in _TAKING:
        return "channel"
    if url.host_class is not HostClass.LOOPBACK:
        # These options of curl lead a public name to any machine, this one too.
        told = op.reach is Reach.REMOTE and "--resolve" not in op.source
        return "" if told and "--connect-to" not in op.source else _elsewhere(op, evidence)
    if op.verb is not Verb.NETWORK_IN and url.path.startswith(ANSWER_PATHS[0]):
        return "inbox"
    if url.port not in evidence.facts.guard_ports:
        return ""
    return "inbox" if op.verb is not Verb.NETWORK_IN or url.path.startswith(INBOX) else ""


def _elsewhere(op: Operation, evidence: Evidence) -> str:
    """A name that is made to mean this machine."""
    return "inbox" if _names_port(_text(op, evidence), evidence.facts.guard_ports) else ""


def _run(op: Operation, evidence: Evidence) -> str:
    text = _text(op, evidence)
    is_told = op.thing in LIVING and _is_about_us(op, text, evidence)
    if is_told or _ends_listener(op, evidence) or _takes_port(op, evidence):
        return "process"
    if not op.understood and _is_for_people(text):
        return "command"
    if op.traits and Trait.INLINE in op.traits and _is_typing(text):
        return "terminal"
    if _names_file(text, evidence):
        return "files"
    if _runs_what_names_us(op, evidence):
        return "inbox"
    return "inbox" if ":" in text and _names_address(text, evidence.facts.guard_ports) else ""


def _runs_what_names_us(op: Operation, evidence: Evidence) -> bool:
    """Tell whether code of the project runs beside files this session wrote that lead to us."""
    facts = evidence.facts
    if op.verb is not Verb.EXECUTE or not facts.written or not facts.files:
        return False
    for path in facts.written:
        fact = facts.files.get(path)
        if fact is None or not fact.text or path.endswith(DOCUMENTS):
            continue
        text = fact.text[:TEXT_LIMIT]
        if _names_address(text, facts.guard_ports) or _names_path(text, facts.guard_paths):
            return True
    return False


def _is_about_us(op: Operation, text: str, evidence: Evidence) -> bool:
    if _is_named(op.target) or _is_named(text):
        return True
    whole = _whole(evidence)
    if _is_sought(whole) or _names_path(whole, evidence.facts.guard_paths):
        return True
    is_process = op.thing is ResourceType.PROCESS
    return is_process and reads_number(evidence.operations, evidence.facts)


def _whole(evidence: Evidence) -> str:
    return _cut(evidence.texts.get(TextSource.ARGUMENTS, ""))


@lru_cache(maxsize=4)
def _cut(text: str) -> str:
    return text[:TEXT_LIMIT]


def _text(op: Operation, evidence: Evidence) -> str:
    """Return what an operation was read from, as much as is there.

    What a function of the line does has no text of its own: then the whole call counts.
    """
    if 0 < len(op.source) < SOURCE_LIMIT:
        return op.source
    return _joined(op.source, _whole(evidence))


@lru_cache(maxsize=4)
def _joined(source: str, whole: str) -> str:
    """Return both texts as one object for all operations of a call: its hash is taken once."""
    return f"{source}\n{whole}"


def _store(op: Operation, evidence: Evidence) -> str:
    """Return where a database is named: a tool of a server names it beside the statement."""
    if evidence.action.tool.startswith("mcp__"):
        return _whole(evidence)
    return _text(op, evidence)


def _names_file(text: str, evidence: Evidence) -> bool:
    """Tell whether one of signoff's own live files is named, in its folder."""
    # Every name has a dot in it: most texts are done with here.
    if "." not in text or not _names_in(text):
        return False
    folders = evidence.facts.guard_paths
    if _names_path(text, folders):
        return True
    return _is_bare(text) and _is_in_own_folder(_whole(evidence), folders)


def _names_in(text: str) -> tuple[str, ...]:
    return _own_names(text) if len(text) < SOURCE_LIMIT else _own_names_once(text)


def _own_names(text: str) -> tuple[str, ...]:
    return tuple([name for name in OWN_FILES if name in text])


# One long text stands behind many operations of a call: each is looked at once.
_own_names_once = lru_cache(maxsize=64)(_own_names)


@lru_cache(maxsize=64)
def _names_path(text: str, folders: tuple[str, ...]) -> bool:
    ends = _names_in(text)
    return any(f"signoff/{name}" in text for name in ends) or any(
        f"{folder}/{name}" in text for folder in folders for name in ends
    )


@lru_cache(maxsize=64)
def _is_our_user(text: str) -> bool:
    return "signoff" in text and _OUR_USER.search(text) is not None


@lru_cache(maxsize=64)
def _is_bare(text: str) -> bool:
    return _BARE.search(text) is not None


@lru_cache(maxsize=64)
def _is_in_own_folder(text: str, folders: tuple[str, ...]) -> bool:
    """Tell whether the call goes into one of signoff's folders first."""
    return any(folder in text for folder in (*OWN_FOLDERS, *folders))


@lru_cache(maxsize=64)
def _is_named(text: str) -> bool:
    return _NAME.search(text) is not None


@lru_cache(maxsize=64)
def _is_sought(text: str) -> bool:
    return SOUGHT.search(text) is not None


@lru_cache(maxsize=64)
def _is_for_people(text: str) -> bool:
    return _PEOPLES.search(text) is not None


@lru_cache(maxsize=64)
def _is_typing(text: str) -> bool:
    return _TYPING.search(text) is not None


@lru_cache(maxsize=64)
def _names_address(text: str, ports: frozenset[int]) -> bool:
    """Tell whether `host:port` of this machine and one of our ports is in a text."""
    for port in ports:
        at = text.find(f":{port}")
        while at >= 0:
            host = text[max(0, at - 40) : at].lower()
            after = text[at + 1 + len(str(port)) : at + 2 + len(str(port))]
            if not after.isdecimal() and any(name in host for name in LOOPBACKS):
                return True
            at = text.find(f":{port}", at + 1)
    return False


@lru_cache(maxsize=64)
def _names_port(text: str, ports: frozenset[int], target: str = "") -> bool:
    """Tell whether this machine and one of our ports are named, in whatever notation."""
    lower = f"{target} {text}".lower()
    if not any(name in lower for name in LOOPBACKS):
        return False
    return any(_has_number(lower, str(port)) for port in ports)


def _ends_listener(op: Operation, evidence: Evidence) -> bool:
    """`fuser -k 4440/tcp`, `kill $(lsof -ti :4440)`: the program that listens there is ended."""
    if op.thing not in LIVING and "kill-port" not in op.source and "kill-port" not in op.target:
        return False
    text = f"{op.target} {op.source}"
    words = [f"{word}{port}" for port in evidence.facts.guard_ports for word in (":", "port ")]
    return any(word in text for word in words) or any(
        f"{port}/" in text for port in evidence.facts.guard_ports
    )


def _takes_port(op: Operation, evidence: Evidence) -> bool:
    """`python3 -m http.server 4440`: whoever listens there answers browsers in our place."""
    if op.verb is not Verb.CONTROL:
        return False
    is_code = "." in op.program
    if Trait.LISTENS not in op.traits and not is_code and op.program not in SERVERS:
        return False
    # The port may come from a variable that another part of the line sets.
    given = _whole(evidence) if "$" in op.source else _text(op, evidence)
    text = f"{op.target} {given}"
    return any(_has_number(text, str(port)) for port in evidence.facts.guard_ports)


def _has_number(text: str, number: str) -> bool:
    at = text.find(number)
    while at >= 0:
        end = at + len(number)
        # So that 4440 is not found in 14440.
        around = text[max(0, at - 1) : at] + text[end : end + 1]
        if not any(char.isalnum() for char in around):
            return True
        at = text.find(number, at + 1)
    return False


def _last_part(path: str) -> str:
    return path.partition("?")[0].rpartition("/")[2].lower()
