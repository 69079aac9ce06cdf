"""Which lines of a written script act on what belongs to others, so that somebody must say yes.

A script is asked about again when the agent runs it. But a colleague, a pipeline or a schedule may
run it first, and asks nobody. So what leaves the machine is asked about where it is written:
published work, other machines, services, clouds, production, files sent away. What a script does
on its own machine, in containers and to servers on loopback is asked about when it runs.

    asked_in_script(findings, "npm publish")            (remote-change.published,)
    asked_in_script(findings, "docker compose up -d")   ()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import re2

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.understand import Understanding
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.finding import Finding, Severity

_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
_CHANGES = frozenset(
    {Verb.WRITE, Verb.DELETE, Verb.INSTALL, Verb.CONTROL, Verb.CONFIGURE, Verb.PRIVILEGE}
)
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_SURE = frozenset({Trait.ON_REMOTE_HOST, Trait.SENDS_FILES})
_KEPT = frozenset({ResourceType.BACKUP, ResourceType.CREDENTIAL})
_ASKS = frozenset({Severity.MEDIUM, Severity.HIGH})
_DETECTORS = words(
    "remote-change production-impact destructive exfiltration privilege system-change supply-chain"
)
_PEOPLE = "production-impact.people-read"  # though nothing is changed
_HERE = r"(?:127\.0\.0\.1|localhost|\[?::1\]?)(?:[:/\s\"']|$)"
# The clients of a script talk to servers of this machine, or of its containers, as it tells them.
_TOLD_HERE = lazy_re2(
    r"(?im)(?:^\s*(?:export\s+|set\s+|\$env:)|\bENV\s+)\w+\s*=\s*[\"']?(?:[\w+.-]+://)?"
    rf"(?:[^\s/\"'@]*@)?{_HERE}"
    rf"|\balias\s+set\s+\S+\s+https?://(?:{_HERE}|[a-z][\w-]*:\d)"
)
_AT_LOOPBACK = lazy_re2(rf"(?i)^(?:-{{1,2}}[\w-]+=)?(?:[\w+.-]+://)?(?:[^\s/@]*@)?{_HERE}")
# Stores of backups on another machine.
_KEEPERS = words("restic rustic borg kopia duplicity duplicacy rclone")
_STORE_ELSEWHERE = lazy_re2(
    r"^(?:sftp|b2|s3|rest|azure|gs|swift|rclone|ssh|https?)://?\S|^(?:sftp|b2|s3|rest|azure|gs|swift):\S"
    r"|^[\w.-]+@[\w.-]+:\S"
)


def asked_in_script(
    findings: Iterable[Finding], understood: Understanding, text: str
) -> Iterator[Finding]:
    """Yield for each command that acts on others the gravest finding that is asked about."""
    commands = {one.index: one for one in understood.commands}
    is_here = _TOLD_HERE.search(text) is not None
    groups = {
        op.group
        for op in understood.operations
        if _acts_on_others(op, commands.get(op.group), is_here=is_here)
    }
    found: dict[int, Finding] = {}
    for one in findings:
        is_asked = one.severity in _ASKS and one.detector in _DETECTORS
        if is_asked and (one.group in groups or one.category == _PEOPLE):
            best = found.setdefault(one.group, one)
            if one.severity is Severity.HIGH and best.severity is not Severity.HIGH:
                found[one.group] = one
    yield from found.values()


def _acts_on_others(op: Operation, command: Command | None, *, is_here: bool) -> bool:
    """Tell whether an Operation of a script changes or sends what is not the machine's own.

    Args:
        is_here: whether the script tells its clients that their servers run on this machine.
    """
    is_inside = Trait.IN_CONTAINER in op.traits and Trait.ON_REMOTE_HOST not in op.traits
    is_idle = op.verb in _LOOKS or Trait.DRY_RUN in op.traits or op.path.startswith("/dev/")
    if is_inside or is_idle or _names(command, _AT_LOOPBACK):
        return False
    is_sure = not _SURE.isdisjoint(op.traits) or op.reach is Reach.PRODUCTION
    if is_sure or op.verb in {Verb.PUBLISH, Verb.SPEND}:
        return True
    if op.program.partition(" ")[0] in _KEEPERS:
        is_kept = op.verb is Verb.CONFIGURE and op.thing in _KEPT
        return is_kept and _names(command, _STORE_ELSEWHERE)
    return op.verb in _CHANGES and op.reach in _FAR and not is_here


def _names(command: Command | None, pattern: re2._Regexp[str]) -> bool:
    """Tell whether a word of a command is an address of a kind."""
    return command is not None and any(
        [pattern.search(word.text) is not None for word in command.words[1:]]
    )
