"""`sudo signoff service init`: from nothing to a service that asks people, without a file to write.

Installs the service, has questions go where the administrator wants them, adds the people who
answer, starts it, and gives a link to the inbox. Each setup is the command of its own that also
works alone (`signoff telegram setup`, `signoff approvers add`), run as the service's user; what
lets somebody answer is typed out on the terminal there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence

import click
from msgspec import Struct

from signoff.challenge.visible import visible
from signoff.channels.registry import titles
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.frontends.client.service_layout import LAYOUT
from signoff.frontends.onboarding.channel_setting import keep_channel
from signoff.frontends.server.wire.callers import AgentUsers
from signoff.frontends.service.becoming import become, without_folders
from signoff.frontends.service.steps import InstallStep, is_systemd, start_steps, stop_steps
from signoff.settings import ChannelName, load_settings

if sys.platform != "win32":
    import pwd

BROWSER = "browser"
NOBODY = "-"
OWN = (sys.executable, "-I", "-m", "signoff")
NO_TERMINAL = (
    "this asks on a terminal, and there is none: run `sudo signoff service install`, then"
    " `sudo signoff telegram setup` and `sudo signoff approvers add` as needed"
)


class ServicePlan(Struct, frozen=True, kw_only=True):
    """What the administrator wants.

    Args:
        ask_in: where questions go: the browser, or a messenger's name.
        people: users of this machine who answer; they run no agents.
    """

    ask_in: str
    people: tuple[str, ...]


def planned(ask_in: str | None, people: Sequence[str]) -> ServicePlan:
    """Complete a plan by asking on the terminal for what the options left out.

    Args:
        ask_in: where questions go; None = ask.
        people: user names; () = ask.

    Raises:
        Refusal: there is no terminal, or one of the people cannot answer.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refusal(NO_TERMINAL)
    place = ask_in or _asked_place()
    found = people or _asked_people()
    with errors_as_messages():
        for name in found:
            _check_person(name)
    return ServicePlan(ask_in=place, people=tuple(dict.fromkeys(found)))


def plan_lines(plan: ServicePlan) -> list[str]:
    """Return the plan, one line per step."""
    asked = titles().get(plan.ask_in, "the inbox, in a browser of this machine")
    people = [f"{name}: may answer, signed in by their own user" for name in plan.people]
    return [
        f"installs the service of the user `{LAYOUT.user}`, or brings it up to date",
        f"questions go to: {asked}",
        *people,
        "starts the service" if is_systemd() else "systemd does not run here: you start it",
    ]


def carry_out(plan: ServicePlan, install: Callable[[], None]) -> None:
    """Carry out the plan; a setup that fails is reported, and the rest continues.

    Args:
        install: creates user, folders and unit, and starts nothing.
    """
    install()
    _do(stop_steps(LAYOUT))  # a running bot would take the messages meant for the setup
    if plan.ask_in == BROWSER:
        _as_service(lambda: keep_channel(load_settings(), ChannelName.WEB.value))
    else:
        _set_up(plan.ask_in, "setup", title=titles()[plan.ask_in])
    for name in plan.people:
        identity = f"terminal:uid:{pwd.getpwnam(name).pw_uid}"
        _set_up("approvers", "add", name, "--identity", identity, title=name)
    _do(start_steps(LAYOUT))


def finish(plan: ServicePlan) -> None:
    """Print what to do next; if the service runs, with a link to the inbox."""
    if is_systemd() and plan.ask_in == BROWSER:
        _own("open", "--no-browser")
    for name in plan.people:
        echo_in_columns(f"next      {visible(name)} signs in with `signoff open`, without sudo")


def _asked_place() -> str:
    """Ask where questions go."""
    offered = {BROWSER: "the inbox, in a browser of this machine", **titles()}
    click.secho("Where should questions go?", bold=True)
    names = list(offered)
    for number, name in enumerate(names, 1):
        say(f"  {number}  {offered[name]}")
    numbers = [str(number) for number in range(1, len(names) + 1)]
    said = click.prompt("Number", type=click.Choice(numbers), default="1", show_choices=False)
    return names[int(said) - 1]


def _asked_people() -> tuple[str, ...]:
    """Ask who answers on this machine."""
    click.secho("\nWho answers on this machine?", bold=True)
    say("  Names of users who run no agents. You can always answer with sudo.")
    said: str = click.prompt(f"Users ({NOBODY} for none)", default=NOBODY)
    return () if said.strip() == NOBODY else tuple(said.replace(",", " ").split())


def _check_person(name: str) -> None:
    """Refuse who cannot answer by their own user.

    Raises:
        Refusal: there is no such user, or agents run as them.
    """
    try:
        uid = pwd.getpwnam(name).pw_uid
    except KeyError:
        raise Refusal(f"there is no user `{visible(name)}` on this machine") from None
    if uid == 0 or name == LAYOUT.user:
        raise Refusal(f"`{visible(name)}` answers with sudo already: name users of people")
    # Before the first installation there is no list of users with agents.
    if os.path.isdir(LAYOUT.state) and uid in AgentUsers(LAYOUT.state):
        raise Refusal(
            f"agents run as `{visible(name)}`, so it gets no link: name another user, or answer"
            " with `sudo signoff open`"
        )


def _set_up(*words: str, title: str) -> None:
    """Run one of our commands on this terminal; it becomes the service's user itself."""
    click.secho(f"\n{visible(title)}", bold=True)
    if _own(*words):
        said = f"not done: `sudo signoff {' '.join(words)}` tries again"
        say(said, colour="yellow", err=True)


def _own(*words: str) -> int:
    """Run one of our commands on this terminal, for the service; return its exit status."""
    kept = without_folders()
    return subprocess.run([*OWN, *words], check=False, env=kept).returncode  # noqa: S603 - our own


def _as_service(work: Callable[[], object]) -> None:
    """Do something to the service's files, as its user.

    Raises:
        Refusal: it failed; what failed is shown.
    """
    sys.stdout.flush()
    # In a child: whoever has become the service's user is never root again.
    child = os.fork()
    if child == 0:
        status = 1
        try:
            become(LAYOUT)
            work()
            status = 0
        except Exception as error:  # noqa: BLE001 - said here; the parent ends by the status
            os.write(2, f"{visible(str(error))}\n".encode())
        finally:
            # Not `sys.exit`: what the parent does at its end is not for the child.
            os._exit(status)
    if os.waitpid(child, 0)[1]:
        raise Refusal(f"the settings in {LAYOUT.config} could not be changed")


def _do(steps: Sequence[InstallStep]) -> None:
    with errors_as_messages():
        for step in steps:
            say(step.said)
            step.act()
