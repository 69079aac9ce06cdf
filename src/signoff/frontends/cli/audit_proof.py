"""`signoff audit verify|checkpoint|prove`: what shows that the audit log is as it was written."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from msgspec import to_builtins

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.errors import StoreError, TamperedRecord
from signoff.frontends.auditing.bundle import proof_of
from signoff.frontends.auditing.witness_client import WitnessReport, WitnessTarget, ask_witnesses
from signoff.frontends.cli.audit_log import open_keeper, open_log, open_other_nodes
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.settings import load_settings
from signoff.storage.chain import VerifyResult
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import NoteKey, parse_note
from signoff.storage.proof.offline_verifier import notes_in
from signoff.storage.proof.verifying import ProofResult, verify_checkpoints
from signoff.storage.reading import Record
from signoff.values import count_of

FILE_LIMIT = 64_000_000
UNSEEN = (
    "Not checked: whether somebody rewrote the log, its checkpoints and its key together. To find"
    " that, pass a checkpoint you keep elsewhere (--checkpoint), or set a witness."
)
checkpoint_files = click.option(
    "--checkpoint",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="A file with checkpoints that you kept elsewhere; may be given several times.",
)


@click.command("verify")
@checkpoint_files
@click.option("--key", "key_text", default="", help="The public key you kept: name+hash+key.")
@click.option("--offline", is_flag=True, help="Do not ask the witnesses of the settings.")
@json_option
def verify(*, files: tuple[str, ...], key_text: str, offline: bool, is_json: bool) -> None:
    """Check the hash chain and the checkpoints.

    They show whether an entry was changed, left out, put in, moved or cut off.

    Witnesses of the settings (`audit.witnesses`) are asked what they saw.
    """
    with errors_as_messages(), progress("verifying the audit log"):
        store = open_log()
        result = store.verify()
        proof = _checked(store, files, key_text) if result.ok else None
        reports = _asked(store) if result.ok and not offline else []
        nodes = {one.node: one.verify() for one in open_other_nodes()}
    problems = [
        *(proof.problems if proof is not None else ()),
        *(one.problem for one in reports if one.problem),
        *(f"node {name}, {_bad(one)}" for name, one in nodes.items() if not one.ok),
    ]
    is_ok = result.ok and not problems
    if is_json:
        echo_json(
            {
                "ok": is_ok,
                "entries": result.count,
                "removed": result.removed,
                "head": result.head.hash.hex() if result.ok else None,
                "bad_entry": None if result.ok else result.bad_seq,
                "problem": result.problem or "; ".join(problems),
                "checkpoints": proof.checked if proof is not None else 0,
                "signed_entries": proof.agreed if proof is not None else 0,
                "witnesses": [to_builtins(one) for one in reports],
                "nodes": _nodes_json(nodes),
            }
        )
        sys.exit(0 if is_ok else 1)
    if is_ok:
        _show_chain(result)
        say(_agreed(proof))
        _show_nodes(nodes)
        for one in reports:
            say(f"witness {one.name} agrees, up to entry {one.size}")
        if not files and not reports:
            say(UNSEEN)
        return
    if not result.ok:
        say(_bad(result), colour="red", err=True)
        say(f"{_before(result)} verified", err=True)
    for problem in problems:
        say(problem, colour="red", err=True)
    sys.exit(1)


def _before(result: VerifyResult) -> str:
    return count_of(result.count, "entry before it is", "entries before it are")


def _show_chain(result: VerifyResult) -> None:
    entries = count_of(result.count, "entry", "entries")
    say(f"{entries}, head {result.head.hash.hex()}: hash chain verified")
    if result.removed:
        say(f"the contents of entries 1 to {result.removed} were removed (rotate)")


def _nodes_json(nodes: Mapping[str, VerifyResult]) -> Json:
    return {
        name: {"ok": one.ok, "entries": one.count, "head": one.head.hash.hex()}
        for name, one in nodes.items()
    }


def _show_nodes(nodes: Mapping[str, VerifyResult]) -> None:
    for name, one in nodes.items():
        head = one.head.hash.hex()
        entries = count_of(one.count, "entry", "entries")
        echo_in_columns(f"node {visible(name)}: {entries}, head {head}: hash chain verified")


def _bad(result: VerifyResult) -> str:
    return f"entry {result.bad_seq}: {result.problem}"


def _asked(store: Record) -> list[WitnessReport]:
    """Ask the witnesses of the settings about the log as it stands."""
    settings = load_settings()
    targets = tuple(WitnessTarget.parse(one.url, one.key) for one in settings.witnesses)
    if not targets:
        return []
    # Signed first: a witness compares what is signed, and the newest entries may not be yet.
    keeper = open_keeper(store, settings)
    try:
        keeper.update()
    except TamperedRecord as error:
        return [WitnessReport(name="", problem=str(error), is_contradiction=True)]
    note = keeper.newest_note()
    return asyncio.run(ask_witnesses(store, note, keeper.key, targets)) if note else []


def _checked(store: Record, files: tuple[str, ...], key_text: str) -> ProofResult | None:
    """Check the log against the checkpoints there are, None if there are none."""
    notes = [note for file in files for note in _notes(file)]
    # Opening the keeper makes a key: a look at a log that was never signed must not leave one.
    if not notes and not os.path.exists(load_settings().checkpoint_key_file):
        return None
    keeper = open_keeper(store)
    notes += [kept.note for kept in keeper.kept()]
    # Whoever rewrites the log can replace the key beside it as well.
    key = NoteKey.parse(key_text) if key_text else keeper.key
    return verify_checkpoints(store, notes, key)


def _agreed(proof: ProofResult | None) -> str:
    if proof is None or not proof.checked:
        return "no checkpoint was signed yet (`signoff audit checkpoint`)"
    agreeing = count_of(proof.checked, "checkpoint agrees", "checkpoints agree")
    return f"{agreeing}, up to entry {proof.agreed}"


@click.command("checkpoint")
@click.option("--key", "is_key", is_flag=True, help="Print the public key instead.")
@json_option
def checkpoint(*, is_key: bool, is_json: bool) -> None:
    """Sign the audit log and print the checkpoint.

    Keep it, and the public key, where nobody who can write the log can write: a log that is cut
    off or rewritten later does not match it.
    """
    with errors_as_messages():
        keeper = open_keeper(open_log())
        if is_key and not is_json:
            click.echo(keeper.key.text)
            return
        with progress("signing the audit log"):
            keeper.update()
        kept = keeper.kept()
        if not kept:
            raise StoreError("the audit log is empty: there is nothing to sign")
    if is_json:
        newest, key = parse_note(kept[-1].note)[0], keeper.key.text
        echo_json({"size": newest.size, "short": newest.short, "key": key, "note": kept[-1].note})
        return
    click.echo(kept[-1].note, nl=False)


@click.command("prove")
@click.argument("seq", type=click.IntRange(1))
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write it to a file.")
def prove(*, seq: int, output: str | None) -> None:
    """Print a proof that an entry is in the signed log.

    The proof holds the entry SEQ itself.

    Check it with the `verify.py` of an export: `python verify.py --proof FILE --key KEY`.
    """
    with errors_as_messages():
        with progress("making the proof"):
            proof = _proof(open_log(), seq)
        if output:
            _write(Path(output), proof)
            return
    click.echo(proof, nl=False)


def _proof(store: Record, seq: int) -> str:
    keeper: CheckpointKeeper = open_keeper(store)
    return proof_of(store, keeper, seq)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write `{path}`: {error.strerror or error}") from error


def _notes(file: str) -> Iterator[str]:
    """Yield the checkpoints in a file.

    Raises:
        StoreError: there is none in it.
    """
    try:
        with open(file, encoding="utf-8") as source:
            notes = list(notes_in(source.read(FILE_LIMIT)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"cannot read `{file}`: {error}") from error
    if not notes:
        raise StoreError(f"there is no checkpoint in `{file}`")
    yield from notes
