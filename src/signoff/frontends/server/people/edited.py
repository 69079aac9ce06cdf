"""The reply to a host if a person has changed the arguments of a call and approved that.

Only the changed call was judged and approved. A host that cannot be given it is refused: what it
had asked about must not run in its place.
"""

from __future__ import annotations

from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, HostEvent
from signoff.gate import Gate


async def told_edited(
    adapter: Adapter, event: HostEvent, decision: Decision, *, gate: Gate
) -> HostAnswer:
    """Return the allow of what a person has made of a call.

    Raises:
        BadPayload: the host cannot be given it; nothing runs.
    """
    try:
        if adapter.render_edited is None or event.retell is None:
            raise BadPayload("this host takes no changed arguments")
        return adapter.render_edited(decision, event.retell(decision.action.arguments))
    except BadPayload as error:
        await gate.finish(decision, has_failed=True)
        raise BadPayload(f"{error}; refuse the call instead, and say what is wanted") from error
