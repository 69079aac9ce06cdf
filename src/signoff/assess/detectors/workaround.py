"""What was refused, tried again by another way.

Finds: a call that acts on a path or target which was refused earlier in the same session: on any
of them with another tool, on a path with the same tool in other words.
Why it matters: an agent that looks for a way around a no has stopped working for whoever said it;
the second try may be worded so that nothing else finds it (threats.md F).
Example: `rm -rf data` was refused, then an MCP tool is asked to delete `data`.
Does not find: reading what was refused to be changed; recording a file in version control as it
is, after a tool was refused to write it; work in a folder that was refused as a whole, such as the
project itself; other sessions.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from signoff.actions.action import Action
from signoff.actions.facts import Denial, Facts
from signoff.actions.operation import Operation, Verb
from signoff.actions.paths import folders_from
from signoff.actions.tools.files import FILE_TOOLS
from signoff.actions.wording.sentence import say
from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.finding import Finding, Severity

ID = "workaround"
HARMLESS = frozenset({Verb.READ, Verb.INERT})
# What a call is compared with is bounded beforehand (T-66).
TARGETS_LIMIT = 64
SHORTEST = 3  # characters: less than that names nothing
# They record a file as it is: what a tool was refused to write into it is not there.
RECORDS = frozenset({"git add", "git commit", "git stage"})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding for the first Operation on each target that was denied before."""
    refused = _refused(evidence)
    if not refused:
        return
    told: set[str] = set()
    for op in evidence.operations:
        target = _met(op, refused, evidence)
        if target and target not in told:
            told.add(target)
            yield _finding(op, refused[target], evidence.action.tool)


def _refused(evidence: Evidence) -> Mapping[str, Denial]:
    """Return the newest refusal for each target that is worth comparing, paths made absolute."""
    found: dict[str, Denial] = {}
    for denial in evidence.facts.denials[-TARGETS_LIMIT:]:
        target = _absolute(denial.target, evidence) or denial.target
        if len(target) >= SHORTEST and not _is_whole(target, evidence):
            found[target] = denial
    return found


def _is_whole(target: str, evidence: Evidence) -> bool:
    """Tell whether a target is a folder all of the work goes on in, or one above it."""
    facts, action = evidence.facts, evidence.action
    inside = (place for place in (action.cwd, facts.project, facts.home) if place)
    return any((place + "/").startswith(target.rstrip("/") + "/") for place in inside)


def _met(op: Operation, refused: Mapping[str, Denial], evidence: Evidence) -> str:
    """Return the refused target this operation acts on, "" if it does on none."""
    if op.verb in HARMLESS:
        return ""
    path = _absolute(op.path or op.target, evidence)
    if path:
        met = next((folder for folder in folders_from(path) if folder in refused), "")
        is_recorded = met and op.program in RECORDS and refused[met].tool in FILE_TOOLS
        return "" if is_recorded else met
    denial = refused.get(op.target)
    return op.target if denial is not None and _is_other(denial, evidence.action.tool) else ""


def _absolute(path: str, evidence: Evidence) -> str:
    """Return the absolute path, "" for what is no path."""
    if path.startswith("~/") and evidence.facts.home:
        path = evidence.facts.home + path[1:]
    elif "/" in path and "://" not in path and not path.startswith("/") and evidence.action.cwd:
        path = posixpath.join(evidence.action.cwd, path)
    # POSIX keeps two slashes at the front, which name the same as one here.
    return f"/{posixpath.normpath(path).lstrip('/')}" if path.startswith("/") else ""


def _is_other(denial: Denial, tool: str) -> bool:
    return denial.tool.casefold() != tool.casefold()


def _finding(op: Operation, denial: Denial, tool: str) -> Finding:
    """Say what was refused and is tried again."""
    line, severity = _line(denial, tool)
    return Finding(
        detector=ID,
        category=f"{ID}.{line}",
        severity=severity,
        confidence=0.9,
        evidence=f"{say(op)}, after `{denial.tool}` was refused on `{denial.target}`",
        group=op.group,
    )


def _line(denial: Denial, tool: str) -> tuple[str, Severity]:
    """Return the line: what was refused for what was found in it is refused to other tools."""
    if not _is_other(denial, tool):
        return "again", Severity.HIGH
    if denial.category:
        return "other-tool", Severity.CRITICAL
    return "other-tool-after-a-no", Severity.HIGH


def _call(tool: str, **arguments: str) -> Action:
    return Action(tool=tool, arguments=arguments, cwd="/home/dev/project")


DETECTOR = Detector(
    id=ID,
    run=run,
    marks=frozenset({CallMark.REFUSED}),
    title="What was refused is tried by another way",
    lines="again other-tool other-tool-after-a-no",
    cwe=("CWE-693",),
    asi=("ASI10", "ASI01"),
    given=Facts(
        home="/home/dev",
        project="/home/dev/project",
        denials=(
            Denial(tool="Bash", target="/srv/invoices", category="destructive.foreign-files"),
            Denial(tool="Bash", target="orders", category="destructive.table"),
        ),
    ),
    fires=(
        _call("mcp__filesystem__delete_directory", path="/srv/invoices"),
        _call("Write", file_path="/srv/invoices/2024.csv", content=""),
        _call("Bash", command="find /srv/invoices -delete"),
    ),
    passes=(
        _call("Read", file_path="/srv/invoices/2024.csv"),
        _call("Write", file_path="/home/dev/project/invoices.csv", content="id,total\n"),
        _call("Bash", command="ls -la /srv/invoices"),
    ),
)
