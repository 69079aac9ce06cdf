"""Version control besides git: hg, svn, jj, fossil, bzr, cvs, p4, darcs, rcs, and git's helpers."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.vcs.git import FETCH, PUBLISHES, PUSHES, REF_GONE
from signoff.actions.programs.vcs.git_work import (
    CHANGE,
    LOSE_HISTORY,
    changed,
    lost_work,
)


def revert(call: ProgramCall) -> Iterator[Effect]:
    """Files called by their names come back; the whole tree loses what was not committed."""
    # `svn revert` goes by `-R`, `hg revert` by `-a`; a folder's name means all below it.
    whole = call.has("-a", "--all", "-R", "--recursive") or not call.operands
    whole = whole or any(t in {".", "*", "./"} or t.endswith("/") for t in call.texts)
    depth = call.value("--depth")
    whole = whole or (depth is not None and depth.text == "infinity")
    yield lost_work(call) if whole else changed(call)


def hg_update(call: ProgramCall) -> Iterator[Effect]:
    """`hg update -C` discards what was not committed."""
    yield lost_work(call) if call.has("-C", "--clean") else changed(call)


def hg_push(call: ProgramCall) -> Iterator[Effect]:
    # `hg push --force` makes new heads or pushes unrelated history; a bookmark is moved for all.
    forced = call.has("-f", "--force", "-B", "--bookmark")
    yield from call.perform(PUBLISHES if forced else PUSHES)


def alias(call: ProgramCall) -> Iterator[Effect]:
    """`hg --config alias.x=!line`, hooks and extensions given for one call run what they name."""
    for word in call.values("--config"):
        key, _, value = word.text.partition("=")
        # hgrc(5): hooks and extensions run or load what they name at this very call.
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


def svn_remove(call: ProgramCall) -> Iterator[Effect]:
    """`svn delete` of an address is a commit at the server; of a file it is planned only."""
    far = any("://" in text for text in call.texts)
    if far:
        yield from call.perform(REF_GONE)
    else:
        yield lost_work(call) if call.has("--force") else changed(call)


def svn_make(call: ProgramCall) -> Iterator[Effect]:
    """`svn copy`, `mkdir`, `move` of addresses commit at once."""
    far = any("://" in text for text in call.texts)
    yield from call.perform(PUBLISHES if far else CHANGE)


def svn_update(call: ProgramCall) -> Iterator[Effect]:
    yield from call.perform(FETCH)


def cleanup(call: ProgramCall) -> Iterator[Effect]:
    """`svn cleanup --remove-unversioned` deletes files nobody has a copy of."""
    # Without these `svn cleanup` only removes its own locks.
    lossy = call.has("--remove-unversioned", "--remove-ignored")
    yield lost_work(call) if lossy else changed(call)


def jj_git(call: ProgramCall) -> Iterator[Effect]:
    """`jj git push --deleted` deletes branches at the remote."""
    what = call.texts[0] if call.operands else ""
    if what == "push":
        gone = call.has("--deleted")
        # All bookmarks at once, also those nobody meant to publish.
        forced = call.has("--all", "--tracked", "--allow-backwards", "--ignore-immutable")
        yield from call.perform(REF_GONE if gone else PUBLISHES if forced else PUSHES)
    elif what in {"fetch", "clone"}:
        yield from call.perform(FETCH)
    else:
        yield changed(call)


def rewriter(call: ProgramCall) -> Iterator[Effect]:
    """`bfg`, `git-filter-repo`: history is rewritten."""
    yield from call.perform(LOSE_HISTORY)
