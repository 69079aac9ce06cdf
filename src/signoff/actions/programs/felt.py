"""What the words of a program nobody described say of acts that others feel.

Programs of every trade name the thing and the act as tools and functions do: `valve open`, `mfa
disable`, `users grant-admin`, `payouts create`. What is written, built and listed beside it stays
the program's everyday use, and so does all of it where the line says that it is a trial.

    felt_by_others(("valve", "open"), call)       CONTROL device, far
    felt_by_others(("valve", "list"), call)       nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from signoff.actions.lexicon import safety
from signoff.actions.lexicon.compound_names import is_formatter
from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import singular, thing_of
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production, read_words, split_name
from signoff.actions.programs.system.operands import on_device
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

_MOVES = vocabulary(
    "open close start stop set write move jog fire arm disarm trip energize deenergize switch turn"
    " home release press toggle override dose dispense inject vent ignite reverse eject rotate"
)
_STOPS = vocabulary(
    "disable off stop suspend pause silence mute delete remove bypass override deactivate kill"
    " clear snooze unset acknowledge"
)
_GIVES_RIGHTS = vocabulary(
    "grant revoke promote demote elevate impersonate suspend deactivate ban expel"
)
_PAYS = vocabulary(
    "create pay send transfer approve issue execute submit release post capture run make new"
)
_MONEY = vocabulary("payout payment refund charge transfer wire payroll salary withdrawal donation")
# Protections of the program itself: how much it prints, how it is checked on this machine.
_OWN = vocabulary("log logging tls ssl auth authentication verification retention encryption")
_TRIALS = vocabulary(
    "dev develop development test tests testing local localhost sandbox mock mocked fake simulator"
    " simulation sim emulator demo virtual example"
)
_DRY = ("--dry-run", "--dryrun", "--plan", "--preview", "--check", "--what-if", "--simulate", "-n")
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_TAKES_AWAY_TO = words(
    "--to --upload --upload-to --send-to --push-to --export-to --post-to --dest --destination"
    " --sink --webhook --callback"
)
_WRITES_TO = words(
    "-o --out --output --outfile --output-file --out-file --output-path --outfile-path"
)
_RUNS_LATER = frozenset(
    {
        *(FileKind.GIT_HOOK, FileKind.GIT_INTERNAL, FileKind.CI, FileKind.SHELL_STARTUP),
        *(FileKind.SCHEDULE, FileKind.AUTHORIZED_KEYS, FileKind.ACCOUNTS, FileKind.SYSTEM_CONFIG),
    }
)
_OUTSIDE = frozenset({Reach.SYSTEM, Reach.HOME, Reach.ELSEWHERE})
# Lines to other machines and what people look at: a program that deletes does so behind them.
_WIRES = lazy_re(
    r"/dev/(?:tty|pts/|serial/|cu\.|rfcomm|i2c|spidev|gpio|hidraw|input/|video|usb|bus/|fd/|stdin|stdout"
    r"|stderr|null|zero|full|u?random|shm/|mqueue/|net/|dri/|snd/|kvm|fuse|log\b)"
)
_LINES = words("--command --commands --cmd -c -e --execute --exec --eval --run --script")
_HOST = lazy_re(r"[A-Za-z][\w-]*(?:\.[\w-]+)+:\d{2,5}|\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}")
_OWN_HOSTS = ("localhost", "127.")
_EMPTIES = words("zero zeroize sanitize format blank lowformat initialize")
# Others keep their work in these; forced, nobody is asked whether it is meant.
_HOLDS = vocabulary("space catalog catalogue tape library realm site zone mailbox")
_FORCED = words("--force --purge --permanent --permanently --hard --yes --no-confirm -y -f --erase")
_ALL = words("--all --everything -A all '*'")
MOST_WORDS = 6


def felt_by_others(names: tuple[str, ...], call: ProgramCall) -> Iterator[Operation]:
    """Yield the act that the words of a command name, if others feel it."""
    yield from told_elsewhere(call)
    if _may_empty(names, call):
        yield from _emptied(names, call)
    said = tuple([part for name in names[:MOST_WORDS] for part in split_name(name)])
    if not said or call.is_dry(*_DRY) or _is_trial(call) or _looks(said):
        return
    yield from _on_chips_and_guards(names, call)
    thing, noun = thing_of(said)
    verb = _act(thing, noun, frozenset(said))
    if verb is not None:
        # One name is a guess and asked about; all of production is none any more.
        is_off = thing is ResourceType.PROTECTION and _is_all_of_production(call)
        yield call.operation(
            verb,
            ResourceType.ACCOUNT if verb is Verb.PRIVILEGE else thing,
            " ".join(names),
            traits=(Trait.WEAKENS,) if is_off else (),
            reach=Reach.REMOTE,
            reversible=False,
        )


def _on_chips_and_guards(names: tuple[str, ...], call: ProgramCall) -> Iterator[Operation]:
    """Yield the end of what keeps people from harm, and bits that are written once."""
    line = " ".join([word.text for word in call.command.words])
    if safety.unguards(line):
        yield call.operation(
            Verb.CONFIGURE, ResourceType.PROTECTION, " ".join(names), reach=Reach.REMOTE
        )
    if safety.burns(line):
        yield call.operation(
            Verb.CONFIGURE, ResourceType.DEVICE, line[:200], reach=Reach.SYSTEM, reversible=False
        )


def _may_empty(names: tuple[str, ...], call: ProgramCall) -> bool:
    is_said = is_formatter(call.name) or not _EMPTIES.isdisjoint(names)
    switches = [one.name[2:] for one in call.options if one.name.startswith("--")]
    return is_said or read_words((*names, *switches[:4])).verb is Verb.DELETE


def _emptied(names: tuple[str, ...], call: ProgramCall) -> Iterator[Operation]:
    """Yield what a program leaves empty: `mkltfs -d /dev/nst0`, `x delete-space A --force`."""
    if call.is_dry(*_DRY):
        return
    for word in call.command.words[1:]:
        if word.text.startswith("/dev/") and _WIRES.match(word.text) is None:
            yield on_device(call, Verb.DELETE, word)
        elif word.text[:1] in ("~", "/") and _is_whole_tree(word.text, call):
            yield call.on_file(Verb.DELETE, word, Trait.RECURSIVE, Trait.BROAD)
    noun = read_words(names).noun[-1:]
    is_whole = not _HOLDS.isdisjoint(map(singular, noun)) and call.has(*_FORCED)
    if is_whole and not _is_trial(call):
        told = (Trait.WHOLE_STORE, Trait.FORCED)
        yield call.operation(
            Verb.DELETE, ResourceType.CLOUD, " ".join(names), traits=told, reversible=False
        )


def _is_whole_tree(text: str, call: ProgramCall) -> bool:
    """Tell a home folder or the root of a system, as in `npkill --directory ~ --delete-all`."""
    located = locate(text, call.place)
    return located.is_root_of_reach and located.reach in (Reach.HOME, Reach.SYSTEM)


def told_elsewhere(call: ProgramCall) -> Iterator[Operation]:
    """Yield what a client tells another machine: `cli --host a.example:99 --command="deploy x"`."""
    given = [word.text.partition("=") for word in call.command.words[1:]]
    given += [(one.text, "=", two.text) for one, two in pairwise(call.command.words)]
    hosts = [value or name for name, _, value in given if _HOST.fullmatch(value or name)]
    if all([host.startswith(_OWN_HOSTS) for host in hosts]):
        return
    for name, _, line in given:
        said = read_words(tuple(line.split()[:3])) if name in _LINES else None
        if said is not None and said.verb in (Verb.WRITE, Verb.DELETE):
            yield call.operation(
                said.verb, ResourceType.CLOUD, line[:200], reach=Reach.REMOTE, reversible=False
            )
            return


def sent_away(call: ProgramCall) -> Iterator[Operation]:
    """Yield where a program is told to hand its data: `export --to https://partner.example/in`."""
    given = [(option.name, option.value) for option in call.options if option.value is not None]
    given += [(one.text, two) for one, two in pairwise(call.command.words)]
    found: set[str] = set()
    for name, word in given:
        is_told = name in _TAKES_AWAY_TO and "://" in word.text and word.text not in found
        operation = call.on_url(Verb.NETWORK_OUT, word) if is_told else None
        if operation is not None and operation.reach is not Reach.LOOPBACK:
            found.add(word.text)
            yield operation


def written_outside(call: ProgramCall) -> Iterator[Operation]:
    """Yield files outside the project, or run later, that an option names: `render -o /etc/x`."""
    given = [(one.text, two) for one, two in pairwise(call.command.words)]
    given += [
        (word.text.partition("=")[0], replace(word, text=word.text.partition("=")[2]))
        for word in call.command.words[1:]
        if word.text[:2] == "--" and "=" in word.text
    ]
    for name, word in given:
        if name in _WRITES_TO and word.text[:1] in {"/", "~", "$", "."}:
            operation = call.on_file(Verb.WRITE, word)
            # `-o ../x`: of some tools it is relative to what they are given.
            is_outside = operation.reach in _OUTSIDE and word.text[:1] != "."
            if is_outside or operation.file_kind in _RUNS_LATER:
                yield operation


def _act(thing: ResourceType, noun: str, said: frozenset[str]) -> Verb | None:
    if thing is ResourceType.DEVICE:
        return None if _MOVES.isdisjoint(said) else Verb.CONTROL
    if thing is ResourceType.PROTECTION and noun not in _OWN:
        return None if _STOPS.isdisjoint(said) else Verb.CONFIGURE
    if thing is ResourceType.MONEY and noun in _MONEY:
        return None if _PAYS.isdisjoint(said - {noun}) else Verb.SPEND
    if thing is ResourceType.ACCOUNT or "grant" in said:
        return None if _GIVES_RIGHTS.isdisjoint(said) else Verb.PRIVILEGE
    return None


def _looks(said: tuple[str, ...]) -> bool:
    """Tell `alarms list`, `stop-alarms status`: a word that looks, and no act before it."""
    acts = _MOVES | _STOPS | _GIVES_RIGHTS | _PAYS
    first = next((word for word in said if word in VERBS or word in acts), "")
    return first not in acts and VERBS.get(first) in _LOOKS


def _is_all_of_production(call: ProgramCall) -> bool:
    told = [word.text for word in call.command.words[1:12]]
    return any([is_production(text) for text in told]) and not _ALL.isdisjoint(told)


def _is_trial(call: ProgramCall) -> bool:
    """Tell a line that says it is a trial: `--env sandbox`, `plantsim`, `test-bench`."""
    told = (call.name, *[word.text.removeprefix("/dev/") for word in call.command.words[1:12]])
    parts = [singular(part) for text in told if len(text) < 80 for part in split_name(text)]
    return not _TRIALS.isdisjoint(parts) or call.name.endswith(("sim", "mock"))
