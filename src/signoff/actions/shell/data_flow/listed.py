"""Deleting everything that a listing names: `aws ... terminate $(aws ... describe)`.

The names are unknown, but not what they are: all there is. Where the same program lists and
deletes, and nothing between the two narrows the list, the whole of it goes.

    helm list -q | xargs helm uninstall                  -> DELETE, traits={WHOLE_STORE, BULK}
    helm list -q | grep '^tmp-' | xargs helm uninstall   -> DELETE
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from posixpath import commonprefix

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
KEPT_WHOLE = frozenset(
    {ResourceType.VOLUME, ResourceType.BACKUP, ResourceType.DATABASE, ResourceType.ACCOUNT}
)
ALL_OF_IT = frozenset({Trait.WHOLE_STORE, Trait.BULK})
SEARCHERS = words("grep egrep fgrep rg")
NARROWERS = words("awk gawk mawk head tail fzf gum peco sk shuf comm jq yq sed")
# Signs in the words of a narrower, or of the listing, that some are chosen.
CHOICES = ("select(", "/d", "-n", "==", "=~", "?", "$1==", "NR==")
FILTERS = (
    *("--filter", "--selector", "--label", "--search", "--tag", "--name=", "--prefix", "--query=?"),
    *("--merged", "--no-merged", "--contains", "--no-contains", "--points-at", "--count"),
    *("--older", "--state", "--status", "--field-selector", "--owner", "--topic", "--limit"),
)
# `refs/original` is what `git filter-branch` keeps.
PART_OF_REFS = lazy_re(r"refs/(?:(?:heads|tags|remotes)/.|(?!heads|tags|remotes)\w)")
MAKES_REFS = tuple(f"--format={act} " for act in ("create", "update", "verify", "option"))
KEY_STORES = words("redis-cli valkey-cli keydb-cli dragonfly-cli iredis")
_SHORTEST_STEM = 4
SHORT_FILTERS = frozenset({"-l", "-f"})


def is_unnamed_loss(op: Operation) -> bool:
    """Return whether something other than a file is deleted by an unknown name."""
    # `git for-each-ref | xargs git update-ref -d` deletes every branch, and so does `--stdin`.
    is_ref = op.thing is ResourceType.REPOSITORY and op.program == "git update-ref"
    is_stdin = not op.target and op.program == "ldapdelete"
    is_unnamed = "\ufffd" in op.target or (is_ref and "--stdin" in op.source) or is_stdin
    if op.verb is not Verb.DELETE or not is_unnamed:
        return False
    return op.reach in FAR or op.thing in KEPT_WHOLE or is_ref


def marked_listed(
    command: Command, operations: list[Operation], feeding: Callable[[], Iterable[Command]]
) -> list[Operation]:
    """Mark deletions of everything that a listing by the same program printed.

    Args:
        feeding: returns the commands whose output reaches this one.
    """
    if not any(map(is_unnamed_loss, operations)):
        return operations
    sources = [one for one in feeding() if one is not command]
    listings = [one for one in sources if _are_of_one_kind(one.program, command.program)]
    if not listings or any(map(_narrows, sources)) or any(map(_is_filtered, listings)):
        return operations
    return [
        replace(op, traits=op.traits | ALL_OF_IT) if is_unnamed_loss(op) else op
        for op in operations
    ]


def _are_of_one_kind(lister: str, deleter: str) -> bool:
    """Tell programs of one service: the same one, or `ldapsearch` and `ldapdelete`."""
    return lister == deleter or (len(commonprefix((lister, deleter))) >= _SHORTEST_STEM)


def _narrows(command: Command) -> bool:
    texts = [word.text for word in command.words[1:]]
    if command.program in SEARCHERS:
        # `grep -v header` takes away a line or two, so nearly everything is left.
        return not any([text[:1] == "-" and "v" in text for text in texts])
    if command.program in {"head", "tail", "fzf", "gum", "peco", "sk", "shuf", "comm"}:
        # `tail -n +2` only drops the headline.
        return not any([text.startswith(("-n +", "+")) for text in texts])
    return command.program in NARROWERS and _chooses(texts)


def _chooses(texts: Sequence[str]) -> bool:
    return any([mark in text for text in texts for mark in CHOICES])


def _is_filtered(command: Command) -> bool:
    texts = [word.text for word in command.words[1:]]
    if not SHORT_FILTERS.isdisjoint(texts) or any([text.startswith(FILTERS) for text in texts]):
        return True
    if command.program == "git" and "for-each-ref" in texts:
        # One part of the refs by its name, or lines that make refs and delete none.
        is_part = any([PART_OF_REFS.match(text) is not None for text in texts])
        return is_part or any([text.startswith(MAKES_REFS) for text in texts])
    return any(["[?" in text for text in texts]) or _is_of_pattern(command.program, texts)


def _is_of_pattern(program: str, texts: Sequence[str]) -> bool:
    """Tell keys by a pattern: `--scan --pattern 'job:*'`, `KEYS 'job:*'`."""
    if program not in KEY_STORES:
        return False
    named = [two for one, two in pairwise(texts) if one.lower() in ("--pattern", "keys")]
    return any([pattern != "*" for pattern in named])
