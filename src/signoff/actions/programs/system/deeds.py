"""Acts that tools of the system share, named once: looking, services, devices, accounts.

A family file says what a tool or sub-command does with these words:

    "status": LOOK, "stop restart": SERVICE, "mask": SERVICE_SET
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind, Operation, Reach, Thing, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import (
    Act,
    Effect,
    On,
    configures,
    controls,
    inert,
    installs,
    system,
)
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word
from signoff.values import replace

INERT = inert()
LOOK = Act(Verb.READ, Thing.NOTHING, On.NOTHING, always=True)
LOOK_UP = Act(Verb.NETWORK_IN, Thing.NETWORK, On.NOTHING, reach=Reach.REMOTE, always=True)
FETCH = Act(Verb.NETWORK_IN, Thing.URL, On.NOTHING, reach=Reach.REMOTE, always=True)
PREVIEW = Act(
    Verb.INERT, Thing.NOTHING, On.NOTHING, frozenset({Trait.DRY_RUN}), reversible=True, always=True
)

SERVICE = controls(Thing.SERVICE)
SERVICE_SET = configures(Thing.SERVICE)
MACHINE_SET = configures(Thing.MACHINE)
MACHINE = controls(Thing.MACHINE)
SYSTEM_SET = configures(Thing.SETTING)
NETWORK_SET = configures(Thing.NETWORK)
DEVICE_SET = configures(Thing.DEVICE)
DEVICE_CONTROL = controls(Thing.DEVICE)
ACCOUNT_SET = configures(Thing.ACCOUNT, reversible=False)
ACCOUNT_GONE = system(Verb.DELETE, Thing.ACCOUNT)
RAISED = Act(Verb.PRIVILEGE, Thing.ACCOUNT, On.OPERANDS, reach=Reach.SYSTEM, always=True)
USER_SET = configures(Thing.SETTING, Trait.GLOBAL, reach=Reach.HOME)
SESSION_SET = configures(Thing.SETTING, reach=Reach.NONE)
DISK_LOST = system(Verb.DELETE, Thing.DEVICE)
PROTECTION_SET = configures(Thing.PROTECTION)
PROTECTION_OFF = configures(Thing.PROTECTION, Trait.WEAKENS, reversible=False)
BLINDED = Act(
    Verb.DELETE,
    Thing.PROTECTION,
    On.NOTHING,
    frozenset({Trait.BLINDS}),
    Reach.SYSTEM,
    reversible=False,
    always=True,
)
BACKUP_GONE = system(Verb.DELETE, Thing.BACKUP)
BACKUP_THINNED = system(Verb.DELETE, Thing.BACKUP, Trait.BY_PATTERN)
SHOWS_SECRET = Act(
    Verb.READ, Thing.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True
)
SECRET_SET = configures(Thing.CREDENTIAL, reach=Reach.HOME)
SECRET_GONE = Act(
    Verb.DELETE, Thing.CREDENTIAL, On.OPERANDS, reach=Reach.HOME, reversible=False, always=True
)
INSTALLED = installs(reach=Reach.SYSTEM)
REMOVED = system(Verb.DELETE, Thing.PACKAGE)
SOURCES_SET = configures(Thing.SETTING, Trait.GLOBAL)
CACHE_GONE = Act(
    Verb.DELETE,
    Thing.NOTHING,
    On.NOTHING,
    frozenset({Trait.REBUILDABLE}),
    Reach.TEMP,
    reversible=True,
    always=True,
)
WORKS = Act(Verb.EXECUTE, Thing.CODE, On.NOTHING, reach=Reach.PROJECT, always=True)
LISTENS = Act(
    Verb.CONTROL, Thing.NETWORK, On.NOTHING, frozenset({Trait.LISTENS}), Reach.SYSTEM, always=True
)
LATER = Act(
    Verb.PERSIST, Thing.SERVICE, On.OPERANDS, reach=Reach.SYSTEM, reversible=False, always=True
)
ATTACKS = Act(
    Verb.NETWORK_OUT, Thing.NETWORK, On.OPERANDS, reach=Reach.REMOTE, reversible=False, always=True
)
MESSAGE = Act(
    Verb.NETWORK_OUT, Thing.MESSAGE, On.NOTHING, reach=Reach.REMOTE, reversible=False, always=True
)

DEVICE_WORDS = words("device partition disk drive volume dev sdx sdxn sdxy nvme")


LOOKING = words(
    "list ls show status info query help print display check search find version get describe "
    "view dump preview examine stat stats benchmark lint whoami"
)
CHANGING = tuple(
    words(
        "add del set rem rm mod cre dis en up down start stop kill ins wr cl er rep fix app pur "
        "flu for imp edit"
    )
)
QUIET_OPTIONS = "-help --dry-run --simulate --what-if"
HELP_WORDS = frozenset({"-h", "-help", "--help", "-V", "--version", "/?", "-?"})
LONG_HELP_WORDS = frozenset({"-help", "--help", "/?"})
NEUTRAL = frozenset({"-v", "--verbose", "-q", "--quiet", "--json", "--no-pager", "--color"})


def setting(names: str, *acts: Act, harmless: str = "", **parts: object) -> Program:
    """Describe a tool that changes things unless its own words say that it looks.

    `tool list`, `tool --show-keys` and `tool -h` look; `bare` is done where no word is given.
    """
    bare = parts.pop("bare", None)
    described = program(names, *acts, harmless=f"{harmless} {QUIET_OPTIONS}", **parts)  # type: ignore[arg-type]  # same keywords, passed through

    def run(call: Call) -> Iterator[Effect]:
        chosen = [
            (act, option.value)
            for option in call.options
            for act in described.acting.get(option.name, ())
        ]
        if any(act is LOOK for act, _ in chosen) and not _only_looks(described, call):
            chosen = [(act, value) for act, value in chosen if act is not LOOK]
            chosen = chosen or [(act, None) for act in acts]
        if _asks_for_help(described, call):
            chosen = [(INERT, None)]
        elif not chosen and isinstance(bare, Act) and _says_nothing(call):
            chosen = [(bare, None)]
        elif not chosen and says_looking(call):
            chosen = [(LOOK, None)]
        for act, value in chosen or [(act, None) for act in acts]:
            yield from call.perform(act, value)

    return replace(described, handler=run)


def _says_nothing(call: Call) -> bool:
    return not call.operands and all(option.name in NEUTRAL for option in call.options)


def _asks_for_help(described: Program, call: Call) -> bool:
    """Tell whether a word for help stands alone, or ends a line of plain words."""
    last = call.command.words[-1].text
    if last not in HELP_WORDS or last in described.known:
        return False
    before = call.command.words[1:-1]
    return not before or (last in LONG_HELP_WORDS and all(w.text.isalnum() for w in before))


def _only_looks(described: Program, call: Call) -> bool:
    """Tell whether every option given is one that looks; `-v -u` of `update` is none."""
    return all(
        LOOK in described.acting.get(option.name, ())
        or option.name in NEUTRAL
        or option.name in described.takes
        or (option.name.startswith("--") and not option.name[2:].startswith(CHANGING))
        or (len(option.name) > 2 and option.name[1] != "-")
        for option in call.options
    )


def says_looking(call: Call) -> bool:
    """Tell whether a sub-command or a long option is a word for looking."""
    named = [w.text.lower() for w in call.operands if w.is_known and w.text[:1] != "-"][:2]
    if named and named[0].startswith(CHANGING):
        named = []
    options = [o.name for o in call.options] + [w.text for w in call.operands]
    heads = [name.replace("_", "-").split("-", 1)[0] for name in named]
    heads += [
        name[2:].split("-", 1)[0]
        for name in options
        if name.startswith("--") and not name.endswith(("-file", "-fd", "-level"))
    ]
    return any(h in LOOKING or h.startswith(("list", "show", "print")) for h in heads)


def reading(*acts: Act, **parts: object) -> Program:
    """Describe a sub-command whose `--dry-run`, `-n` and `--simulate` make it inert."""
    return sub(*acts, harmless="--dry-run -n --simulate --dryrun", **parts)


def device_like(call: Call, word: Word) -> bool:
    """Tell whether a word names a disk or partition rather than a file with an image."""
    if not word.is_known:
        return True
    at = locate(word.text, call.place)
    if at.kind is FileKind.DEVICE or word.text.lower().startswith(("/dev/", "\\\\.\\")):
        return at.reach is not Reach.NONE
    last = word.text.rsplit("/", 1)[-1].lower()
    bare = "/" not in word.text and "." not in last
    return bare or not DEVICE_WORDS.isdisjoint(last.replace("_", " ").replace("-", " ").split())


def on_device(call: Call, verb: Verb, word: Word, *traits: Trait) -> Operation:
    """Build an Operation on a disk; a file with an image is a file."""
    if not device_like(call, word):
        return call.on_file(verb, word, *traits)
    return call.operation(
        verb,
        Thing.DEVICE,
        word.text,
        traits=(*traits, Trait.NAMED),
        reach=Reach.SYSTEM,
        reversible=False,
    )


def listed(call: Call, word: Word) -> Operation:
    """Look at names, sizes and kinds only: what a secret file holds stays unread."""
    operation = call.on_file(Verb.READ, word)
    if operation.file_kind not in SECRET_KINDS and Trait.READS_SECRET not in operation.traits:
        return operation
    return replace(
        operation,
        thing=Thing.NOTHING,
        file_kind=FileKind.OTHER,
        traits=operation.traits - {Trait.READS_SECRET},
    )


def files_given(call: Call) -> tuple[Word, ...]:
    """The operands, and option values written as paths.

    An option that takes a word in one tool takes none in its neighbour (`column -t`, `cat -n`):
    a path behind it is then a file that is read.
    """
    if not call.options:
        return call.operands
    taken = (option.value for option in call.options if option.value is not None)
    return call.operands + tuple(w for w in taken if w.text[:1] in {"/", "~"} or "/" in w.text)


def nothing(call: Call) -> Iterator[Effect]:
    """Do nothing outside the program itself."""
    yield call.operation(Verb.INERT, Thing.NOTHING)


def raises_rights(mode: str) -> bool:
    """Tell whether a file mode sets the user id on execution."""
    if mode.isascii() and mode.isdigit():
        return len(mode.lstrip("0")) == 4 and int(mode.lstrip("0")[0], 8) & 4 != 0
    return any(
        "s" in clause and clause[:1] in "ua+" and "-" not in clause for clause in mode.split(",")
    )
