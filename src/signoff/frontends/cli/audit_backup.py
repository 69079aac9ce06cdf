"""`signoff audit backup|restore`: copies of the audit log, made while it is written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.auditing.backup import RestorePlan, plan_restore, write_backup
from signoff.frontends.auditing.backup import restore as put_back
from signoff.frontends.cli.audit_log import open_keeper, open_log
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import only_instance
from signoff.settings import load_settings


@click.command("backup")
@click.argument("folder", type=click.Path(path_type=Path))
def backup(*, folder: Path) -> None:
    """Copy the audit log into a new FOLDER.

    Its checkpoints and the public key are copied, too.

    The daemon may go on. The copy is checked. It does not hold the key that signs checkpoints.
    """
    with errors_as_messages():
        store = open_log()
        count = write_backup(store, open_keeper(store), folder)
    click.echo(f"{count} entries in {folder}: hash chain and checkpoints verified")


@click.command("restore")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def restore(*, folder: Path) -> None:
    """Restore a backup; asks on your terminal.

    The daemon must be down. The present files are kept aside.
    """
    with errors_as_messages():
        settings = load_settings()
        places = Places(settings.state_dir)
        places.make()
        with only_instance(places):
            plan = plan_restore(folder, settings)
            if not typed_out(f"{_told(plan)}\nto do it, type: restore", word="restore"):
                raise Refusal("not confirmed on a terminal: the audit log stays as it is")
            aside = put_back(plan, settings, now=datetime.now(UTC))
    click.echo(f"{plan.entries} entries restored; the files before are in {aside}")
    if plan.is_new_key:
        click.echo("The log goes on under a new key: `signoff audit checkpoint --key` prints it.")


def _told(plan: RestorePlan) -> str:
    """Say what restoring does."""
    lines = [f"restores {plan.entries} entries of the audit log from {visible(plan.folder)}"]
    if plan.lost:
        lines.append(f"{plan.lost} newer or other entries of the present log will not be in it")
    if plan.is_new_key:
        lines.append(
            f"{plan.signed} entries were signed, so the log goes on under a new key, and"
            " checkpoints kept elsewhere will show the loss"
        )
    return "\n".join(lines)
