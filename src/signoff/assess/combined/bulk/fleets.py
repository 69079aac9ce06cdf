"""Evidence that a line does the same to every machine, device or user there is.

Machines are named in one word (`agv{01..24}`, `n[1-9]`, a glob of devices) or listed one by one.
What cannot be taken back, or keeps people from harm, is no longer a single setting then.
"""

from __future__ import annotations

from signoff.actions.lexicon import safety
from signoff.actions.lexicon.safety import burns
from signoff.actions.operation import Operation, ResourceType, Trait
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.combined.call import TEXT_LIMIT, TRIAL_IN_LINE, Call, cached_per_call
from signoff.assess.combined.facts import FAR
from signoff.assess.combined.loops import BRACED, LOOPED, goes_through_a_list

_GLOBBED = lazy_re2(r"\bfor\s+\w+\s+in\s[^;\n]*/dev/[^;\n]*[*?\[]")
_RANGE = lazy_re2(r"[a-z-]\[\d+-\d+\]|\bseq\s+(?:-w\s+)?\d+\s+\d+")
_TOLD = lazy_re2(
    r"(?i)(?:^|[^a-z])simulat|gazebo|(?:^|[^a-z])sim(?:[^a-z]|$)|localhost|127\.0\.0\.1"
)
_USERS = lazy_re2(
    r"(?i)(?:\$\(|`)[^)`]*(?:%u\b|\busers\b|\buser_?names\b|\baccounts\b|\bpasswd\b|\bwho\b"
    r"|\s-u\s*['\"]?\*)"
)
_PICKED = lazy_re2(
    r"(?i)\b(?:[ef]?grep|rg|head|comm|select|where)\b|\btail\b|\bawk\b[^|]*(?:/|==|~)|\[\[?\s"
)
_RUNNING = frozenset(
    {
        *(ResourceType.SETTING, ResourceType.DEVICE, ResourceType.PROCESS, ResourceType.SERVICE),
        *(ResourceType.PROTECTION, ResourceType.CLOUD, ResourceType.MACHINE, ResourceType.NETWORK),
        *(ResourceType.CLUSTER, ResourceType.NOTHING),
    }
)


@cached_per_call
def _is_of_many(call: Call) -> bool:
    line = call.action.text("command")[:TEXT_LIMIT]
    return any(
        [one.search(line) is not None for one in (BRACED, LOOPED, _GLOBBED, _RANGE, _LISTED)]
    )


# How controllers of a plant are reached.
_PLANTS = ("opc.tcp://", "modbus://", "mbtcp://", "s7://", "bacnet://", "knx://")
_LISTED = lazy_re2(r"\bfor\s+\w+\s+in(?:\s+[\w.-]+){3,}\s*[;\n]")
# A run of tests beside it makes no trial of the rest.
_TEST_RUNS = lazy_re2(
    r"\b(?:pytest|tox|jest|vitest|npm (?:run )?test|go test|make test)\b[^;&|\n]*"
)


@cached_per_call
def _is_trial(call: Call) -> bool:
    line = call.action.text("command")[:TEXT_LIMIT].replace("/dev/", "/")
    line = _TEST_RUNS.sub(" ", line)
    return TRIAL_IN_LINE.search(line) is not None or _TOLD.search(line) is not None


def is_device_or_setting(op: Operation, call: Call) -> bool:
    """True for a device, a setting or something that runs; texts and repositories are none."""
    is_plant = op.thing is ResourceType.URL and op.target.startswith(_PLANTS)
    return (op.thing in _RUNNING or is_plant) and not _is_trial(call)


def is_on_others(op: Operation, call: Call) -> bool:
    """True for another machine, reached by its service or by a shell."""
    return op.reach in FAR or Trait.ON_REMOTE_HOST in op.traits


def burns_each(op: Operation, call: Call) -> bool:
    """True if each device of many gets bits that are written once."""
    if op.thing is not ResourceType.DEVICE or not (burns(op.source) or burns(op.target)):
        return False
    return _is_of_many(call)


def unguards_each(op: Operation, call: Call) -> bool:
    """True if a safety device is switched off on each of many machines."""
    return unguards(op, call) and _is_of_many(call)


def unguards(op: Operation, call: Call) -> bool:
    """True if a safety device is switched off."""
    return _names_safety(call) and safety.unguards(op.source, op.target)


@cached_per_call
def _names_safety(call: Call) -> bool:
    longest = safety.LONGEST
    said = [f"{op.source[:longest]} {op.target[:longest]}" for op in call.operations]
    return safety.names_safety(" ".join(said))


