"""What `signoff.yaml` and a project's `.signoff.yaml` may say: one struct a file and a section.

Fields are named as in the files; `Meta` gives their ranges, and `documents/convert.py` reads them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.risk.chosen import RiskSection, ThreatSection
from signoff.assess.verdict import Verdict
from signoff.challenge.pending import MOST_WAITING, MOST_WAITING_PER_SESSION
from signoff.challenge.words.stopping import StopSettings
from signoff.documents.convert import FormatVersion, names_of
from signoff.documents.node import Node
from signoff.storage.bundles.section import BundleSection as BundleSection
from signoff.storage.confirmed.sign_in import OidcSection

PORT = 4440
LINES_LIMIT = 500
# Ports below belong to root, and the daemon runs as the user.
PORT_RANGE = (1_024, 65_535)

ProfileName = Annotated[
    str,
    Meta(max_length=60, pattern=r"\A[a-z0-9][a-z0-9-]*\Z", description="a name such as `finance`"),
]
Url = Annotated[str, Meta(max_length=2_000)]


class PackName(StrEnum):
    """Name of the default policy in force, strictest first."""

    STRICT = "strict"
    BALANCED = "balanced"
    PERMISSIVE = "permissive"


class Environment(StrEnum):
    """Which environment the agents work on, strictest first; it raises or lowers risk."""

    PRODUCTION = "production"
    STAGING = "staging"
    NONE = "none"
    DEVELOPMENT = "development"


class HostsAllow(StrEnum):
    """Which allows are passed on to a host; without one the host's own rules decide."""

    NEVER = "never"
    RULE = "rule"
    SCORE = "score"


class WithoutDaemon(StrEnum):
    """What an installed hook does if the daemon does not answer."""

    START = "start"
    IN_PROCESS = "in_process"
    REFUSE = "refuse"


class ResultPolicy(StrEnum):
    """What happens to a tool's result that has instructions for the model, or secrets."""

    BLOCK = "block"  # the model gets a refusal in its place
    ASK = "ask"  # it is held until a person answers
    REMOVE = "remove"  # the suspect texts are taken out
    LABEL = "label"  # it stands between labels
    OFF = "off"


class PythonDecides(StrEnum):
    """Which process decides calls made in Python: through `@gate` or a framework adapter."""

    AUTO = "auto"  # by the daemon if one runs, else in the program's own process
    DAEMON = "daemon"
    IN_PROCESS = "in_process"


class PythonSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `python`."""

    decides: PythonDecides = PythonDecides.AUTO


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The section `limits`: sizes and times a user may change, each within a fixed range."""

    answer_timeout_s: Annotated[float, Meta(ge=1, le=86_400)] = 300.0
    min_review_s: Annotated[float, Meta(ge=1, le=600)] = 3.0
    busy_timeout_s: Annotated[float, Meta(ge=0.1, le=60)] = 5.0
    files: Annotated[int, Meta(ge=0, le=256)] = 64
    script_bytes: Annotated[int, Meta(ge=0, le=1_048_576)] = 65_536
    alert_after_denials: Annotated[int, Meta(ge=1, le=10_000)] = 5
    waiting: Annotated[int, Meta(ge=1, le=MOST_WAITING)] = MOST_WAITING
    waiting_per_session: Annotated[int, Meta(ge=1, le=MOST_WAITING)] = MOST_WAITING_PER_SESSION


class ProjectHosts(msgspec.Struct, frozen=True, kw_only=True):
    """The section `hosts` of a project."""

    allow: HostsAllow = HostsAllow.SCORE


class HostsSection(ProjectHosts, frozen=True, kw_only=True):
    """The section `hosts`."""

    results: ResultPolicy | None = None
    without_daemon: WithoutDaemon = WithoutDaemon.START


class ServerSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `server`: where the daemon listens on loopback.

    Args:
        inbox_url: the address a TLS proxy serves the inbox of the service under; "" = none.
    """

    port: Annotated[int, Meta(ge=PORT_RANGE[0], le=PORT_RANGE[1])] = PORT
    inbox_url: Annotated[
        str,
        Meta(
            max_length=253,
            pattern="^(https://([a-z0-9-]{1,63}[.])+[a-z][a-z0-9-]{1,62}(:[0-9]{1,5})?)?$",
            description="an address such as `https://signoff.example.com`",
        ),
    ] = ""


class McpForwarding(StrEnum):
    """What happens to requests that an MCP server sends to its client."""

    REFUSE = "refuse"
    FORWARD = "pass"


class McpSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `mcp`: how `signoff mcp` stands between a client and a server.

    Args:
        wait_s: seconds a call waits for people where the client asked for no progress reports.
        results: in place of the setting `results`; None = that one holds.
        max_message_mib: MiB of one message, in either direction.
    """

    wait_s: Annotated[float, Meta(ge=1, le=3_600)] = 50.0
    results: ResultPolicy | None = None
    sampling: McpForwarding = McpForwarding.REFUSE
    elicitation: McpForwarding = McpForwarding.FORWARD
    max_message_mib: Annotated[int, Meta(ge=1, le=256)] = 16

    @property
    def max_message_bytes(self) -> int:
        """Largest message in bytes, from `max_message_mib`."""
        return self.max_message_mib << 20


class NotifySection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `notify`: Apprise URLs of the services that get notices."""

    urls: Annotated[tuple[Url, ...], Meta(max_length=20)]


class EventKind(StrEnum):
    """Which events in the life of a call are reported to the webhook."""

    JUDGED = "judged"  # on request: `decided` says the same where nobody is asked
    ASKED = "asked"
    DECIDED = "decided"
    RAN = "ran"


class EventsSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `events`: a webhook that is told about calls.

    Args:
        secret_file: beside the settings; its content signs each message.
        only: the kinds of events sent.
    """

    url: Url
    secret_file: Annotated[str, Meta(max_length=1_000)] = ""
    only: tuple[EventKind, ...] = (EventKind.ASKED, EventKind.DECIDED, EventKind.RAN)


class WitnessSection(msgspec.Struct, frozen=True, kw_only=True):
    """A witness that cosigns checkpoints: its URL and its public key (`name+hash+key`)."""

    url: Url
    key: Annotated[str, Meta(max_length=300)]


class TrustSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `trust`: whether an agent's history may lower or raise levels."""

    # Off: trust lowers levels, which a user must want.
    enabled: bool = False


class DecoysSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `decoys`: test requests that approvers must refuse.

    Args:
        share: of the requests people answer, how many are followed by one; 0 = none at all.
        per_day: how many at most.
        hours: of the day, by the clock of this machine, in which one may be shown.
    """

    share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    per_day: Annotated[int, Meta(ge=1, le=10)] = 1
    hours: Annotated[
        str,
        Meta(
            pattern=r"\A([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]\Z",
            description="hours such as `09:00-18:00`",
        ),
    ] = "09:00-18:00"

    def is_in_hours(self, clock: str) -> bool:
        """Return whether a time of day, `HH:MM`, is in `hours`; `22:00-06:00` spans midnight."""
        start, _, end = self.hours.partition("-")
        return start <= clock < end if start <= end else clock >= start or clock < end


class ExternalEngine(StrEnum):
    """Which engine runs external rules."""

    CEDAR = "cedar"
    OPA = "opa"


class ExternalSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `external_rules`: Cedar or Rego policies beside rules.yaml.

    Args:
        files: beside the settings.
        may_allow: True lets them allow what would be asked about; else they only tighten.
    """

    engine: ExternalEngine
    files: Annotated[tuple[Url, ...], Meta(max_length=20)]
    may_allow: bool = False
    # Every call waits for it, so it is short; no answer in time is a denial.
    timeout_ms: Annotated[int, Meta(ge=10, le=5_000)] = 250


class PushFormat(StrEnum):
    """Format in which audit log entries are sent."""

    OCSF = "ocsf"
    CEF = "cef"
    JSONL = "jsonl"


class PushSection(msgspec.Struct, frozen=True, kw_only=True):
    """Where new entries of the audit log are sent.

    Args:
        url: `syslog+tls://host:port`, `syslog+tcp`, `syslog+udp`, `otlp+https` or `otlp+http`.
        headers_file: beside the settings; headers for a collector, one `name: value` a line.
    """

    url: Url
    format: PushFormat = PushFormat.OCSF
    headers_file: Annotated[str, Meta(max_length=1_000)] = ""


class AuditSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `audit`: where checkpoints of the audit log go.

    Args:
        checkpoints: files and addresses.
        witnesses: those who cosign checkpoints.
        push: where new entries are sent.
    """

    checkpoints: Annotated[tuple[Url, ...], Meta(max_length=10)] = ()
    witnesses: Annotated[tuple[WitnessSection, ...], Meta(max_length=10)] = ()
    push: Annotated[tuple[PushSection, ...], Meta(max_length=5)] = ()


class LogTarget(StrEnum):
    """Where the daemon writes its log."""

    FILE = "file"
    STDERR = "stderr"
    BOTH = "both"


class LogSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `log`: the daemon's log, one JSON object a line.

    Args:
        decisions: each decision is a line, too, without the call's contents.
    """

    to: LogTarget = LogTarget.FILE
    decisions: bool = False


class TracesSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `traces`: an OpenTelemetry collector that is told how long each step took.

    Args:
        url: `otlp+https://host:port`; "" = nothing is traced.
        headers_file: beside the settings; headers for the collector, one `name: value` a line.
        share: of the calls that no caller traces; a caller's own choice is followed.
    """

    url: Url = ""
    headers_file: Annotated[str, Meta(max_length=1_000)] = ""
    share: Annotated[float, Meta(ge=0, le=1)] = 1.0


class ProjectFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a project's file may say; its rules are read where rules are.

    Args:
        pack: None = not said.
        lines: verdicts by policy line.
        approval: stronger proofs.
        programs: a folder of descriptions inside the project.
    """

    version: FormatVersion = 1
    pack: PackName | None = None
    environment: Environment | None = None
    lines: Node | None = None
    hosts: ProjectHosts = ProjectHosts()
    approval: Node | None = None
    programs: Node | None = None
    defaults: Node | None = None
    rules: Node | None = None


class UserFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the user's settings file.

    Args:
        pack, results, trust, environment: None = not given; then the bundle's value holds, or the
            default.
    """

    version: FormatVersion = 1
    pack: PackName | None = None
    lines: Node | None = None
    hosts: HostsSection = HostsSection()
    results: ResultPolicy | None = None
    channels: Node | None = None
    limits: Limits = Limits()
    server: ServerSection = ServerSection()
    python: PythonSection = PythonSection()
    evaluator: Node | None = None
    notify: NotifySection = NotifySection(urls=())
    events: EventsSection = EventsSection(url="")
    approval: Node | None = None
    stops: StopSettings = StopSettings()
    programs: Node | None = None
    mcp: McpSection = McpSection()
    audit: AuditSection = AuditSection()
    trust: TrustSection | None = None
    decoys: DecoysSection = DecoysSection()
    store: Node | None = None
    bundle: BundleSection | None = None
    oidc: OidcSection | None = None
    profiles: Annotated[tuple[ProfileName, ...], Meta(max_length=20)] = ()
    environment: Environment | None = None
    risk: RiskSection = RiskSection()
    threat: ThreatSection = ThreatSection()
    external_rules: ExternalSection | None = None
    log: LogSection = LogSection()
    traces: TracesSection = TracesSection()


USER_KEYS, PROJECT_KEYS = names_of(UserFile), names_of(ProjectFile)


def read_lines(node: Node | None) -> dict[str, Verdict]:
    """Return verdicts by policy line, {} for None; raise BadFile for an unknown line."""
    found = node.fields() if node else {}
    if node is None or not found:
        return {}
    if len(found) > LINES_LIMIT:
        raise node.refuse(f"lines: {len(found)} entries (at most {LINES_LIMIT})")
    # Only who moves lines pays for knowing them all.
    from signoff.assess.policy_lines import line_problem  # noqa: PLC0415 - see above

    verdicts = [verdict.value for verdict in Verdict]
    lines: dict[str, Verdict] = {}
    for line, value in found.items():
        if problem := line_problem(line):
            raise (value.key or value).refuse(f"lines: {problem}")
        lines[line] = Verdict(value.word(verdicts, what="verdict"))
    return lines
