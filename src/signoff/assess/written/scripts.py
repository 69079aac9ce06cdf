"""What the shell text of a written file does once it is run: refused where the line would be.

A script is written to be run. What nobody ever wants is refused where it is written; what acts on
others is asked about there (`others.py`), all else when it runs. The upkeep of services is the
work of scripts: their own folders, and backups that are kept for a time, are theirs to empty.

    found_in_scripts(Write("x.sh", "rm -rf ~"), facts)     destructive.home-files
    found_in_scripts(Write("x.sh", "npm publish"), facts)  remote-change.published
    found_in_scripts(Write("x.sh", "rm -rf build"), facts) nothing
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.contents.scripts.part import POWERSHELL, PYTHON, ScriptPart
from signoff.actions.contents.scripts.parts import script_parts
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.tools.files import FILE_TOOLS, FileEdit, changes_of
from signoff.actions.understand import place_of, understand
from signoff.actions.vocabulary import lazy_re, lazy_re2, words
from signoff.assess.detectors.runner import look
from signoff.assess.finding import FIXED_DETECTORS, Finding
from signoff.assess.patterns.catalogue import Catalogue
from signoff.assess.reasons import refuses
from signoff.assess.written.live_clients import done_by_live_clients
from signoff.assess.written.others import asked_in_script
from signoff.values import replace

EDITS_LIMIT = 20
# Not by themselves: a script reads keys, sets variables and publishes pages to use them.
_ASKED_WHEN_RUN = words("credential-access environment-poisoning privilege opaque path-escape")
_RAW = "exfiltration.raw-connection"  # is a port open yet? A shell behind it has its own line
_RECORD = "defence-tampering.record"
_ROTATED = lazy_re(r"\bmv\s+(?:-\w+\s+)?[\"']?(/var/log/\w[\w.-]*/)[\w.-]+[\"']?\s+[\"']?\1[\w.-]+")
_LOG_MOVED = lazy_re(r"\bmv\s[^\n;&|]*/var/log/")
_OF_SYSTEM = lazy_re2(
    r"/var/log/(?:audit|auth|secure|wtmp|btmp|lastlog|messages|syslog|journal|faillog)"
)
_KEPT = frozenset({ResourceType.BACKUP, ResourceType.DEVICE})
_UNTOLD = lazy_re2(r"[$\x{FFFD}]")
_POOLS = lazy_re2(r"(?i)\b(?:zfs|zpool|lv\w*|vg\w*|btrfs|snapper|virsh|qm)\b")
_OTHERS = frozenset({Reach.ELSEWHERE, Reach.SYSTEM, Reach.REMOTE})
_DEEP = 3  # names of a path: `/srv/app/releases` is the script's own, `/srv/app` need not be
_MOUNTS = words("mnt media net nfs smb Volumes")  # what lies there is a store of others
_MIRRORS = words("rsync robocopy rclone unison")
_MADE_EMPTY = lazy_re2(
    r"(?i)\b(?:robocopy|rsync|rclone)\b[^\n]{0,80}?(?:%te?mp%|env:te?mp\b|/tmp/|\$\{?tmp)"
    r"|\b(?:mkdir|mktemp|md|new-item)\b[^\n]*(?:temp|tmp|empty|leer|vuot|vide|vaci|mktemp)"
    r"|(?:/|\\)(?:empty|leer|vuota|vide|vacia)\b"
)
_KEEPS_SOME = lazy_re2(
    r"(?i)\b(?:keep|kept|retain|retention|days?|hours?|weeks?|mtime|mmin|ctime|older|max_?age|cutoff"
    r"|expir\w+|newest|latest)|\bhead\s+-n\s*-|\btail\s+-n\s*\+|\bdate\s+-d|-lt\b|-gt\b"
)
_HOLDS_COPIES = lazy_re2(
    r"(?i)backup|respaldo|sauvegarde|sicherung|archiv|snapshot|zaloh|kopia|copias"
)
_OF_TRIALS = lazy_re2(r"(?i)(?:^|[^a-z])(?:test|tests|dev|ci|demo|tmp|temp|scratch|local|sandbox)")


def found_in_scripts(
    action: Action, facts: Facts, patterns: Catalogue | None = None
) -> Iterator[Finding]:
    """Yield what the new shell text in a file does that is refused, or asked about, as a line."""
    if action.tool not in FILE_TOOLS:
        return
    for edit in changes_of(action, place_of(action, facts))[:EDITS_LIMIT]:
        yield from _found_in(edit, action, facts, patterns)


def _found_in(
    edit: FileEdit, action: Action, facts: Facts, patterns: Catalogue | None
) -> Iterator[Finding]:
    name = edit.where.path.rpartition("/")[2]
    stood = set(done_by_live_clients(edit.text.old, edit.where)) if edit.text.old else set()
    for one in dict.fromkeys(done_by_live_clients(edit.text.new, edit.where)):
        if one not in stood:
            yield replace(one, evidence=f"{name}: {one.evidence}")
    parts = script_parts(edit.text.new, edit.where)
    if not parts:
        return
    before = script_parts(edit.text.old, edit.where) if edit.text.old else ()
    known = {_act(one) for part in before for one in _judged(part, action, facts, patterns)}
    seen: set[str] = set()
    for part in parts:
        if part in before:
            continue
        for one in _judged(part, action, facts, patterns):
            if _act(one) not in known and one.evidence not in seen:
                seen.add(one.evidence)
                yield replace(one, evidence=f"{name}: {one.evidence}", group=-1)


def _act(finding: Finding) -> str:
    """What tells a find from those that stood there before; of what is asked, without options."""
    if refuses(finding):
        return finding.evidence
    said = [word for word in finding.evidence.split() if not word.startswith("-")]
    return f"{finding.category} {' '.join(said)}"


def _judged(
    part: ScriptPart, action: Action, facts: Facts, patterns: Catalogue | None
) -> Iterator[Finding]:
    run = _as_call(part, action)
    understood = understand(run, facts)
    operations = tuple([op for op in understood.operations if not is_upkeep(op, part.text)])
    asked: list[Finding] = []
    for one in look(run, facts, operations, patterns):
        if not refuses(one):
            asked.append(one)
        elif one.detector in _ASKED_WHEN_RUN or one.category == _RAW or _rotates(one, part.text):
            continue
        elif _is_meant(one, part.text):
            yield one
    yield from asked_in_script(asked, understood, part.text)


def _rotates(finding: Finding, text: str) -> bool:
    """Whether logs of an application only get other names in their folder."""
    if finding.category != _RECORD or not finding.evidence.startswith("Moves"):
        return False
    moved = sum(1 for _ in _LOG_MOVED.finditer(text))
    rotated = sum(1 for _ in _ROTATED.finditer(text))
    return moved == rotated > 0 and _OF_SYSTEM.search(text) is None


def _is_meant(finding: Finding, text: str) -> bool:
    """Whether a script that could reach signoff's own files by an unknown name speaks of it."""
    return finding.detector not in FIXED_DETECTORS or "signoff" in text.lower()


