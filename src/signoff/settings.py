"""Settings: typed, read once, and read nowhere else; the same goes for the environment.

The user's `signoff.yaml` says how signoff works. A project's `.signoff.yaml` may set the keys of
`PROJECT_KEYS` and only ever makes things stricter: of two values the stricter one holds. No
variable switches anything off; an unknown `SIGNOFF_...` variable stops the start.

    pack: strict                        # strict, balanced (default), permissive
    lines: {destructive.history: ask}
    hosts: {allow: rule}                # score (default), rule, never
    server: {port: 4440}
    channels: [terminal]
    evaluator: {daily_budget_cents: 50} # asks a model first; without it none is asked
    limits: {answer_timeout_s: 300}
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

import platformdirs
import yaml

from signoff.assess.rules.notation.document import (
    RuleFileErrors,
    compose,
    fields_of,
    items_of,
    suggest,
    text_of,
)
from signoff.assess.rules.notation.values import name_of, nodes_of, number_of, said_or, word_of
from signoff.assess.verdict import Verdict
from signoff.challenge.channels.notify_urls import read_notify
from signoff.challenge.evaluators.chosen import EvaluatorSettings, read_evaluator
from signoff.challenge.terms.notation import read_plan
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.words.stopping import StopSettings, read_stops
from signoff.channels.registry import CHANNELS
from signoff.errors import BadRules, BadSettings
from signoff.limits import LIMIT_RANGES as LIMIT_RANGES
from signoff.limits import Limits as Limits
from signoff.limits import read_limits
from signoff.storage.text_file import read_text

NAME = "signoff"
USER_FILE = "signoff.yaml"
RULES_FILE = "rules.yaml"
PROJECT_FILE = ".signoff.yaml"
PROGRAMS_FOLDER = "programs"
PREFIX = "SIGNOFF_"
CONFIG_DIR = "SIGNOFF_CONFIG_DIR"
STATE_DIR = "SIGNOFF_STATE_DIR"
KNOWN_VARIABLES = (CONFIG_DIR, STATE_DIR)
CHOOSES_FOLDERS = (CONFIG_DIR, STATE_DIR, "XDG_CONFIG_HOME", "XDG_STATE_HOME")
RULES_KEYS = ("defaults", "rules")  # rules of a project, read where rules are
USER_KEYS = (
    *("version", "pack", "lines", "hosts", "channels", "limits", "server"),
    *("evaluator", "notify", "approval", "stops", "programs"),
)
HOSTS_KEYS = ("allow", "without_daemon")
SERVER_KEYS = ("port",)
PORT = 4440
PORT_RANGE = (1_024, 65_535)
PROJECT_KEYS = ("version", "pack", "lines", "hosts", "programs", *RULES_KEYS)
FILE_LIMIT = 262_144  # bytes
LINES_LIMIT = 500


class PackName(StrEnum):
    """Which default judgement is in force, strictest first."""

    STRICT = "strict"
    BALANCED = "balanced"
    PERMISSIVE = "permissive"


class HostsAllow(StrEnum):
    """Which allows a host is told, strictest first."""

    NEVER = "never"
    RULE = "rule"
    SCORE = "score"


class WithoutDaemon(StrEnum):
    """What an installed hook does where no daemon answers."""

    START = "start"
    IN_PROCESS = "in_process"
    REFUSE = "refuse"


class ChannelName(StrEnum):
    """A way to somebody who can answer, or is told, besides messengers."""

    TERMINAL = "terminal"
    HOST = "host"
    WEB = "web"
    NOTIFY = "notify"


MESSENGERS = tuple(one.name for one in CHANNELS)
CHANNEL_NAMES = (*(name.value for name in ChannelName), *MESSENGERS)
# The daemon's alone, and set up by a file or section of their own.
SET_UP_ELSEWHERE = frozenset({*MESSENGERS, ChannelName.NOTIFY.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is configured.

    Args:
        lines: verdicts of single policy lines that replace the pack's.
        at_least: verdicts of single policy lines under which a project does not go.
        project: root of the project whose file was read, "" if none was.
        evaluator: the model to ask before people; None = none is asked.
        evaluator_key: its API key, "" where none was found.
        approval: who is asked, in which order, and what their answers must be.
        notify_urls: services that are told, as addresses of Apprise.
        stops: what is done about agents that stop.
        programs: folder of the user's own program descriptions, "" = the default one.
        project_programs: folder of the project's, "" if it names none.
    """

    config_dir: str
    state_dir: str
    home: str = ""
    pack: PackName = PackName.BALANCED
    lines: Mapping[str, Verdict] = field(default_factory=dict)
    at_least: Mapping[str, Verdict] = field(default_factory=dict)
    hosts_allow: HostsAllow = HostsAllow.SCORE
    channels: tuple[str, ...] = (ChannelName.TERMINAL.value,)
    limits: Limits = field(default_factory=Limits)
    without_daemon: WithoutDaemon = WithoutDaemon.START
    port: int = PORT
    project: str = ""
    evaluator: EvaluatorSettings | None = None
    evaluator_key: str = field(default="", repr=False)
    approval: ApprovalPlan = field(default_factory=ApprovalPlan)
    notify_urls: tuple[str, ...] = field(default=(), repr=False)
    stops: StopSettings = field(default_factory=StopSettings)
    programs: str = ""
    project_programs: str = ""

    @property
    def programs_dir(self) -> str:
        """Where the user describes programs."""
        return self.programs or os.path.join(self.config_dir, PROGRAMS_FOLDER)

    @property
    def rules_file(self) -> str:
        """The user's own rules."""
        return os.path.join(self.config_dir, RULES_FILE)

    @property
    def project_file(self) -> str:
        """The project's own file, settings and rules, "" without a project."""
        return os.path.join(self.project, PROJECT_FILE) if self.project else ""

    @property
    def record_file(self) -> str:
        """The record of all decisions."""
        return os.path.join(self.state_dir, "record.db")

    @property
    def locks_file(self) -> str:
        """The locks in force: the panic switch."""
        return os.path.join(self.state_dir, "locks.json")

    @property
    def patterns_dir(self) -> str:
        """The patterns as they were compiled: can be removed at any time."""
        return os.path.join(self.state_dir, "patterns")

    @property
    def costs_file(self) -> str:
        """What every model call cost."""
        return os.path.join(self.state_dir, "costs.db")

    @property
    def key_file(self) -> str:
        """The key secrets are masked with in the record."""
        return os.path.join(self.state_dir, "redaction.key")


