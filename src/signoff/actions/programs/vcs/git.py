"""git: what each sub-command does to the work tree, to history, and to others.

Local and recoverable work passes; what loses uncommitted work or unmerged branches is said to
lose work, what rewrites or deletes published history to lose history. Options, configuration
keys and transports that make git run programs are taken apart or are opaque (threats.md T-13).
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, act, reads
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import lex
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.vcs import git_remote
from signoff.actions.programs.vcs import git_work as work
from signoff.actions.programs.vcs.git_config import configuration_effects, key_effects
from signoff.actions.programs.vcs.git_extras import EXTRAS
from signoff.values import replace

READ_ONLY = (
    "status log blame annotate describe shortlog ls-files ls-tree rev-parse rev-list "
    "name-rev for-each-ref show-ref var whatchanged cherry merge-base "
    "range-diff diff-tree diff-index diff-files count-objects fsck verify-commit verify-tag "
    "check-ignore check-attr help version grep-log show-branch get-tar-commit-id stripspace "
    "interpret-trailers bugreport diagnose column merge-tree range verify-pack"
)
LOCAL = (
    "add commit merge cherry-pick revert mv am notes "
    "sparse-checkout rerere maintenance pack-refs repack read-tree write-tree update-index "
    "commit-tree mktag mktree bisect citool gui instaweb request-pull fast-export "
    "fast-import stage replace unlock prune-packed pack-objects"
)
GLOBAL_VALUES = (
    "-C --git-dir --work-tree --namespace --super-prefix --list-cmds --attr-source -c "
    "--config-env --exec-path"
)


def _unknown_sub(call: Call) -> Iterator[Effect]:
    """`git` alone, or a sub-command nobody knows (an alias or a program `git-x`)."""
    if call.operands and lex(call.texts[:1]).verb is Verb.DELETE:
        yield work.lost_work(call)
    elif call.operands:
        yield call.operation(Verb.EXECUTE, Thing.CODE, f"git {call.texts[0]}", reach=Reach.PROJECT)
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _global_options(call: Call) -> Iterator[Effect]:
    """Configuration given for one call, and git's own programs taken from elsewhere."""
    for word in call.values("-c", "--config-env"):
        key, _, value = word.text.partition("=")
        yield from key_effects(call, key, value, is_known=word.is_known)
    for word in call.values("-C", "--work-tree"):
        yield call.on_file(Verb.READ, word)
    if call.value("--exec-path") is not None:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.SETTING,
            "git --exec-path",
            traits=(Trait.ENVIRONMENT,),
            reach=Reach.PROJECT,
            why="git takes its own programs from there",
        )


def _known(names: str) -> dict[str, frozenset[Trait]]:
    """Name options that add no trait, so that git's own abbreviations of them are understood."""
    return {names: frozenset()}