def stops_everybody(op: Operation, call: Call) -> bool:
    """True if the processes of every listed user are ended."""
    line = call.action.text("command")[:TEXT_LIMIT]
    is_ended = op.thing is ResourceType.PROCESS or Trait.BY_PATTERN in op.traits
    if not is_ended or _PICKED.search(line) is not None or _USERS.search(line) is None:
        return False
    return goes_through_a_list(op, call)


# Programs that set a value in a device far away.
_SETTERS = words("snmpset bacwp uawrite knxtool modbus mbpoll mosquitto_pub mqttx mqtt mqttcli")
# Names of who looks after it and where it stands (RFC 3418, `system`): a label, not a control.
_LABELS = lazy_re2(r"1\.3\.6\.1\.2\.1\.1\.[456]\.0|(?i:\bsys(?:Name|Contact|Location)\b)")
# A request that sets something, to a part of a device that moves or carries power.
_COMMANDED = lazy_re2(
    r"(?i)(?:\s-X\s*|--request[= ])(?:POST|PUT|PATCH)\b|\s(?:-d|--data\S*|--json|--form|-F)\b"
)
_PART = lazy_re2(
    r"(?i)[/?&=.](?:relays?|switch(?:es)?|valves?|doors?|pumps?|breakers?|barriers?|chargers?|inverters?"
    r"|thermostats?|hvac|setpoints?|sirens?|outlets?|plugs?|turbines?|motors?|heaters?|boilers?"
    r"|shutters?|lamps?|luminaires?|feeders?|cmnd)(?:[^a-z]|$)"
)
_OF_BENCH = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:labs?|testbeds?|bench|spares?|snmpsim|virtual|vm)(?:[^a-z]|$)"
)


def sets_each_device(op: Operation, call: Call) -> bool:
    """True if a control of each device of a list is set, past people who stand beside it."""
    if not _is_control(op) or _is_trial(call):
        return False
    line = call.action.text("command")[:TEXT_LIMIT]
    is_many = goes_through_a_list(op, call) or BRACED.search(line) is not None
    return is_many and _OF_BENCH.search(line) is None and _PICKED.search(line) is None


def _is_control(op: Operation) -> bool:
    name = op.program.partition(" ")[0]
    if op.thing is ResourceType.URL:
        _, _, rest = op.target.partition("://")
        is_each = "\ufffd" in rest.partition("/")[0] and _PART.search(f"/{rest}") is not None
        return is_each and _COMMANDED.search(op.source) is not None
    if name not in _SETTERS:
        return False
    if op.thing is ResourceType.MESSAGE:
        return _TOPIC.search(op.source) is not None
    return _LABELS.search(op.source) is None


# A topic of one device, by the entry of the list, on which it takes commands.
_TOPIC = lazy_re2(
    r"(?i)(?:-t|--topic)[= ]\S*\$\S*(?:[^a-z]|_)(?:cmd|cmnd|commands?|control|ctl|set|action|ota"
    r"|rpc|reboot|reset|power|relay|switch|valve)(?:[^a-z]|$)"
)


_SEVERAL = lazy_re2(r"\s(?:-n|--nodes?|--hosts?|--targets?)[= ]['\"]?[\w.-]+,[\w.-]+")
_RESTARTS = lazy_re2(r"(?i)\s(?:reboot|shutdown|poweroff|halt|power-?cycle)(?:\s|$)")


def restarts_several(op: Operation, call: Call) -> bool:
    """True if one command restarts or stops several machines that it names."""
    is_said = _RESTARTS.search(op.source) is not None and _SEVERAL.search(op.source) is not None
    return is_said and not _is_trial(call)


# Cmdlets that end an account, a mailbox or a machine of a directory.
_ENDS = lazy_re2(
    r"(?i)\b(?:remove|disable|delete)-(?:ad|mg|azuread|msol|entra|exo|cs)?(?:user|account|object"
    r"|mailbox|group|computer|guest|serviceaccount|localuser|person)s?\b"
)
_READS_LIST = lazy_re2(
    r"(?i)\b(?:import-csv|import-excel|get-content|convertfrom-(?:csv|json))\b[^\n]*?\|"
)
_NARROWS = lazy_re2(r"(?i)\bwhere|\s\?\s*\{|\bselect-object\s+-first|-whatif\b|\bif\s*\(")
_UNASKED = lazy_re2(r"(?i)-confirm:\s*\$?false|\s-force\b")


def ends_listed_people(op: Operation, call: Call) -> bool:
    """True if the accounts that a file lists end in one pipe, and nobody is asked."""
    text = f"{op.source}\n{call.action.text('command')}"[:TEXT_LIMIT]
    needed = (_ENDS, _READS_LIST, _UNASKED)
    is_said = all([one.search(text) is not None for one in needed])
    return is_said and _NARROWS.search(text) is None and not _is_trial(call)