def _as_call(part: ScriptPart, action: Action) -> Action:
    if part.language == PYTHON:
        line = f"python3 -c {shlex.quote(part.text)}"
        return replace(action, tool="Bash", arguments={"command": line})
    tool = "PowerShell" if part.language == POWERSHELL else "Bash"
    return replace(action, tool=tool, arguments={"command": part.text})


def is_upkeep(op: Operation, text: str) -> bool:
    """Return whether an Operation of a script is what scripts are for, though no line of agents.

    A folder of its own below the first ones, copies that are replaced by newer ones, snapshots by
    age: the script says which, or that it keeps some.
    """
    if op.thing is ResourceType.BACKUP and op.verb is Verb.CONFIGURE:
        return False
    if op.thing in _KEPT and (not op.target or _UNTOLD.search(op.target) is not None):
        # Names that only a search or list gives: those that are too old, where it counts them.
        # A disk that whoever starts the script names is theirs to choose.
        is_pool = op.thing is ResourceType.BACKUP or _POOLS.search(op.program) is not None
        return not is_pool or _KEEPS_SOME.search(text) is not None
    if op.verb is not Verb.DELETE or op.reach is Reach.PRODUCTION:
        return False
    if op.thing is ResourceType.FILE and op.path and op.reach in _OTHERS:
        is_mirror = op.program in _MIRRORS and not _MADE_EMPTY.search(text)
        return is_mirror or _is_own_folder(op.path)
    return op.thing is ResourceType.DATABASE and _OF_TRIALS.search(op.target) is not None


def _is_own_folder(path: str) -> bool:
    names = [name for name in path.split("/") if name]
    deep = _DEEP + (names[:1] != [] and names[0] in _MOUNTS)
    is_single = len(names) >= deep and {"*", "**"}.isdisjoint(names[:deep])
    return is_single and _HOLDS_COPIES.search(path) is None
