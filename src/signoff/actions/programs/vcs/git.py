"""git: what each sub-command does to the work tree, to history, and to others.

Local and recoverable work passes; what loses uncommitted work or unmerged branches is said to
lose work, what rewrites or deletes published history to lose history. Options, configuration
keys and transports that make git run programs are taken apart or are opaque (threats.md T-13).
Programs of others that are called as `git name` are judged by what they do with git's own
commands: `git undo --hard` is a hard reset, `git delete-branch` deletes here and at the remote.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, On, always, publishes, remote
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import lex
from signoff.actions.programs.vcs import git_work as work
from signoff.actions.programs.vcs.git_config import key_effects
from signoff.actions.vocabulary import words

# What changes no file of the work tree.
KEEPS_FILES = words(
    "status diff log show ls-files ls-tree ls-remote rev-parse rev-list add commit push fetch"
    " config branch tag remote blame grep cat-file describe shortlog diff-index diff-files"
    " diff-tree check-ignore check-attr for-each-ref show-ref name-rev reflog notes init help"
    " version symbolic-ref update-index write-tree hash-object merge-base count-objects fsck gc"
)


def unknown_sub(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `git` alone, or a sub-command nobody knows (an alias or a program `git-x`)."""
    # A name such as `git delete-merged-branches` says itself that something goes.
    if call.operands and lex(call.texts[:1]).verb is Verb.DELETE:
        yield work.lost_work(call)
    elif call.operands:
        yield call.operation(
            Verb.EXECUTE, ResourceType.CODE, f"git {call.texts[0]}", reach=Reach.PROJECT
        )
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _work_trees(call: ProgramCall) -> Iterator[Effect]:
    """Where git works: what it takes out of a commit is written there, as an archive's files are.

    A repository elsewhere is worked in as usual by `-C`; a whole home is no repository like others.
    """
    writes = call.texts[:1] and call.texts[0] not in KEEPS_FILES
    for word in call.values("--work-tree"):
        yield call.on_file(Verb.WRITE if writes else Verb.READ, word)
    for word in call.values("-C"):
        written = call.on_file(Verb.WRITE, word)
        # `git -C ~ checkout .`: dotfiles kept in git lie over a whole home.
        is_home = written.reach is Reach.HOME and Trait.BROAD in written.traits
        yield written if writes and is_home else call.on_file(Verb.READ, word)


def global_options(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `git -c KEY=VALUE` and of git programs taken from elsewhere."""
    for word in call.values("-c", "--config-env"):
        key, _, value = word.text.partition("=")
        yield from key_effects(call, key, value, is_known=word.is_known)
    yield from _work_trees(call)
    if call.value("--exec-path") is not None:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            "git --exec-path",
            traits=(Trait.ENVIRONMENT,),
            reach=Reach.PROJECT,
            why="git takes its own programs from there",
        )


FETCH = always(Verb.NETWORK_IN, ResourceType.REPOSITORY, on=On.NOTHING, reach=Reach.REMOTE)
REF_GONE = remote(Verb.DELETE, ResourceType.REPOSITORY)
PUBLISHES = publishes(ResourceType.REPOSITORY)
PUSHES = always(Verb.PUBLISH, ResourceType.REPOSITORY, reach=Reach.REMOTE, reversible=True)


def undo(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git undo` keeps the changes, with `--hard` they are gone."""
    # git-extras: `-h` of `git undo` is `--hard`, not help.
    lossy = call.has("-h", "--hard")
    yield work.lost_work(call) if lossy else work.changed(call)


def create_branch(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git create-branch -r` also makes the branch at the remote."""
    yield from call.perform(PUSHES if call.has("-r", "--remote", "--from") else work.CHANGE)


def lfs_prune(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `git lfs prune` deletes local copies; without a check they may be the only ones."""
    # `--verify-remote` asks the server for each object before its local copy goes.
    unchecked = call.has("-f", "--force") and not call.has("-c", "--verify-remote")
    yield work.lost_history(call) if unchecked else work.changed(call)


def flow(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git flow feature start x`: the second word says what is done."""
    what = call.texts[1] if len(call.operands) > 1 else ""
    if what == "publish":
        yield from call.perform(PUSHES)
    elif what == "delete":
        yield work.lost_work(call)
    else:
        yield work.changed(call)
