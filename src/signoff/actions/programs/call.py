"""One call of a known program, parsed: what handlers work with.

call.has("-f", "--force"); call.value("-o"); call.operands; call.does(Verb.DELETE, ...)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cache
from shlex import quote

from msgspec import Struct

from signoff.actions.globs import as_fnmatch
from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.known.hosts import HostClass
from signoff.actions.known.wildcards import covers_repository, takes_whole_kind
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Act, On
from signoff.actions.programs.named_place import NO_PLACE, named_place
from signoff.actions.programs.options import ProgramOption, is_switched_on
from signoff.actions.programs.removed_links import place_of_removal
from signoff.actions.shell.command import Command, Word
from signoff.actions.urls import driven_address, look_at_url
from signoff.values import replace

UNKNOWN_MARK = "\ufffd"
UNKNOWN_WORD = '"$SIGNOFF_CANNOT_TELL"'
ACCOUNT_FILES = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/master.passwd")
PRIVATE_CLASSES = frozenset({HostClass.PRIVATE, HostClass.LINK_LOCAL})
LOOKING_VERBS = frozenset({Verb.READ, Verb.INERT})
PASSING_REACHES = frozenset({Reach.TEMP, Reach.NONE})
FILE_THINGS = frozenset({ResourceType.FILE, ResourceType.CODE})
NOTHING_MORE: frozenset[Trait] = frozenset()
KEPT_KINDS = SECRET_KINDS | {FileKind.GUARD, FileKind.AGENT_CONFIG}
# Copies and locks that editors leave behind.
LEFT_OVER_GLOBS = frozenset({"*~", ".*~", "#*#", ".#*", "*.~*~"})
# Read for every operation: a member costs more to find than all else that is done with it.
_ELSEWHERE = frozenset({Reach.REMOTE, Reach.PRODUCTION})
_NO_REACH, _READ, _DELETE, _EXECUTE = Reach.NONE, Verb.READ, Verb.DELETE, Verb.EXECUTE
_WIDENED = frozenset({Verb.DELETE, Verb.CONFIGURE})


def rejoin(words: Iterable[Word]) -> str:
    """Quote words into one shell line; unknown parts stay marked as unknown."""
    parts = []
    for word in words:
        if not word.is_known or UNKNOWN_MARK in word.text:
            parts.append(UNKNOWN_WORD)
        elif word.has_glob and not word.is_quoted:
            # A quoted `*` would be a file of that name to the reader of the line.
            parts.append(word.text)
        else:
            parts.append(quote(word.text))
    return " ".join(parts)


class ProgramCall(Struct, frozen=True, kw_only=True, gc=False):
    """One program call with its options split from its operands; handlers read it.

    Args:
        name: program and sub-commands, e.g. `git push`.
        traits: traits of the given options, added to every Operation of this call.
        command: the parsed command, for redirections, standard input and wrapper commands.
    """

    name: str
    options: tuple[ProgramOption, ...] = ()
    operands: tuple[Word, ...] = ()
    traits: frozenset[Trait] = NOTHING_MORE
    command: Command
    place: Place

    def has(self, *names: str) -> bool:
        """Return whether any of these options was given; `--global=false` counts as not given."""
        for option in self.options:
            # `--force=false` is how Go's flags are switched off.
            if option.name in names and (option.value is None or option.value.text != "false"):
                return True
        return False

    def is_dry(self, *names: str) -> bool:
        """Return whether these options request a dry run; `--dry-run --no-dry-run` does not."""
        return is_switched_on(self.options, names)

    def value(self, *names: str) -> Word | None:
        """Return the value of the last of these options; None if there is none."""
        found = None
        for option in self.options:
            if option.name in names and option.value is not None:
                found = option.value
        return found

    def values(self, *names: str) -> tuple[Word, ...]:
        """Return the values of all these options, in the order they were given."""
        return tuple([o.value for o in self.options if o.name in names and o.value is not None])

    @property
    def texts(self) -> tuple[str, ...]:
        """The operands as text; an unknown part is U+FFFD."""
        return tuple([word.text for word in self.operands])

    def session_text(self, word: Word) -> str:
        """Return the text of a file this line or session wrote, "" if unknown."""
        path = locate(word.text, self.place).path if word.is_known else ""
        # Other files may change between this look and the run; these were written by this very
        # line.
        is_own = path in self.place.facts.written or any(
            [path == known for known, _ in self.command.known_files]
        )
        fact = self.place.files.get(path) if is_own else None
        return fact.text or "" if fact is not None else ""

    def operation(
        self,
        verb: Verb,
        thing: ResourceType,
        target: str = "",
        *,
        traits: Iterable[Trait] = (),
        reach: Reach = Reach.NONE,
        **more: object,
    ) -> Operation:
        """Build one Operation of this call, with the traits of its options added to `traits`."""
        # Only what is done elsewhere is named with its place in the title.
        if reach in _ELSEWHERE and "place" not in more:
            more["place"] = named_place(self.command)
        return Operation(
            verb=verb,
            thing=thing,
            target=target,
            traits=self.traits.union(traits) if traits else self.traits,
            reach=reach,
            program=self.name,
            source=self.command.source,
            carriers=self.command.carriers,
            group=self.command.index,
            **more,  # type: ignore[arg-type]  # further fields of Operation, passed on
        )

    def opaque(self, why: str, *traits: Trait) -> Operation:
        """Build the Operation for a call whose effect is unknown; `why` says what was unknown."""
        return self.operation(
            Verb.EXECUTE,
            ResourceType.CODE,
            traits=traits,
            reach=Reach.UNKNOWN,
            reversible=False,
            understood=False,
            why=why,
        )

    def on_file(self, verb: Verb, word: Word, *traits: Trait) -> Operation:
        """Build an Operation on the file that `word` names, with its path, kind and reach."""
        return file_operation(self, verb, word, frozenset(traits) if traits else NOTHING_MORE)

    def on_url(self, verb: Verb, word: Word, *traits: Trait) -> Operation:
        """Build an Operation on the URL that `word` names, with its host's reach."""
        return url_operation(self, verb, word, frozenset(traits) if traits else NOTHING_MORE)

    def perform(self, act: Act, value: Word | None = None) -> Iterable[Operation]:
        """Yield the Operations of an act: one for each operand or option value it acts on."""
        targets = _targets(act, self, value)
        if not targets:
            if act.default:
                return (self._act_on(act, Word(text=act.default)),)
            return (self._act_on(act, None),) if act.always else ()
        if len(targets) == 1:
            return (self._act_on(act, targets[0]),)
        return (self._act_on(act, word) for word in targets)

    def _act_on(self, act: Act, word: Word | None) -> Operation:
        if word is not None and act.reach is None:
            if act.thing in FILE_THINGS:
                return file_operation(self, act.verb, word, act.traits)
            if act.thing is ResourceType.URL:
                return url_operation(self, act.verb, word, act.traits)
        reversible, command = act.reversible, self.command
        if reversible is None:
            reversible = act.verb in _REVERSIBLE_VERBS
        return Operation(
            verb=act.verb,
            thing=act.thing,
            target=word.text if word is not None else "",
            reach=act.reach or _NO_REACH,
            place=named_place(command) if act.reach in _ELSEWHERE else NO_PLACE,
            traits=self.traits | act.traits if act.traits else self.traits,
            reversible=reversible,
            understood=act.understood,
            program=self.name,
            source=command.source,
            carriers=command.carriers,
            why=act.why,
            group=command.index,
        )


