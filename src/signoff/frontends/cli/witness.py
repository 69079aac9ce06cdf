"""`signoff witness`: watch the audit logs of other machines, so that none is rewritten unseen.

signoff witness key                      its public key, for `audit.witnesses` of those machines
signoff witness serve --log KEY          cosign the checkpoints of a log, as long as it only grows
signoff witness show                     the newest checkpoint of each log, to check a log against
"""

from __future__ import annotations

import asyncio
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import click

from signoff.errors import BadSettings
from signoff.frontends.auditing.witness_server import serve_witness
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, answer_with, echo_json, json_option
from signoff.frontends.cli.wrapping import say
from signoff.settings import own_folders
from signoff.storage.proof.note import NoteKey, open_cosigner, parse_note
from signoff.storage.proof.witness import Witness
from signoff.storage.text_file import read_text, write_whole

PORT = 4441
LOGS = "logs.txt"
LOGS_LIMIT = 1_000_000  # bytes
folder_option = click.option(
    "--folder", type=click.Path(file_okay=False), help="Its files.  [witness in the state folder]"
)


@click.group("witness", cls=AnsweringGroup)
def command() -> None:
    """Watch the audit logs of other machines: cosign their checkpoints while they only grow."""


@command.command("key")
@folder_option
def key(*, folder: str | None) -> None:
    """Print the public key of this witness; it is made if there is none."""
    with errors_as_messages():
        text = _witness(folder, ()).cosigner.key.text
    answer_with(key=text)
    click.echo(text)


@command.command("serve")
@click.option("--log", "keys", multiple=True, help="`signoff audit checkpoint --key` of a log.")
@folder_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65_535))
@click.option("--tls-certificate", type=click.Path(exists=True), help="PEM, for https.")
@click.option("--tls-key", type=click.Path(exists=True), help="PEM, for https.")
def serve(
    *,
    keys: tuple[str, ...],
    folder: str | None,
    host: str,
    port: int,
    tls_certificate: str | None,
    tls_key: str | None,
) -> None:
    """Cosign checkpoints until Control-C or a signal.

    Logs named once by --log are remembered. Run it where nobody who can write those logs can
    write: on another machine, or as another user.
    """
    with errors_as_messages():
        if bool(tls_certificate) != bool(tls_key):
            raise BadSettings("give --tls-certificate and --tls-key together")
        witness = _witness(folder, keys)
        tls = (tls_certificate, tls_key) if tls_certificate and tls_key else None
        try:
            listening = socket.create_server((host, port), backlog=128)
        except OSError as error:
            raise BadSettings(
                f"cannot listen on {host}:{port}: {error.strerror}; --port takes another"
            ) from error
        address = f"{'https' if tls else 'http'}://{host}:{listening.getsockname()[1]}"
        told = (
            f"witness {witness.cosigner.key.text}\nserving {len(witness.origins)} logs on {address}"
        )
        asyncio.run(serve_witness(witness, listening, tls=tls, ready=lambda: say(told)))


@command.command("show")
@folder_option
@json_option
def show(*, folder: str | None, is_json: bool) -> None:
    """Print the newest checkpoint of each log.

    Give them to `signoff audit verify --checkpoint FILE`, or to the `verify.py` of an export.
    """
    with errors_as_messages():
        seen = _witness(folder, ()).seen()
    if is_json:
        echo_json(
            [
                {
                    "log": one.origin,
                    "size": parse_note(one.note)[0].size,
                    "at": datetime.fromtimestamp(one.at_s, UTC).isoformat(),
                    "note": one.note,
                }
                for one in seen
            ]
        )
        return
    for one in seen:
        click.echo(one.note)


def _witness(folder: str | None, keys: tuple[str, ...]) -> Witness:
    """Open a witness; the keys are added to those it knows."""
    place = Path(folder or os.path.join(own_folders()[1], "witness"))
    cosigner = open_cosigner(str(place / "witness.key"))
    known = (read_text(str(place / LOGS), limit=LOGS_LIMIT) or "").split()
    new = [NoteKey.parse(one).text for one in keys]
    logs = list(dict.fromkeys([*known, *new]))
    # Only then: `key` and `show` write nothing.
    if len(logs) > len(known):
        write_whole(str(place / LOGS), "".join(f"{one}\n" for one in logs).encode())
    return Witness(str(place), cosigner, logs=tuple(NoteKey.parse(one) for one in logs))
