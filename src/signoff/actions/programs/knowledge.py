"""From a command to what it does: look the program up, parse its options, perform its acts.

Sub-commands are followed to any depth; global options before them count. A program nobody
described is judged by the words of its sub-commands and options (`lexicon.py`); one that takes
other programs or hides what it does is said to be opaque by its description, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.by_name import NEUTRAL, effects_by_name, without_act_word
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.felt import felt_by_others, sent_away, written_outside
from signoff.actions.programs.handlers import handler_of
from signoff.actions.programs.help import does_nothing
from signoff.actions.programs.identity import (
    is_local_file,
    is_of_image,
    linked_tool,
    replaced_tool,
    run_local_file,
)
from signoff.actions.programs.infra.services import service_effects
from signoff.actions.programs.lexicon import (
    command_words,
    is_production,
    lex,
    opens_to_all,
    says_how,
)
from signoff.actions.programs.options import parse
from signoff.actions.programs.own import WINDOWS_ENDINGS, OwnPrograms, own_of
from signoff.actions.programs.program import Program
from signoff.actions.programs.registry import find
from signoff.actions.programs.scope.listed_groups import lists_group
from signoff.actions.programs.scope.narrowing import in_scope
from signoff.actions.programs.scope.production_places import names_production_place
from signoff.actions.programs.scripts import run_unread
from signoff.actions.shell.command import Command, Word
from signoff.values import replace

MAX_WORDS_LEXED = 6
# Words that name a change of what runs elsewhere, and options with which it is only shown.
PUTTING_ONLINE = frozenset({"deploy", "redeploy", "rollout", "promote", "provision"})
PREVIEWS = ("--dry-run", "--dryrun", "--plan", "--preview", "--check", "--what-if", "--local")
PROTECTED_KINDS = frozenset({FileKind.GUARD, FileKind.AGENT_CONFIG})
NO_TRAITS: frozenset[Trait] = frozenset()


def effects_of(command: Command, place: Place) -> Iterable[Effect]:
    """Yield the effects of one command: Operations, and nested code in its own language."""
    name = command.program
    # A bare name: only a file that the session put on the search path can stand in for it.
    if command.words[0].text == name:
        facts = place.facts
        if (facts.written or facts.downloaded) and (path := replaced_tool(name, place)):
            local = run_local_file(_bare(command, place), Word(text=path))
            return chain(local, _by_name(name, command, place))
    elif name and is_local_file(command, place):
        linked = linked_tool(command, place)
        if linked:
            return _by_name(linked, command, place)
        # It may be a copy of the tool it is called after, so both answers count.
        return chain(local_effects(command, place), _by_name(name, command, place))
    return _by_name(name, command, place)


def _by_name(name: str, command: Command, place: Place) -> Iterable[Effect]:
    """Yield the effects of the program of this name."""
    # Windows and macOS find `GIT` as `git`.
    described = find(name) or find(name.lower())
    if described is None and name.endswith(WINDOWS_ENDINGS):
        described = find(name[:-4].lower())
    if place.facts.programs is not None:
        return _with_own(described, own_of(place.facts.programs), name, command, place)
    if described is None:
        return _unknown(name, command, place)
    done = _follow(described, command.words[1:], name, command, place)
    return in_scope(done, name, command, place)


def _with_own(
    described: Program | None, own: OwnPrograms, name: str, command: Command, place: Place
) -> Iterable[Effect]:
    """What a program does by signoff's description, else the user's, and by what both add."""
    described, args = described or own.find(name), command.words[1:]
    if described is None:
        done: Iterable[Effect] = _unknown(name, command, place)
    else:
        done = in_scope(_follow(described, args, name, command, place), name, command, place)
    added = own.additions(name)
    return (
        chain(done, *[_follow(one, args, name, command, place) for one in added]) if added else done
    )


def local_effects(command: Command, place: Place) -> Iterator[Effect]:
    """Yield the effects of running a local file, whatever its name; nothing for a tool."""
    if is_local_file(command, place) and not linked_tool(command, place):
        yield from run_local_file(_bare(command, place), command.words[0])


def _follow(
    described: Program,
    args: tuple[Word, ...],
    name: str,
    command: Command,
    place: Place,
    traits: frozenset[Trait] = NO_TRAITS,
) -> Iterable[Effect]:
    # The short way for a line that starts with its sub-command, as nearly all do.
    while described.subs and args and described.prelude is None:
        first = args[0].text
        inner = described.subs.get(first)
        if inner is None or first[:1] == "-":  # what may be an option is parsed as such
            break
        described, args, name = inner, args[1:], f"{name} {first}"
    parsed = parse(
        args,
        takes=described.takes,
        known=described.known,
        # What stands behind a sub-command is parsed by its own description.
        options_first=described.options_first or bool(described.subs),
        clusters=described.clusters,
    )
    given = [option.name for option in parsed.options]
    if given and described.flags:
        traits = traits.union(*[described.flags[o] for o in given if o in described.flags])
    call = ProgramCall(
        name=name,
        options=parsed.options,
        operands=parsed.operands,
        traits=traits,
        command=command,
        place=place,
    )
    if described.acts and lists_group(name, described, call.texts[:2]):
        return (call.operation(Verb.READ, described.acts[0].thing),)
    # A cheap test before the careful one: most calls have no such option.
    may_stop = given and (len(args) == 1 or not described.stopping.isdisjoint(given))
    if may_stop and does_nothing(described, args, parsed, command):
        return (call.operation(Verb.INERT, ResourceType.NOTHING),)
    done = _called(described, call)
    # After the test for help, before everything else: `git -C x --version` works nowhere.
    if described.prelude is not None:
        done = chain(handler_of(described.prelude)(call), done)
    if not given or not _acts_by_options(described):
        return done
    return chain(_option_effects(described, call), done)


def _called(described: Program, call: ProgramCall) -> Iterable[Effect]:
    """What a call does beside its options: by its sub-command, or by itself."""
    operands = call.operands
    if described.subs and operands:
        first = operands[0].text
        inner = described.subs.get(first)
        if inner is not None:
            deeper = f"{call.name} {first}"
            args = operands[1:]
            if call.options:
                args = (*_given_before(described, inner, call), *args)
            return _follow(inner, args, deeper, call.command, _moved(call), call.traits)
        if described.by_words is not None:
            return _by_words(described.by_words, call)
        # Only a group of sub-commands: an unknown one is read by its words.
        if not described.acts and not _computes(described):
            return _lexed(call, _names(operands))
    if described.handler is not None:
        return handler_of(described.handler)(call)
    if _computes(described):
        return _computed(described, call)
    return _perform(described, without_act_word(described, call) if described.subs else call)


def _moved(call: ProgramCall) -> Place:
    """Return where a sub-command works: each `git -C` changes the folder before it."""
    place = call.place
    if call.name != "git":
        return place
    for word in call.values("-C"):
        # An unknown folder is no folder: relative paths behind it must not be read as the
        # project's.
        cwd = locate(word.text, place, has_glob=False).path if word.is_known else ""
        place = replace(place, cwd=cwd)
    return place


def _computes(described: Program) -> bool:
    """Whether something else than the acts says what a call does."""
    return (
        described.handler is not None
        or described.reads_by_name
        or described.service is not None
        or described.otherwise is not None
    )


def _computed(described: Program, call: ProgramCall) -> Iterable[Effect]:
    if described.service is not None:
        return service_effects(described.service, call)
    if described.otherwise is not None:
        return call.perform(described.otherwise)
    return effects_by_name(described, call)


def _given_before(described: Program, inner: Program, call: ProgramCall) -> list[Word]:
    """Options of a sub-command that stand before it: `npm -g install x`."""
    # Options with a meaning of their own before the sub-command were dealt with there.
    own = described.takes.union(described.flags, described.acting, described.helps)
    meant = inner.known - own - inner.takes - inner.harmless
    return [Word(text=option.name) for option in call.options if option.name in meant]


def _acts_by_options(described: Program) -> bool:
    return bool(
        described.runs or described.writes or described.reads or described.by_options is not None
    )


def _option_effects(described: Program, call: ProgramCall) -> Iterator[Effect]:
    if described.runs or described.writes or described.reads:
        yield from _option_values(described, call)
    if described.by_options is not None:
        yield from handler_of(described.by_options)(call)


def _option_values(described: Program, call: ProgramCall) -> Iterator[Effect]:
    for option in call.options:
        if option.value is None:
            continue
        if option.name in described.runs:
            yield Nested(
                text=option.value.text,
                language="shell",
                carrier=f"{call.name} {option.name}",
                is_known=option.value.is_known,
            )
        elif option.name in described.writes:
            yield call.on_file(Verb.WRITE, option.value)
        elif option.name in described.reads:
            yield call.on_file(Verb.READ, option.value)


def _perform(described: Program, call: ProgramCall) -> Iterable[Effect]:
    """The acts of a program, or those that its options put in their place."""
    acting = described.acting
    replacing = acting and [
        (act, option.value)
        for option in call.options
        if option.name in acting
        for act in acting[option.name]
    ]
    if replacing:
        done = [made for act, value in replacing if (made := call.perform(act, value))]
    else:
        done = [made for act in described.acts if (made := call.perform(act))]
    if len(done) == 1:
        return done[0]
    return (
        chain.from_iterable(done) if done else (call.operation(Verb.INERT, ResourceType.NOTHING),)
    )


def _names(words: Sequence[Word]) -> tuple[str, ...]:
    # A quoted word is text or a name, hardly ever a sub-command.
    return tuple([w.text for w in words[:MAX_WORDS_LEXED] if w.is_known and not w.is_quoted])


def _by_words(act: Act, call: ProgramCall) -> Iterator[Effect]:
    """Judge an unknown sub-command of a described program by its words."""
    names = _names(call.operands)
    found = lex(names)
    verb = found.verb or act.verb
    reach = act.reach or Reach.NONE
    if reach is Reach.REMOTE and any(is_production(w.text) for w in call.command.words[1:]):
        reach = Reach.PRODUCTION
    thing = found.thing or act.thing
    traits = act.traits | (found.traits if verb is Verb.DELETE else frozenset())
    if verb is Verb.READ and thing is ResourceType.CREDENTIAL:
        traits |= {Trait.READS_SECRET} if _shows_values(names) else frozenset()
    if verb is not Verb.READ and opens_to_all(w.text for w in call.command.words[2:]):
        traits |= {Trait.OPENS_ACCESS}
    operation = call.operation(
        verb,
        thing,
        " ".join(names[1:] or names),
        traits=traits,
        reach=reach,
        reversible=verb is not Verb.DELETE,
    )
    yield replace(operation, program=f"{call.name} {names[0]}" if names else call.name)


def _shows_values(names: Sequence[str]) -> bool:
    shown = {"get", "show", "view", "cat", "export", "print", "download", "read", "reveal"}
    return any(not shown.isdisjoint(name.replace("-", " ").split()) for name in names)


def _unknown(name: str, command: Command, place: Place) -> Iterator[Effect]:
    """Yield the effects of an undescribed program."""
    if not name:
        yield _unnamed(command, place)
        return
    parsed = parse(command.words[1:], takes=frozenset(), known=frozenset())
    call = replace(_bare(command, place), options=parsed.options, operands=parsed.operands)
    given = [option.name for option in parsed.options if option.name not in NEUTRAL]
    # A tool by its path whose name nobody described is still a file nobody read.
    is_path = "/" in command.words[0].text and not is_of_image(command, place)
    if is_path and not is_local_file(command, place):
        yield run_unread(call, command.words[0])
    elif name.endswith(WINDOWS_ENDINGS):
        yield call.on_file(Verb.EXECUTE, command.words[0])  # Windows looks in the folder first
    yield from protected_operands(call)
    if given == ["--help"] and command.words[-1].text == "--help":
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)
        return  # nobody knows whether it heeds the word; what its other words mean is a guess
    # Tools without sub-commands say what they do by an option: `tool --delete x`.
    switches = [name[2:] for name in given if name.startswith("--") and not says_how(name[2:])]
    said = command_words(name, _names(parsed.operands)[:3])
    yield from sent_away(call)
    yield from written_outside(call)
    yield from tuple(felt_by_others(said, call)) or _lexed(call, (*said, *switches[:4]))


def _unnamed(command: Command, place: Place) -> Operation:
    """A program whose name is hidden; turned on a whole home or system folder it is no accident."""
    call = _bare(command, place)
    words = [w for w in command.words[1:] if w.is_known and w.text[:1] in {"/", "~"}]
    wide = any(locate(word.text, place).is_root_of_reach for word in words)
    traits = (Trait.HIDDEN,) if wide else ()
    return call.opaque("the program's name is unknown", *traits)


def protected_operands(call: ProgramCall) -> Iterator[Operation]:
    """Yield what an unknown program may do to signoff's and agents' files: change them."""
    for word in call.operands:
        # Protected files have a dot in their path; looking each word up would cost too much.
        if not word.is_known or len(word.text) > 400 or "." not in word.text:
            continue
        operation = call.on_file(Verb.WRITE, word)
        if operation.file_kind in PROTECTED_KINDS:
            yield operation
        elif operation.file_kind is FileKind.CREDENTIALS:
            yield call.on_file(Verb.READ, word)


def _lexed(call: ProgramCall, names: Sequence[str]) -> Iterator[Operation]:
    found = lex(names)
    if found.verb is None:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)
        return
    if found.verb is Verb.READ:
        yield call.operation(Verb.READ, ResourceType.NOTHING, call.name)
        return
    thing = found.thing or ResourceType.NOTHING
    if found.word in PUTTING_ONLINE and not call.is_dry(*PREVIEWS) and not _looks_first(names):
        # What such a word does is done elsewhere, whatever the tool.
        yield call.operation(Verb.WRITE, ResourceType.CLOUD, " ".join(names), reach=Reach.REMOTE)
        return
    reach = Reach.PROJECT
    if found.verb is Verb.WRITE and names_production_place(call):
        reach = Reach.PRODUCTION
    yield call.operation(
        found.verb,
        thing,
        " ".join(names),
        traits=found.traits if found.verb is Verb.DELETE else (),
        # A guessed deletion or sending may reach anything; guessed writing is everyday work.
        reach=Reach.UNKNOWN if found.verb is not Verb.WRITE else reach,
        reversible=found.verb is Verb.WRITE,
    )


def _looks_first(names: Sequence[str]) -> bool:
    """Whether the first word that is a verb looks: `logs deploy`, `status rollout`."""
    verbs = [said for name in names if (said := lex((name,))).verb is not None]
    return bool(verbs) and verbs[0].verb is Verb.READ


def _bare(command: Command, place: Place) -> ProgramCall:
    return ProgramCall(
        name=command.program or "?",
        operands=command.words[1:],
        command=command,
        place=place,
    )
