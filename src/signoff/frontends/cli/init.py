"""`signoff init`: from nothing to a guarded agent and a first answered question.

Finds every agent of this machine, shows what would change, and after one yes installs, has
questions go where the user wants them, starts the daemon, opens the inbox and asks a test question.

    signoff init                                on a terminal
    signoff init --yes --ask-in browser         without one
    signoff init --dry-run --json               what would be done
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import click

from signoff.challenge.terms.mode import Mode
from signoff.challenge.visible import visible
from signoff.channels.registry import CHANNELS
from signoff.errors import SignoffError
from signoff.frontends.cli.channel_setup import command_of
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.first_lines import asked_channels, asked_lines, moved_said
from signoff.frontends.cli.init_text import (
    IN_PLACE,
    AskIn,
    InitPlan,
    host_lines,
    mode_for,
    places_to_ask,
    plan_json,
    plan_lines,
    usual_place,
)
from signoff.frontends.cli.install import show_changes
from signoff.frontends.cli.json_out import answer_with, is_answering
from signoff.frontends.cli.mode import command as mode_command
from signoff.frontends.cli.open import open_inbox
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.try_question import try_question
from signoff.frontends.cli.wrapping import echo_wrapped, say
from signoff.frontends.client.places import Places
from signoff.frontends.doctor.asking import channels_of
from signoff.frontends.doctor.hosts import HOST_NAMES, HostFolders
from signoff.frontends.doctor.port import settle_port
from signoff.frontends.onboarding.channel_setting import keep_channel
from signoff.frontends.onboarding.found_hosts import HostState, find_hosts, install_hosts
from signoff.frontends.onboarding.lasting_install import (
    LastingInstall,
    lasting_install,
    without_environment,
)
from signoff.frontends.server.control import Started, is_healthy, start, stop
from signoff.settings import ChannelName, Settings, load_settings
from signoff.values import replace

PHONES = {one.name: one for one in CHANNELS if one.help}
ASK_IN = (*(place.value for place in AskIn), *PHONES)
NO_TERMINAL = (
    "there is no terminal to ask on, so nothing was changed: pass `--yes`, and `--ask-in NAME` for"
    f" where questions go ({', '.join(ASK_IN[1:])}); `--dry-run` shows what would change"
)


@click.command("init", short_help="Set signoff up: agents, questions, daemon, a first question.")
@click.option("--yes", "is_yes", is_flag=True, help="Do it without asking.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show what would change, write nothing.")
@click.option("--ask-in", type=click.Choice(ASK_IN), help="Where questions go.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    type=click.Choice(HOST_NAMES),
    metavar="AGENT",
    help=f"Only this agent; may be given more than once: {', '.join(HOST_NAMES)}.",
)
@click.option("--no-open", is_flag=True, help="Do not open the inbox.")
@click.option("--no-test", is_flag=True, help="Ask no test question.")
def command(
    *,
    is_yes: bool,
    is_dry: bool,
    ask_in: str | None,
    hosts: tuple[str, ...],
    no_open: bool,
    no_test: bool,
) -> None:
    """Set signoff up on this machine. Run it again at any time: what is in place stays."""
    is_talking = _is_talking() and not is_yes
    if not (is_talking or is_yes or is_dry):
        raise Refusal(NO_TERMINAL)
    with errors_as_messages():
        plan = _planned(hosts, ask_in, is_talking=is_talking and not is_dry)
        if is_dry:
            _show_dry(plan)
            return
        is_open = tuple(plan_lines(plan)) != IN_PLACE
        if is_talking and is_open and not click.confirm("\nDo this?", default=False):
            raise Refusal("nothing was changed")
        if plan.install is not None:
            _go_on_installed(plan.install, plan.ask_in)
        done, started = _carried_out(plan)
        answer_with(**plan_json(done), daemon={"pid": started.pid})
        # Where the agents' own prompts take over, the inbox only confirms that.
        has_test = not (no_test or is_yes or plan.mode is Mode.LOCAL)
        _try_out(is_talking=_is_talking(), has_page=not no_open, has_test=has_test)
        if plan.mode is not None:
            _set_mode(plan.mode.value, is_talking=_is_talking())
    _end(done)


def _go_on_installed(install: LastingInstall, ask_in: str) -> NoReturn:
    """Install signoff to stay, and have the installed one do the rest in place of this process.

    Raises:
        CannotInstall: nothing was changed.
    """
    program = str(install.carry_out(is_quiet=is_answering()))
    # `execve` drops what Python has not written yet.
    sys.stdout.flush()
    # At the end, as click takes the last of two; both questions were answered here.
    words = [program, "init", *sys.argv[2:], "--yes", "--ask-in", ask_in]
    os.execve(program, words, without_environment(Path(sys.prefix), os.environ))  # noqa: S606 - ours


def _is_talking() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _planned(hosts: tuple[str, ...], ask_in: str | None, *, is_talking: bool) -> InitPlan:
    """Find the agents, ask where questions go, and say what would change."""
    settings = load_settings()
    with progress("looking for agents"):
        found = find_hosts(HostFolders(home=Path.home(), project=Path.cwd()), hosts)
    _heading("Agents on this machine")
    for line in host_lines(found):
        echo_wrapped(visible(line), indent=2)
    channels = asked_channels(settings)
    configured = channels_of(settings)
    usual = usual_place(asked=channels, configured=configured)
    place = ask_in or (_asked_place(settings, usual) if is_talking else usual)
    mode = mode_for(place, asked=channels, configured=configured)
    change = None
    if place == AskIn.BROWSER:
        change = keep_channel(settings, ChannelName.WEB.value, is_dry=True)
    install = lasting_install(Path(sys.prefix), os.environ)
    is_running = is_healthy(Places(settings.state_dir))
    plan = InitPlan(
        hosts=found,
        ask_in=place,
        settings=change,
        install=install,
        is_running=is_running,
        mode=mode,
    )
    _heading("What would be done")
    for line in plan_lines(plan):
        echo_wrapped(visible(line), indent=2)
    return plan


def _asked_place(settings: Settings, usual: str) -> str:
    """Ask where questions go; return the name of the place."""
    offered = places_to_ask(asked_channels(settings))
    _heading("Where should questions go?")
    names = list(offered)
    for number, name in enumerate(names, 1):
        say(f"  {number}  {offered[name]}")
    typed = {**{str(number): name for number, name in enumerate(names, 1)}, **{n: n for n in names}}
    choices = click.Choice(list(typed))
    said = click.prompt(
        "Number", type=choices, default=str(names.index(usual) + 1), show_choices=False
    )
    return typed[said]


def _show_dry(plan: InitPlan) -> None:
    answer_with(**plan_json(plan))
    if plan.install is not None:
        echo_wrapped("The installed signoff writes its own path where the cache is named below.")
    for one in plan.open_hosts:
        show_changes(one.changes, is_dry=True)
    if plan.settings is not None:
        show_changes((plan.settings,), is_dry=True)


def _carried_out(plan: InitPlan) -> tuple[InitPlan, Started]:
    """Do what was planned; what cannot be done is said, and the rest is done."""
    settings = load_settings()
    places = Places(settings.state_dir)
    if port := settle_port(settings):
        say(moved_said(settings, port))
    if plan.ask_in in PHONES:
        stop(places)  # its bot would take the messages meant for the setup
        _set_up(plan.ask_in)
    if plan.settings is not None and plan.settings.is_needed:
        # A daemon reads `channels` at its start only: it is stopped here and started below.
        keep_channel(settings, ChannelName.WEB.value)
        stop(places)
    made = {one.host.name: one for one in install_hosts(plan.hosts, Path.home())}
    with progress("starting the daemon"):
        started = start(places)
    done = replace(plan, hosts=tuple(made.get(one.host.name, one) for one in plan.hosts))
    _heading("Done")
    for one in made.values():
        _say_made(one.host.title, one.problem, one.warnings)
        show_changes(one.changes, is_dry=False)
    word = "runs already" if started.was_running else "started"
    say(f"  the daemon {word} (process {started.pid})")
    return done, started


def _say_made(title: str, problem: str, warnings: tuple[str, ...]) -> None:
    if problem:
        click.secho(f"  {title}: {visible(problem)}", fg="red", err=True)
    for warning in warnings:
        click.secho(f"  warning: {visible(warning)}", fg="yellow", err=True)


def _set_up(name: str) -> None:
    """Run a messenger's own setup."""
    _heading(PHONES[name].title)
    try:
        command_of(PHONES[name]).main(["setup"], f"signoff {name}", standalone_mode=False)
    except (click.ClickException, click.Abort) as error:
        words = error.format_message() if isinstance(error, click.ClickException) else "stopped"
        said = f"{PHONES[name].title} was not set up: {words}; `signoff {name} setup` tries again"
        say(said, colour="yellow", err=True)


