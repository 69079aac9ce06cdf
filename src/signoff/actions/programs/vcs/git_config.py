"""git configuration: which keys make git run programs, weaken checks, or reach beyond the project.

`git -c key=value` and `git config key value` mean the same; a value that is a program is
taken apart as a shell line.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handed_over.variables import EDITOR_NAMES, is_plain_program
from signoff.actions.programs.plain_names import has_operators, named_program
from signoff.actions.programs.vcs.git_dates import is_recent
from signoff.actions.programs.vcs.git_work import lost_history
from signoff.actions.vocabulary import words

# git-config(1): git runs each value, or finds programs and further keys in the folder or file.
RUNNING_KEYS = (
    "core.fsmonitor",
    "core.sshcommand",
    "core.pager",
    "core.editor",
    "core.askpass",
    "core.gitproxy",
    "core.hookspath",
    "core.alternaterefscommand",
    "diff.external",
    "sequence.editor",
    "credential.helper",
    "instaweb.browser",
    "instaweb.httpd",
    "interactive.difffilter",
    "imap.tunnel",
    "uploadpack.packobjectshook",
    "web.browser",
    "init.templatedir",
    "include.path",
    "sendemail.smtpserver",
)
# Keys with a name in the middle: `filter.x.smudge`, `difftool.x.cmd`, `remote.x.vcs`.
RUNNING_SUFFIXES = (
    # `tar.x.command`, `gpg.ssh.defaultKeyCommand`, `guitool.x.cmd`, `sendemail.toCmd`
    *("command", "cmd", "program"),
    ".textconv",
    ".clean",
    ".smudge",
    ".process",
    ".driver",
    ".path",
    ".uploadpack",
    ".receivepack",
    ".proxy",
    ".vcs",
    ".helper",
)
RUNNING_SECTIONS = (
    "diff.",
    "filter.",
    "merge.",
    "mergetool.",
    "difftool.",
    "remote.",
    "pager.",
    "includeif.",
    "browser.",
    "man.",
    "trailer.",
    "credential.",
    "sendemail.",
    "gpg.",
    "guitool.",
    "hook.",
    "tar.",
)
# Their values are folders and files, so they are not read as shell lines.
PATH_KEYS = frozenset({"core.hookspath", "init.templatedir", "include.path", "core.worktree"})
# Stores of credentials, programs for signatures, and compressors of archives.
PLAIN_VALUES = words(
    "store cache osxkeychain manager manager-core libsecret wincred gpg gpg2 gpgsm ssh-keygen "
    "op-ssh-sign gzip pigz bzip2 xz zstd lz4"
)
# git-config(1): how long commits that nothing refers to are kept.
KEEPING = words("gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable gc.worktreepruneexpire")
WEAKENING = {
    "http.sslverify": ("false", "0", "no", "off"),
    # `ext::` addresses run a program; git forbids them unless this allows it.
    "protocol.ext.allow": ("always", "user"),
    "protocol.allow": ("always",),
    # `*` trusts repositories of other users, whose hooks and keys then run (CVE-2022-24765).
    "safe.directory": ("*",),
    "transfer.fsckobjects": ("false",),
    "commit.gpgsign": (),
}


def key_effects(
    call: ProgramCall, key: str, value: str, *, is_known: bool = True
) -> Iterator[Effect]:
    """Yield the effects of setting one git configuration key."""
    name = key.lower()
    if name.startswith("alias."):
        # Only `!` makes an alias a shell line; without it git reads its own sub-command.
        if value.startswith("!"):
            yield Nested(text=value[1:], language="shell", carrier="git alias", is_known=is_known)
    elif _runs(name, value):
        yield from _running(call, name, key, value, is_known=is_known)
    elif name in KEEPING and is_recent(value):
        yield lost_history(call, f"{key}={value}")
    elif value.lower() in WEAKENING.get(name, ()):
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.PROTECTION,
            f"{key}={value}",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    elif name.endswith((".insteadof", ".pushinsteadof")):
        # Rewrites addresses: later fetches and pushes go elsewhere under the old name.
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            f"{key}={value}",
            traits=(Trait.RUNS_LATER, Trait.GLOBAL),
        )


def _runs(name: str, value: str) -> bool:
    # git-submodule(1): `!` makes the way to update a shell line; else it is a word as `rebase`.
    if name.startswith("submodule.") and name.endswith(".update"):
        return value.startswith("!")
    if name in RUNNING_KEYS:
        return True
    # `pager.log` has no suffix: the sub-command's name is the last part.
    return name.startswith(RUNNING_SECTIONS) and (
        name.endswith(RUNNING_SUFFIXES) or name.startswith("pager.")
    )


def _running(
    call: ProgramCall, name: str, key: str, value: str, *, is_known: bool
) -> Iterator[Effect]:
    if not value or value.lower() in {"true", "false"} or _is_git_helper(value):
        return
    # `core.pager=cat` keeps output in one piece for agents; arguments are still read as a line.
    if is_known and is_plain_program(value, edits=name in EDITOR_NAMES):
        if " " in value:
            yield Nested(text=value, language="shell", carrier=key)
        return
    # Husky and others set `.husky` here: hooks of the project are project code.
    if name == "core.hookspath" and _is_near(value, call, is_known=is_known):
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            f"{key}={value}"[:120],
            traits=(Trait.RUNS_LATER,),
            reach=Reach.PROJECT,
            why="git runs the hooks of this folder, or none",
        )
        return
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.SETTING,
        f"{key}={value}"[:120],
        traits=(Trait.ENVIRONMENT,),
        reach=Reach.PROJECT,
        why="git runs this program at later commands",
    )
    if name not in PATH_KEYS:
        yield Nested(text=value.lstrip("!"), language="shell", carrier=key, is_known=is_known)


def _is_git_helper(value: str) -> bool:
    """Whether a value is a helper that comes with git, perhaps with options of its own."""
    # git hands the value to a shell: `store & id` is the helper and something else.
    return named_program(value.lstrip("!")) in PLAIN_VALUES and not has_operators(value)


def _is_near(value: str, call: ProgramCall, *, is_known: bool) -> bool:
    """Whether hooks are those of a folder of the project, or switched off."""
    # Beyond this repository such a folder would hold the hooks of every other one.
    if not is_known or call.has("--global", "--system"):
        return False
    return value == "/dev/null" or locate(value, call.place).reach is Reach.PROJECT


READING = ("--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch", "--show-origin")
# Each changes the configuration though at most one word stands behind it.
UNSETTING = ("--unset", "--unset-all", "--remove-section", "--rename-section", "--edit", "-e")
READ_WORDS = frozenset({"get", "list"})
UNSETTING_WORDS = words("unset edit remove-section rename-section")


def configuration_effects(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `git config ...` in its old and its new (`git config set`) form."""
    operands = list(call.operands)
    if call.has(*READING) or (operands and operands[0].text in READ_WORDS):
        yield call.operation(Verb.READ, ResourceType.SETTING)
        return
    first = operands[0].text if operands else ""
    if first in UNSETTING_WORDS or first == "set":
        operands.pop(0)
    wide = call.has("--global", "--system")
    unsets = call.has(*UNSETTING) or first in UNSETTING_WORDS
    if len(operands) >= 2:
        key, value = operands[0], operands[1]
        yield from key_effects(call, key.text, value.text, is_known=value.is_known)
    elif not unsets:
        # `git config user.name` with one word shows its value.
        yield call.operation(Verb.READ, ResourceType.SETTING)
        return
    for word in call.values("-f", "--file"):
        yield call.on_file(Verb.WRITE, word)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.SETTING,
        " ".join(w.text for w in operands[:2])[:120],
        traits=(Trait.GLOBAL,) if wide else (),
        reach=Reach.HOME if wide else Reach.PROJECT,
    )
