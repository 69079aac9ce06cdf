"""`signoff audit backup|restore|rotate`: copies of the audit log, archives of old entries."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.auditing.backup import RestorePlan, plan_restore, plan_rotation, write_backup
from signoff.frontends.auditing.backup import restore as put_back
from signoff.frontends.auditing.backup import rotate as move_out
from signoff.frontends.cli.audit_log import open_file, open_keeper, open_log
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.places import Places
from signoff.frontends.replay.since import since
from signoff.frontends.server.instance import only_instance
from signoff.settings import load_settings
from signoff.values import count_of


@click.command("backup")
@click.argument("folder", type=click.Path(path_type=Path))
def backup(*, folder: Path) -> None:
    """Copy the audit log into a new FOLDER.

    Its checkpoints and the public key are copied, too.

    The daemon may go on. The copy is checked. It does not hold the key that signs checkpoints.
    """
    with errors_as_messages():
        store = open_file("backup")
        with progress("copying the audit log"):
            count = write_backup(store, open_keeper(store), folder)
    answer_with(entries=count, folder=folder)
    say(f"{count_of(count, 'entry', 'entries')} in {folder}: hash chain and checkpoints verified")


@click.command("restore")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def restore(*, folder: Path) -> None:
    """Restore a backup; asks on your terminal.

    The daemon must be down. The present files are kept aside.
    """
    with errors_as_messages():
        settings = load_settings()
        if settings.store is not None:
            # Called for its message: it refuses a record in PostgreSQL.
            open_file("restore")
        places = Places(settings.state_dir)
        places.make()
        # No daemon writes meanwhile, and none starts before the files are in their place.
        with only_instance(places):
            with progress("verifying the backup"):
                plan = plan_restore(folder, settings)
            if not typed_out(f"{_told(plan)}\nto do it, type: restore", word="restore"):
                raise Refusal("not confirmed on a terminal: the audit log stays as it is")
            with progress("restoring the audit log"):
                aside = put_back(plan, settings, now=datetime.now(UTC))
    answer_with(entries=plan.entries, aside=aside)
    say(f"{count_of(plan.entries, 'entry', 'entries')} restored; the files before are in {aside}")
    if plan.is_new_key:
        say("The log goes on under a new key: `signoff audit checkpoint --key` prints it.")


def _told(plan: RestorePlan) -> str:
    """Return what restoring would do, in words."""
    entries = count_of(plan.entries, "entry", "entries")
    lines = [f"restores {entries} of the audit log from {visible(plan.folder)}"]
    if plan.lost:
        lines.append(f"{plan.lost} newer or other entries of the present log will not be in it")
    if plan.is_new_key:
        signed = count_of(plan.signed, "entry was", "entries were")
        lines.append(
            f"{signed} signed, so the log goes on under a new key, and"
            " checkpoints kept elsewhere will show the loss"
        )
    return "\n".join(lines)


@click.command("rotate")
@click.option("--keep", required=True, help="Entries that stay: 90d, 12h, or since a date.")
@click.option("-o", "--output", "archive", required=True, type=click.Path(path_type=Path))
def rotate(*, keep: str, archive: Path) -> None:
    """Archive old entries; asks on your terminal.

    Their hashes stay, so the log verifies as before, and the archive can be checked against it.
    The daemon may go on. In a shared store it archives the entries of this machine.
    """
    with errors_as_messages():
        moment = since(keep, datetime.now(UTC))
        if moment is None:
            raise click.UsageError("`--keep` takes a time: 90d, 12h or a date")
        store = open_log()
        before = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        with progress("reading the audit log"):
            plan = plan_rotation(store, open_keeper(store), before=before)
        if not plan.count:
            say("no entry is older")
            return
        told = f"moves the contents of entries {plan.first} to {plan.last} into {archive}"
        if not typed_out(f"{visible(told)}\nto do it, type: rotate", word="rotate"):
            raise Refusal("not confirmed on a terminal: the audit log stays as it is")
        with progress("moving entries"):
            count = move_out(store, plan, archive)
    answer_with(entries=count, file=archive)
    say(f"{count_of(count, 'entry', 'entries')} are in {archive}; the log keeps their hashes")