_REVERSIBLE_VERBS = frozenset(
    {
        Verb.INERT,
        Verb.READ,
        Verb.WRITE,
        Verb.EXECUTE,
        Verb.NETWORK_IN,
        Verb.INSTALL,
        Verb.CONTROL,
        Verb.CONFIGURE,
    }
)


_HERE = (Word(text="."),)
_CHOSEN: dict[On, Callable[[tuple[Word, ...]], tuple[Word, ...]]] = {
    On.OPERANDS: lambda operands: operands,
    On.FIRST: lambda operands: operands[:1],
    On.LAST: lambda operands: operands[-1:],
    On.BUT_FIRST: lambda operands: operands[1:],
    On.BUT_LAST: lambda operands: operands[:-1],
    On.NOTHING: lambda operands: (),
    On.CWD: lambda operands: _HERE,
}


def _targets(act: Act, call: ProgramCall, value: Word | None) -> tuple[Word, ...]:
    chosen = _CHOSEN.get(act.on)
    if chosen is None:  # the value of the option that carries the act
        return (value,) if value is not None else ()
    return chosen(call.operands)


ADDRESSES = ("http://", "https://", "ftp://")


def _known_stem(text: str) -> str:
    """Return what is known of a path up to its unknown part, "" if no folder is."""
    stem = text.split(UNKNOWN_MARK, 1)[0]
    return stem if "/" in stem else ""


