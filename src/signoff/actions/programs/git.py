"""git: what each sub-command does to the work tree, to history, and to others.

Local and recoverable work passes; what loses uncommitted work or unmerged branches is said to
lose work, what rewrites or deletes published history to lose history. Options, configuration
keys and transports that make git run programs are taken apart or are opaque (threats.md T-13).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, act, local, reads
from signoff.actions.programs.call import Call
from signoff.actions.programs.git_config import configuration_effects, key_effects
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word

PROTECTED = frozenset({"main", "master", "trunk", "production", "prod", "release", "stable"})
FETCH = act(Verb.NETWORK_IN, Thing.REPOSITORY, on=On.NOTHING, reach=Reach.REMOTE, always=True)
CHANGE = local(Verb.WRITE, Thing.REPOSITORY, reversible=True)
LOSE_WORK = Act(
    Verb.DELETE,
    Thing.REPOSITORY,
    On.NOTHING,
    frozenset({Trait.LOSES_WORK}),
    Reach.PROJECT,
    reversible=False,
    always=True,
)
LOSE_HISTORY = replace(LOSE_WORK, traits=frozenset({Trait.LOSES_HISTORY}))


def _change(call: Call, *traits: Trait, verb: Verb = Verb.WRITE, target: str = "") -> Operation:
    lossy = not {Trait.LOSES_WORK, Trait.LOSES_HISTORY}.isdisjoint(traits)
    return call.operation(
        verb,
        Thing.REPOSITORY,
        target or " ".join(call.texts[:3]),
        traits=traits,
        reach=Reach.PROJECT,
        reversible=not lossy,
    )


def _reset(call: Call) -> Iterator[Effect]:
    if call.has("--hard", "--merge", "--keep"):
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    else:
        yield _change(call)


def _clean(call: Call) -> Iterator[Effect]:
    if call.has("-n", "--dry-run") and not call.has("-f", "--force"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
    elif call.has("-n", "--dry-run"):
        yield call.operation(Verb.INERT, Thing.NOTHING, traits=(Trait.DRY_RUN,))
    elif call.has("-f", "--force", "-i", "--interactive") or not call.options:
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE, target="untracked files")
    else:
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE, target="untracked files")


def _checkout(call: Call) -> Iterator[Effect]:
    if call.has("-f", "--force"):
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    elif _whole_tree(call) and not call.has("-b", "-B", "--orphan"):
        yield _change(call, Trait.LOSES_WORK, Trait.BROAD, verb=Verb.DELETE)
    elif call.has("-B", "--theirs", "--ours") and call.has("-B"):
        yield _change(call, Trait.LOSES_WORK)
    else:
        yield _change(call)


def _whole_tree(call: Call) -> bool:
    return any(text in {".", "./", ":/", "*", "..", ":"} for text in call.texts)


def _restore(call: Call) -> Iterator[Effect]:
    staged_only = call.has("--staged", "-S") and not call.has("--worktree", "-W")
    if staged_only:
        yield _change(call)
    else:
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)


def _switch(call: Call) -> Iterator[Effect]:
    lossy = call.has("-f", "--force", "--discard-changes", "-C", "--force-create")
    yield _change(call, *((Trait.LOSES_WORK,) if lossy else ()))


def _branch(call: Call) -> Iterator[Effect]:
    deletes = call.has("-d", "--delete")
    forced = call.has("-D") or (deletes and call.has("-f", "--force"))
    remote = deletes and call.has("-r", "--remotes")
    if forced:
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    elif deletes and not remote:
        yield _change(call, verb=Verb.WRITE)
    elif call.has("-M", "-C", "-f", "--force"):
        yield _change(call, Trait.LOSES_WORK)
    else:
        yield _change(call)


def _stash(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else "push"
    if what in {"drop", "clear"}:
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    elif what in {"list", "show"}:
        yield call.operation(Verb.READ, Thing.REPOSITORY)
    else:
        yield _change(call)


def _push(call: Call) -> Iterator[Effect]:
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
    refs = call.operands[1:]
    if call.has("-n", "--dry-run"):
        yield call.operation(Verb.INERT, Thing.NOTHING, traits=(Trait.DRY_RUN,))
        return
    yield _pushed(call, refs, _push_traits(call, refs))


def _push_traits(call: Call, refs: tuple[Word, ...]) -> set[Trait]:
    traits: set[Trait] = set()
    targets = {_target_branch(word.text) for word in refs}
    if targets & PROTECTED:
        traits.add(Trait.PROTECTED_BRANCH)
    plus = any(word.text.startswith("+") for word in refs)
    leased = any(o.name.startswith("--force-with-lease") for o in call.options)
    if plus or leased or call.has("-f", "--force", "--force-if-includes"):
        traits.add(Trait.FORCED)
        if not leased and (plus or call.has("-f", "--force")):
            traits.add(Trait.LOSES_HISTORY)
    if call.has("--mirror", "--prune"):
        traits |= {Trait.FORCED, Trait.LOSES_HISTORY, Trait.PROTECTED_BRANCH, Trait.BROAD}
    if call.has("--all", "--branches"):
        traits.add(Trait.BROAD)
    return traits


def _target_branch(ref: str) -> str:
    return ref.lstrip("+").rsplit(":", 1)[-1].removeprefix("refs/heads/")


def _pushed(call: Call, refs: tuple[Word, ...], traits: set[Trait]) -> Operation:
    deleted = [w for w in refs if w.text.startswith(":")]
    if call.has("-d", "--delete") or deleted:
        return call.operation(
            Verb.DELETE,
            Thing.REPOSITORY,
            " ".join(w.text for w in (deleted or refs)),
            traits=traits - {Trait.FORCED},
            reach=Reach.REMOTE,
            reversible=False,
        )
    plain = traits.isdisjoint({Trait.FORCED, Trait.LOSES_HISTORY, Trait.BROAD})
    tags = call.has("--tags", "--follow-tags") or any("refs/tags/" in w.text for w in refs)
    return call.operation(
        Verb.PUBLISH,
        Thing.REPOSITORY,
        " ".join(call.texts),
        traits=traits,
        reach=Reach.REMOTE,
        reversible=plain and not tags,
    )


def transport_effects(call: Call, word: Word) -> Iterator[Effect]:
    """Judge a remote's address: transports that run programs, addresses with bare IPs."""
    text = word.text
    if text.startswith(("ext::", "fd::")) or "::" in text.split("/", 1)[0]:
        yield call.opaque("the transport runs a program", Trait.REMOTE_CODE)
        if text.startswith("ext::"):
            yield Nested(text=text[5:].replace("% ", " "), language="shell", carrier="git ext::")


