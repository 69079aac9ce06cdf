"""Version control besides git: hg, svn, jj, fossil, bzr, cvs, p4, darcs, rcs, and git's helpers."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handed_over.variables import is_plain_program
from signoff.actions.programs.vcs.git import FETCH, PUBLISHES, PUSHES, REF_GONE
from signoff.actions.programs.vcs.git_work import (
    CHANGE,
    LOSE_HISTORY,
    changed,
    lost_work,
)
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words
from signoff.values import replace


def revert(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a revert: single files come back, a whole tree loses work."""
    # hg(1), p4 help revert, p4 help clean: only shown.
    if call.is_dry("-n", "--dry-run", "--preview"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
        return
    # `svn revert` goes by `-R`, `hg revert` by `-a`; a folder's name means all below
    # it, and so does `...` of Perforce.
    whole = call.has("-a", "--all", "-R", "--recursive") or not call.operands
    whole = whole or any(t in {".", "*", "./"} or t.endswith(("/", "...")) for t in call.texts)
    depth = call.value("--depth")
    whole = whole or (depth is not None and depth.text == "infinity")
    yield lost_work(call) if whole else changed(call)


def hg_update(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `hg update -C` discards what was not committed."""
    yield lost_work(call) if call.has("-C", "--clean") else changed(call)


def hg_push(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `hg push`; forced, it may replace others' work."""
    # `hg push --force` makes new heads or pushes unrelated history; a bookmark is moved for all.
    forced = call.has("-f", "--force", "-B", "--bookmark")
    yield from call.perform(PUBLISHES if forced else PUSHES)


MERCURIAL_RUNS = (
    *("hooks.", "extensions.", "ui.editor", "ui.ssh", "ui.merge", "ui.patch", "pager.pager"),
    *("merge-tools.", "diff-tools.", "extdiff.", "email.method", "gpg.cmd", "fix."),
)


def alias(call: ProgramCall) -> Iterator[Effect]:
    """`hg --config alias.x=!line`, hooks and extensions given for one call run what they name."""
    for word in call.values("--config"):
        key, _, value = word.text.partition("=")
        # hgrc(5): hooks and extensions run or load what they name at this very call.
        is_run = key.startswith(MERCURIAL_RUNS) and not (
            word.is_known and is_plain_program(value, edits=False)
        )
        if is_run or (key.startswith("alias.") and value.startswith("!")):
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
    """Yield effects of `svn copy`, `mkdir`, `move` of addresses commit at once."""
    far = any("://" in text for text in call.texts)
    yield from call.perform(PUBLISHES if far else CHANGE)


def svn_update(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `svn update`: fetches from the server."""
    yield from call.perform(FETCH)


def cleanup(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `svn cleanup --remove-unversioned` deletes files nobody has a copy of."""
    # Without these `svn cleanup` only removes its own locks.
    lossy = call.has("--remove-unversioned", "--remove-ignored")
    yield lost_work(call) if lossy else changed(call)


def jj_git(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `jj git push --deleted` deletes branches at the remote."""
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
    """Yield effects of `bfg`, `git-filter-repo`: history is rewritten."""
    yield from call.perform(LOSE_HISTORY)


# Keys of jj's settings whose values are programs, by their last part.
JUJUTSU_PROGRAMS = words(
    "pager editor diff-editor merge-editor program command executable-path diff-formatter tool"
)
_QUOTES = str.maketrans(dict.fromkeys("[]\"',", " "))


def _jujutsu_setting(call: ProgramCall, key: str, value: Word) -> Iterator[Effect]:
    name = key.strip().rpartition(".")[2]
    is_alias = key.strip().startswith("aliases.")
    if name not in JUJUTSU_PROGRAMS and not is_alias:
        return
    # A program and its words, written as one text or as a list.
    line = " ".join(value.text.translate(_QUOTES).split())
    # `["util", "exec", "--", "rm", "-rf", "x"]`: an alias of jj's own sub-command that runs a line.
    line = line.partition(" -- ")[2] if is_alias else line
    if line and not (value.is_known and is_plain_program(line, edits=False)):
        yield Nested(text=line, language="shell", carrier=f"jj {name}", is_known=value.is_known)


def jujutsu_settings(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `jj --config KEY=VALUE`: some keys name programs that jj runs."""
    for word in call.values("--config", "--config-toml"):
        key, _, value = word.text.partition("=")
        yield from _jujutsu_setting(call, key, replace(word, text=value))


def jujutsu_set(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `jj config set --user KEY VALUE`: of the user or of this repository."""
    if len(call.operands) > 1:
        yield from _jujutsu_setting(call, call.texts[0], call.operands[1])
    is_wide = call.has("--user")
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.SETTING,
        " ".join(call.texts[:2]),
        traits=(Trait.GLOBAL,) if is_wide else (),
        reach=Reach.HOME if is_wide else Reach.PROJECT,
    )