def file_operation(
    call: ProgramCall, verb: Verb, word: Word, traits: frozenset[Trait]
) -> Operation:
    """Build an Operation on a local file; unknown parts keep the reach of what is known."""
    inside = _in_matched_folder(call, verb, word, traits) if call.place.cwd_pattern else None
    return inside or _placed_operation(call, verb, word, traits)


def _placed_operation(
    call: ProgramCall, verb: Verb, word: Word, traits: frozenset[Trait]
) -> Operation:
    text, is_known = word.text, word.is_known and UNKNOWN_MARK not in word.text
    if verb is Verb.EXECUTE and text.startswith(ADDRESSES):
        return call.opaque("runs a file from an address", Trait.REMOTE_CODE, *traits)
    if verb is Verb.WRITE and "://" in text and (url := driven_address(text)):
        return call.on_url(Verb.NETWORK_OUT, replace(word, text=url), *traits, Trait.SENDS_FILES)
    if not is_known:
        text = _known_stem(text)
    if not is_known and not text:
        return call.operation(
            verb,
            ResourceType.CODE if verb is Verb.EXECUTE else ResourceType.FILE,
            word.raw or word.text,
            traits=traits,
            reach=Reach.UNKNOWN,
            reversible=verb is Verb.READ,
            understood=verb is not Verb.EXECUTE,
            why="the file is unknown",
        )
    whole_tree = text.endswith("/**") and word.selected != "empty"
    place = place_of_removal(text, call.place, call.name) if verb is _DELETE else call.place
    at = locate(text[:-1] if text.endswith("/**") else text, place)
    path, kind, command = at.path, at.read_kind if verb is _READ else at.kind, call.command
    if verb is _DELETE and word.has_glob and Trait.RECURSIVE in traits | call.traits:
        kind = FileKind.GIT_INTERNAL if covers_repository(text) else kind
    seen = _seen_traits(
        verb is _READ and (kind in SECRET_KINDS or _holds_passwords(at, text)),
        whole_tree and verb in _WIDENED,
        (at.is_root_of_reach and not _is_left_over(word, at))
        or (verb is _DELETE and word.has_glob and _is_whole_kind(at, text, word.selected)),
        at.is_rebuildable or (verb is _DELETE and word.selected == "empty"),
        is_known and not word.has_glob,
    )
    seen = seen.union(traits, call.traits) if traits or call.traits else seen
    return Operation(
        verb=verb,
        thing=_thing_of(kind, verb, path),
        target=word.text if is_known else word.raw or word.text,
        path=path,
        reach=at.reach,
        file_kind=kind,
        traits=seen,
        reversible=_is_reversible(verb, at.reach, call.place, seen),
        program=call.name,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )


def _in_matched_folder(
    call: ProgramCall, verb: Verb, word: Word, traits: frozenset[Trait]
) -> Operation | None:
    """The Operation behind `cd ~/.ss*`, where it is stricter: without a match nothing moves."""
    place, text = call.place, word.text
    if not word.is_known or text[:1] in {"", "/", "~", "$"}:
        return None
    matched = replace(word, text=f"{place.cwd_pattern}/{text}", has_glob=True)
    inside = _placed_operation(call, verb, matched, traits)
    is_kept = inside.reach is Reach.GUARD or inside.file_kind in KEPT_KINDS
    return inside if verb is _READ or is_kept else None