GIT_SUBS: dict[str, Program | Act | tuple[Act, ...]] = {
    READ_ONLY: sub(
        reads(On.NOTHING),
        Act(Verb.READ, Thing.REPOSITORY, On.NOTHING, always=True),
        writes="-o --output --output-directory",
        values="-n --format --pretty -S -G -L --author --since --until --grep",
    ),
    LOCAL: sub(
        work.CHANGE,
        values="-m --message -C -c --author --date -u -b -t --strategy",
        reads="-F --file",
        harmless="--dry-run",
    ),
    "diff show cat-file": sub(
        handler=work.look,
        writes="--output",
        values="-n --format --pretty -S -G --since --until -U --relative",
    ),
    "hash-object": sub(handler=work.hash_object, values="-t --path"),
    "bundle": sub(handler=work.bundle),
    "apply": sub(handler=work.apply_patch, values="-p -C --directory --exclude --include"),
    "init": sub(handler=work.init, values="-b --initial-branch --template --separate-git-dir"),
    "format-patch": sub(work.CHANGE, writes="-o --output-directory", values="-v --subject-prefix"),
    "difftool mergetool": sub(
        work.CHANGE,
        values="-t --tool",
        runs="-x --extcmd",
    ),
    "archive": sub(
        Act(Verb.READ, Thing.REPOSITORY, On.NOTHING, always=True),
        values="--format --prefix --remote",
        writes="-o --output",
        runs="--exec",
    ),
    "reset": sub(handler=work.reset, flags=_known("--hard --merge --keep --soft --mixed")),
    "clean": sub(
        handler=work.clean,
        values="-e --exclude",
        flags=_known("--force --dry-run --interactive --quiet"),
    ),
    "checkout co": sub(
        handler=work.checkout,
        values="-b -B --orphan --conflict --pathspec-from-file --inter-hunk-context -U --unified",
        flags=_known("--force --quiet --detach --track --ours --theirs --merge --patch --guess"),
    ),
    "restore": sub(
        handler=work.restore,
        values="-s --source --pathspec-from-file",
        flags=_known("--staged --worktree --ours --theirs --merge --patch --quiet"),
    ),
    "switch": sub(
        handler=work.switch,
        values="-c -C --create --force-create --orphan",
        flags={"-f --force --discard-changes": Trait.FORCED},
    ),
    "branch": sub(
        handler=work.branch,
        values="-u --set-upstream-to --contains --sort --format",
        flags=_known("--delete --force --move --copy --remotes --all --list --edit-description"),
    ),
    "stash": sub(handler=work.stash, values="-m --message", options_first=False),
    "push": sub(
        handler=git_remote.push,
        values="-o --push-option --repo --receive-pack --exec",
        runs="--receive-pack --exec",
        flags=_known(
            "--force --force-with-lease --force-if-includes --delete --mirror --prune --all "
            "--branches --tags --follow-tags --dry-run --set-upstream --signed --verify "
            "--no-verify "
            "--recurse-submodules --atomic --thin --quiet --progress --porcelain"
        ),
    ),
    "fetch pull ls-remote fetch-pack": sub(
        handler=git_remote.fetch,
        values="--depth -o --server-option --refmap -j --jobs --shallow-since --filter",
        runs="--upload-pack --exec",
    ),
    "remote": sub(handler=git_remote.remote),
    "clone": sub(
        handler=git_remote.clone,
        values="-b --branch --depth -o --origin -j --jobs --filter --reference --template "
        "--separate-git-dir -c --config --shallow-since --server-option",
        runs="-u --upload-pack",
    ),
    "tag": sub(handler=work.tag, values="-m -F -u --sort --format --contains"),
    "rebase": sub(handler=work.rebase, values="--onto -s -X --strategy -x --exec", runs=""),
    "reflog": sub(
        handler=work.reflog,
        values="--expire --expire-unreachable",
        flags=_known("--dry-run --all --rewrite --updateref --stale-fix"),
    ),
    "gc": sub(handler=work.collect, flags=_known("--prune --aggressive --auto --force")),
    "prune": sub(work.LOSE_HISTORY, harmless="-n --dry-run"),
    "update-ref": sub(handler=work.update_ref, flags=_known("--stdin --no-deref"), values="-m"),
    "worktree": sub(
        handler=work.worktree,
        values="-b -B --reason --expire",
        flags=_known("--force --detach --lock"),
    ),
    "submodule": sub(
        handler=work.submodule,
        values="-b --name --reference --depth",
        flags=_known("--force --all --init --recursive --remote"),
    ),
    "rm": sub(
        handler=work.remove,
        flags={
            "-r": Trait.RECURSIVE,
            "-f --force": Trait.FORCED,
            **_known("--cached --dry-run --quiet --ignore-unmatch"),
        },
    ),
    "grep": sub(handler=work.search, values="-e -f -m --max-depth -A -B -C --threads"),
    "filter-branch filter-repo": sub(handler=work.rewrite),
    "credential credential-store credential-cache credential-osxkeychain": sub(
        handler=git_remote.credential
    ),
    "config": sub(
        handler=configuration_effects,
        values="-f --file --blob --type --default",
        flags=_known(
            "--global --system --local --worktree --get --get-all --get-regexp --list --unset "
            "--unset-all --remove-section --rename-section --replace-all --add --edit --bool --int "
            "--show-origin --show-scope --get-urlmatch --name-only --null --includes"
        ),
    ),
    "daemon http-backend shell upload-pack receive-pack": sub(
        act(
            Verb.CONTROL,
            Thing.PROCESS,
            Trait.LISTENS,
            on=On.NOTHING,
            reach=Reach.SYSTEM,
            always=True,
        )
    ),
    "send-email imap-send": sub(
        act(Verb.NETWORK_OUT, Thing.MESSAGE, on=On.NOTHING, reach=Reach.REMOTE, always=True)
    ),
    "cvsserver cvsexportcommit": sub(
        act(Verb.PUBLISH, Thing.REPOSITORY, on=On.NOTHING, reach=Reach.REMOTE, always=True)
    ),
    **EXTRAS,
}


def _dashed(names: str, described: Program | Act | tuple[Act, ...]) -> Program:
    """`git-lfs push` is `git lfs push`."""
    dashed = tuple(f"git-{name}" for name in names.split())
    if not isinstance(described, Program):
        described = sub(*(described if isinstance(described, tuple) else (described,)))
    return replace(described, names=dashed)


PROGRAMS: tuple[Program, ...] = (
    program(
        "git", values=GLOBAL_VALUES, subs=GIT_SUBS, handler=_unknown_sub, by_options=_global_options
    ),
    *(_dashed(names, described) for names, described in EXTRAS.items()),
)
