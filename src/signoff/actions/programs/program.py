"""A program description: options, sub-commands and operands as data.

`data/<family>.yaml` holds the descriptions, one tool family a file; `source.py` reads that form.
An `Act` says what a program does: a verb class, the thing it is done to, and which words of the
call it is done to. Options may add traits, replace the acts, write or read the file they name, or
run the program they name. What data cannot say is computed by a handler, a Python function from
the parsed call to Operations.

    Program(names=("rm",), acts=(DELETE_FILES,), flags={"-r": frozenset({Trait.RECURSIVE})})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Act, Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.vocabulary import words

Handler = Callable[[ProgramCall], Iterable[Effect]]
HandlerOption = str | int | bool

HELPS = words("--help --version --usage")
SHORT_HELPS = words("-h -V -v -?")  # of programs whose description calls them harmless
DASHED_HELPS = words("-help -version -usage")  # long options after one dash


class HandlerRef(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reference to a handler function.

    Args:
        name: module and function below `signoff.actions.programs`, e.g. `vcs.git_work.reset`.
        is_factory: True if the function is called with `options` and returns the handler.
        options: keyword arguments for the factory.
    """

    name: str
    is_factory: bool = False
    options: tuple[tuple[str, HandlerOption], ...] = ()


class ServiceLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the command line of a service is read by its words (`infra/services.py`).

    Args:
        acts, handlers: command paths, or their beginnings, that mean something else than their
            words say.
        thing: kind of resource the service holds.
        reach: where its resources are; `PROJECT` for local machines and containers.
        change: verb for words of change; `CONFIGURE` for resources of the whole system.
        bare: act of a call without any word.
        help_at: position of the word `help`, if operations take options only; 0 = none.
    """

    acts: dict[str, Act] = {}
    handlers: dict[str, HandlerRef] = {}
    thing: ResourceType = ResourceType.CLOUD
    reach: Reach = Reach.REMOTE
    change: Verb = Verb.WRITE
    bare: Verb = Verb.INERT
    help_at: int = 0


class Program(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The description of one program or sub-command, compiled from YAML.

    At most one of `handler`, `service`, `otherwise` and `reads_by_name` is set.

    Args:
        acts: what it does if no sub-command and no option in `acting` applies.
        flags: option names with the traits they add to every act.
        writes, reads: options whose value is a file that is written or read.
        runs: options whose value is a shell line that runs.
        acting: options that replace the acts (`tar --delete`, `find -delete`).
        harmless: options that make the whole call inert (`--dry-run`).
        helps: options that only print help or the version (`help.py` says where they count).
        stopping: `helps` and `harmless` together: options that may make a call inert.
        subs: sub-commands by name; the first operand selects one.
        by_words: the act for an unknown sub-command, chosen by verbs in its name (lexicon).
        options_first: the first operand ends the options (`ssh host cmd -x`).
        clusters: True if `-rf` means `-r -f`; False if long options have one dash.
        handler: computes the effects, in place of `acts`.
        service: reads the whole line by its words, in place of `acts`.
        otherwise: the act for an unknown sub-command.
        reads_by_name: the program only reads where its sub-command or option is a word for
            reading (`list`, `--show-keys`); `bare` is done where no word is given.
        by_options: computes what options before a sub-command add.
        prelude: computes what is done in any case, whatever the options.
        takes, known: every option that consumes a word; every option described, with the
            `switches` that only a handler asks for: a shortened option is completed from them.
        secrets: sub-commands, "" for none, and where secrets stand after them, as written
            (`secret_places.py`).
    """

    names: tuple[str, ...] = ()
    acts: tuple[Act, ...] = ()
    flags: dict[str, frozenset[Trait]] = {}
    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    acting: dict[str, tuple[Act, ...]] = {}
    harmless: frozenset[str] = frozenset()
    helps: frozenset[str] = HELPS
    stopping: frozenset[str] = HELPS
    subs: dict[str, Program] = {}
    by_words: Act | None = None
    options_first: bool = False
    clusters: bool = True
    handler: HandlerRef | None = None
    service: ServiceLine | None = None
    otherwise: Act | None = None
    reads_by_name: bool = False
    bare: Act | None = None
    by_options: HandlerRef | None = None
    prelude: HandlerRef | None = None
    takes: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    secrets: tuple[tuple[str, str], ...] = ()
