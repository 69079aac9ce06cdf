"""Programs called as `git name` that others wrote: git-extras, LFS, annex, flow, secret, svn, p4.

They are judged by what they do with git's own commands: `git undo --hard` is a hard reset,
`git delete-branch` deletes the branch here and at the remote.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, sends
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, sub
from signoff.actions.programs.vcs import git_work as work

LOOK = Act(Verb.READ, Thing.REPOSITORY, On.NOTHING, always=True)
FETCH = Act(Verb.NETWORK_IN, Thing.REPOSITORY, On.NOTHING, reach=Reach.REMOTE, always=True)
REF_GONE = Act(
    Verb.DELETE,
    Thing.REPOSITORY,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=False,
    always=True,
)
PUBLISHES = Act(
    Verb.PUBLISH,
    Thing.REPOSITORY,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=False,
    always=True,
)
PUSHES = Act(
    Verb.PUBLISH,
    Thing.REPOSITORY,
    On.OPERANDS,
    reach=Reach.REMOTE,
    reversible=True,
    always=True,
)
SAYS = sends(On.NOTHING, thing=Thing.MESSAGE)
COPIES_OUT = sends(On.OPERANDS, Trait.SENDS_FILES)
REVEALS = Act(
    Verb.READ, Thing.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True
)
KEYS = Act(
    Verb.CONFIGURE,
    Thing.CREDENTIAL,
    On.OPERANDS,
    reach=Reach.PROJECT,
    reversible=False,
    always=True,
)
FAR_LOCK = Act(Verb.WRITE, Thing.REPOSITORY, On.OPERANDS, reach=Reach.REMOTE, always=True)


def _undo(call: Call) -> Iterator[Effect]:
    """`git undo` keeps the changes, with `--hard` they are gone."""
    lossy = call.has("-h", "--hard")
    yield work.lost_work(call) if lossy else work.changed(call)


def _create_branch(call: Call) -> Iterator[Effect]:
    """`git create-branch -r` also makes the branch at the remote."""
    yield from call.perform(PUSHES if call.has("-r", "--remote", "--from") else work.CHANGE)


def _lfs_prune(call: Call) -> Iterator[Effect]:
    """`git lfs prune` deletes local copies; without a check they may be the only ones."""
    unchecked = call.has("-f", "--force") and not call.has("-c", "--verify-remote")
    yield work.lost_history(call) if unchecked else work.changed(call)


def _flow(call: Call) -> Iterator[Effect]:
    """`git flow feature start x`: the second word says what is done."""
    what = call.texts[1] if len(call.operands) > 1 else ""
    if what == "publish":
        yield from call.perform(PUSHES)
    elif what == "delete":
        yield work.lost_work(call)
    else:
        yield work.changed(call)


LFS = sub(
    subs={
        "status ls-files env logs version help fsck pointer": LOOK,
        "fetch pull clone smudge": FETCH,
        "push": PUSHES,
        "prune": sub(handler=_lfs_prune, harmless="-d --dry-run"),
        "migrate": sub(subs={"info": LOOK, "import export": sub(work.LOSE_HISTORY)}),
        "lock unlock": sub(FAR_LOCK),
        "locks": FETCH,
    },
    handler=lambda call: call.perform(work.CHANGE),
)
ANNEX = sub(
    subs={
        "drop unannex uninit dropunused dead forget": sub(work.LOSE_WORK),
        "sync assist push copy move export satisfy": sub(PUSHES),
        "get importfeed addurl pull": FETCH,
        "help version status info whereis find list log unused": LOOK,
        "enableremote initremote": sub(KEYS),
    },
    handler=lambda call: call.perform(work.CHANGE),
)
SECRET = sub(
    subs={
        "tell removeperson killperson": sub(KEYS),
        "reveal cat changes": sub(REVEALS, values="-d -p"),
        "list whoknows usage": LOOK,
        "clean": sub(work.CHANGE),
    },
    handler=lambda call: call.perform(work.CHANGE),
)
SVN = sub(
    subs={
        "dcommit commit-diff set-tree branch tag": sub(PUBLISHES, harmless="-n --dry-run"),
        "log info find-rev blame show-ignore propget proplist show-externals": LOOK,
        "clone fetch rebase init": FETCH,
    },
    handler=lambda call: call.perform(work.CHANGE),
)
P4 = sub(
    subs={"submit": sub(PUBLISHES, harmless="-n --dry-run"), "clone sync rebase": FETCH},
    handler=lambda call: call.perform(work.CHANGE),
)
BUG = sub(
    subs={"push bridge": sub(PUSHES), "pull": FETCH, "ls show status": LOOK},
    handler=lambda call: call.perform(work.CHANGE),
)
EXTRAS: dict[str, Program | Act | tuple[Act, ...]] = {
    "undo": sub(handler=_undo),
    "clear clear-soft fresh-branch sync gh-pages force-clone": sub(work.LOSE_WORK),
    "delete-merged-branches archive-file": sub(work.CHANGE),
    "delete-squashed-branches delete-submodule": sub(work.LOSE_WORK),
    "delete-branch delete-tag rename-branch rename-tag": sub(REF_GONE),
    "obliterate reauthor rebase-author": sub(work.LOSE_HISTORY),
    "release": sub(PUBLISHES),
    "pull-request pr-create": sub(SAYS),
    "pr mr fork clone-fork": sub(FETCH),
    "scp rscp": sub(COPIES_OUT),
    "create-branch": sub(handler=_create_branch, values="--from"),
    "subtree": sub(
        subs={"push": sub(PUBLISHES, values="-P --prefix")},
        handler=lambda call: call.perform(work.CHANGE),
    ),
    "repl browse browse-ci info summary effort guilt stats standup authors contrib count fame "
    "local-commits commits-since missing show-tree show-merged-branches show-unmerged-branches "
    "root extras open sizer delta locked coauthor-list brv ignore-io paste-list repl cliff": LOOK,
    "lfs": LFS,
    "annex": ANNEX,
    "secret": SECRET,
    "flow": sub(handler=_flow),
    "svn": SVN,
    "p4": P4,
    "bug": BUG,
    "paste": sub(COPIES_OUT),
    "checkout-index": sub(handler=work.checkout_index, values="--prefix --stage"),
    "symbolic-ref": sub(handler=work.symbolic_ref, values="-m"),
    "send-pack http-push": sub(PUBLISHES),
    "hook": Act(Verb.EXECUTE, Thing.CODE, On.NOTHING, reach=Reach.PROJECT, always=True),
}
