"""Version control besides git: hg, svn, jj, fossil, bzr, cvs, p4, darcs, rcs, and git's helpers."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.vcs.git_extras import FETCH, LOOK, PUBLISHES, PUSHES, REF_GONE, SAYS
from signoff.actions.programs.vcs.git_work import (
    CHANGE,
    LOSE_HISTORY,
    LOSE_WORK,
    changed,
    lost_work,
)

INERT = Act(Verb.INERT, Thing.NOTHING, On.NOTHING, always=True)
SETS_GLOBAL = Act(
    Verb.CONFIGURE,
    Thing.SETTING,
    On.NOTHING,
    frozenset({Trait.GLOBAL}),
    Reach.HOME,
    always=True,
)
SERVES = Act(
    Verb.CONTROL,
    Thing.PROCESS,
    On.NOTHING,
    frozenset({Trait.LISTENS}),
    Reach.SYSTEM,
    always=True,
)
STORE_GONE = Act(
    Verb.DELETE,
    Thing.REPOSITORY,
    On.OPERANDS,
    frozenset({Trait.WHOLE_STORE}),
    Reach.REMOTE,
    reversible=False,
    always=True,
)


def _revert(call: Call) -> Iterator[Effect]:
    """Files called by their names come back; the whole tree loses what was not committed."""
    whole = call.has("-a", "--all", "-R", "--recursive") or not call.operands
    whole = whole or any(t in {".", "*", "./"} or t.endswith("/") for t in call.texts)
    depth = call.value("--depth")
    whole = whole or (depth is not None and depth.text == "infinity")
    yield lost_work(call) if whole else changed(call)


def _hg_update(call: Call) -> Iterator[Effect]:
    """`hg update -C` discards what was not committed."""
    yield lost_work(call) if call.has("-C", "--clean") else changed(call)


def _hg_push(call: Call) -> Iterator[Effect]:
    forced = call.has("-f", "--force", "-B", "--bookmark")
    yield from call.perform(PUBLISHES if forced else PUSHES)


def _alias(call: Call) -> Iterator[Effect]:
    """`hg --config alias.x=!line`, hooks and extensions given for one call run what they name."""
    for word in call.values("--config"):
        key, _, value = word.text.partition("=")
        if key.startswith(("hooks.", "extensions.", "ui.editor", "ui.ssh", "merge-tools.")) or (
            key.startswith("alias.") and value.startswith("!")
        ):
            yield call.opaque(f"{key} runs a program")
            yield Nested(
                text=value.lstrip("!"),
                language="shell",
                carrier="hg --config",
                is_known=word.is_known,
            )


def _svn_remove(call: Call) -> Iterator[Effect]:
    """`svn delete` of an address is a commit at the server; of a file it is planned only."""
    far = any("://" in text for text in call.texts)
    if far:
        yield from call.perform(REF_GONE)
    else:
        yield lost_work(call) if call.has("--force") else changed(call)


def _svn_make(call: Call) -> Iterator[Effect]:
    """`svn copy`, `mkdir`, `move` of addresses commit at once."""
    far = any("://" in text for text in call.texts)
    yield from call.perform(PUBLISHES if far else CHANGE)


def _svn_update(call: Call) -> Iterator[Effect]:
    yield from call.perform(FETCH)


def _cleanup(call: Call) -> Iterator[Effect]:
    """`svn cleanup --remove-unversioned` deletes files nobody has a copy of."""
    lossy = call.has("--remove-unversioned", "--remove-ignored")
    yield lost_work(call) if lossy else changed(call)


def _jj_git(call: Call) -> Iterator[Effect]:
    """`jj git push --deleted` deletes branches at the remote."""
    what = call.texts[0] if call.operands else ""
    if what == "push":
        gone = call.has("--deleted")
        forced = call.has("--all", "--tracked")
        yield from call.perform(REF_GONE if gone else PUBLISHES if forced else PUSHES)
    elif what in {"fetch", "clone"}:
        yield from call.perform(FETCH)
    else:
        yield changed(call)


HG = program(
    "hg chg",
    values="-R --repository --cwd --config --encoding --color --pager",
    by_options=_alias,
    subs={
        "status st summary sum diff log history annotate blame cat manifest heads tip parents "
        "paths identify id help version root files locate grep glog outgoing out verify showconfig "
        "debug bisect annotate archive export bundle tags branches bookmarks incoming in": LOOK,
        "add commit ci forget addremove rename move mv copy cp merge rebase graft resolve branch "
        "bookmark bookmarks tag import patch shelve unshelve init histedit amend absorb uncommit "
        "phase backout remove rm recover config fold split record": CHANGE,
        "update up checkout co goto": sub(handler=_hg_update, values="-r --rev"),
        "revert": sub(handler=_revert, values="-r --rev -d --date"),
        "purge clean": sub(LOSE_WORK, harmless="-p --print"),
        "strip prune": sub(LOSE_HISTORY),
        "rollback": sub(LOSE_WORK, harmless="-n --dry-run"),
        "pull clone fetch": FETCH,
        "push": sub(handler=_hg_push, values="-r --rev -b --branch -e --ssh -B --bookmark"),
        "email": SAYS,
        "serve": SERVES,
    },
    harmless="-h",
)
SVN = program(
    "svn",
    values="--username --password --config-dir --config-option",
    subs={
        "status st stat info log diff di list ls cat blame praise annotate ann help h propget pg "
        "proplist pl pl export mergeinfo auth": LOOK,
        "checkout co update up switch sw relocate": sub(handler=_svn_update),
        "add merge resolve resolved changelist cl propset ps propedit pe propdel pd patch upgrade "
        "unlock-local shelve unshelve": CHANGE,
        "cleanup": sub(handler=_cleanup),
        "revert": sub(handler=_revert, values="--depth --targets"),
        "delete del remove rm": sub(handler=_svn_remove, values="-m --message -F"),
        "copy cp mkdir move mv rename ren": sub(handler=_svn_make, values="-m --message -F"),
        "commit ci import lock unlock": sub(PUBLISHES, values="-m --message -F --file"),
    },
    harmless="-h",
)
JJ = program(
    "jj",
    values="-R --repository --at-operation --at-op --color --config --config-toml",
    subs={
        "log status st show diff interdiff evolog obslog help version root": LOOK,
        "new commit ci describe desc edit squash split rebase abandon restore undo redo duplicate "
        "absorb diffedit fix parallelize simplify-parents next prev sign unsign metaedit revert "
        "backout resolve sparse workspace arrange": CHANGE,
        "bookmark branch b tag file": sub(CHANGE, subs={"list l show annotate": LOOK}),
        "operation op": sub(
            CHANGE, subs={"log show diff": LOOK, "abandon": sub(LOSE_HISTORY), "restore": CHANGE}
        ),
        "config": sub(
            LOOK,
            subs={
                "set unset edit": sub(SETS_GLOBAL, acting={"--repo --workspace": CHANGE}),
                "list get path": LOOK,
            },
        ),
        "git": sub(handler=_jj_git, values="--remote -b --bookmark -c --change -r"),
        "util": sub(INERT, subs={"gc": sub(LOSE_HISTORY), "exec": CHANGE}),
    },
    handler=lambda call: call.perform(LOOK),
    harmless="-h -V",
)
FOSSIL = program(
    "fossil",
    subs={
        "status changes diff gdiff timeline finfo info ls help version leaves annotate blame cat "
        "extras tarball zip artifact descendants whatis search all user test": LOOK,
        "add addremove rm delete forget remove mv rename commit ci merge update checkout co branch "
        "tag stash undo redo init new open close mv cherry-pick amend settings set bisect": CHANGE,
        "revert": sub(handler=_revert, values="-r --revision"),
        "clean": sub(LOSE_WORK, harmless="-n --dry-run"),
        "scrub purge shun": sub(LOSE_HISTORY),
        "clone pull": FETCH,
        "push sync": sub(PUSHES),
        "ui": INERT,
        "server": SERVES,
    },
)
MIXED = (
    program(
        "bzr brz darcs pijul",
        subs={
            "status st diff log info ls annotate cat missing help version revno whoami show "
            "changes whatsnew tags branches": LOOK,
            "add commit record merge resolve mv branch init tag move remove rename switch apply "
            "shelve unshelve unrecord amend amend-record": CHANGE,
            "revert": sub(handler=_revert),
            "clean-tree": sub(LOSE_WORK, harmless="--dry-run"),
            "uncommit obliterate rollback unpull": sub(LOSE_HISTORY),
            "push": sub(PUSHES, acting={"--overwrite": PUBLISHES}),
            "send": SAYS,
            "pull checkout co update clone get fetch": FETCH,
            "serve": SERVES,
        },
    ),
    program(
        "cvs",
        values="-d -z",
        subs={
            "checkout co update up export": FETCH,
            "add edit": CHANGE,
            "commit ci import tag rtag remove": sub(PUBLISHES, values="-m -F -r"),
            "log diff status annotate history rdiff": LOOK,
        },
    ),
    program(
        "p4",
        values="-p -u -c -C -P -H -d",
        subs={
            "sync": FETCH,
            "edit add delete open reopen resolve integrate merge shelve unshelve lock unlock move "
            "copy have client workspace": CHANGE,
            "revert clean": sub(handler=_revert, values="-c"),
            "submit": sub(PUBLISHES),
            "obliterate": sub(STORE_GONE),
            "info files opened changes describe diff diff2 filelog fstat print status where "
            "annotate dirs help depots branches clients users login logout set": LOOK,
        },
    ),
    program("rcs ci co", CHANGE, values="-l -u -r", acting={"-o": LOSE_HISTORY}),
    program("rlog rcsdiff ident rcsfreeze merge sccs", LOOK),
    program(
        "svnadmin svnlook svnserve svnsync svndumpfilter svnversion",
        subs={
            "create load hotcopy upgrade pack recover rmlocks setlog setrevprop": CHANGE,
            "dump verify info lstxns lslocks history tree": LOOK,
            "rmtxns": sub(LOSE_HISTORY),
            "init initialize sync copy-revprops": sub(PUSHES),
        },
        handler=lambda call: call.perform(LOOK),
    ),
)


def _rewriter(call: Call) -> Iterator[Effect]:
    """`bfg`, `git-filter-repo`: history is written anew."""
    yield from call.perform(LOSE_HISTORY)


HELPERS = (
    program(
        "git-filter-repo bfg",
        handler=_rewriter,
        values="-b -D -B -p",
        harmless="--analyze -h",
    ),
    program(
        "lazygit tig gitui gitk gitg git-cola qgit ungit smerge gitkraken fork gitx",
        LOOK,
        values="-p --path",
    ),
    program(
        "gitlint git-secrets gitstats onefetch gource commitlint committed cocogitto",
        LOOK,
        writes="-o --output -r --report-path",
    ),
    program(
        "vcsh yadm chezmoi rcm stow",
        CHANGE,
        subs={
            "push": sub(PUSHES),
            "clone pull init": FETCH,
            "apply update": SETS_GLOBAL,
            "purge destroy delete": sub(LOSE_WORK),
            "status diff list managed data doctor ls-tracked which help": LOOK,
        },
    ),
    program(
        "gitmoji",
        CHANGE,
        acting={
            "-l --list -s --search -v --version": LOOK,
            "-i --init -r --remove": Act(
                Verb.CONFIGURE,
                Thing.SETTING,
                On.NOTHING,
                frozenset({Trait.RUNS_LATER}),
                Reach.PROJECT,
                always=True,
            ),
        },
    ),
    program(
        "cz git-cz commitizen commit-and-tag-version standard-version",
        CHANGE,
        subs={
            "bump changelog commit c init check version info schema ls example": CHANGE,
        },
        harmless="--dry-run",
    ),
    program(
        "gt git-branchless spr ghstack stg git-machete av git-town",
        CHANGE,
        subs={
            "submit ss stack-submit": SAYS,
            "log ls status info": LOOK,
            "sync get": FETCH,
            "delete": sub(LOSE_WORK),
            "push sync-remote": sub(PUSHES),
        },
        handler=lambda call: call.perform(CHANGE),
    ),
)


PROGRAMS: tuple[Program, ...] = (HG, SVN, JJ, FOSSIL, *MIXED, *HELPERS)
