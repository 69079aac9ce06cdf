"""`signoff approvers`: who may answer, and as whom they are known on which channel.

A change after which the person at this terminal is no admin any more locks them out: it takes a
flag and a word of its own, and the way back is named.

    signoff approvers list
    signoff approvers add ada --name "Ada" --role approver --identity telegram:4711
    signoff approvers remove ada
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from signoff.build.approvals import Approvals
from signoff.challenge.channels.terminal import here
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.visible import visible
from signoff.channels.registry import CHANNELS
from signoff.documents.nearest import suggest
from signoff.frontends.cli.confirm import take_over
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import (
    AnsweringGroup,
    answer_with,
    echo_json,
    is_alone,
    json_option,
)
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import confirmed_as_admin
from signoff.frontends.cli.wrapping import echo_in_columns, say

CHATS = {one.name: one for one in CHANNELS}
# `oidc`: at the identity provider that people sign in to the inbox with.
KNOWN_ON = ("terminal", "web", "oidc", *CHATS)  # where somebody can be known
FLAG = "--lock-out-this-terminal"
LOCK_OUT = "lock out"  # what is typed to confirm it

lock_out = click.option(
    FLAG, "is_lock_out", is_flag=True, help="Go on although you are no admin here any more."
)


@click.group("approvers", cls=AnsweringGroup, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, *, is_json: bool) -> None:
    """List and change who may answer, and their names on each channel."""
    if is_alone(context, is_json=is_json):
        context.invoke(list_, is_json=is_json)


@command.command("list")
@json_option
def list_(*, is_json: bool = False) -> None:
    """List everybody who may answer or look."""
    with errors_as_messages():
        listed = approvals_here().directory.listed()
    if is_json:
        echo_json([_json(one) for one in listed])
        return
    for approver in listed:
        echo_in_columns(_line(approver))


def _json(approver: Approver) -> dict[str, object]:
    return {
        "id": approver.id,
        "name": approver.name,
        "role": approver.role.value,
        "groups": list(approver.groups),
        "identities": list(map(str, approver.identities)),
    }


@command.command("on-call")
@json_option
def on_call(*, is_json: bool = False) -> None:
    """Show who is on call now, and until when."""
    now_s = time.time()
    with errors_as_messages():
        rotas = approvals_here().plan.rotas
    found = {name: (one.asked(now_s, 0.0)[0], one.until(now_s)) for name, one in rotas.items()}
    if is_json:
        echo_json(
            [
                {"group": name, "on_call": id, "until": until.isoformat()}
                for name, (id, until) in found.items()
            ]
        )
        return
    for name, (id, until) in found.items():
        echo_in_columns(f"{name}: {visible(id)} until {until:%Y-%m-%d %H:%M} {rotas[name].zone}")
    if not found:
        say("no rota is set: `approval.rotas` in signoff.yaml")


@command.command("add", short_help="Add or change somebody; asks on your terminal.")
@click.argument("id")
@click.option("--name", default="")
@click.option(
    "--role", type=click.Choice([role.value for role in ApproverRole]), default="approver"
)
@click.option("--group", "groups", multiple=True, help="Asked together; may be given again.")
@click.option(
    "--identity",
    "identities",
    multiple=True,
    required=True,
    metavar="CHANNEL:ID",
    help="telegram:4711, web:ada, terminal:uid:1000 (`id -u` says yours); may be given again.",
)
@lock_out
def add(
    *,
    id: str,
    name: str,
    role: str,
    groups: tuple[str, ...],
    identities: tuple[str, ...],
    is_lock_out: bool,
) -> None:
    """Add somebody, or change who is there. Asks on the terminal.

    Somebody who is there already is replaced: give all their identities.
    """
    approver = Approver(
        id=id,
        name=name,
        role=ApproverRole(role),
        groups=groups,
        identities=tuple(map(_identity, identities)),
    )
    with errors_as_messages():
        approvals = approvals_here()
        _confirm(
            approvals,
            f"may answer from now on:\n  {_line(approver)}",
            word="add",
            said=f"{approver.id}: {approver.role}, {', '.join(map(str, approver.identities))}",
            left=[*_others(approvals, id), approver],
            is_lock_out=is_lock_out,
        )
        # A daemon that runs takes it over only with the code from its channels (T-63).
        approvals.directory.add(approver)
        take_over()
    answer_with(**_json(approver))
    echo_in_columns(_line(approver))


@command.command("remove", short_help="Remove somebody; asks on your terminal.")
@click.argument("id")
@lock_out
def remove(*, id: str, is_lock_out: bool) -> None:
    """Remove somebody. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        _confirm(
            approvals,
            f"may not answer any more: {id}",
            word="remove",
            said=id,
            left=_others(approvals, id),
            is_lock_out=is_lock_out,
        )
        if not approvals.directory.remove(id):
            raise Refusal(f"there is nobody `{id}`")
        take_over()
    answer_with(id=id)
    say("removed")