def _set_mode(name: str, *, is_talking: bool) -> None:
    """Have the user confirm who asks; without a terminal say how."""
    _heading("Who asks")
    try:
        if not is_talking:
            raise Refusal("it is confirmed on a terminal")
        mode_command.main([name], "signoff mode", standalone_mode=False)
    except (click.ClickException, click.Abort) as error:
        words = error.format_message() if isinstance(error, click.ClickException) else "stopped"
        said = f"who asks was not changed: {words}; `signoff mode {name}` changes it"
        say(said, colour="yellow", err=True)


def _try_out(*, is_talking: bool, has_page: bool, has_test: bool) -> None:
    """Open the inbox, and have the user answer a first question."""
    settings = load_settings()
    channels = asked_channels(settings)
    if not is_talking:
        if channels:
            say("  on a terminal: `signoff open` shows the inbox, `signoff init` asks a question")
        return
    if ChannelName.WEB in channels and has_page:
        _heading("Your inbox")
        try:
            open_inbox(Places(settings.state_dir))
        except SignoffError as error:
            say(str(error), colour="yellow", err=True)
    if channels and has_test:
        _heading("A test question")
        try_question(Places(settings.state_dir), channels)


def _end(plan: InitPlan) -> None:
    """Say how people are asked from now on, and what comes next."""
    _heading("From now on")
    for line in asked_lines(load_settings()):
        echo_wrapped(visible(line.partition(" ")[2].strip()), indent=2)
    agents = [one.host.called for one in plan.hosts if one.state is HostState.GUARDED]
    if agents:
        echo_wrapped(f"Restart {', '.join(agents)}: new sessions are guarded.", indent=2)
    if shutil.which("signoff") is None:
        folder = shlex.quote(os.path.dirname(os.path.abspath(sys.argv[0])))
        echo_wrapped("Your shell does not find `signoff` yet. Run:", indent=2)
        say(f'  export PATH="{folder}:$PATH"')
    echo_wrapped(
        "`signoff status` shows what is in force, `signoff doctor` tests the hooks,"
        " `signoff install NAME --uninstall` removes one.",
        indent=2,
    )


def _heading(text: str) -> None:
    click.secho(f"\n{text}", bold=True)
