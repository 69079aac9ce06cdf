"""What a call of a library that nobody described gives, and what it does to others.

Every reader of a language comes here with a call that its own tables do not know.
"""

from __future__ import annotations

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.services.acts import record_act
from signoff.actions.code.services.call import ClientCall
from signoff.actions.code.services.clients import hosts_in, is_client, opens
from signoff.actions.code.value import Taint, Value, taints_of
from signoff.values import replace

_SERVICE = frozenset({Taint.SERVICE})
_KEYS = frozenset({Taint.SECRET, Taint.ENVIRONMENT_SECRET})
# What a function of a library acts on is what it is given.
_HANDED = _SERVICE | {Taint.DOUBLE, Taint.REAL}


def follow_call(call: ClientCall, recorder: Recorder) -> Value:
    """Record a call and return its result, tainted SERVICE if it is of a service."""
    taints = taints_of(*call.values)
    if not call.is_of_service and is_client(call.name, call.arguments, call.named):
        recorder.service_hosts.extend(hosts_in(call.name, call.arguments, call.named))
        taints |= _SERVICE | recorder.doubles.of_client(call.name, call.arguments, call.named)
    elif opens(call.name):
        recorder.service_hosts.extend(hosts_in("", call.arguments, call.named))
    elif not call.is_of_service:
        taints |= recorder.doubles.of_call(call.name, call.arguments, call.named)
    is_bare = not call.arguments and not call.named
    recorder.doubles.note_setup(call.name, call.named, is_bare=is_bare)
    has_key = not _KEYS.isdisjoint(taints)
    given = _SERVICE if call.is_of_service or has_key else _HANDED
    owner = replace(call.owner, taints=call.owner.taints | (taints & given))
    is_chosen = call.is_chosen or Taint.CHOSEN in taints
    record_act(replace(call, owner=owner, is_chosen=is_chosen), recorder)
    return Value(kind=call.name, taints=taints | {Taint.CHOSEN} if call.chooses else taints)
