"""`signoff exec ID`: the last look at a call people approved, where it is about to run.

Put before the command by the hook itself, where `approval.recheck` is set. It says yes once, by
its exit status, and starts nothing: what it answers for stands behind it in the same line.
"""

from __future__ import annotations

import os
import sys

import click

from signoff.actions.action import Json
from signoff.build.approvals import build_recheck
from signoff.challenge.people.recheck import Here
from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.client.found import service_here
from signoff.frontends.client.places import Places
from signoff.frontends.hosts.claude_code.adapter import REFUSED, SESSION_VARIABLE
from signoff.frontends.server.control import tell
from signoff.settings import load_settings
from signoff.sync import run_now

PATH = "/v1/rechecks"


@click.command("exec", short_help="Look once more at what was approved.")
@click.argument("id")
def command(id: str) -> None:
    """Check an approved call again, in the folder and session it is about to run in.

    Exit status 0 means that it may run, once; 126 means that it may not.
    """
    try:
        why_not = _why_not(id)
    # Any other error ends Python with status 1, which stops the line as well.
    except (SignoffError, OSError) as error:
        why_not = str(error)
    if why_not:
        os.write(2, f"signoff: not run: {visible(why_not)}\n".encode())
        sys.exit(REFUSED)
    # Between the look and what it answers for stands nothing, not even the end of Python.
    os._exit(0)


def _why_not(id: str) -> str:
    service = service_here()
    if service is not None:
        return _why_not_of_service(id, Places(service.state))
    here = Here(
        cwd=os.getcwd(),
        session=os.environ.get(SESSION_VARIABLE, ""),
        search_path=os.environ.get("PATH", ""),
    )
    return run_now(build_recheck(load_settings()).why_not(id, here))


def _why_not_of_service(id: str, places: Places) -> str:
    """Ask the service, which alone can read what was approved.

    Raises:
        NotRunning: it does not answer.
    """
    place: dict[str, Json] = {
        "id": id,
        "cwd": os.getcwd(),
        "session": os.environ.get(SESSION_VARIABLE, ""),
        "path": os.environ.get("PATH", ""),
    }
    why_not = tell(places, PATH, place).get("why_not")
    return why_not if isinstance(why_not, str) else "the service does not say that it may"