def load_settings(project: str = "", *, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings in force, with those of the project at this root if there is one.

    Raises:
        BadSettings: a file or variable is refused; the message says where and what to do.
    """
    variables = os.environ if environment is None else environment
    _check_variables(variables)
    config, state = own_folders(variables)
    said = _read(os.path.join(config, USER_FILE), USER_KEYS)
    settings = Settings(
        config_dir=config,
        state_dir=state,
        home=os.path.expanduser("~"),
        pack=said.pack or PackName.BALANCED,
        lines=said.lines,
        hosts_allow=said.hosts_allow or HostsAllow.SCORE,
        channels=(ChannelName.TERMINAL.value,) if said.channels is None else said.channels,
        limits=said.limits,
        without_daemon=said.without_daemon or WithoutDaemon.START,
        port=said.port,
        evaluator=said.evaluator,
        approval=said.approval,
        notify_urls=said.notify_urls,
        stops=said.stops,
        programs=_absolute(config, said.programs),
        evaluator_key=variables.get(said.evaluator.key_env, "") if said.evaluator else "",
    )
    return tightened(settings, project) if project else settings


def own_folders(environment: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return the folders of settings and of state, which no file has a say in.

    Raises:
        BadSettings: a variable names no absolute folder.
    """
    variables = os.environ if environment is None else environment
    config = variables.get(CONFIG_DIR) or platformdirs.user_config_dir(NAME, appauthor=False)
    state = variables.get(STATE_DIR) or platformdirs.user_state_dir(NAME, appauthor=False)
    for name, folder in ((CONFIG_DIR, config), (STATE_DIR, state)):
        if not os.path.isabs(folder):
            raise BadSettings(f"`{name}` is `{folder}`, expected an absolute folder")
    return os.path.normpath(config), os.path.normpath(state)


def folder_variables(environment: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return the variables by which this user's folders are chosen, as far as they are set."""
    variables = os.environ if environment is None else environment
    return {name: variables[name] for name in CHOOSES_FOLDERS if variables.get(name)}


def tightened(settings: Settings, project: str) -> Settings:
    """Return the settings with those of the project at this root, as far as they are stricter.

    Raises:
        BadSettings: the project's file is refused.
    """
    said = _read(os.path.join(project, PROJECT_FILE), PROJECT_KEYS)
    at_least = {
        line: Verdict.worst([verdict, settings.at_least.get(line, Verdict.ALLOW)])
        for line, verdict in said.lines.items()
    }
    return replace(
        settings,
        project=project,
        pack=_strictest(settings.pack, said.pack),
        at_least={**settings.at_least, **at_least},
        hosts_allow=_strictest(settings.hosts_allow, said.hosts_allow),
        project_programs=os.path.join(project, said.programs) if said.programs else "",
    )


def _absolute(config: str, folder: str) -> str:
    """Return a folder the user named, read against the configuration folder; "" for none."""
    named = os.path.expanduser(folder)
    return os.path.normpath(os.path.join(config, named)) if folder else ""


Choice = TypeVar("Choice", bound=StrEnum)


def _strictest(first: Choice, second: Choice | None) -> Choice:
    """Return the stricter of two values; enumerations of settings begin with the strictest."""
    if second is None:
        return first
    return min(first, second, key=list(type(first)).index)


def _check_variables(variables: Mapping[str, str]) -> None:
    """Refuse variables that look like ours and are not: nobody is to believe in an off switch."""
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in KNOWN_VARIABLES:
            raise BadSettings(
                f"unknown variable `{name}`{suggest(name, KNOWN_VARIABLES)}; unset it:"
                " signoff is configured by files, and no variable switches it off"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ParsedSettings:
    """What one file says; None where it says nothing."""

    pack: PackName | None = None
    lines: Mapping[str, Verdict] = field(default_factory=dict)
    hosts_allow: HostsAllow | None = None
    channels: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    without_daemon: WithoutDaemon | None = None
    port: int = PORT
    evaluator: EvaluatorSettings | None = None
    approval: ApprovalPlan = field(default_factory=ApprovalPlan)
    notify_urls: tuple[str, ...] = ()
    stops: StopSettings = field(default_factory=StopSettings)
    programs: str = ""


def _read(file: str, keys: tuple[str, ...]) -> _ParsedSettings:
    """Read one settings file; one that is not there says nothing."""
    text = read_text(file, limit=FILE_LIMIT)
    if text is None:
        return _ParsedSettings()
    place = RuleFileErrors(file)
    try:
        if not text.strip():
            raise BadRules("the file is empty; remove it, or write a setting", file=file, line=1)
        found = fields_of(compose(text, place), place, what="settings", allowed=keys)
        nodes = {key: node for key, (_, node) in found.items()}
        is_user = keys is USER_KEYS
        said = _said(nodes, place, HOSTS_KEYS if is_user else HOSTS_KEYS[:1])
        return replace(said, programs=_folder(nodes.get("programs"), place, is_user=is_user))
    except BadRules as error:
        raise BadSettings(str(error)) from error


def _said(
    values: Mapping[str, yaml.Node], place: RuleFileErrors, hosts_keys: tuple[str, ...]
) -> _ParsedSettings:
    """Turn the nodes of a file into what it says."""
    version = values.get("version")
    if version is not None and text_of(version, place, what="version", limit=10) != "1":
        raise place.refuse("version: expected 1", version)
    hosts = nodes_of(values.get("hosts"), place, hosts_keys, what="hosts")
    return _ParsedSettings(
        pack=word_of(values.get("pack"), place, PackName, what="pack"),
        lines=_lines(values.get("lines"), place),
        hosts_allow=word_of(hosts.get("allow"), place, HostsAllow, what="allow"),
        channels=_channels(values.get("channels"), place),
        limits=read_limits(values.get("limits"), place),
        without_daemon=word_of(
            hosts.get("without_daemon"), place, WithoutDaemon, what="without_daemon"
        ),
        port=_port(values.get("server"), place),
        evaluator=read_evaluator(values.get("evaluator"), place),
        notify_urls=read_notify(values.get("notify"), place),
        approval=read_plan(values.get("approval"), place, channels=CHANNEL_NAMES),
        stops=read_stops(values.get("stops"), place),
    )


def _folder(node: yaml.Node | None, place: RuleFileErrors, *, is_user: bool) -> str:
    """Read the folder of program descriptions; a project's lies inside the project."""
    if node is None:
        return ""
    folder = text_of(node, place, what="programs", limit=1_000)
    if not folder.strip() or "\0" in folder:
        raise place.refuse("programs: expected the name of a folder", node)
    if is_user:
        return folder
    parts = os.path.normpath(folder).split("/")
    if folder.startswith(("/", "~")) or parts[0] in {"..", "."}:
        raise place.refuse(f"programs: `{folder}` is no folder inside the project", node)
    return "/".join(parts)


def _port(node: yaml.Node | None, place: RuleFileErrors) -> int:
    """Read the port of the server on loopback."""
    value = nodes_of(node, place, SERVER_KEYS, what="server").get("port")
    return int(said_or(number_of(value, place, "port", PORT_RANGE), PORT))


def _lines(node: yaml.Node | None, place: RuleFileErrors) -> dict[str, Verdict]:
    """Read verdicts by policy line, `detector.line`."""
    if node is None:
        return {}
    found = fields_of(node, place, what="lines")
    if len(found) > LINES_LIMIT:
        raise place.refuse(f"lines: {len(found)} entries (at most {LINES_LIMIT})", node)
    # Only who moves lines pays for knowing them all.
    from signoff.assess.policy_lines import line_problem  # noqa: PLC0415 - see above

    lines: dict[str, Verdict] = {}
    for line, (key, value) in found.items():
        if problem := line_problem(line):
            raise place.refuse(f"lines: {problem}", key)
        verdict = word_of(value, place, Verdict, what="verdict")
        lines[line] = verdict if verdict is not None else Verdict.DENY
    return lines


def _channels(node: yaml.Node | None, place: RuleFileErrors) -> tuple[str, ...] | None:
    """Read the channels to ask, in order; an empty list asks nobody."""
    if node is None:
        return None
    if isinstance(node, yaml.SequenceNode) and not node.value:
        return ()
    items = items_of(node, place, what="channels", limit=20)
    names = (name_of(item, place, CHANNEL_NAMES, what="channel") for item in items)
    return tuple(dict.fromkeys(names))
