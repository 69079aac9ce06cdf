"""What was learned and what could be, as lines for terminals and chats, and as JSON.

for line in learning_lines(view): print(line)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from signoff.challenge.visible import visible
from signoff.effects.learning.proposals import Proposal
from signoff.frontends.learning.service import LearnedUse, LearningView
from signoff.values import count_of

SHOWN = 10


def learning_lines(view: LearningView) -> Iterator[str]:
    """Yield lines: proposals, then learned rules, then why nothing else is learned."""
    for one in view.proposals[:SHOWN]:
        yield visible(f"{one.id}  {what_of(one)}")
        yield visible(f"    {figures_of(one)}")
    if len(view.proposals) > SHOWN:
        yield f"... and {len(view.proposals) - SHOWN} more proposals"
    if not view.proposals:
        yield "no rules proposed: a proposal needs 3 approvals of the same call and no denial"
    for used in view.rules:
        yield visible(rule_line(used))
    for gone in view.state.withdrawn[-3:]:
        yield visible(f"withdrawn: {gone.name}: {gone.why}")
    if view.never:
        reasons = ", ".join(f"{count} {why}" for why, count in view.never[:5])
        yield f"never learned from: {reasons}"
    if view.refused:
        yield f"not proposed because a person refused such a call: {view.refused}"


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """Yield one proposal as lines, with the rule's text."""
    yield visible(f"{proposal.id}: {what_of(proposal)}")
    yield visible(figures_of(proposal))
    yield f"approved calls: entries {', '.join(map(str, proposal.examples))} of the audit log"
    yield ""
    yield from map(visible, proposal.rule.yaml.splitlines())


def what_of(proposal: Proposal) -> str:
    """Return what a proposal would let through, in one line."""
    rule = proposal.rule
    named = [
        *(pattern.removesuffix(" $") for pattern in rule.commands if not pattern.startswith("cd ")),
        *(f"{rule.tool}: {verb} {value}" for verb, _, _, value in rule.targets),
    ]
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f"allow `{named[0]}`{more} in {rule.project}"


def figures_of(proposal: Proposal) -> str:
    """Return the evidence for a proposal, and its past effect, in one line."""
    if proposal.policy:
        by = f"let through {count_of(proposal.approvals, 'time')} by policy {proposal.policy}"
    else:
        by = f"approved {count_of(proposal.approvals, 'time')} by {', '.join(proposal.people)}"
    share = proposal.silenced / proposal.asked if proposal.asked else 0.0
    return (
        f"{by} in {count_of(proposal.sessions, 'session')},"
        f" {proposal.first[:10]} to {proposal.last[:10]};"
        f" would have settled {proposal.silenced} of {count_of(proposal.asked, 'question')}"
        f" ({share:.0%}), none that a person denied"
    )


def rule_line(used: LearnedUse) -> str:
    """Return a learned rule with its uses in one line."""
    state = "ended" if used.is_over else ("unused" if used.is_unused else "in use")
    ends = f", ends {used.ends}" if used.ends else ""
    times = count_of(used.use.count, "time")
    return f"{used.rule.name}  {state}, used {times}{ends}; {used.rule.origin}"


def learning_json(view: LearningView) -> dict[str, Any]:
    """Return the view as JSON data."""
    return {
        "proposals": [proposal_json(one) for one in view.proposals],
        "rules": [
            {
                "name": one.rule.name,
                "project": one.rule.project,
                "origin": one.rule.origin,
                "uses": one.use.count,
                "last_used": one.use.last,
                "ends": one.ends,
                "is_unused": one.is_unused,
                "is_over": one.is_over,
            }
            for one in view.rules
        ],
        "withdrawn": [{"name": w.name, "why": w.why, "at": w.at} for w in view.state.withdrawn],
        "never": dict(view.never),
        "refused": view.refused,
    }


def proposal_json(one: Proposal) -> dict[str, Any]:
    """Return one proposal as JSON data."""
    return {
        "id": one.id,
        "allows": what_of(one),
        "approvals": one.approvals,
        "people": list(one.people),
        "sessions": one.sessions,
        "first": one.first,
        "last": one.last,
        "asked": one.asked,
        "silenced": one.silenced,
        "examples": list(one.examples),
        "policy": one.policy,
        "rule": one.rule.yaml,
    }
