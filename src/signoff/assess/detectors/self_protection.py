"""Touching signoff itself, or the agent's own permission settings.

Finds: any change of signoff's files, hooks, store, process and approval commands, of coding
agents' settings and hooks; the agent answering its own questions, by command, inbox, socket,
database or keys typed into a terminal, or reading the keys it takes.
Why it matters: a guard that the guarded can move is none (threats.md T-55, T-43).
Example: a Write to `.claude/settings.json`, `signoff approve 42`, `pkill signoff`.
Does not find: reading the others, `signoff check`, whether the daemon is well, documents.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.detectors.detector import ACTING, Detector, Evidence
from signoff.assess.detectors.evidence import found, shell_call
from signoff.assess.detectors.own_folders import (
    Links,
    changes_through,
    dumps_record,
    links_of,
    reads_through,
)
from signoff.assess.detectors.own_install import reaches_process, touches_install
from signoff.assess.detectors.self_access import match_own_endpoint
from signoff.assess.finding import Finding, Severity

ID = "self-protection"
HARMLESS = frozenset({Verb.READ, Verb.INERT})
# The record is looked at by `signoff audit`; a shell of databases may count in it.
RECORDS = frozenset({"record.db", "record.db-wal", "record.db-journal"})
RECORD_READERS = frozenset({"sqlite3", "sqlite"})
KEYS = frozenset({"approver.key", "redaction.key", "token", "approvals.db", "approvals.db-wal"})
# Whoever touches none of these touches neither signoff nor the agent's rights.
_SELF_APPROVAL, _GUARD_FILE = Trait.SELF_APPROVAL, FileKind.GUARD
OWN = frozenset[str](
    {ResourceType.PACKAGE, ResourceType.GUARD, Reach.GUARD, FileKind.GUARD, FileKind.AGENT_CONFIG}
)
ENDPOINTS = {
    "command": ("self-approval", Severity.CRITICAL),
    "inbox": ("self-approval", Severity.CRITICAL),
    "socket": ("self-approval", Severity.CRITICAL),
    "database": ("self-approval", Severity.CRITICAL),
    "terminal": ("self-approval", Severity.CRITICAL),
    "files": ("guard", Severity.CRITICAL),
    "process": ("guard", Severity.CRITICAL),
    # A bot of one's own is asked in the same words; so are one's own terminals looked at.
    "channel": ("approval-channel", Severity.HIGH),
    "keyboard": ("approval-channel", Severity.HIGH),
    "start-up": ("guard-replaced", Severity.HIGH),
}
HOLDS_KEYS = "keys or tokens of signoff are among it"
LISTING = frozenset({"ls", "stat", "find", "tree", "du", "test", "file", "realpath"})
# signoff's own code holds no keys, and may be read whole.
KEY_ENDINGS = (".key", ".token", ".secret", "_token", "-token")
# Every other settings file beside these is a messenger's: who is asked, and where.
OPEN_FILES = frozenset({"signoff.yaml", ".signoff.yaml", "rules.yaml"})
OPEN_FOLDERS = ("programs", "profiles")
KEY_FOLDERS = frozenset({"signoff", "mcp"})  # in the second lie the tokens of MCP servers
CODE_PLACES = ("/site-packages/", "/src/signoff")
SOFT_CONFIGS = ("/.vscode/", "/.idea/", "/.zed/", "/.continue/", "/.aider")


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that touches signoff or the agent's own permissions."""
    links = links_of(evidence.operations)
    for op in evidence.operations:
        line = _line(op, evidence, links)
        if line is not None:
            # What only asks stays under the line that refuses by itself.
            is_sure = line[1] is Severity.CRITICAL
            because = HOLDS_KEYS if op.verb is Verb.READ and is_sure else ""
            sure = 1.0 if is_sure else 0.9
            yield found(ID, line[0], line[1], op, confidence=sure, because=because)


