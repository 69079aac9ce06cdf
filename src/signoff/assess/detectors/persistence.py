"""What is planted to run later, without anybody looking again.

Finds: keys for logging in, hidden jobs and units, setuid shells, new privileged users; edits of
files that run by themselves: shell start-up, schedules, git hooks, CI, build and package scripts.
Why it matters: the call is harmless, what it leaves behind is not (CWE-506).
Example: `echo "ssh-ed25519 ..." >> ~/.ssh/authorized_keys`, an edit of `.github/workflows/ci.yml`.
Does not find: edits of sources, tests and documents; reading such files.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.known.file_kinds import is_sample
from signoff.actions.operation import FileKind, Operation, Reach, Trait, Verb
from signoff.actions.vocabulary import lazy_re
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found
from signoff.assess.finding import Finding, Severity

ID = "persistence"
SCHEDULERS = frozenset({"crontab", "at", "batch", "systemd-run", "schedule file", "anacron"})
TUNNELLERS = ("ssh", "autossh")
TUNNEL = lazy_re(r"\s-\w*R[\s:\d]|RemoteForward")
CHANGES = frozenset({Verb.WRITE, Verb.PERSIST, Verb.CONFIGURE})
KINDS: dict[FileKind, tuple[str, Severity]] = {
    FileKind.AUTHORIZED_KEYS: ("login-keys", Severity.CRITICAL),
    FileKind.SHELL_STARTUP: ("shell-startup", Severity.HIGH),
    FileKind.SCHEDULE: ("schedule", Severity.HIGH),
    FileKind.GIT_HOOK: ("git-hook", Severity.HIGH),
    FileKind.GIT_INTERNAL: ("git-internal", Severity.HIGH),
    FileKind.CI: ("ci", Severity.HIGH),
    FileKind.EDITOR_CONFIG: ("editor", Severity.MEDIUM),
}


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that makes code run again later, unasked."""
    # A folder is made for the file that says more, which is named first.
    for op in sorted(evidence.operations, key=lambda one: one.program == "mkdir"):
        line = _line(op)
        if line is not None:
            yield found(ID, line[0], line[1], op)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if Trait.BACKDOOR in op.traits:
        return "way-back-in", Severity.CRITICAL
    # A job that opens a port of another machine to this one, whenever this one starts.
    is_job = not SCHEDULERS.isdisjoint(op.carriers)
    if is_job and op.program.startswith(TUNNELLERS) and TUNNEL.search(op.source) is not None:
        return "way-back-in", Severity.CRITICAL
    if op.verb not in CHANGES:
        return None
    # In a temporary folder nothing runs these files by itself.
    if op.reach is not Reach.TEMP and op.file_kind in KINDS and not _is_sample_key(op):
        return _planted(op)
    if op.verb is Verb.PERSIST:
        return "runs-later", Severity.HIGH
    later = Trait.RUNS_LATER in op.traits or _starts_container(op)
    return ("runs-unreviewed", Severity.MEDIUM) if later else None


def _is_sample_key(op: Operation) -> bool:
    """Tell keys that only tests or documents of the project read from those that let people in."""
    return op.file_kind is FileKind.AUTHORIZED_KEYS and is_sample(op.path, op.reach)


def _starts_container(op: Operation) -> bool:
    """What a container runs when it starts, written anew: `docker/entrypoint.sh`."""
    is_start = op.file_kind is FileKind.CONTAINER and "entrypoint" in op.path.rpartition("/")[2]
    return is_start and op.verb is Verb.WRITE and op.reach is not Reach.TEMP


def _planted(op: Operation) -> tuple[str, Severity]:
    # Written whole instead of in part, what stood in the file is lost too.
    startup = op.file_kind is FileKind.SHELL_STARTUP and op.reach is Reach.HOME
    if startup and Trait.PARTIAL not in op.traits:
        return "shell-startup-replaced", Severity.CRITICAL
    if op.file_kind is FileKind.GIT_INTERNAL and Trait.PARTIAL not in op.traits:
        return "git-internal-replaced", Severity.CRITICAL
    return KINDS[op.file_kind]


def _write(path: str, content: str) -> Action:
    return Action(
        tool="Write",
        arguments={"file_path": path, "content": content},
        cwd="/home/dev/project",
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Something is planted to run later",
    lines=(
        "ci editor git-hook git-internal git-internal-replaced login-keys runs-later "
        "runs-unreviewed schedule shell-startup shell-startup-replaced way-back-in"
    ),
    cwe=("CWE-506", "CWE-912"),
    asi=("ASI05", "ASI10"),
    marks=frozenset(KINDS) | {FileKind.CONTAINER, Verb.PERSIST, Trait.BACKDOOR, Trait.RUNS_LATER},
    fires=(
        _write("/home/dev/.ssh/authorized_keys", "ssh-ed25519 AAAA agent"),
        _write("/home/dev/.bashrc", "alias ls='ls -la'"),
        _write("/home/dev/project/.github/workflows/ci.yml", "on: push"),
    ),
    passes=(
        _write("/home/dev/project/src/app.py", "print(1)"),
        _write("/home/dev/project/docs/hooks.md", "put it in .bashrc"),
        Action(tool="Read", arguments={"file_path": "/home/dev/.bashrc"}, cwd="/home/dev/project"),
    ),
)
