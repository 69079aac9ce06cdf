"""Groups of sub-commands whose act is to change, asked for a list: `mc ilm rule ls prod/b`.

A description may know a group alone. The word behind it, or behind one noun of it, says that it is
only shown. What is a verb itself takes names behind it, and a name may be any word.

    mc event list prod/b         -> a list         mc mb list          -> makes a bucket `list`
    mc ilm rule ls prod/b        -> a list         mc ilm rule add ls  -> a rule of the bucket `ls`
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.operation import ResourceType, Verb
from signoff.actions.programs.lexicon import DELETE, READ, SEND, WRITE, split_name
from signoff.actions.programs.program import Program
from signoff.actions.vocabulary import words

_SHOWS = words("ls list show info status describe stat")
_CHANGES = frozenset({Verb.WRITE, Verb.CONFIGURE})
_THINGS = frozenset({ResourceType.CLOUD, ResourceType.CLUSTER})
_VERBS = DELETE | SEND | WRITE | READ
# Verbs that name a group of their own in programs of storage and clusters.
_GROUPS = words("tag event replicate")


def lists_group(name: str, described: Program, behind: Sequence[str]) -> bool:
    """Return whether a group that is said to change something far is only listed.

    Args:
        name: program and sub-command, the group last.
        behind: the next words of the call.
    """
    program, _, group = name.rpartition(" ")
    if not program or not behind or described.subs or described.handler is not None:
        return False
    # `net user list X /add` makes an account: what is no resource of a service stays as it is.
    if any([act.verb not in _CHANGES or act.thing not in _THINGS for act in described.acts]):
        return False
    if group not in _GROUPS and not _VERBS.isdisjoint(split_name(group)):
        return False
    if behind[0] in _SHOWS:
        return True
    is_noun = behind[0].isalpha() and behind[0] not in _VERBS
    return is_noun and len(behind) > 1 and behind[1] in _SHOWS
