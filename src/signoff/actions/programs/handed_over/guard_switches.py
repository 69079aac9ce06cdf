"""Protections and records that a command of any program switches off by their names.

Programs that are described say so themselves. Of all others, and of the keys of settings that a
described program only hands on, the name of the protection beside its value is enough.

    fooctl config set audit.enabled false        PROTECTION, blinded
    scanner-cli --real-time-protection=off       PROTECTION, switched off
    make test AUDIT_LOG=off                      nothing: code of the project runs so
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.lexicon.guards import guard_off, hints_at_guard, is_record
from signoff.actions.lexicon.objects import singular
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import split_name
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words

# Their `audit` looks for known holes in packages.
_PACKAGERS = words("npm pnpm yarn bun npx composer bundle cargo pip pipx uv poetry brew nix")
_TRIALS = words(
    "dev develop development test testing local localhost sandbox mock fake simulator emulator"
    " staging dry"
)
_SETS = words("set config configure update patch edit settings setting put modify change apply")
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_LOST = frozenset({Trait.BLINDS, Trait.WEAKENS})
_MOST = 24


def names_guard(commands: Sequence[Command]) -> bool:
    """Return whether a word of a line can name a protection or record at all."""
    return hints_at_guard(" ".join([word.text for one in commands for word in one.words]))


def switched_off_guard(
    command: Command, place: Place, found: Sequence[Operation]
) -> Iterator[Operation]:
    """Yield the loss of a protection or record that a command names, see `names_guard`."""
    if not command.words[1:]:
        return
    if command.program in _PACKAGERS or _is_no_change(command, found) or _is_trial(command):
        return
    name = guard_off([word.text for word in command.words])
    # A description that says so knows more of it.
    if not name or any([not _LOST.isdisjoint(op.traits) for op in found]):
        return
    call = ProgramCall(name=command.program, command=command, place=place)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.PROTECTION,
        name,
        traits=(Trait.BLINDS if is_record(name) else Trait.WEAKENS,),
        reach=Reach.SYSTEM,
        reversible=False,
    )


def _is_no_change(command: Command, found: Sequence[Operation]) -> bool:
    """Tell whether a command only looks, or runs code of the project with some setting."""
    # The shell does a redirection, and not the program: `echo 'audit off' >> notes.md` prints.
    if all([op.verb in _LOOKS for op in found if op.program != "redirection"]):
        # Of a program that nobody described, `settings set` is a guess that it reads.
        return _SETS.isdisjoint([word.text for word in command.words[1:5]])
    # An unknown program stands for itself; a runner has what it runs for its target.
    return any([op.verb is Verb.EXECUTE and op.target != command.program for op in found])


def _is_trial(command: Command) -> bool:
    told = [word.text for word in command.words[:_MOST] if len(word.text) < 80]
    return any([singular(part) in _TRIALS for text in told for part in split_name(text)])
