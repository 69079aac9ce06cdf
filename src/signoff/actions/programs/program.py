"""How a program is described: options, sub-commands and operands as data.

A family file holds a tuple of `Program`s written with the small words below. What a program does
is a tuple of `Act`s: a verb class, the thing it is done to, and which words of the call it is
done to. Options may add traits, replace the acts, write or read the file they name, or run the
program they name. What data cannot say is said by a `handler`, a function from the parsed call
to Operations.

    program("rm", deletes(), flags={"-r -R --recursive": Trait.RECURSIVE})
    program("tar", reads(), values="-C --directory", runs="--to-command -I --use-compress-program")
    program("git", subs={"status diff log": inert(), "push": sub(handler=push)})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from signoff.actions.operation import Trait
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words

Handler = Callable[[Call], Iterable[Effect]]
HELPS = words("--help --version --usage")
SHORT_HELPS = words("-h -V -v -?")  # of programs whose description calls them harmless
DASHED_HELPS = words("-help -version -usage")  # long options after one dash


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What is known of one program or sub-command.

    Args:
        acts: done when no sub-command and no replacing option applies.
        flags: option names to the traits they add to every act.
        writes, reads: options whose value is a file that is written or read.
        runs: options whose value is a shell line that is run.
        acting: options that replace the acts (`tar --delete`, `find -delete`).
        harmless: options that make the whole call inert (`--dry-run`).
        helps: options that print help or the version and do nothing else (`help.py` says where
            they count); short ones that `harmless` names are among them.
        subs: sub-commands; the first operand names one.
        by_words: an unknown sub-command is judged by the verbs in its words (lexicon).
        options_first: the first operand ends the options (`ssh host cmd -x`).
        clusters: `-rf` is `-r -f`; False for programs with long options after one dash.
        handler: says what data cannot; its effects replace `acts`.
        by_options: what the options before a sub-command do; its effects are added.
        prelude: what is done beside all else, with or without options; its effects are added.
        takes, known: every option that consumes a word; every option described, with the
            `switches` that only a handler asks for: a shortened option is completed from them.
    """

    names: tuple[str, ...] = ()
    acts: tuple[Act, ...] = ()
    flags: Mapping[str, frozenset[Trait]] = field(default_factory=dict)
    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    acting: Mapping[str, tuple[Act, ...]] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    helps: frozenset[str] = HELPS
    stopping: frozenset[str] = HELPS  # whichever of these may make a call inert
    subs: Mapping[str, Program] = field(default_factory=dict)
    by_words: Act | None = None
    options_first: bool = False
    clusters: bool = True
    handler: Handler | None = None
    by_options: Handler | None = None
    prelude: Handler | None = None
    takes: frozenset[str] = frozenset()  # every option that consumes a word
    known: frozenset[str] = frozenset()  # every option described


def program(  # noqa: PLR0913 - the one place that spells every field of a description
    names: str,
    *acts: Act,
    flags: Mapping[str, Trait | frozenset[Trait]] | None = None,
    values: str = "",
    switches: str = "",
    writes: str = "",
    reads: str = "",
    runs: str = "",
    acting: Mapping[str, Act | tuple[Act, ...]] | None = None,
    harmless: str = "",
    helps: str = "",
    subs: Mapping[str, Program | Act | tuple[Act, ...]] | None = None,
    by_words: Act | None = None,
    options_first: bool = False,
    clusters: bool = True,
    handler: Handler | None = None,
    by_options: Handler | None = None,
    prelude: Handler | None = None,
) -> Program:
    """Describe one program; every name list is a line of words (see `Program`)."""
    all_flags = _flags(flags or {})
    all_acting = _by_option(acting or {})
    consuming = frozenset(
        o for o, done in all_acting.items() if any(a.on is On.VALUE for a in done)
    )
    takes = words(values) | words(writes) | words(reads) | words(runs) | consuming
    return Program(
        names=tuple(names.split()),
        acts=acts,
        flags=all_flags,
        writes=words(writes),
        reads=words(reads),
        runs=words(runs),
        acting=all_acting,
        harmless=words(harmless) - SHORT_HELPS,
        helps=(helping := _helps(helps, harmless, clusters=clusters)),
        stopping=helping.union(words(harmless)),
        subs={name: _sub(value) for key, value in (subs or {}).items() for name in key.split()},
        by_words=by_words,
        options_first=options_first,
        clusters=clusters,
        handler=handler,
        by_options=by_options,
        prelude=prelude,
        takes=takes,
        known=takes.union(all_flags, all_acting, words(harmless), words(switches)),
    )


def _helps(given: str, harmless: str, *, clusters: bool) -> frozenset[str]:
    """The options that ask for help: those given, else what such programs usually have."""
    usual = HELPS if clusters else HELPS | DASHED_HELPS
    return (words(given) or usual) | (words(harmless) & SHORT_HELPS)


def _flags(flags: Mapping[str, Trait | frozenset[Trait]]) -> dict[str, frozenset[Trait]]:
    return {
        name: frozenset({value}) if isinstance(value, Trait) else value
        for key, value in flags.items()
        for name in key.split()
    }


def _by_option(acting: Mapping[str, Act | tuple[Act, ...]]) -> dict[str, tuple[Act, ...]]:
    return {
        name: (value,) if isinstance(value, Act) else value
        for key, value in acting.items()
        for name in key.split()
    }


def _sub(value: Program | Act | tuple[Act, ...]) -> Program:
    if isinstance(value, Program):
        return value
    return program("", *((value,) if isinstance(value, Act) else value))


def sub(*acts: Act, **parts: object) -> Program:
    """Describe one sub-command; takes what `program` takes, without names."""
    return program("", *acts, **parts)  # type: ignore[arg-type]  # same keywords, passed through
