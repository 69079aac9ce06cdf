"""Controllers of plants and buildings on a bus or the network: read, or switched.

mbpoll -m tcp plc1      -> READ URL
mbpoll -m tcp plc1 0    -> WRITE URL @remote
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.urls import look_at_url

_WRITES = ("write", "w5", "w6", "w15", "w16", "groupwrite", "grouprespond")


def poller(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mbpoll HOST VALUE...`: without a value it reads."""
    yield _addressed(call, call.texts[0] if call.operands else "", writes=len(call.operands) > 1)


def master(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `modbus write HOST ADDRESS VALUE`, `mbtget -w6 VALUE HOST`."""
    said = [word.text.lstrip("-") for word in call.command.words[1:3]]
    host = next((text for text in call.texts if "." in text or text == "localhost"), "")
    yield _addressed(call, host, writes=any([text.startswith(_WRITES) for text in said]))


def _addressed(call: ProgramCall, host: str, *, writes: bool) -> Effect:
    reach = look_at_url(f"x://{host}").reach if host else Reach.REMOTE
    if reach is not Reach.LOOPBACK:
        reach = Reach.PRODUCTION if is_production(host) else Reach.REMOTE
    verb = Verb.WRITE if writes else Verb.READ
    return call.operation(verb, ResourceType.URL, host, reach=reach, reversible=not writes)