def _is_whole_kind(at: Located, text: str, selected: str) -> bool:
    """Whether a glob takes all files of a kind of content in the project: `*.c`, `*.txt`."""
    # Outside the project reach alone makes a deletion serious.
    if at.reach is not Reach.PROJECT or at.is_rebuildable or selected == "empty":
        return False
    return takes_whole_kind(text.rpartition("/")[2])


def _is_left_over(word: Word, at: Located) -> bool:
    """Whether a glob without letters takes only what nobody misses: empty, old, or `*~`."""
    if word.selected == "empty" or (word.selected == "old" and at.reach is Reach.TEMP):
        return True
    return word.has_glob and word.text.rpartition("/")[2] in LEFT_OVER_GLOBS


def _holds_passwords(at: Located, text: str) -> bool:
    """Whether it is a file of accounts that nobody but root reads, or a glob names one."""
    if at.kind is not FileKind.ACCOUNTS:
        return False
    if at.is_exact:
        return at.path in ACCOUNT_FILES
    # `/etc/sh*` names the file as surely as its own name.
    name = as_fnmatch(text.rpartition("/")[2])
    return any(fnmatchcase(file.rpartition("/")[2], name) for file in ACCOUNT_FILES)


_SEEN = (Trait.READS_SECRET, Trait.RECURSIVE, Trait.BROAD, Trait.REBUILDABLE, Trait.NAMED)


@cache
def _seen_traits(*holds: bool) -> frozenset[Trait]:
    """The traits of `_SEEN` that hold."""
    return frozenset(trait for trait, held in zip(_SEEN, holds, strict=True) if held)


_THINGS = {
    FileKind.GUARD: ResourceType.GUARD,
    FileKind.DEVICE: ResourceType.DEVICE,
    FileKind.GIT_INTERNAL: ResourceType.REPOSITORY,  # the folder itself only
}


def _thing_of(kind: FileKind, verb: Verb, path: str) -> ResourceType:
    thing = _THINGS.get(kind)
    if thing is None or (thing is ResourceType.REPOSITORY and not path.endswith("/.git")):
        return ResourceType.CODE if verb is _EXECUTE else ResourceType.FILE
    return thing


def _is_reversible(verb: Verb, reach: Reach, place: Place, traits: frozenset[Trait]) -> bool:
    # Temporary files are made to be thrown away.
    if verb in LOOKING_VERBS or reach in PASSING_REACHES:
        return True
    if Trait.REBUILDABLE in traits:
        return True
    if reach is not Reach.PROJECT or Trait.BROAD in traits:
        return False
    # A folder also holds untracked files, which git cannot give back.
    return place.under_version_control and not (verb is Verb.DELETE and Trait.RECURSIVE in traits)


def url_operation(call: ProgramCall, verb: Verb, word: Word, traits: frozenset[Trait]) -> Operation:
    """Build an Operation on a URL; its reach comes from the host."""
    url = look_at_url(word.text)
    more = set(traits)
    host = url.host_class
    # The address that hands out a cloud machine's own keys (CWE-918).
    if host is HostClass.METADATA:
        more.add(Trait.METADATA_HOST)
    elif host in PRIVATE_CLASSES:
        more.add(Trait.PRIVATE_HOST)
    if url.is_covert:
        more.add(Trait.COVERT)
    reach = Reach.LOOPBACK if host is HostClass.LOOPBACK else Reach.REMOTE
    # `$BASE/path`: not even the host is known.
    if not word.is_known and not url.host:
        reach = Reach.UNKNOWN
    return call.operation(
        verb,
        ResourceType.URL,
        word.text,
        traits=more,
        reach=reach,
        reversible=verb is Verb.NETWORK_IN,
    )