def _others(approvals: Approvals, id: str) -> list[Approver]:
    """Return everybody but one."""
    return [one for one in approvals.directory.listed() if one.id != id]


def _confirm(
    approvals: Approvals,
    text: str,
    *,
    word: str,
    said: str,
    left: Sequence[Approver],
    is_lock_out: bool,
) -> None:
    """Have an admin confirm a change; one that locks them out only with the flag.

    Args:
        said: as in `confirmed_as_admin`.
        left: who may answer afterwards.

    Raises:
        Refusal: nobody confirmed it, or it locks the admin out and the flag is missing.
    """
    me = here()
    if any(me in one.identities and one.role is ApproverRole.ADMIN for one in left):
        confirmed_as_admin(approvals, text, word=word, act=f"approver.{word}", said=said)
        return
    warning = (
        f"this locks out the present terminal: `{me}` would be no admin any more, and could"
        " not change approvers, policies or the mode.\n"
        f"way back: edit or delete {approvals.directory.path}; without it you are the only admin"
    )
    if not is_lock_out:
        raise Refusal(
            f"{warning}\n"
            f"to stay admin: give `--role admin` and `--identity {me}` for your own entry\n"
            f"to do it all the same: {FLAG}"
        )
    warned, act = f"{text}\nWARNING: {warning}", f"approver.{word}"
    confirmed_as_admin(approvals, warned, word=LOCK_OUT, act=act, said=said)


def _identity(text: str) -> Identity:
    """Read an identity; one that no channel could ever report is refused.

    Raises:
        BadParameter: it is none.
    """
    # At the first colon only: an id may hold more, as in `terminal:uid:1000`.
    channel, _, id = text.partition(":")
    if not channel or not id:
        raise _bad(f"`{text}` is no CHANNEL:ID")
    if channel not in KNOWN_ON:
        raise _bad(f"unknown channel `{channel}`{suggest(channel, KNOWN_ON)}")
    number = id.removeprefix("uid:")
    if channel == "terminal" and (number == id or not _is_number(number)):
        raise _bad(f"`{text}`: on a terminal people are known by `terminal:uid:NUMBER`")
    chat = CHATS.get(channel)
    if chat is not None and not chat.is_identity(id):
        raise _bad(f"`{text}`: on {chat.title} people are known by ids like `{chat.identity}`")
    return Identity(channel, id)


def _is_number(text: str) -> bool:
    # `isdigit` alone is true of digits in other scripts, too.
    return text.isascii() and text.isdigit()


def _bad(said: str) -> click.BadParameter:
    return click.BadParameter(said, param_hint="--identity")


def _line(approver: Approver) -> str:
    known = ", ".join(map(str, approver.identities))
    groups = f" in {', '.join(approver.groups)}" if approver.groups else ""
    name = f" ({approver.name})" if approver.name else ""
    return visible(f"{approver.id}{name} {approver.role.value}{groups}: {known}")
