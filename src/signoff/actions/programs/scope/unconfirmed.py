"""Programs that only report what they would do until one more word is given.

p4 obliterate //depot/x/...          -> INERT, a dry run      with -y         -> DELETE
wal-g delete retain FULL 7           -> INERT                 with --confirm  -> DELETE
gam user x delete messages query q   -> INERT                 with doit       -> as ever

A word that is not known when the line is read may be the one, and so may what `xargs` adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words
from signoff.values import replace


class Confirmation(Struct, frozen=True, kw_only=True):
    """Which sub-commands of a program wait, and for which words.

    Args:
        subs: sub-commands, each as its words; all words of one have to be in the call, in order.
        by: words with which the program acts, options without their values.
        also: options that may bring such a word along: a file of arguments.
    """

    subs: tuple[tuple[str, ...], ...]
    by: frozenset[str]
    also: frozenset[str] = frozenset()


def _waits(subs: str, by: str, also: str = "") -> Confirmation:
    told = tuple([tuple(one.split()) for one in subs.split("|")])
    return Confirmation(subs=told, by=words(by), also=words(also))


_GAM = _waits(
    "delete messages | trash messages | untrash messages | spam messages | modify messages"
    " | archive messages | delete threads | trash threads | untrash threads | spam threads"
    " | modify threads | delete events",
    "doit",
    "batch tbatch csv redirect",
)
# Perforce, WAL-G, GAM, duplicity, Kopia, bup, Homebrew, aws-nuke: from their manuals.
_WAITING: Mapping[str, Confirmation] = {
    "p4": _waits("obliterate", "-y", "-x"),
    "wal-g": _waits("delete", "--confirm"),
    **dict.fromkeys(("gam", "gam7", "gamadv-xtd3"), _GAM),
    "duplicity": _waits(
        "remove-older-than | remove-all-but-n-full | remove-all-inc-of-but-n-full | cleanup",
        "--force",
    ),
    "kopia": _waits("snapshot delete | snapshot expire | snap delete | snap expire", "--delete"),
    "bup": _waits("rm", "--unsafe"),
    "brew": _waits("bundle cleanup", "--force -f"),
    "aws-nuke": _waits("", "--no-dry-run"),
}
WAITING = frozenset(_WAITING)
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
MOST_WORDS = 200


def unless_confirmed(effects: Iterable[Effect], name: str, command: Command) -> Iterator[Effect]:
    """Yield a program's effects, as a dry run if it was not told to act.

    Args:
        name: of the program.
    """
    is_report = _only_reports(_WAITING[name], command)
    for one in effects:
        yield _reported(one) if is_report and isinstance(one, Operation) else one


def _only_reports(confirmation: Confirmation, command: Command) -> bool:
    given = command.words[1 : MOST_WORDS + 1]
    if command.input_words or len(command.words) > MOST_WORDS:
        return False
    if not all([word.is_known and not word.has_glob for word in given]):
        return False
    # In any case: `doit` of GAM is read without regard to it.
    texts = [word.text.partition("=")[0].lower() for word in given]
    letters = [f"-{letter}" for text in texts if _is_cluster(text) for letter in text[1:]]
    if not (confirmation.by | confirmation.also).isdisjoint((*texts, *letters)):
        return False
    return any([_in_order(sub, texts) for sub in confirmation.subs])


def _is_cluster(text: str) -> bool:
    """Tell `-ay`, which may be `-a -y`."""
    return text[:1] == "-" and text[1:].isalpha()


def _in_order(sub: tuple[str, ...], texts: list[str]) -> bool:
    """Tell whether a call has the words of a sub-command, one after another."""
    size = len(sub)
    return any([tuple(texts[at : at + size]) == sub for at in range(len(texts) - size + 1)])


def _reported(op: Operation) -> Operation:
    if op.verb in _LOOKS or not op.understood:
        return op
    return replace(op, verb=Verb.INERT, traits=op.traits | {Trait.DRY_RUN}, reversible=True)
