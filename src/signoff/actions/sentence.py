"""One sentence a person understands for one Operation: verb, target, where, and what is special.

say(op) -> "deletes `src` (project)"
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb

MAX_TARGET = 120

VERBS = {
    Verb.INERT: "does nothing outside itself",
    Verb.READ: "reads",
    Verb.WRITE: "writes",
    Verb.DELETE: "deletes",
    Verb.EXECUTE: "runs",
    Verb.NETWORK_IN: "fetches",
    Verb.NETWORK_OUT: "sends to",
    Verb.INSTALL: "installs",
    Verb.PUBLISH: "publishes",
    Verb.CONTROL: "controls",
    Verb.CONFIGURE: "changes",
    Verb.PRIVILEGE: "acts with the rights of another user:",
    Verb.PERSIST: "plants for later:",
    Verb.SPEND: "spends:",
}
PLACES = {
    Reach.TEMP: "temporary folder",
    Reach.PROJECT: "project",
    Reach.LOOPBACK: "this machine",
    Reach.ELSEWHERE: "outside the project",
    Reach.HOME: "home folder",
    Reach.REMOTE: "remote",
    Reach.SYSTEM: "system",
    Reach.PRODUCTION: "production",
    Reach.GUARD: "signoff itself",
    Reach.UNKNOWN: "unknown place",
}
REMARKS = {
    Trait.AS_ROOT: "with root rights",
    Trait.ON_REMOTE_HOST: "on another machine",
    Trait.IN_CONTAINER: "in a container",
    Trait.RECURSIVE: "with everything in it",
    Trait.UNBOUNDED: "without a bound",
    Trait.REMOTE_CODE: "code that came from the network unread",
    Trait.DECODED: "code that was decoded first",
    Trait.SENDS_SECRET: "with a secret",
    Trait.SENDS_FILES: "with local files",
    Trait.LOSES_WORK: "uncommitted work is lost",
    Trait.LOSES_HISTORY: "history is lost",
    Trait.FORCED: "by force",
}


def say(op: Operation) -> str:
    """Describe an Operation in one sentence for people, without a full stop."""
    if not op.understood:
        what = f"cannot determine what `{op.program or 'this'}` does"
        return f"{what}: {op.why}" if op.why else what
    thing = (
        ""
        if op.thing in {ResourceType.NOTHING, ResourceType.FILE, ResourceType.CODE}
        else f" {op.thing.value}"
    )
    target = op.target if len(op.target) <= MAX_TARGET else op.target[:MAX_TARGET] + "..."
    named = f" `{target}`" if target else ""
    remarks = [PLACES[op.reach]] if op.reach in PLACES else []
    if not op.traits.isdisjoint(REMARKS):
        remarks.extend([text for trait, text in REMARKS.items() if trait in op.traits])
    where = f" ({', '.join(remarks)})" if remarks else ""
    by = f"`{op.program}` " if op.program and op.program != "redirection" else ""
    return f"{by}{VERBS[op.verb]}{thing}{named}{where}"
