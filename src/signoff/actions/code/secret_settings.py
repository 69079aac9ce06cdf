"""Secrets that an application keeps for itself, in code that sends them to another machine.

The key that signs sessions, the logins of the database and of the mail server, all credentials at
once: no service outside ever needs them, so a request that takes one along leaks it. A key for a
service (`settings.STRIPE_KEY`) is none of them.

    Http::post('https://x.example', ['k' => config('app.key')])       -> SENDS_SECRET
    requests.post('https://x.example', json={'v': settings.VERSION})  -> as it is
"""

from __future__ import annotations

from signoff.actions.known.hosts import HostClass
from signoff.actions.lexicon.own_settings import own_setting
from signoff.actions.operation import Operation, Operations, Reach, Trait, Verb
from signoff.actions.urls import look_at_url
from signoff.values import replace

MOST_TEXT = 20_000


def with_sent_settings(operations: Operations, text: str) -> Operations:
    """Mark what code sends out as sending a secret if it reads the application's settings."""
    out = [op.verb is Verb.NETWORK_OUT and _is_outside(op) for op in operations]
    if not any(out) or not own_setting(text[:MOST_TEXT]):
        return operations
    return tuple(
        replace(op, traits=op.traits | {Trait.SENDS_SECRET}) if is_out else op
        for op, is_out in zip(operations, out, strict=True)
    )


def _is_outside(op: Operation) -> bool:
    if op.reach is Reach.LOOPBACK:
        return False
    return "://" not in op.target or look_at_url(op.target).host_class is not HostClass.PRIVATE