def _line(op: Operation, evidence: Evidence, links: Links) -> tuple[str, Severity] | None:
    if (op.traits and _SELF_APPROVAL in op.traits) or (
        op.file_kind is _GUARD_FILE and _reads_keys(op)
    ):
        return "self-approval", Severity.CRITICAL
    if reads_through(op, evidence, links) or dumps_record(op, evidence):
        return "self-approval", Severity.CRITICAL
    if endpoint := match_own_endpoint(op, evidence):
        return ENDPOINTS[endpoint]
    if install := _install_touched(op, evidence):
        return install, Severity.CRITICAL if install == "guard" else Severity.HIGH
    # Only now: to read is harmless to all of these but keys, which are asked about above.
    if op.verb in HARMLESS or OWN.isdisjoint((op.thing, op.reach, op.file_kind)):
        return None
    return _touched(op)


def _install_touched(op: Operation, evidence: Evidence) -> str:
    """Name what is done to what judges: its files, its environment, its process."""
    if changes_through(op, evidence) or reaches_process(op, evidence):
        return "guard"
    return touches_install(op, evidence)


def _touched(op: Operation) -> tuple[str, Severity] | None:
    if op.thing is ResourceType.PACKAGE and _names_guard(op.target):
        is_gone = op.verb is Verb.DELETE
        return ("guard", Severity.CRITICAL) if is_gone else ("guard-replaced", Severity.HIGH)
    if op.thing is ResourceType.GUARD or op.reach is Reach.GUARD or op.file_kind is FileKind.GUARD:
        return "guard", Severity.CRITICAL
    if op.file_kind is FileKind.AGENT_CONFIG:
        soft = any(part in f"{op.path}/" for part in SOFT_CONFIGS)
        return ("agent-tools", Severity.MEDIUM) if soft else ("agent-settings", Severity.CRITICAL)
    return None


def _reads_keys(op: Operation) -> bool:
    """Whether a key is read, by its name or with everything that is beside it."""
    if op.verb is not Verb.READ:
        return False
    name = op.path.rpartition("/")[2]
    if op.program.endswith(".connect"):  # opened to be written as well
        return True
    if op.program in LISTING:
        return False
    if name in KEYS or name.endswith(KEY_ENDINGS):
        return True
    if name in RECORDS and op.program not in RECORD_READERS:
        return True
    is_whole = op.target.endswith("/") or name in KEY_FOLDERS or bool(set("*?[") & set(op.target))
    is_code = any(place in f"{op.path}/" for place in CODE_PLACES)
    return (is_whole or _is_channel_file(op.path)) and not is_code


def _is_channel_file(path: str) -> bool:
    """Whether a file of the configuration folder is the settings of a messenger."""
    folder, _, name = path.rpartition("/")
    is_settings = name.endswith(".yaml") and name not in OPEN_FILES
    return is_settings and not folder.endswith(OPEN_FOLDERS)


def _names_guard(target: str) -> bool:
    """Whether a package is signoff, or a guard of agents; Ruby's `guard` watches files."""
    return any(_package(name) in {"signoff", "agent-guard"} for name in target.split())


def _package(name: str) -> str:
    """Return the name of a package without its version."""
    for mark in ("=", "<", ">", "~", "!", "[", "@"):
        name = name.partition(mark)[0]
    return name.strip("\"'").lower()


def _write(path: str) -> Action:
    return Action(
        tool="Write", arguments={"file_path": path, "content": "{}"}, cwd="/home/dev/project"
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="The guard itself is touched",
    cwe=("CWE-693", "CWE-284"),
    asi=("ASI10", "ASI03"),
    marks=ACTING | {Verb.READ, Trait.SELF_APPROVAL, Trait.GUARD_TREE},
    fires=(
        _write("/home/dev/project/.claude/settings.json"),
        _write("/home/dev/.config/signoff/rules.yaml"),
        Action(
            tool="Read",
            arguments={"file_path": "/home/dev/.config/signoff/approver.key"},
            cwd="/home/dev/project",
        ),
        Action(
            tool="Bash",
            arguments={"command": "sed -i s/deny/allow/ .signoff.yaml"},
            cwd="/home/dev/project",
        ),
        shell_call("wget --post-data answer=approve http://localhost:4440/web/requests/1/answer"),
    ),
    passes=(
        _write("/home/dev/project/docs/settings.json.md"),
        Action(
            tool="Read",
            arguments={"file_path": "/home/dev/.claude/settings.json"},
            cwd="/home/dev/project",
        ),
        Action(tool="Bash", arguments={"command": "signoff check -- ls"}, cwd="/home/dev/project"),
        shell_call("curl http://127.0.0.1:4440/healthz"),
    ),
)