def _remote(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else ""
    if what in {"add", "set-url"} and len(call.operands) > 2:
        yield from transport_effects(call, call.operands[2])
        yield _change(call)
    elif what in {"remove", "rm", "prune"}:
        yield _change(call)
    else:
        yield call.operation(Verb.READ, Thing.REPOSITORY)


def _clone(call: Call) -> Iterator[Effect]:
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
        yield call.operation(Verb.NETWORK_IN, Thing.REPOSITORY, word.text, reach=Reach.REMOTE)
    for word in call.operands[1:2]:
        yield call.on_file(Verb.WRITE, word)


def _tag(call: Call) -> Iterator[Effect]:
    if call.has("-d", "--delete") or call.has("-f", "--force"):
        yield _change(call)
    else:
        yield _change(call)


def _rebase(call: Call) -> Iterator[Effect]:
    yield _change(call)


def _reflog(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else "show"
    if what in {"expire", "delete", "drop"}:
        yield _change(call, Trait.LOSES_HISTORY, verb=Verb.DELETE)
    else:
        yield call.operation(Verb.READ, Thing.REPOSITORY)


def _gc(call: Call) -> Iterator[Effect]:
    prune = call.value("--prune")
    lossy = call.has("--prune") and (prune is None or prune.text in {"now", "all"})
    yield _change(call, *((Trait.LOSES_HISTORY,) if lossy else ()))


def _update_ref(call: Call) -> Iterator[Effect]:
    if call.has("-d", "--delete", "--stdin"):
        yield _change(call, Trait.LOSES_HISTORY, verb=Verb.DELETE)
    else:
        yield _change(call, Trait.LOSES_WORK)


def _worktree(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else "list"
    if what == "remove" and call.has("-f", "--force"):
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    elif what == "add" and len(call.operands) > 1:
        yield _change(call)
    else:
        yield _change(call)


def _submodule(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else "status"
    if what == "deinit" and call.has("-f", "--force", "--all"):
        yield _change(call, Trait.LOSES_WORK, verb=Verb.DELETE)
    elif what == "foreach":
        yield _change(call)
    elif what in {"add", "update"}:
        yield call.operation(
            Verb.NETWORK_IN, Thing.REPOSITORY, " ".join(call.texts[1:2]), reach=Reach.REMOTE
        )
    else:
        yield _change(call)


def _rm(call: Call) -> Iterator[Effect]:
    if call.has("--cached") or call.has("-n", "--dry-run"):
        yield _change(call)
        return
    for word in call.operands:
        yield call.on_file(Verb.DELETE, word)


def _grep(call: Call) -> Iterator[Effect]:
    for option in call.options:
        if option.name.startswith(("-O", "--open-files-in-pager")) and len(option.name) > 2:
            program_text = option.value.text if option.value else option.name[2:]
            if not option.name.startswith("--"):
                yield Nested(text=program_text, language="shell", carrier="git grep -O")
            elif option.value is not None:
                yield Nested(text=option.value.text, language="shell", carrier="git grep -O")
    yield call.operation(Verb.READ, Thing.REPOSITORY)


def _upload_pack(call: Call) -> Iterator[Effect]:
    for word in call.operands[:1]:
        yield from transport_effects(call, word)
    yield call.operation(Verb.NETWORK_IN, Thing.REPOSITORY, reach=Reach.REMOTE)


def _filter(call: Call) -> Iterator[Effect]:
    yield _change(call, Trait.LOSES_HISTORY, verb=Verb.DELETE)


def _credential(call: Call) -> Iterator[Effect]:
    what = call.texts[0] if call.operands else ""
    if what in {"fill", "get", ""}:
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "stored passwords", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.CONFIGURE, Thing.CREDENTIAL, "stored passwords", reach=Reach.HOME)


READ_ONLY = (
    "status diff log show blame annotate describe shortlog ls-files ls-tree rev-parse rev-list "
    "cat-file name-rev for-each-ref show-ref symbolic-ref var whatchanged cherry merge-base "
    "range-diff diff-tree diff-index diff-files count-objects fsck verify-commit verify-tag "
    "check-ignore check-attr help version grep-log show-branch get-tar-commit-id stripspace "
    "interpret-trailers bugreport diagnose column merge-tree difftool range verify-pack"
)
LOCAL = (
    "add commit merge cherry-pick revert mv init am apply notes format-patch bundle archive "
    "sparse-checkout rerere maintenance pack-refs repack read-tree write-tree update-index "
    "commit-tree hash-object mktag mktree bisect citool gui instaweb request-pull fast-export "
    "fast-import mergetool stage replace unlock undo lfs annex flow prune-packed pack-objects"
)
GLOBAL_VALUES = (
    "-C --git-dir --work-tree --namespace --super-prefix --list-cmds --attr-source -c "
    "--config-env --exec-path"
)


def _unknown_sub(call: Call) -> Iterator[Effect]:
    """`git` alone, or a sub-command nobody knows (an alias or a program `git-x`)."""
    if call.operands:
        yield call.operation(Verb.EXECUTE, Thing.CODE, f"git {call.texts[0]}", reach=Reach.PROJECT)
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _global_options(call: Call) -> Iterator[Effect]:
    """Configuration given for one call, and git's own programs taken from elsewhere."""
    for word in call.values("-c", "--config-env"):
        key, _, value = word.text.partition("=")
        yield from key_effects(call, key, value, is_known=word.is_known)
    if call.value("--exec-path") is not None:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.SETTING,
            "git --exec-path",
            traits=(Trait.ENVIRONMENT,),
            reach=Reach.PROJECT,
            why="git takes its own programs from there",
        )


GIT_SUBS: dict[str, Program | Act | tuple[Act, ...]] = {
    READ_ONLY: sub(
        reads(On.NOTHING),
        Act(Verb.READ, Thing.REPOSITORY, On.NOTHING, always=True),
        writes="-o --output --output-directory",
        values="-n --format --pretty -S -G -L --author --since --until --grep",
    ),
    LOCAL: sub(
        CHANGE,
        values="-m --message -F --file -C -c --author --date -u -o --output -b -t --strategy",
        harmless="--dry-run",
    ),
    "reset": sub(handler=_reset),
    "clean": sub(handler=_clean, values="-e --exclude"),
    "checkout co": sub(handler=_checkout, values="-b -B --orphan --conflict --pathspec-from-file"),
    "restore": sub(handler=_restore, values="-s --source"),
    "switch": sub(handler=_switch, values="-c -C --create --force-create --orphan"),
    "branch": sub(handler=_branch, values="-u --set-upstream-to --contains --sort --format"),
    "stash": sub(handler=_stash, values="-m --message", options_first=False),
    "push": sub(
        handler=_push,
        values="-o --push-option --repo --receive-pack --exec --signed --recurse-submodules",
        runs="--receive-pack --exec",
    ),
    "fetch pull ls-remote fetch-pack": sub(
        handler=_upload_pack,
        values="--depth -o --server-option --refmap -j --jobs --shallow-since --filter",
        runs="--upload-pack --exec",
    ),
    "remote": sub(handler=_remote),
    "clone": sub(
        handler=_clone,
        values="-b --branch --depth -o --origin -j --jobs --filter --reference --template "
        "--separate-git-dir -c --config --shallow-since --server-option",
        runs="-u --upload-pack",
    ),
    "tag": sub(handler=_tag, values="-m -F -u --sort --format --contains"),
    "rebase": sub(handler=_rebase, values="--onto -s -X --strategy -x --exec", runs=""),
    "reflog": sub(handler=_reflog, values="--expire --expire-unreachable"),
    "gc": sub(handler=_gc, acting={"--prune": ()}),
    "prune": sub(LOSE_HISTORY, harmless="-n --dry-run"),
    "update-ref": sub(handler=_update_ref),
    "worktree": sub(handler=_worktree, values="-b -B --reason --expire"),
    "submodule": sub(handler=_submodule, values="-b --name --reference --depth"),
    "rm": sub(handler=_rm, flags={"-r": Trait.RECURSIVE, "-f --force": Trait.FORCED}),
    "grep": sub(handler=_grep, values="-e -f -m --max-depth -A -B -C --threads"),
    "filter-branch filter-repo": sub(handler=_filter),
    "credential credential-store credential-cache credential-osxkeychain": sub(handler=_credential),
    "config": sub(handler=configuration_effects, values="-f --file --blob --type --default"),
    "daemon http-backend shell upload-pack receive-pack": sub(
        act(Verb.CONTROL, Thing.PROCESS, Trait.LISTENS, on=On.NOTHING, always=True)
    ),
    "send-email imap-send": sub(
        act(Verb.NETWORK_OUT, Thing.MESSAGE, on=On.NOTHING, reach=Reach.REMOTE, always=True)
    ),
    "svn p4 cvsserver cvsexportcommit": sub(
        act(Verb.PUBLISH, Thing.REPOSITORY, on=On.NOTHING, reach=Reach.REMOTE, always=True)
    ),
}


PROGRAMS: tuple[Program, ...] = (
    program(
        "git", values=GLOBAL_VALUES, subs=GIT_SUBS, handler=_unknown_sub, prelude=_global_options
    ),
)
