"""What one decision teaches about its session: what was written, fetched, read, refused.

A refused call happened not: only the refusal is remembered, and trying again and again makes no
function familiar. One handed to the host may have happened and is remembered like an allowed one.
What was refused is remembered without the secrets in it, unless it is a path: paths are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from signoff.actions.facts import Denial, act_of, denied_act
from signoff.actions.lookups import makes_keys, names_output
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.shell.left_behind.given_remotes import remote_marks
from signoff.actions.shell.left_behind.guard_numbers import number_marks
from signoff.actions.shell.left_behind.listed_files import list_marks
from signoff.actions.shell.left_behind.made_links import link_marks
from signoff.actions.shell.left_behind.mounts import mount_marks
from signoff.actions.shell.left_behind.moved_work import work_marks
from signoff.actions.shell.origins.cloned import looked_into
from signoff.actions.understand import place_of
from signoff.actions.wording.sentence import say
from signoff.assess.assessed import Assessed
from signoff.assess.assessment import Assessment
from signoff.assess.detectors.detector import Evidence
from signoff.assess.finding import Finding
from signoff.assess.remembered.choices import choice_marks
from signoff.assess.remembered.kept_texts import kept_marks
from signoff.assess.remembered.login_codes import code_marks
from signoff.assess.remembered.placed import placed_marks
from signoff.assess.remembered.private_data import private_marks
from signoff.assess.remembered.safety_nets import may_change_net, net_marks
from signoff.assess.remembered.secrets.carried_secrets import secret_marks
from signoff.assess.remembered.self_starting import starting_marks
from signoff.assess.threat.leading import leading_operation
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.effects.session_marks import NO_MARKS, marks_of
from signoff.effects.store import SessionKey, SessionUpdate

ACT_LIMIT, ACTS_PER_CALL = 300, 8
PER_CALL = 200  # paths of one kind taken from one call
TEXT_LIMIT = 4_096
SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.ENV})
Paths: TypeAlias = tuple[str, ...]
HARMLESS = frozenset({Verb.INERT, Verb.READ})
# Looked up once: a member of an enum costs more than all else that is asked of an operation.
_WRITE, _NETWORK_IN, _READ = Verb.WRITE, Verb.NETWORK_IN, Verb.READ
_INSTALL, _REPOSITORY = Verb.INSTALL, ResourceType.REPOSITORY
_CONFIGURE = Verb.CONFIGURE
# A file that a secret was copied into is as good as the secret.
_SECRET_TRAITS = frozenset({Trait.READS_SECRET, Trait.HOLDS_SECRET})


def session_update_of(decision: Decision, clean: Callable[[str], str] = str) -> SessionUpdate:
    """Return what a decision adds to its session's history.

    Args:
        clean: masks secrets in a text.
    """
    action = decision.action
    key = SessionKey(agent=action.agent[:TEXT_LIMIT], session=action.session[:TEXT_LIMIT])
    operations = decision.assessment.operations if decision.assessment else ()
    # Nothing of it happened: its files were not written, and must not count as the session's.
    if decision.verdict is Verdict.DENY:
        denials = _denials(decision, operations, clean)
        acts = _denied_acts(decision, operations, clean)
        return SessionUpdate(key=key, denials=denials, acts=acts)
    written, fetched, secrets = _acted_on(operations)
    marks = NO_MARKS
    if decision.assessment and (
        any(map(_leaves_something, operations))
        or names_output(action.text("command"))
        or makes_keys(action.text("command"))
        or any(looked_into(operations, decision.assessment.facts.downloaded))
    ):
        marks = marks_of(decision.assessment)
    nets = _nets(decision.assessment) if any(map(may_change_net, operations)) else ()
    return SessionUpdate(
        key=key,
        function=action.tool[:TEXT_LIMIT],
        acts=_acts(action.tool, operations),
        written=written,
        downloaded=_bounded((*fetched, *marks.fetched)) if marks.fetched else fetched,
        built=_bounded(marks.built),
        created=_bounded((*marks.created, *nets, *_remembered(decision.assessment, clean))),
        moved=_bounded(marks.moved),
        secrets_read=_bounded((*secrets, *marks.secrets)) if marks.secrets else secrets,
    )


def _acts(tool: str, operations: Operations) -> Paths:
    """Return what the programs of a call did; what a tool did is counted by its own name."""
    acting = [op for op in operations if op.verb not in HARMLESS and op.program not in ("", tool)]
    acts = dict.fromkeys(act_of(op.program, op.verb.value) for op in acting)
    return tuple([act for act in acts if len(act) <= ACT_LIMIT][:ACTS_PER_CALL])


def _denied_acts(decision: Decision, operations: Operations, clean: Callable[[str], str]) -> Paths:
    """Return what was denied, in one sentence for a call."""
    findings = decision.assessment.findings if decision.assessment else ()
    worst = leading_operation(findings, operations)
    said = clean(say(worst)) if worst is not None else clean(decision.action.tool)
    category = _worst_category(findings)
    return (denied_act(f"{said[:ACT_LIMIT]} [{category}]" if category else said[:ACT_LIMIT]),)


def _leaves_something(op: Operation) -> bool:
    verb = op.verb
    is_made = verb is _WRITE or verb is _NETWORK_IN or verb is _INSTALL or verb is _CONFIGURE
    if is_made or op.thing is not _REPOSITORY:
        return is_made
    return verb is not _READ or op.program != "git"  # `svn export` reads what it puts somewhere


def _nets(assessment: Assessed | None) -> Paths:
    """Return the safety nets that a call switches off, or on again."""
    if assessment is None:
        return ()
    action, facts, operations = assessment.action, assessment.facts, assessment.operations
    evidence = Evidence(action=action, facts=facts, operations=operations)
    return tuple(net_marks(operations, evidence, facts.created))


def _remembered(assessment: Assessed | None, clean: Callable[[str], str]) -> Paths:
    """Return what later calls are judged by: private data, scripts that start, files elsewhere."""
    if assessment is None:
        return ()
    action, facts, operations = assessment.action, assessment.facts, assessment.operations
    evidence = Evidence(action=action, facts=facts, operations=operations)
    commands = assessment.commands if isinstance(assessment, Assessment) else ()
    return (
        *map(clean, kept_marks(commands, evidence)),
        *private_marks(operations, evidence),
        *starting_marks(operations, evidence),
        *code_marks(operations, evidence),
        *remote_marks(commands),
        *work_marks(commands, operations, facts),
        *mount_marks(commands, place_of(action, facts)),
        *link_marks(commands),
        *list_marks(commands, operations, facts),
        *number_marks(action.text("command"), operations, facts),
        *placed_marks(operations, evidence),
        *choice_marks(evidence, facts.created),
        *secret_marks(operations, evidence),
    )


def _bounded(paths: Paths) -> Paths:
    # Left out and not cut: half a path is another file.
    kept = [path for path in dict.fromkeys(paths) if len(path) <= TEXT_LIMIT]
    return tuple(kept)[:PER_CALL]


def _acted_on(operations: Operations) -> tuple[Paths, Paths, Paths]:
    """Return the paths that are written, fetched, and read as secrets."""
    written: list[Operation] = []
    fetched: list[Operation] = []
    secrets: list[Operation] = []
    for operation in operations:
        verb = operation.verb
        if verb is _WRITE:
            written.append(operation)
        elif verb is _NETWORK_IN:
            fetched.append(operation)
        is_secret = verb is _READ and operation.file_kind in SECRET_KINDS
        if is_secret or not _SECRET_TRAITS.isdisjoint(operation.traits):
            secrets.append(operation)
    if fetched:
        groups = {operation.group for operation in fetched}
        # A download names where it comes from; where it lies is said by what the same command
        # writes.
        fetched = [op for op in written if op.group in groups] + fetched
    return (
        _paths(written) if written else (),
        _paths(fetched) if fetched else (),
        _paths(secrets) if secrets else (),
    )


def _paths(operations: list[Operation]) -> Paths:
    """Return the different paths acted on, in order."""
    paths = [op.path for op in operations if op.path and len(op.path) <= TEXT_LIMIT]
    return tuple(paths) if len(paths) <= 1 else tuple(dict.fromkeys(paths))[:PER_CALL]


def _denials(
    decision: Decision, operations: Operations, clean: Callable[[str], str]
) -> tuple[Denial, ...]:
    """Return what was refused, by target; without a target the tool alone."""
    findings = decision.assessment.findings if decision.assessment else ()
    # What was found in one part of a call says nothing against its other parts.
    groups = {finding.group for finding in findings if finding.detected} - {-1}
    parts = [op for op in operations if op.group in groups] or operations
    targets = [op.path or clean(op.target) for op in parts if op.verb not in HARMLESS]
    wanted = list(dict.fromkeys(target[:TEXT_LIMIT] for target in targets if target)) or [""]
    category = _worst_category(findings)
    return tuple(
        Denial(tool=decision.action.tool[:TEXT_LIMIT], target=target, category=category)
        for target in wanted[:8]
    )


def _worst_category(findings: tuple[Finding, ...]) -> str:
    """Return the category of the most severe finding, "" without one."""
    ranks = {"low": 0, "medium": 1, "high": 2, "critical": 3}
    detected = [finding for finding in findings if finding.detected]
    return max(detected, key=lambda f: ranks[f.severity.value]).category if detected else ""
