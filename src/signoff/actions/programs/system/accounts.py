"""Users, groups, rights: who there is, what they may do, acting as somebody else.

A file mode that sets the user id, a user with the id of root, a rule without a password are ways
back in. Rights of named files in the project are ordinary work.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.listings import is_tree, tree_root
from signoff.actions.programs.system.archives import SYSTEM_ROOTS
from signoff.actions.programs.system.operands import raises_rights
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words
from signoff.values import replace


def sudoedit(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `sudoedit FILE...`: writes the files as another user."""
    yield from (call.on_file(Verb.WRITE, word) for word in call.operands)


def change_mode(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `chmod MODE FILE...`."""
    mode, files = _mode_and_files(call)
    recursive = call.has("-R", "--recursive")
    raising = raises_rights(mode)
    opening, tight = opens(mode), _closes(mode)
    for file in files:
        # `chmod 777 $(find src)`: the words stand for a whole tree, so it counts as if `-R` were
        # given.
        word, deep = (tree_root(file), True) if is_tree(file) else (file, recursive)
        if raising:
            yield _right(call, word, Verb.PRIVILEGE, Trait.BACKDOOR)
        elif "s" in mode and not mode.isdigit() and "-" not in mode:
            # Setgid (`g+s`) gives a group's rights only: asked about, but no way back in as
            # setuid is.
            yield _right(call, word, Verb.PRIVILEGE)
        elif opening:
            more = (Trait.RECURSIVE,) if deep else ()
            operation = call.on_file(Verb.CONFIGURE, word, Trait.OPENS_ACCESS, *more)
            yield operation
        elif deep:
            yield from _deep(call, word)
        else:
            changed = call.on_file(Verb.WRITE, word)
            # sshd refuses login keys that others may write: `chmod 600 ~/.ssh/authorized_keys`
            # protects.
            is_login = changed.file_kind is FileKind.AUTHORIZED_KEYS
            yield replace(changed, file_kind=FileKind.OTHER) if is_login and tight else changed
    if not files:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _closes(mode: str) -> bool:
    """Tell whether a file mode leaves a file to its owner alone, as login keys want it."""
    if mode.isascii() and mode.isdigit():
        # Three or four digits, the last two 0: nothing for the group, nothing for others.
        return len(mode) in (3, 4) and mode[-2:] == "00"
    clauses = [_split_clause(clause) for clause in mode.split(",")]
    return all(sign == "-" and not set(who) - set("goa") for who, sign, _ in clauses)


def _mode_and_files(call: ProgramCall) -> tuple[str, tuple[Word, ...]]:
    # The mode is that of another file, so every operand is a file and no mode can be judged.
    if call.has("--reference"):
        return "", call.operands
    # `chmod -w FILE`: the parser took the mode for options, so it is no operand here.
    dashed = next((o.name for o in call.options if _is_dashed_mode(o.name)), "")
    if dashed:
        return dashed, call.operands
    return (call.texts[0] if call.operands else ""), call.operands[1:]


def _is_dashed_mode(name: str) -> bool:
    return name[:1] == "-" and name[1:2] != "-" and set(name[1:]) <= set("rwxXst,=+ugoa")


def opens(mode: str) -> bool:
    """Return whether a file mode lets everybody write."""
    if mode.isascii() and mode.isdigit():
        # Bit 2 of the last octal digit is write access for others.
        return int(mode[-1]) & 2 != 0
    for clause in mode.split(","):
        who, sign, what = _split_clause(clause)
        # Without `who` (`+w`) chmod applies the umask, which keeps others out.
        if sign in "+=" and sign and "w" in what and (not set(who).isdisjoint("oa")):
            return True
    return False


def _split_clause(clause: str) -> tuple[str, str, str]:
    for at, char in enumerate(clause):
        if char in "+-=":
            return clause[:at], char, clause[at + 1 :]
    return clause, "", ""


def _right(call: ProgramCall, word: Word, verb: Verb, *traits: Trait) -> Operation:
    return call.operation(
        verb, ResourceType.ACCOUNT, word.text, traits=traits, reach=Reach.SYSTEM, reversible=False
    )


def _deep(call: ProgramCall, word: Word) -> Iterator[Operation]:
    """A whole tree gets other rights or owners; over the system nothing works afterwards."""
    operation = call.on_file(Verb.WRITE, word, Trait.RECURSIVE)
    # Login, sudo and ssh refuse files with wrong owners: no command is left to put them back.
    if operation.path in SYSTEM_ROOTS:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.MACHINE, word.text, reach=Reach.SYSTEM, reversible=False
        )
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.ACCOUNT,
        word.text,
        traits=(Trait.RECURSIVE, *(operation.traits & {Trait.BROAD})),
        reach=operation.reach,
        reversible=False,
        path=operation.path,
    )


def change_owner(call: ProgramCall) -> Iterator[Effect]:
    """`chown OWNER FILE...`: one file of the project is ordinary, a tree is asked about."""
    files = call.operands if call.has("--reference") else call.operands[1:]
    deep = call.has("-R", "--recursive")
    for word in files:
        if deep or is_tree(word):
            yield from _deep(call, tree_root(word))
            continue
        at = call.on_file(Verb.WRITE, word)
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.ACCOUNT,
            word.text,
            reach=at.reach,
            # Elsewhere the former owner is recorded nowhere.
            reversible=at.reach in {Reach.PROJECT, Reach.TEMP},
            path=at.path,
        )
    if not files:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def access_list(call: ProgramCall) -> Iterator[Effect]:
    """`setfacl`: entries for named files; recursion and rights for all are asked about."""
    texts = " ".join(w.text for w in call.values("-m", "--modify", "-M", "--set", "-x"))
    wide = any(f"{who}{mode}" in texts for who in ("o::", "other::", "o:") for mode in ("rw", "w"))
    for word in call.operands:
        if call.has("-R", "--recursive"):
            yield from _deep(call, word)
        elif wide:
            yield call.on_file(Verb.CONFIGURE, word, Trait.OPENS_ACCESS)
        else:
            yield call.on_file(Verb.WRITE, word)
    for word in call.values("--restore"):
        # The file lists paths and rights of its own; it was not read.
        yield call.opaque(f"the access lists stand in `{word.text}`")


def raise_capability(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `setcap CAPS FILE`: a program that may do what only root may."""
    text = " ".join(call.texts).lower()
    strong = any(
        name in text
        # capabilities(7): each of these alone is as good as root. `=ep` grants all of them.
        for name in ("setuid", "sys_admin", "dac_override", "dac_read", "sys_ptrace", "all=", "=ep")
    )
    # `setcap -r` takes capabilities away.
    removing = call.has("-r")
    traits = (Trait.BACKDOOR,) if strong and not removing else ()
    yield call.operation(
        Verb.PRIVILEGE,
        ResourceType.ACCOUNT,
        text,
        traits=traits,
        reach=Reach.SYSTEM,
        reversible=False,
    )


def add_user(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `useradd` and `usermod`: id 0 or an administrators' group is a back door."""
    group_words = call.values("-G", "--groups", "-g", "--gid", "--ingroup", "-aG")
    groups = {name for w in group_words for name in w.text.split(",")}
    # Debian's `adduser USER GROUP` names the group as an operand, not behind `-G`.
    groups |= set(call.texts[1:]) if call.name in {"adduser", "addgroup"} else set()
    uid = call.value("-u", "--uid")
    # `-u 0`, `-u 00`: a second name for root.
    is_root = uid is not None and uid.text.strip("0") == ""
    adding = call.name.startswith(("useradd", "adduser"))
    if call.name == "gpasswd" and call.has("-a"):
        groups |= set(call.texts)
    # A new account in such a group is a way back in, and so is any in the group that may do all;
    # `usermod -aG docker me` is set-up work: asked.
    strong = is_root or not (ADMINISTRATORS if adding else MASTERS).isdisjoint(groups)
    yield call.operation(
        Verb.PRIVILEGE if strong or not ADMINISTRATORS.isdisjoint(groups) else Verb.CONFIGURE,
        ResourceType.ACCOUNT,
        " ".join(call.texts),
        traits=(Trait.BACKDOOR,) if strong else (),
        reach=Reach.SYSTEM,
        reversible=False,
    )


# docker and lxd can mount the host, disk reads raw devices, shadow the hashes: all lead to root.
MASTERS = words("root sudo wheel admin administrators")
ADMINISTRATORS = words("root sudo wheel admin adm docker lxd disk shadow administrators")


def become(call: ProgramCall) -> Iterator[Effect]:
    """`sudo`, `su`, `doas` that carry nothing the reader could unfold: a shell of another user."""
    # sudo(8): these list rights, renew or drop the cached password, and start no program.
    if call.has("-l", "--list", "-v", "--validate", "-k", "-K", "-V", "--version", "-h"):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
        return
    # `sudo -e` is sudoedit: the files named are written as root.
    if call.name in {"sudo", "sudo-rs"} and call.has("-e", "--edit"):
        for word in call.operands:
            yield call.on_file(Verb.WRITE, word)
    yield call.operation(
        Verb.PRIVILEGE,
        ResourceType.ACCOUNT,
        " ".join(call.texts),
        reach=Reach.SYSTEM,
        reversible=False,
    )


def as_other(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `gksudo CMD`, `dzdo CMD`: a program run as another user."""
    if call.has("-l", "-V", "-v", "--version"):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
        return
    yield call.operation(Verb.PRIVILEGE, ResourceType.ACCOUNT, reach=Reach.SYSTEM, reversible=False)
    if call.operands:
        # The carrier begins with `sudo` so that the command is judged as one that runs as root.
        yield Nested(text=rejoin(call.operands), language="shell", carrier=f"sudo {call.name}")
