"""git's local commands: what they do to the work tree, the index, branches and stashes.

Single files named are put back without a word; whole trees, forced moves and deletions lose
uncommitted work; what prunes or rewrites objects and refs loses history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested, On, always, local
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.vcs.git_dates import is_recent
from signoff.actions.programs.vcs.patches import patched
from signoff.actions.shell.command import Word
from signoff.values import replace

CHANGE = local(Verb.WRITE, ResourceType.REPOSITORY, reversible=True)
LOSE_WORK = always(
    Verb.DELETE,
    ResourceType.REPOSITORY,
    Trait.LOSES_WORK,
    on=On.NOTHING,
    reach=Reach.PROJECT,
    reversible=False,
)
LOSE_HISTORY = replace(LOSE_WORK, traits=frozenset({Trait.LOSES_HISTORY}))
# gitglossary(7), pathspec: `:/` is the top of the work tree, `:` is no pathspec, so all of it.
WHOLE = frozenset({".", "./", ":/", "*", "..", ":", ":/*", "**", "../"})
# Everything but what such a pathspec names: `:^x`, `:!x`, `:/!x`.
_ALL_BUT = re.compile(r":/?[!^]")
_GLOB = re.compile(r"[*?\[]")
FORCING = ("-f", "--force")
# The commit that is checked out already.
TIP = ((), ("HEAD",), ("@",))
PROTECTED_KINDS = frozenset({FileKind.GUARD, FileKind.AGENT_CONFIG})


def changed(
    call: ProgramCall, *traits: Trait, verb: Verb = Verb.WRITE, target: str = ""
) -> Operation:
    """Build the Operation for a change of the local repository."""
    lossy = not {Trait.LOSES_WORK, Trait.LOSES_HISTORY}.isdisjoint(traits)
    return call.operation(
        verb,
        ResourceType.REPOSITORY,
        target or " ".join(call.texts[:3]),
        traits=traits,
        reach=Reach.PROJECT,
        reversible=not lossy,
    )


def lost_work(call: ProgramCall, *more: Trait, target: str = "") -> Operation:
    """Build the Operation for losing uncommitted or unmerged work."""
    return changed(call, Trait.LOSES_WORK, *more, verb=Verb.DELETE, target=target)


def lost_history(call: ProgramCall, target: str = "") -> Operation:
    """Build the Operation for losing commits, refs or what restores them."""
    return changed(call, Trait.LOSES_HISTORY, verb=Verb.DELETE, target=target)


def reset(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git reset`: only the hard kinds touch the work tree."""
    # `--merge` and `--keep` refuse some conflicts but may also drop what was staged.
    if not call.has("--hard", "--merge", "--keep"):
        yield changed(call)
    elif call.texts[:1] in TIP:
        # The branch stays where it is: only the work tree is reset.
        yield replace(lost_work(call), target="")
    else:
        yield lost_work(call)


def read_tree(call: ProgramCall) -> Iterator[Effect]:
    """`git read-tree`: fills the index; `-u --reset` writes the work tree over, changed or not."""
    yield lost_work(call) if call.has("-u") and call.has("--reset") else changed(call)


