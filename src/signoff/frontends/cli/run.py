"""`signoff run -- AGENT ...`: starts an agent only if signoff guards it; says why if it does not.

Everything `signoff doctor` looks at for this agent must be good, its canary too: a call that must
be refused is sent through the installed hook first. There is no flag to start it all the same;
start the agent without signoff for that.

    signoff run -- claude -p "fix the tests"
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import places_of
from signoff.frontends.doctor.hosts import HostFolders, check_hosts
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.mcp.wrapping.clients import CLIENTS, unguarded
from signoff.frontends.server.control import start
from signoff.sections import WithoutDaemon
from signoff.settings import load_settings

# Options by which agents read no settings of their user, or switch hooks off in them.
HOOKS_OFF = ("--bare", "--setting-sources", "--disable-hooks", "--no-hooks")
# In `--settings '{"disableAllHooks": true}'`, in `-c features.hooks=false` or `-chooks.x=1`.
HOOKS_OFF_IN = re.compile(
    r"disableAllHooks|(\b|^-c)features\.(codex_)?hooks\b|^(-c=?|--config=)?\s*hooks\s*[.=]"
)


@click.command("run", short_help="Start an agent, only if it is guarded.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- AGENT ...")
def command(*, words: tuple[str, ...]) -> None:
    """Start an agent if its hook is installed and denies a test call."""
    with errors_as_messages():
        host = _host(words[0])
        program = shutil.which(words[0])
        if program is None:
            raise Refusal(f"`{words[0]}` is not on the PATH")
        _refuse_unhooked(words[1:])
        _start_daemon()
        with progress("testing the guard"):
            problems = tuple(_problems(host))
    if problems:
        lines = "\n".join(f"  {visible(line)}" for line in problems)
        raise Refusal(f"{host.title} is not guarded, so it is not started:\n{lines}")
    for line in _notes(host):
        say(line, err=True)
    say(f"signoff: {host.title} is guarded: its hook refused what it must", err=True)
    os.execv(program, list(words))  # noqa: S606 - the program the user named, without a shell


def _host(word: str) -> HostManifest:
    """Return the host whose program this is.

    Raises:
        Refusal: signoff knows no hook of it.
    """
    name = os.path.basename(word)
    for host in HOSTS:
        if name in host.programs:
            return host
    known = ", ".join(host.programs[0] for host in HOSTS if host.programs)
    raise Refusal(
        f"signoff knows no hook of `{name}`, so it cannot guard it ({known})\n"
        "agents in Python: docs/python.md; a client of MCP servers: docs/mcp.md"
    )


def _refuse_unhooked(words: Sequence[str]) -> None:
    """Refuse options that take the hook away.

    Raises:
        Refusal: there is one.
    """
    for word in words:
        if word.partition("=")[0] in HOOKS_OFF or HOOKS_OFF_IN.search(word):
            raise Refusal(f"`{word[:60]}` can switch the hook off, so the agent is not started")


def _start_daemon() -> None:
    """Start the daemon where hooks would start it themselves.

    Raises:
        SignoffError: it does not start.
    """
    settings = load_settings()
    places = places_of(settings)
    # A service is started by the system and not by its users.
    if settings.without_daemon is WithoutDaemon.START and not places.is_service:
        start(places)


def _problems(host: HostManifest) -> Iterator[str]:
    """Yield why the agent is not guarded, and what fixes it."""
    folders = HostFolders(home=Path.home(), project=Path.cwd())
    for check in check_hosts(folders, [host.name]):
        if not check.is_good:
            yield f"{check.said}; {check.fix}" if check.fix else check.said


def _notes(host: HostManifest) -> Iterator[str]:
    """Yield which MCP servers of the agent are guarded by its hook alone."""
    client = CLIENTS.get(host.name)
    if client is None:
        return
    names: list[str] = []
    for folder, is_user in ((Path.home(), True), (Path.cwd(), False)):
        try:
            names += unguarded(client, folder, is_user=is_user)
        except SignoffError as error:
            yield f"signoff: {error}"
    if names:
        listed = ", ".join(dict.fromkeys(names))
        yield f"signoff: no `signoff mcp` before {listed}: see `signoff mcp wrap {host.name}`"
