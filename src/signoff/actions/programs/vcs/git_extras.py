"""Programs called as `git name` that others wrote: git-extras, LFS, annex, flow, secret, svn, p4.

They are judged by what they do with git's own commands: `git undo --hard` is a hard reset,
`git delete-branch` deletes the branch here and at the remote.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, On, always, publishes, remote
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.vcs import git_work as work

FETCH = always(Verb.NETWORK_IN, ResourceType.REPOSITORY, on=On.NOTHING, reach=Reach.REMOTE)
REF_GONE = remote(Verb.DELETE, ResourceType.REPOSITORY)
PUBLISHES = publishes(ResourceType.REPOSITORY)
PUSHES = always(Verb.PUBLISH, ResourceType.REPOSITORY, reach=Reach.REMOTE, reversible=True)


def undo(call: ProgramCall) -> Iterator[Effect]:
    """`git undo` keeps the changes, with `--hard` they are gone."""
    lossy = call.has("-h", "--hard")
    yield work.lost_work(call) if lossy else work.changed(call)


def create_branch(call: ProgramCall) -> Iterator[Effect]:
    """`git create-branch -r` also makes the branch at the remote."""
    yield from call.perform(PUSHES if call.has("-r", "--remote", "--from") else work.CHANGE)


def lfs_prune(call: ProgramCall) -> Iterator[Effect]:
    """`git lfs prune` deletes local copies; without a check they may be the only ones."""
    unchecked = call.has("-f", "--force") and not call.has("-c", "--verify-remote")
    yield work.lost_history(call) if unchecked else work.changed(call)


def flow(call: ProgramCall) -> Iterator[Effect]:
    """`git flow feature start x`: the second word says what is done."""
    what = call.texts[1] if len(call.operands) > 1 else ""
    if what == "publish":
        yield from call.perform(PUSHES)
    elif what == "delete":
        yield work.lost_work(call)
    else:
        yield work.changed(call)
