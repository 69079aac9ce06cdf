"""What `signoff init` shows: the agents it found, where questions can go, what would change."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from signoff.challenge.terms.mode import Mode
from signoff.channels.registry import titles
from signoff.frontends.doctor.asking import PLACES
from signoff.frontends.hosts.installing.files import FileChange
from signoff.frontends.onboarding.found_hosts import FoundHost, HostState
from signoff.frontends.onboarding.lasting_install import LastingInstall

NO_HOST = (
    "No agent that signoff knows was found here. Install one and run `signoff init` again, or name"
    " one: `signoff init --host claude-code`."
)


IN_PLACE = ("nothing: all is in place",)


class AskIn(StrEnum):
    """Where questions can go, besides messengers, which are named as such."""

    KEEP = "keep"
    BROWSER = "browser"
    HOST = "host"


def places_to_ask(channels: Collection[str]) -> Mapping[str, str]:
    """Return where questions can go, by name, with a description; the default first.

    Args:
        channels: where they go now; () = the agents' own prompts.
    """
    now = " and ".join(PLACES.get(name, name) for name in channels)
    found = {AskIn.KEEP.value: f"as now: {now}"} if channels else {}
    return {
        **found,
        AskIn.BROWSER.value: "your browser: an inbox on this machine",
        AskIn.HOST.value: "the agent's own prompt, where it has one",
        **{name: f"your phone or team: {title}" for name, title in titles().items()},
    }


class InitPlan(Struct, frozen=True, kw_only=True):
    """What `signoff init` would do.

    Args:
        ask_in: where questions are to go: a name of `places_to_ask`.
        settings: the change of `signoff.yaml`, None if it stays.
        install: how signoff itself gets installed to stay, None if it is.
        is_running: whether the daemon runs.
        mode: which `signoff mode` that takes, None if it stays.
    """

    hosts: tuple[FoundHost, ...]
    ask_in: str
    settings: FileChange | None = None
    install: LastingInstall | None = None
    is_running: bool = False
    mode: Mode | None = None

    @property
    def open_hosts(self) -> tuple[FoundHost, ...]:
        """The hosts that an installation would change."""
        return tuple(one for one in self.hosts if one.state is HostState.UNGUARDED)


def host_lines(hosts: Sequence[FoundHost]) -> Iterator[str]:
    """Yield one line per agent found on this machine."""
    if not hosts:
        yield NO_HOST
    for one in hosts:
        yield f"{one.host.title}: {one.problem or one.state.value}"


def usual_place(*, asked: Collection[str], configured: Collection[str]) -> str:
    """Return the place that changes least: where people are asked now, else the inbox.

    Args:
        asked: the channels on which people are asked now.
        configured: the channels of the settings; in mode local the hosts ask in their place.
    """
    if asked:
        return AskIn.KEEP.value
    return AskIn.HOST.value if configured else AskIn.BROWSER.value


def mode_for(ask_in: str, *, asked: Collection[str], configured: Collection[str]) -> Mode | None:
    """Return the mode in which questions go to a place, None if it is in force.

    Args:
        asked: the channels on which people are asked now.
        configured: the channels of the settings.
    """
    if ask_in == AskIn.HOST:
        return Mode.LOCAL if asked else None
    is_local = bool(configured) and not asked
    return Mode.REMOTE if is_local and ask_in != AskIn.KEEP else None


def plan_lines(plan: InitPlan) -> tuple[str, ...]:
    """Return one line per step of the plan; where there is none, one that says so."""
    return tuple(_steps(plan)) or IN_PLACE


def _steps(plan: InitPlan) -> Iterator[str]:
    if plan.install is not None:
        yield f"`{plan.install.said}`: installs signoff, which runs from a cache now"
    for one in plan.open_hosts:
        for change in one.changes:
            what = "adds signoff's hooks" if change.before else "a new file with signoff's hooks"
            yield f"{tilde(change.path)}: {what} ({one.host.called})"
    if plan.settings is not None and plan.settings.is_needed:
        yield f"{tilde(plan.settings.path)}: adds `web` to `channels`"
    if plan.ask_in in titles():
        yield f"{titles()[plan.ask_in]}: its setup asks you for what it needs"
    if plan.mode is not None:
        whose = "the agents' own prompts" if plan.mode is Mode.LOCAL else "your channels"
        yield f"`signoff mode {plan.mode.value}`: {whose} ask; you confirm it on the terminal"
    yield from _last_steps(plan)


def _last_steps(plan: InitPlan) -> Iterator[str]:
    """Yield what is done with the daemon and with files that are there."""
    changes = [change for one in plan.open_hosts for change in one.changes]
    is_set = plan.settings is not None and plan.settings.is_needed
    if not plan.is_running:
        yield "starts the daemon in the background"
    elif is_set or plan.ask_in in titles():
        yield "restarts the daemon"
    if any(one.before for one in (*changes, *filter(None, [plan.settings if is_set else None]))):
        yield "keeps a copy of each changed file beside it"


def plan_json(plan: InitPlan) -> dict[str, object]:
    """Return the plan, or what was done, as JSON data."""
    return {
        "hosts": [
            {
                "name": one.host.name,
                "title": one.host.title,
                "state": one.state.value,
                "problem": one.problem,
                "warnings": list(one.warnings),
                "files": [str(change.path) for change in one.changes],
            }
            for one in plan.hosts
        ],
        "ask_in": plan.ask_in,
        "install": plan.install.said if plan.install is not None else "",
    }


def tilde(path: Path) -> str:
    """Return a path with `~` for the home folder."""
    # Where the home is `/`, every path would begin with it.
    text, home = str(path), os.path.expanduser("~")
    return f"~{text[len(home) :]}" if home != "/" and text.startswith(f"{home}/") else text
