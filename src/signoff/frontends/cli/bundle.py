"""`signoff bundle`: one policy for many machines, in signed files.

signoff bundle key                                   the admin's public key, made if there is none
signoff bundle build policy/ --version 7 -o 7.json   rules, profiles and settings of a folder
signoff bundle sign 7.json -o signoff.bundle         put it where the nodes look
signoff bundle verify signoff.bundle --key KEY       what it says, and whether it can be used
signoff bundle pull, status, leave                   on a node
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime, timedelta
from typing import TypedDict, Unpack

import click

from signoff.build.scoring import check_bundle
from signoff.frontends.cli.bundle_lines import bundle_facts, bundle_lines
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, answer_with, echo_json, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.typed import CodedChange, words_of
from signoff.frontends.cli.wrapping import LABEL_WIDTH, say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.fleet.bundle_files import (
    BundlePlan,
    bundle_text,
    content_of_folder,
    content_text,
    read_bundle,
    releases_of,
)
from signoff.frontends.fleet.bundle_pull import pull
from signoff.settings import load_settings, own_folders
from signoff.storage.bundles.bundle import BundleSigner, opened, parse_key, read_content
from signoff.storage.installation import installation_key
from signoff.storage.text_file import READABLE, write_whole

KEY_FILE = "bundle-signing.key"
LEAVE = CodedChange(
    path="/v1/bundle",
    text="From then on this machine is judged by its own files alone.\nTo end it",
    unconfirmed="the bundle stays in force",
)
output_option = click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False), help="File to write."
)
signing_option = click.option(
    "--signing-key", type=click.Path(dir_okay=False), help=f"[{KEY_FILE} in the state folder]"
)


class BundleOptions(TypedDict):
    """Options of `signoff bundle build` about who gets it and for how long."""

    version: int
    groups: tuple[str, ...]
    share: int
    days: int | None
    next_keys: tuple[str, ...]


@click.group("bundle", cls=AnsweringGroup)
def command() -> None:
    """One policy for many machines: build and sign it, or follow it."""


@command.command("key")
@signing_option
def key(*, signing_key: str | None) -> None:
    """Print the public key for the nodes; made if there is none."""
    with errors_as_messages():
        text = _signer(signing_key).key.text
    answer_with(key=text)
    click.echo(text)


@command.command("build")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--version", required=True, type=click.IntRange(1), help="Higher than any before.")
@output_option
@click.option("--group", "groups", multiple=True, help="Only for this group; may be repeated.")
@click.option("--share", type=click.IntRange(1, 100), default=100, help="Only for this percentage.")
@click.option("--rest", type=click.Path(exists=True), help="Bundle that all others stay on.")
@click.option("--days", type=click.IntRange(1, 3_650), help="Nodes report it as old afterwards.")
@click.option("--next-key", "next_keys", multiple=True, help="Key that replaces those of nodes.")
def build(*, folder: str, output: str, rest: str | None, **said: Unpack[BundleOptions]) -> None:
    """Put the policy files of a folder into a bundle, unsigned."""
    if bool(said["groups"] or said["share"] < 100) != bool(rest):
        raise click.UsageError("--rest goes with --group or --share: it is what all others get")
    with errors_as_messages():
        days = said["days"]
        plan = BundlePlan(
            version=said["version"],
            groups=said["groups"],
            share=said["share"],
            rest=read_bundle(rest) if rest else None,
            expires=datetime.now(UTC) + timedelta(days=days) if days else None,
            next_keys=tuple(parse_key(one).text for one in said["next_keys"]),
        )
        content = content_of_folder(folder, plan)
        check_bundle(content)
        write_whole(output, content_text(content).encode(), mode=READABLE & 0o666)
    answer_with(version=content.version, file=output)
    say(f"version {content.version}: {releases_of(content)}")
    say(f"sign it: `signoff bundle sign {output} -o signoff.bundle`")


@command.command("sign")
@click.argument("content", type=click.Path(exists=True, dir_okay=False))
@output_option
@signing_option
def sign(*, content: str, output: str, signing_key: str | None) -> None:
    """Sign a bundle that was built."""
    with errors_as_messages():
        text = content_text(read_bundle(content))
        signer = _signer(signing_key)
        write_whole(output, signer.sign(text).encode(), mode=READABLE & 0o666)
    version = read_content(text).version
    answer_with(version=version, key=signer.key.text, file=output)
    say(f"signed version {version} with {signer.key.text}")


@command.command("verify")
@click.argument("bundle", type=click.Path(exists=True, dir_okay=False))
@click.option("--key", "keys", multiple=True, required=True, help="Public key; may be repeated.")
def verify(*, bundle: str, keys: tuple[str, ...]) -> None:
    """Check a bundle's signature, its digest and every file in it."""
    with errors_as_messages():
        found = opened(bundle_text(bundle), keys)
        check_bundle(found.content)
    answer_with(version=found.version, digest=found.digest, key=found.key)
    say(f"good: version {found.version}, digest {found.digest}, signed by {found.key}")
    say(f"releases: {releases_of(found.content)}")


@command.command("pull")
def pull_now() -> None:
    """Fetch the bundle now instead of waiting for the daemon."""
    with errors_as_messages(), progress("fetching the bundle"):
        pulled = asyncio.run(pull(load_settings()))
    said = f"was {pulled.before or 'none'}" if pulled.is_new else "unchanged"
    answer_with(version=pulled.version, digest=pulled.digest, is_new=pulled.is_new)
    say(f"version {pulled.version} in force ({said}), digest {pulled.digest}")


@command.command("status")
@json_option
def status(*, is_json: bool) -> None:
    """Show the version in force and how this machine differs."""
    with errors_as_messages():
        settings = load_settings()
        facts = bundle_facts(settings)
    if is_json:
        echo_json(facts)
    else:
        for line in bundle_lines(settings, is_full=True):
            say(line, indent=LABEL_WIDTH)
    sys.exit(1 if facts["problems"] else 0)


@command.command("leave")
def leave() -> None:
    """End the bundle on this machine; asks an admin on the terminal."""
    with errors_as_messages():
        if load_settings().bundle_source is not None:
            raise Refusal("remove the section `bundle` from signoff.yaml first")
        words = words_of(LEAVE.made(daemon_places(), {"leave": True}))
        if not words.startswith("ended"):
            raise Refusal(words)
        say(words)


def _signer(path: str | None) -> BundleSigner:
    place = os.path.abspath(path) if path else os.path.join(own_folders()[1], KEY_FILE)
    return BundleSigner(installation_key(place))
