"""How people are asked now for each agent that is guarded here, and how to be asked elsewhere.

A daemon has no terminal. Where no channel of its own is set up, what needs a yes goes to the
agent's own prompt, and where it has none it is refused. Nobody has to change that; everybody
should know it.

    for line in asking_lines(settings, folders, channels=("web",)): ...
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.pending import ANSWER_S
from signoff.challenge.terms.mode import Mode
from signoff.channels.registry import titles
from signoff.errors import SignoffError
from signoff.frontends.hosts.registry import BY_NAME
from signoff.frontends.hosts.waits import answer_within_s
from signoff.frontends.server.people.channel_order import set_up
from signoff.settings import MESSENGERS, USER_FILE, ChannelName, Settings, WithoutDaemon
from signoff.storage.approvals.database import DATABASE_FILE

ANSWERING = (ChannelName.WEB.value, *MESSENGERS)
# Only a daemon that runs on a terminal has that channel, and only it can say so.
TOLD = (*ANSWERING, ChannelName.TERMINAL.value)
NOBODY = "nobody: it has no prompt, so calls that need a yes are denied"
PLACES: Mapping[str, str] = {
    ChannelName.WEB.value: "the web inbox (`signoff open`)",
    **titles(),
    ChannelName.TERMINAL.value: "the terminal of `signoff serve`",
}
# A hook of the kind `in_process`.
ALONE = (
    "no channel is asked by a hook of Claude Code that judges by itself:"
    " `signoff install claude-code --kind command`"
)


class QuestionRouting(Struct, frozen=True, kw_only=True):
    """How people are asked about the calls of one host.

    Args:
        is_refused: every call that needs approval is denied.
        has_daemon: its hook asks the daemon, and does not judge in its own process.
    """

    host: str
    said: str
    is_refused: bool = False
    has_daemon: bool = True


def asking_of(
    host: str, channels: Collection[str], *, answer_s: float = ANSWER_S, has_daemon: bool = True
) -> QuestionRouting:
    """Return how people are asked about a host's calls.

    Args:
        channels: channels the daemon asks on.
        answer_s: seconds a request stays open.
        has_daemon: as in `QuestionRouting`.
    """
    adapter = BY_NAME[host].adapters[0]
    if channels and has_daemon:
        waits_s = min(answer_within_s("", adapter.wait), answer_s)
        places = " and ".join(PLACES.get(name, name) for name in channels)
        said = f"{places}; a call waits up to {waits_s:g} s for you"
        return QuestionRouting(host=host, said=said)
    if adapter.can_ask:
        return QuestionRouting(host=host, said=BY_NAME[host].prompt, has_daemon=has_daemon)
    return QuestionRouting(host=host, said=NOBODY, is_refused=True, has_daemon=has_daemon)


def channels_of(settings: Settings, told: Mapping[str, Json] | None = None) -> tuple[str, ...]:
    """Return the channels people are asked on; () = the agents' own prompts only.

    Args:
        told: channels and states from a running daemon; None = as one started now would have.
    """
    if told is not None:
        return tuple(name for name in TOLD if name in told)
    # A hook that judges by itself reaches no channel.
    if settings.without_daemon is WithoutDaemon.IN_PROCESS:
        there = []
    else:
        wanted = (*settings.channels, *set_up(settings))
        there = [name for name in ANSWERING if name in wanted]
    return tuple(there) if there and _mode(settings) is Mode.REMOTE else ()


def more_ways(settings: Settings) -> str:
    """Return a sentence on how to be asked elsewhere than by an agent's own prompt."""
    if settings.channels != (ChannelName.TERMINAL,) or set_up(settings):
        if _mode(settings) is Mode.LOCAL:
            return "`signoff mode remote` asks on your channels again"
        return "`signoff down; signoff up` takes up what stands under `channels`"
    file = os.path.join(settings.config_dir, USER_FILE)
    return (
        f"to answer in the browser: `channels: [web]` in {file}, `signoff down; signoff up`,"
        " `signoff open`; on a phone: `signoff telegram setup`"
    )


def ways_on(
    settings: Settings, hosts: Sequence[QuestionRouting], *, channels: Collection[str]
) -> Iterator[str]:
    """Yield sentences on how to be asked elsewhere, where people are not."""
    if not channels and any(one.has_daemon for one in hosts):
        yield more_ways(settings)
    if not all(one.has_daemon for one in hosts):
        yield ALONE


def in_words(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def asking_lines(
    settings: Settings, hosts: Sequence[QuestionRouting], *, channels: Collection[str]
) -> Iterator[str]:
    """Yield lines for a person on how they are asked."""
    if not hosts:
        yield "no agent is guarded yet: `signoff install claude-code`, or `signoff install --help`"
        return
    same: dict[str, list[str]] = {}
    for one in hosts:
        same.setdefault(one.said, []).append(BY_NAME[one.host].called)
    for said, names in same.items():
        yield f"questions of {in_words(names)} go to {said}"
    yield from ways_on(settings, hosts, channels=channels)


def _mode(settings: Settings) -> Mode:
    """Return whether channels or the agents' own prompts are asked."""
    if not os.path.exists(os.path.join(settings.state_dir, DATABASE_FILE)):
        return Mode.REMOTE
    from signoff.build.approvals import build_approvals  # noqa: PLC0415 - much is loaded

    try:
        approvals = build_approvals(settings)
        try:
            return approvals.switch.mode()
        finally:
            approvals.close()
    except (SignoffError, ValueError):
        return Mode.REMOTE
