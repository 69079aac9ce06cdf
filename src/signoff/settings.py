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
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
import platformdirs

from signoff.assess.challenges import NOTHING_SAID, ChallengeMap
from signoff.assess.risk.chosen import Scoring, read_scoring
from signoff.assess.verdict import Verdict
from signoff.bundled_policy.in_force import BundleInForce, bundle_in_force, source_of
from signoff.bundled_policy.own_file import (
    capped,
    differences,
    stricter_plan,
    strictest,
    under_bundle,
)
from signoff.challenge.evaluators.chosen import EvaluatorSettings, read_evaluator
from signoff.challenge.terms.notation import ProjectApproval, read_challenges, read_plan
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.words.stopping import StopSettings
from signoff.channels.named import CHANNEL_NAMES as CHANNEL_NAMES
from signoff.channels.named import MESSENGERS as MESSENGERS
from signoff.channels.named import SET_UP_ELSEWHERE as SET_UP_ELSEWHERE
from signoff.channels.named import ChannelName as ChannelName
from signoff.channels.named import read_channels
from signoff.documents.convert import convert
from signoff.documents.nearest import suggest
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.sections import PORT as PORT
from signoff.sections import PORT_RANGE as PORT_RANGE
from signoff.sections import (
    BundleSection,
    DecoysSection,
    EventsSection,
    ExternalSection,
    ProjectFile,
    TrustSection,
    UserFile,
    read_lines,
)
from signoff.sections import Environment as Environment
from signoff.sections import HostsAllow as HostsAllow
from signoff.sections import Limits as Limits
from signoff.sections import LogSection as LogSection
from signoff.sections import McpSection as McpSection
from signoff.sections import PackName as PackName
from signoff.sections import PushSection as PushSection
from signoff.sections import PythonDecides as PythonDecides
from signoff.sections import ResultPolicy as ResultPolicy
from signoff.sections import TracesSection as TracesSection
from signoff.sections import WithoutDaemon as WithoutDaemon
from signoff.sections import WitnessSection as WitnessSection
from signoff.storage.confirmed.sign_in import OidcSection
from signoff.storage.postgresql.address import StoreAddress, read_address
from signoff.storage.text_file import (
    absolute,
    read_folder,
    read_inner_folder,
    read_text,
    target_of,
)
from signoff.values import replace

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
FILE_LIMIT = 262_144  # bytes
HeadersT = TypeVar("HeadersT", PushSection, TracesSection)
FORM = FileForm(what="settings", expected="fields such as `pack: strict`", error=BadSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings in force: the user's, the project's and the environment's, merged.

    Args:
        lines: verdicts of single policy lines that replace those of the pack.
        at_least: least severe verdicts of policy lines, set by the project: it only tightens.
        inbox_url: where a TLS proxy serves the inbox of the service, "" = nowhere.
        project: root of the project whose file was read, "" if none.
        evaluator: the model that is asked before people; None = no model.
        evaluator_key: the model's API key, "" if none was found.
        approval: who is asked in which order, and which proofs they must give.
        challenges: proofs chosen by the user.
        notify_urls: Apprise URLs of services that get notices.
        profiles: names of domain profiles, shipped ones or files in `profiles_dir`.
        environment: what agents work on, as the user or the project says it.
        scoring: how risk and threat are scored.
        external: Cedar or Rego policies that are asked, too; None = none.
        uses_trust: whether trust in agents moves levels.
        decoys: how often approvers are shown a test request.
        checkpoint_targets: files and addresses that checkpoints of the audit log go to.
        witnesses: those who cosign checkpoints of the audit log.
        push: where new entries of the audit log are sent.
        stops: what happens when an agent stops.
        results: what becomes of results that give the model orders or hold secrets.
        host_results: the same where a host's hook sees results.
        mcp: how `signoff mcp` stands between a client and a server.
        programs, project_programs: folders of program descriptions, "" = the default, or none.
        stronger_challenges: proofs chosen by the project; they can only be stronger.
        store: the database that several machines share; None = files of this machine.
        log: where the daemon's log goes, and what is in it.
        traces: which collector is told how long each step of a call took.
        bundle: the policy this machine is under; None = its own files alone.
        bundle_source: where newer bundles come from; None = nowhere.
        local_challenges: proofs of the user's own file under a bundle; they can only be stronger.
        model_approves: whether the evaluator may approve at all.
        oidc: the provider that people sign in to the inbox at.
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
    results: ResultPolicy = ResultPolicy.LABEL
    host_results: ResultPolicy = ResultPolicy.LABEL
    without_daemon: WithoutDaemon = WithoutDaemon.START
    python_decides: PythonDecides = PythonDecides.AUTO
    port: int = PORT
    inbox_url: str = ""
    project: str = ""
    evaluator: EvaluatorSettings | None = None
    evaluator_key: str = field(default="", repr=False)
    approval: ApprovalPlan = field(default_factory=ApprovalPlan)
    challenges: ChallengeMap = NOTHING_SAID
    stronger_challenges: ChallengeMap = NOTHING_SAID
    notify_urls: tuple[str, ...] = field(default=(), repr=False)
    events: EventsSection = field(default=EventsSection(url=""), repr=False)
    checkpoint_targets: tuple[str, ...] = field(default=(), repr=False)
    witnesses: tuple[WitnessSection, ...] = field(default=(), repr=False)
    push: tuple[PushSection, ...] = field(default=(), repr=False)
    profiles: tuple[str, ...] = ()
    environment: Environment = Environment.NONE
    scoring: Scoring = field(default_factory=Scoring)
    external: ExternalSection | None = None
    uses_trust: bool = False
    decoys: DecoysSection = field(default_factory=DecoysSection)
    stops: StopSettings = field(default_factory=StopSettings)
    programs: str = ""
    project_programs: str = ""
    mcp: McpSection = field(default_factory=McpSection)
    store: StoreAddress | None = None
    log: LogSection = field(default_factory=LogSection)
    traces: TracesSection = field(default_factory=TracesSection, repr=False)
    bundle: BundleInForce | None = None
    bundle_source: BundleSection | None = None
    local_challenges: ChallengeMap = NOTHING_SAID
    model_approves: bool = True
    oidc: OidcSection | None = None

    @property
    def programs_dir(self) -> str:
        """Folder of the user's program descriptions."""
        return self.programs or os.path.join(self.config_dir, PROGRAMS_FOLDER)

    @property
    def profiles_dir(self) -> str:
        """Folder of the user's domain profiles."""
        return os.path.join(self.config_dir, "profiles")

    @property
    def rules_file(self) -> str:
        """Path of the user's rules file."""
        return os.path.join(self.config_dir, RULES_FILE)

    @property
    def project_file(self) -> str:
        """Path of the project's file with settings and rules; "" without a project."""
        return os.path.join(self.project, PROJECT_FILE) if self.project else ""

    @property
    def record_file(self) -> str:
        """Path of the audit log."""
        return os.path.join(self.state_dir, "record.db")

    @property
    def checkpoint_key_file(self) -> str:
        """Path of the key that signs checkpoints of the audit log."""
        return os.path.join(self.state_dir, "checkpoint.key")

    @property
    def checkpoints_dir(self) -> str:
        """Folder of the checkpoints of the audit log."""
        return os.path.join(self.state_dir, "checkpoints")

    @property
    def locks_file(self) -> str:
        """Path of the file with the locks in force (the panic switch)."""
        return os.path.join(self.state_dir, "locks.json")

    @property
    def patterns_dir(self) -> str:
        """Folder of the compiled patterns: a cache, safe to remove at any time."""
        return os.path.join(self.state_dir, "patterns")

    @property
    def costs_file(self) -> str:
        """Path of the file with the cost of every model call."""
        return os.path.join(self.state_dir, "costs.db")

    @property
    def key_file(self) -> str:
        """Path of the key that masks secrets in the audit log."""
        return os.path.join(self.state_dir, "redaction.key")


def load_settings(project: str = "", *, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the user's settings, merged with those of a project.

    Args:
        project: root of the project, "" for none.
        environment: variables to read; None = those of this process.

    Raises:
        BadSettings: a file or variable is refused; the message says where and what to do.
    """
    variables = os.environ if environment is None else environment
    _check_variables(variables)
    config, state = own_folders(variables)
    own = _read(os.path.join(config, USER_FILE), UserFile)
    bundle = bundle_in_force(state, own.bundle)
    said = own if bundle is None else under_bundle(own, bundle.settings)
    settings = _settings(said, config, state, variables)
    settings = settings if bundle is None else _governed(settings, own, bundle)
    return tightened(settings, project) if project else settings


def own_folders(environment: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return the absolute paths of this user's (settings folder, state folder).

    Only environment variables can move them, as settings files are found through them.

    Raises:
        BadSettings: a variable does not name an absolute folder.
    """
    variables = os.environ if environment is None else environment
    config = variables.get(CONFIG_DIR) or platformdirs.user_config_dir(NAME, appauthor=False)
    state = variables.get(STATE_DIR) or platformdirs.user_state_dir(NAME, appauthor=False)
    for name, folder in ((CONFIG_DIR, config), (STATE_DIR, state)):
        if not os.path.isabs(folder):
            raise BadSettings(f"`{name}` is `{folder}`, expected an absolute folder")
    return os.path.normpath(config), os.path.normpath(state)


def folder_variables(environment: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return the variables that move this user's folders, with their values, if set."""
    variables = os.environ if environment is None else environment
    return {name: variables[name] for name in CHOOSES_FOLDERS if variables.get(name)}


def tightened(settings: Settings, project: str) -> Settings:
    """Return the settings with those of the project at this root where they are stricter.

    Raises:
        BadSettings: the project's file is not valid.
    """
    said = _read(os.path.join(project, PROJECT_FILE), ProjectFile)
    programs = read_inner_folder(said.programs)
    at_least = {
        line: Verdict.worst([verdict, settings.at_least.get(line, Verdict.ALLOW)])
        for line, verdict in read_lines(said.lines).items()
    }
    return replace(
        settings,
        project=project,
        pack=strictest(settings.pack, said.pack),
        environment=strictest(settings.environment, said.environment),
        at_least={**settings.at_least, **at_least},
        hosts_allow=strictest(settings.hosts_allow, said.hosts.allow),
        stronger_challenges=_project_challenges(said.approval),
        project_programs=os.path.join(project, programs) if programs else "",
    )


def _settings(said: UserFile, config: str, state: str, variables: Mapping[str, str]) -> Settings:
    """Build the settings from the content of the user's file."""
    results = said.results or ResultPolicy.LABEL
    evaluator = read_evaluator(said.evaluator) if said.evaluator else None
    return Settings(
        config_dir=config,
        state_dir=state,
        home=os.path.expanduser("~"),
        pack=said.pack or PackName.BALANCED,
        lines=read_lines(said.lines),
        hosts_allow=said.hosts.allow,
        channels=read_channels(said.channels),
        limits=said.limits,
        results=results,
        host_results=said.hosts.results or results,
        without_daemon=said.hosts.without_daemon,
        python_decides=said.python.decides,
        port=said.server.port,
        inbox_url=said.server.inbox_url,
        evaluator=evaluator,
        approval=_plan(said.approval),
        challenges=read_challenges(said.approval),
        notify_urls=said.notify.urls,
        events=said.events,
        profiles=said.profiles,
        environment=said.environment or Environment.NONE,
        scoring=read_scoring(said.risk, said.threat),
        external=said.external_rules,
        uses_trust=(said.trust or TrustSection()).enabled,
        decoys=said.decoys,
        checkpoint_targets=tuple(target_of(config, one) for one in said.audit.checkpoints),
        witnesses=said.audit.witnesses,
        push=tuple(_with_headers(config, one) for one in said.audit.push),
        stops=said.stops,
        mcp=said.mcp,
        programs=absolute(config, read_folder(said.programs)),
        store=read_address(said.store, config),
        log=said.log,
        traces=_with_headers(config, said.traces),
        evaluator_key=variables.get(evaluator.key_env, "") if evaluator else "",
        bundle_source=source_of(config, said.bundle),
        oidc=said.oidc,
    )


def _governed(settings: Settings, own: UserFile, bundle: BundleInForce) -> Settings:
    """Return settings made of the bundle's and the user's, with what is joined of both."""
    shared, plan, chosen = bundle.settings, settings.approval, settings.evaluator
    return replace(
        settings,
        bundle=replace(bundle, differences=tuple(differences(own))),
        at_least=read_lines(own.lines),
        local_challenges=read_challenges(own.approval),
        approval=stricter_plan(plan, _plan(own.approval)) if own.approval else plan,
        evaluator=capped(chosen, shared) if chosen else None,
        model_approves=shared.evaluator is not None,
    )


def _with_headers(config: str, one: HeadersT) -> HeadersT:
    """Return where something is sent, with the path of its headers."""
    return replace(one, headers_file=absolute(config, one.headers_file))


def _check_variables(variables: Mapping[str, str]) -> None:
    """Refuse variables that look like ours and are not: nobody is to believe in an off switch."""
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in KNOWN_VARIABLES:
            raise BadSettings(
                f"unknown variable `{name}`{suggest(name, KNOWN_VARIABLES)}; unset it:"
                " signoff is configured by files, and no variable switches it off"
            )


File = TypeVar("File", bound=msgspec.Struct)


def _read(file: str, struct: type[File]) -> File:
    """Read one settings file; one that is not there says nothing."""
    text = read_text(file, limit=FILE_LIMIT)
    return struct() if text is None else convert(read_yaml(text, file=file, form=FORM), struct)


def _plan(node: Node | None) -> ApprovalPlan:
    return read_plan(node, channels=CHANNEL_NAMES) if node else ApprovalPlan()


def _project_challenges(node: Node | None) -> ChallengeMap:
    """Read the proofs a project asks for: all of `approval` that is its own to say."""
    if node:
        convert(node, ProjectApproval)
    return read_challenges(node)