def clean(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git clean`: untracked files go, unless it only tells which."""
    if call.is_dry("-n", "--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
    else:
        yield lost_work(call, target="untracked files")
        yield from _emptied_folder(call)


def _emptied_folder(call: ProgramCall) -> Iterator[Effect]:
    """Clean a system folder or a home: nearly all of it is untracked there."""
    folder = Word(text=".")
    # Without a folder in force `.` names nothing that could be judged.
    if not call.place.cwd:
        return
    seen = call.on_file(Verb.WRITE, folder)
    whole_home = seen.reach is Reach.HOME and Trait.BROAD in seen.traits
    if whole_home or seen.reach is Reach.SYSTEM:
        yield call.on_file(Verb.DELETE, folder, Trait.RECURSIVE, Trait.BROAD)


def _is_whole(word: Word) -> bool:
    """Whether a pathspec may cover more than files called by their names."""
    text = word.text
    # git expands globs itself, also those quoted from the shell, and long magic selects anything.
    return (
        text in WHOLE
        or text.endswith("/")
        or _GLOB.search(text) is not None
        or text.startswith(":(")
        or _ALL_BUT.match(text) is not None
    )


def protected(call: ProgramCall) -> Iterator[Effect]:
    """Yield writes of signoff's and agents' settings that another revision brings back."""
    for word in call.operands:
        # The folder of an agent's settings brings its settings file back with it.
        for text in (word.text, f"{word.text.rstrip('/')}/settings.json"):
            written = call.on_file(Verb.WRITE, replace(word, text=text))
            if written.file_kind in {FileKind.GUARD, FileKind.AGENT_CONFIG}:
                yield written
                break


def checkout(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git checkout`: switches, or puts files back as they were."""
    yield from protected(call)
    # With `-b` the operands are a branch and its start, so `feature/` is no folder.
    makes = call.has("-b", "-B", "--orphan")
    if call.has(*FORCING):
        yield lost_work(call)
    elif call.has("--pathspec-from-file") or (
        not makes and any(_is_whole(word) for word in call.operands)
    ):
        yield lost_work(call, Trait.BROAD)
    else:
        yield changed(call)


def checkout_index(call: ProgramCall) -> Iterator[Effect]:
    """`git checkout-index -a -f` writes the index over the work tree, or below a prefix."""
    for word in call.values("--prefix"):
        yield call.on_file(Verb.WRITE, word, Trait.PARTIAL)
    yield lost_work(call) if call.has(*FORCING) else changed(call)


def restore(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `git restore`: files called by their names come back, whole trees lose work."""
    yield from protected(call)
    # `--staged` alone changes the index and leaves the files as they are.
    staged_only = call.has("--staged", "-S") and not call.has("--worktree", "-W")
    named = bool(call.operands) and not any(_is_whole(word) for word in call.operands)
    listed = call.has("--pathspec-from-file")
    yield changed(call) if staged_only or (named and not listed) else lost_work(call)


def switch(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git switch`: loses work only where it is told to discard it."""
    lossy = call.has("-f", "--force", "--discard-changes")
    yield changed(call, *((Trait.LOSES_WORK,) if lossy else ()))


def branch(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git branch`: `-d` refuses what is not merged, `-D` does not."""
    deletes = call.has("-d", "--delete")
    # `-D` is `--delete --force`: commits of an unmerged branch are reachable by the reflog only.
    if call.has("-D") or (deletes and call.has(*FORCING)):
        yield lost_work(call)
    elif call.has("-C", "-f", "--force"):
        # Both let a branch that exists point elsewhere: a copy's last word, else the first one.
        moved = call.texts[-1:] if call.has("-C") else call.texts[:1]
        yield changed(call, Trait.LOSES_WORK, target=" ".join(moved))
    elif call.has("--edit-description", "-m", "-M", "--move", "-c") or call.operands or deletes:
        yield changed(call)
    else:
        yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def stash(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git stash`: dropped entries are gone."""
    what = call.texts[0] if call.operands else "push"
    if what in {"drop", "clear"}:
        yield lost_work(call)
    elif what in {"list", "show"}:
        yield call.operation(Verb.READ, ResourceType.REPOSITORY)
    else:
        yield from _protected(call, call.operands)
        yield changed(call)


def moved(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `git mv`."""
    if not call.is_dry("-n", "--dry-run"):
        yield from _protected(call, call.operands)
    yield changed(call)


def _protected(call: ProgramCall, given: Iterable[Word]) -> Iterator[Effect]:
    """What is taken away of the guard's and agents' own files; others can be put back."""
    for word in given:
        operation = call.on_file(Verb.WRITE, word)
        if operation.file_kind in PROTECTED_KINDS:
            yield operation


def reflog(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git reflog`: its entries are what lost commits are found by."""
    what = call.texts[0] if call.operands else "show"
    if what in {"expire", "delete", "drop"} and not call.is_dry("-n", "--dry-run"):
        yield lost_history(call)
    else:
        yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def collect(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git gc --prune=now` deletes what nothing refers to any more."""
    # Without a date git keeps unreachable objects for two weeks (gc.pruneExpire).
    prune = call.value("--prune")
    lossy = call.has("--prune") and prune is not None and is_recent(prune.text)
    yield changed(call, *((Trait.LOSES_HISTORY,) if lossy else ()))


def update_ref(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git update-ref` moves or deletes a ref without asking."""
    # `--stdin` may delete any number of refs, named where nobody reads them.
    if call.has("-d", "--delete", "--stdin"):
        yield lost_history(call)
    else:
        yield changed(call, Trait.LOSES_WORK)


def symbolic_ref(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git symbolic-ref HEAD` tells, with a second word or `-d` it changes."""
    changes = len(call.operands) > 1 or call.has("-d", "--delete")
    yield changed(call) if changes else call.operation(Verb.READ, ResourceType.REPOSITORY)


def worktree(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git worktree`: removing by force loses what was not committed there."""
    what = call.texts[0] if call.operands else "list"
    if what == "remove" and call.has(*FORCING):
        gone = [call.on_file(Verb.DELETE, word) for word in call.operands[1:]]
        # Work trees below a folder for temporary files were made to be thrown away.
        spare = all(op.reach is Reach.TEMP for op in gone)
        yield changed(call) if spare and gone else lost_work(call, target=call.texts[-1])
    elif what == "list":
        yield call.operation(Verb.READ, ResourceType.REPOSITORY)
    else:
        yield changed(call)
        if what == "add":
            for word in call.operands[1:2]:
                yield _linked_tree(call.on_file(Verb.WRITE, word))


def _linked_tree(made: Operation) -> Operation:
    """A linked work tree belongs to the project; git makes none where something is."""
    # `../feature` beside the repository is the usual place; settings and keys in a home are not.
    is_plain = made.reach is Reach.HOME and made.file_kind is FileKind.OTHER and made.understood
    return replace(made, reach=Reach.PROJECT) if is_plain else made


def submodule(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git submodule`: adding and updating fetches; deinit by force loses work."""
    what = call.texts[0] if call.operands else "status"
    if what == "deinit" and call.has("-f", "--force", "--all"):
        yield lost_work(call)
    elif what in {"add", "update"}:
        where = " ".join(call.texts[1:2])
        yield call.operation(Verb.NETWORK_IN, ResourceType.REPOSITORY, where, reach=Reach.REMOTE)
    else:
        yield changed(call)


def remove(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git rm`: refuses what differs from the last commit, unless it is forced."""
    # `--cached` takes files out of the index and leaves them on disk.
    if call.has("--cached") or call.is_dry("-n", "--dry-run"):
        yield changed(call)
        return
    whole = any(word.text in WHOLE or _ALL_BUT.match(word.text) for word in call.operands)
    # Without `-f` git refuses to remove what differs from the last commit; that much is put back.
    if call.has("-f", "--force", "-r") and (
        whole or (call.has("-f", "--force") and call.has("-r"))
    ):
        for word in call.operands:
            gone = Word(text=".") if _ALL_BUT.match(word.text) else word
            yield call.on_file(Verb.DELETE, gone, Trait.RECURSIVE)
        return
    for word in call.operands:
        yield call.on_file(Verb.WRITE, word)
    yield changed(call)


def search(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `git grep`: `-OPROGRAM` opens the results in a program."""
    for word in call.command.words[2:]:
        text = word.text
        # The program stands in the same word: `-O less` would search for `less`.
        if text.startswith("-O") and len(text) > 2:
            yield Nested(text=text[2:], language="shell", carrier="git grep -O")
        # git takes long options in short: no other of its kind begins with `--op`.
        elif text.startswith("--op") and "=" in text:
            line = text.partition("=")[2]
            yield Nested(text=line, language="shell", carrier="git grep -O")
    yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def look(call: ProgramCall) -> Iterator[Effect]:
    """`git diff`, `git show`, `git cat-file`: files outside and secrets in history are read."""
    for word in call.operands:
        # `HEAD:.env` prints a file as it was committed: a deleted secret is still in history.
        _, colon, path = word.text.partition(":")
        if colon and path and not path.startswith(("/", ":")):
            seen = call.on_file(Verb.READ, Word(text=path, is_known=word.is_known))
            if Trait.READS_SECRET in seen.traits:
                yield seen
        # git-diff(1): with `--no-index` two files are compared, whatever the repository knows.
        elif word.text.startswith(("/", "~", "../")) or call.has("--no-index"):
            yield call.on_file(Verb.READ, word)
    yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def hash_object(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git hash-object -w file` puts a copy of any file into the repository."""
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    yield changed(call)


def bundle(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git bundle create file` writes the history into a file."""
    if call.texts[:1] == ("create",):
        for word in call.operands[1:2]:
            yield call.on_file(Verb.WRITE, word)
    yield call.operation(Verb.READ, ResourceType.REPOSITORY)


def apply_patch(call: ProgramCall) -> Iterator[Effect]:
    """`git apply`, `git am`: the work tree changes, beyond it only with `--unsafe-paths`."""
    # git-apply(1): without it patches that leave the work tree are rejected (CWE-22).
    if call.has("--unsafe-paths"):
        yield call.opaque("the patch may change files outside the work tree")
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    for word in call.values("--directory"):
        yield call.on_file(Verb.WRITE, word, Trait.PARTIAL)
    yield from patched(call)
    # `--apply` takes back that `--stat` and the like switch applying off.
    looking = call.has("--stat", "--numstat", "--summary", "--check") and not call.has("--apply")
    yield call.operation(Verb.READ, ResourceType.REPOSITORY) if looking else changed(call)


def init(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `git init`: hooks of a template outside the project would run later."""
    for word in call.values("--template"):
        if locate(word.text, call.place).reach is not Reach.PROJECT:
            yield call.opaque("hooks are taken from a template outside the project")
    for word in (*call.operands[:1], *call.values("--separate-git-dir")):
        yield call.on_file(Verb.WRITE, word)
    yield changed(call)


def rewrite(call: ProgramCall) -> Iterator[Effect]:
    """Rewrite commits that exist: `filter-branch`, `filter-repo`."""
    inert = call.has("--analyze") or call.is_dry("--dry-run")
    yield call.operation(Verb.READ, ResourceType.REPOSITORY) if inert else lost_history(call)


def rebase(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `git rebase`: unpublished work is moved; the old commits stay in the reflog."""
    yield changed(call)


def tag(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `git tag`, which only makes local names."""
    listing = call.has("-l", "--list") or not call.operands
    yield call.operation(Verb.READ, ResourceType.REPOSITORY) if listing else changed(call)
