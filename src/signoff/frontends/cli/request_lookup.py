"""What commands about requests have in common: finding one, and naming it in a line."""

from __future__ import annotations

import click

from signoff.build.approvals import Approvals, build_approvals
from signoff.challenge.card import origin_of_call, render_text, title_and_command
from signoff.challenge.channels.scopes import session_line
from signoff.challenge.pending import ClockReading, PendingRequest, RequestState
from signoff.challenge.proofs.seal import looks_like_code
from signoff.frontends.cli.exits import Refusal
from signoff.settings import load_settings
from signoff.sync import run_now

ID_SHOWN = 8
COLOURS = {
    RequestState.PENDING: "yellow",
    RequestState.APPROVED: "green",
    RequestState.EXECUTING: "green",
    RequestState.DONE: "green",
    RequestState.DENIED: "red",
}


def approvals_here() -> Approvals:
    """Open the approval stores of this user, as configured."""
    return build_approvals(load_settings())


def find_request(approvals: Approvals, id: str) -> PendingRequest:
    """Return the request whose id, or digest on its card, starts with `id`; open ones come first.

    Raises:
        Refusal: none matches, or several do.
    """
    for states in ((RequestState.PENDING,), ()):
        listed = run_now(approvals.requests.listed(*states, limit=1_000))
        # Every id begins with an empty one.
        found = [one for one in listed if id and is_named(one, id.lower())]
        if len(found) == 1:
            return found[0]
        if found:
            raise Refusal(f"`{id}` begins {len(found)} ids: give more of it")
    if looks_like_code(id):
        raise Refusal(
            f"`{id}` looks like a confirmation code, which `signoff approve` asks for later; give"
            " the request's id here: `signoff pending` lists the open ones"
        )
    raise Refusal(f"there is no request `{id}`; `signoff pending` lists those that are open")


def is_named(pending: PendingRequest, start: str) -> bool:
    """Return whether a request's id or digest starts with this text."""
    return pending.id.startswith(start) or pending.card.code.startswith(start)


def line_of(pending: PendingRequest, now: ClockReading) -> str:
    """Return a request in one line: what, from whom, how long it stays open."""
    left_s = max(0.0, pending.expires_at.timestamp() - now.wall_s)
    state = pending.state.value if not pending.state.is_open else f"{left_s:.0f}s left"
    given = f"{len(pending.answers)}/{len(pending.steps)}" if len(pending.steps) > 1 else ""
    parts = (
        pending.id[:ID_SHOWN],
        click.style(f"{state:<10}", fg=COLOURS.get(pending.state)),
        f"{pending.level.value:<8}",
        given,
        title_and_command(pending.card),
        f"({whose})" if (whose := origin_of_call(pending.card)) else "",
        f"digest {pending.card.code}",
    )
    return " ".join(part for part in parts if part)


def request_json(pending: PendingRequest) -> dict[str, object]:
    """Return a request as JSON data, without its confirmation code."""
    card = pending.card
    return {
        "id": pending.id,
        "state": pending.state.value,
        "level": pending.level.value,
        "title": card.headline,
        "command": card.command,
        "why": card.why,
        "instead": card.instead,
        "host": card.host,
        "agent": card.agent,
        "session": card.session,
        "project": card.project,
        "digest": card.code,
        "created_at": pending.created_at.isoformat(),
        "expires_at": pending.expires_at.isoformat(),
        "answers": [
            {"verdict": str(one.verdict), "by": one.approver, "channel": one.channel}
            for one in pending.answers
        ],
    }


def page_of(pending: PendingRequest, now: ClockReading) -> str:
    """Return everything about a request as text: its line, its card, its answers."""
    lines = [line_of(pending, now), "", render_text(pending.card).text, ""]
    lines.extend(
        f"{given.verdict} by {given.approver} on {given.channel},"
        # A denial takes no proof: the time is how long the card was open.
        f" {'after' if given.proof else 'open for'} {given.took_s:.0f}s"
        f"{' (too fast to be read)' if given.was_fast else ''}"
        f"{f': {given.proof}' if given.proof else ''}"
        for given in pending.answers
    )
    if pending.state.meaning:
        lines.append(f"{pending.state.value}: {pending.state.meaning}")
    if pending.state.is_open and (covers := session_line(pending)):
        lines.append(covers)
    if step := pending.next_step:
        lines.append(f"wanted next: {step.kind.value}" if pending.state.is_open else "")
    return "\n".join(lines).rstrip()
