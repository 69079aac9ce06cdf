"""Who a call is about: the address of a web client, else the agent, else the session."""

from __future__ import annotations

from signoff.actions.action import Action

ADDRESS = "address"  # of a web client that is counted by a name


def client_of(action: Action) -> str:
    """Return the id under which a web request's client is counted, "" if it has none."""
    return action.text("client_ip") or action.agent or action.session
