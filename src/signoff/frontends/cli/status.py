"""`signoff status`: what is in force. Exit status 0 if the daemon runs and all is well."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import click

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.cli.bundle_lines import bundle_lines
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.first_lines import asked_lines, model_lines, proof_lines
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.wrapping import LABEL_WIDTH, echo_in_columns, say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.server.control import NotRunning, ask
from signoff.frontends.server.instance import running_process
from signoff.settings import load_settings
from signoff.storage.locks.lock_file import LockFile
from signoff.values import count_of


@click.command("status", short_help="Show the daemon, rules, locks and recent problems.")
@json_option
def command(*, is_json: bool) -> None:
    """Show the daemon, the rules and locks in force, and the last problem."""
    with errors_as_messages():
        places = daemon_places()
        service = places.is_service
    try:
        said = ask(places, "/v1/status")
    except NotRunning as error:
        pid = running_process(places)
        hung = f"process {pid} does not answer: `signoff up` ends it and starts another"
        gone = f"the service does not answer on {places.socket}: every call is refused"
        words = hung if pid else gone if service else str(error)
        # Those of a service lie in a folder that is closed to this user.
        locks = [str(lock) for lock in (() if service else LockFile.of(places.state).locks())]
        if is_json:
            echo_json({"running": False, "words": words, "locks": locks})
        else:
            echo_in_columns("\n".join([words, *(f"lock      {visible(lock)}" for lock in locks)]))
        sys.exit(1)
    # A service has settings of its own, and says itself what they ask for.
    asked = () if service else _asked()
    if is_json:
        echo_json({"running": True, **said, "asked": asked})
    else:
        for line in (*_lines(said), *asked):
            say(line, indent=LABEL_WIDTH)
    sys.exit(1 if said.get("problems") else 0)


def _lines(said: Mapping[str, Json]) -> Iterator[str]:
    yield f"daemon    {said['version']}, process {said['pid']}, up {said['uptime_s']} s"
    yield f"record    {said['record']}"
    yield f"decided   {said['decisions']}, pending {said['pending']}, sessions {said['sessions']}"
    channels = said.get("channels")
    for name, state in channels.items() if isinstance(channels, Mapping) else ():
        yield f"channel   {name}: {state}"
    for name, sign in (("locks", "lock"), ("notices", "notice"), ("problems", "PROBLEM")):
        for text in _list(said, name):
            yield f"{sign:<9} {text}"
    for guard in _list(said, "in_force"):
        if isinstance(guard, Mapping):
            where = guard["project"] or "outside projects"
            yield f"in force  {where}: pack {guard['pack']}, {count_of(guard['rules'], 'rule')}"
    known = (*_list(said, "notices"), *_list(said, "problems"))
    if said.get("last_error") and said["last_error"] not in known:
        yield f"warning   {said['last_error']}"


def _asked() -> tuple[str, ...]:
    """Return who is asked; nothing where settings cannot be read, which is said above."""
    try:
        settings = load_settings()
        return (
            *bundle_lines(settings),
            *proof_lines(settings),
            *model_lines(settings),
            *asked_lines(settings),
        )
    except SignoffError:
        return ()


def _list(said: Mapping[str, Json], name: str) -> list[Json]:
    found = said.get(name)
    return found if isinstance(found, list) else []
