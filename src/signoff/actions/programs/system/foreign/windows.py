"""Tools of Windows, as they stand in command lines of agents: options begin with a slash.

`/f` and `-f` are one option here; a path never begins with a slash and one letter.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, On, always
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import (
    BLIND_PROTECTION,
    CONFIGURE_ACCOUNT,
    CONFIGURE_DEVICE,
    CONFIGURE_NETWORK,
    CONFIGURE_PROTECTION,
    CONFIGURE_SYSTEM,
    CONTROL_SERVICE,
    INSPECT,
    WEAKEN_PROTECTION,
)
from signoff.actions.programs.system.foreign.windows_shells import as_shell, started_by
from signoff.actions.shell.command import Word
from signoff.values import replace

SHADOWS_GONE = always(
    Verb.DELETE,
    ResourceType.BACKUP,
    Trait.WHOLE_STORE,
    on=On.NOTHING,
    reach=Reach.SYSTEM,
    reversible=False,
)


# `//s` is how Git Bash writes `/s`, so that it does not take it for a path.
_SWITCH = re.compile(r"//?(-?[a-zA-Z?](?::\S*)?)")


# `/s/q` are two of them.
_DELETION_SWITCH = re.compile(r"/?(?:/[psfq?]|/a(?::?(?:-?[rhsailo])+)?)+", re.IGNORECASE)


def _single(text: str) -> str:
    """Return a word with the slash that its program gets from Git Bash for two."""
    return text[1:] if text[:2] == "//" and "/" not in text[2:] else text


def switches(call: ProgramCall) -> frozenset[str]:
    """Return every `/x` switch of a call, in lower case without its slash."""
    words_ = (_single(w.text) for w in call.command.words[1:])
    return frozenset(t[1:].lower() for t in words_ if t[:1] == "/" and "/" not in t[1:])


def files(call: ProgramCall) -> tuple[Word, ...]:
    """Return the operands that are no switches."""
    return tuple(
        w
        for w in call.operands
        # Switches such as `/inheritance` aside, a longer word with one slash is a path of a Unix
        # line.
        if not _is_switch(_single(w.text))
    )


def _is_switch(text: str) -> bool:
    return text[:1] == "/" and "/" not in text[1:] and len(text) < 12


def copied(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `xcopy /e SOURCE TARGET`, `copy`, `move`: no file is called `/e`."""
    named = tuple(word for word in call.operands if not _SWITCH.fullmatch(word.text))
    for word in named:
        yield call.on_file(Verb.WRITE, word)


def deletion(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `del FILE`, `rd /s FOLDER`."""
    given = [w.text.lower() for w in call.command.words[1:] if _DELETION_SWITCH.fullmatch(w.text)]
    deep = any(["s" in text.partition("/a")[0] for text in given])
    # `\\Users` became `/Users`: only what these two know is a switch.
    for word in call.operands:
        if _DELETION_SWITCH.fullmatch(word.text):
            continue
        traits = [Trait.RECURSIVE] if deep else []
        # `del /s *.*` takes every file below the folder in force.
        if word.text.replace("*", "").replace(".", "") == "" and deep:
            traits.append(Trait.BROAD)
        yield call.on_file(Verb.DELETE, word, *traits)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def disk_format(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `format C:`."""
    for word in files(call)[:1]:
        yield call.operation(
            Verb.DELETE, ResourceType.DEVICE, word.text, reach=Reach.SYSTEM, reversible=False
        )
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def registry(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `reg query|add|delete`."""
    what = call.texts[0].lower() if call.operands else ""
    key = call.texts[1] if len(call.operands) > 1 else ""
    # `Run`, `RunOnce` and Winlogon's `Shell` start programs at each sign-in.
    runs_later = "currentversion\\run" in key.lower() or "winlogon" in key.lower()
    # Defender, credential protection of LSA, and User Account Control are set below these keys.
    weakens = any(p in key.lower() for p in ("windows defender", "\\lsa", "policies\\system"))
    if what in {"query", "compare", "/?", ""} or "?" in switches(call):
        yield call.operation(Verb.READ, ResourceType.SETTING, key)
    elif what == "delete":
        yield call.operation(
            Verb.DELETE, ResourceType.SETTING, key, reach=Reach.SYSTEM, reversible=False
        )
    elif what == "add" and runs_later:
        yield call.operation(Verb.PERSIST, ResourceType.SERVICE, key, reach=Reach.SYSTEM,
                             traits=(Trait.RUNS_LATER,), reversible=False)  # fmt: skip
        given = [word.text for word in call.command.words]
        for option, line in itertools.pairwise(given):
            if option.lower() in {"/d", "-d"}:
                yield from started_by(call, line)
    elif what == "add" and weakens:
        yield from call.perform(WEAKEN_PROTECTION)
    elif what in {"save", "export"}:
        # From these three hives the password hashes of all accounts can be read off this machine.
        secret = key.lower().endswith(("\\sam", "\\system", "\\security"))
        traits = (Trait.READS_SECRET,) if secret else ()
        thing = ResourceType.CREDENTIAL if secret else ResourceType.SETTING
        yield call.operation(Verb.READ, thing, key, traits=traits)
    else:
        named = call.operands[1:2] or call.operands
        yield from replace(call, operands=named).perform(CONFIGURE_SYSTEM)


def accounts(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `net user|localgroup|share|stop ...`."""
    texts = [t.lower() for t in call.texts]
    given = switches(call)
    what = texts[0] if texts else ""
    adding = "add" in given or "/add" in texts
    if what in {"user", "localgroup", "group", "accounts"}:
        if adding or "delete" in given:
            strong = adding and "administrators" in texts
            yield call.operation(
                Verb.PRIVILEGE if strong else Verb.CONFIGURE,
                ResourceType.ACCOUNT,
                " ".join(texts),
                traits=(Trait.BACKDOOR,) if strong or (what == "user" and adding) else (),
                reach=Reach.SYSTEM,
                reversible=False,
            )
        else:
            # `net user bob NEWPASSWORD`: the third word changes the account.
            yield from call.perform(INSPECT if len(texts) < 3 else CONFIGURE_ACCOUNT)
    elif what in {"stop", "start", "pause", "continue"} and len(texts) > 1:
        yield from call.perform(CONTROL_SERVICE)
    elif what in {"share", "use"} and len(texts) > 1:
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NOTHING)


def shadow_copies(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `vssadmin delete shadows`, `wbadmin delete catalog`."""
    texts = [t.lower() for t in call.texts]
    # Making the store of shadow copies small deletes them too, as ransomware does.
    if "delete" in texts or "resize" in texts:
        yield from call.perform(SHADOWS_GONE)
    elif "list" in texts or "get" in texts or not texts:
        yield call.operation(Verb.READ, ResourceType.BACKUP)
    else:
        yield from call.perform(CONFIGURE_DEVICE)


def management(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `wmic`: `get` looks, `delete` and `call create` change the machine."""
    texts = [t.lower() for t in call.texts]
    if "shadowcopy" in texts and "delete" in texts:
        yield from call.perform(SHADOWS_GONE)
    elif "delete" in texts or "uninstall" in texts or "terminate" in texts:
        yield from call.perform(CONFIGURE_SYSTEM)
        yield call.operation(Verb.CONTROL, ResourceType.PROCESS, traits=(Trait.BY_PATTERN,))
    elif "call" in texts or "set" in texts or "create" in texts:
        yield call.opaque("runs something through the management interface")
    else:
        yield call.operation(Verb.READ, ResourceType.NOTHING)


def mirror(call: ProgramCall) -> Iterator[Effect]:
    """`robocopy SOURCE TARGET`: `/mir` and `/purge` delete what the source does not have."""
    given = switches(call)
    named = files(call)
    for word in named[:1]:
        yield call.on_file(Verb.READ, word)
        if given & {"mov", "move"}:
            yield call.on_file(Verb.DELETE, word, Trait.RECURSIVE)
    # robocopy's `/l` only lists.
    if "l" in given:
        return
    for word in named[1:2]:
        if given & {"mir", "purge"}:
            gone = call.on_file(Verb.DELETE, word, Trait.RECURSIVE)
            spare = Trait.REBUILDABLE in gone.traits
            yield gone if spare else replace(gone, traits=gone.traits | {Trait.BROAD})
        yield call.on_file(Verb.WRITE, word)


def ended(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `taskkill /pid N` or `/im NAME`."""
    # A name or filter takes every process that fits, of whatever user.
    by_name = "im" in switches(call) or "fi" in switches(call)
    yield call.operation(
        Verb.CONTROL,
        ResourceType.PROCESS,
        " ".join(call.texts),
        traits=(Trait.BY_PATTERN,) if by_name else (Trait.NAMED,),
        reach=Reach.SYSTEM if by_name else Reach.PROJECT,
    )


def wiped(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `cipher /w:FOLDER` overwrites free space; `/e` encrypts."""
    given = {s[:1] for s in switches(call)}
    if given & {"w", "e", "d"}:
        yield from call.perform(CONFIGURE_DEVICE)
    else:
        yield call.operation(Verb.READ, ResourceType.NOTHING)


def event_log(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `wevtutil cl LOG` empties a log."""
    what = call.texts[0].lower() if call.operands else ""
    if what in {"cl", "clear-log"}:
        yield from call.perform(BLIND_PROTECTION)
    elif what in {"sl", "set-log", "im", "um", "install-manifest", "uninstall-manifest"}:
        yield from call.perform(CONFIGURE_PROTECTION)
    else:
        yield call.operation(Verb.READ, ResourceType.PROTECTION)


def rights(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `icacls PATH /grant ...`, `takeown /f PATH`."""
    given = {s.partition(":")[0] for s in switches(call)}
    named = files(call)
    everyone = any(_lets_all(t) for t in call.texts)
    if (
        call.name == "icacls"
        and not everyone
        and not given & {"grant", "deny", "remove", "reset", "setowner"}
    ):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
        return
    deep = "t" in given or "r" in given
    for word in named[:1]:
        traits = [Trait.OPENS_ACCESS] if everyone else []
        traits += [Trait.RECURSIVE] if deep else []
        at = call.on_file(Verb.CONFIGURE, word, *traits)
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.ACCOUNT,
            word.text,
            traits=traits,
            reach=at.reach,
            reversible=False,
        )


def _lets_all(text: str) -> bool:
    """Whether a right of an access list is given to everybody."""
    who, _, right = text.lower().rpartition(":")
    # icacls: full, modify, write. Rights to read (`r`, `rx`) open nothing to change.
    return who.strip("\"'*") in {"everyone", "s-1-1-0", "users", "authenticated users"} and any(
        letter in right for letter in "fmw"
    )


_RUN_SWITCH = re.compile(r"//?[ckr]", re.IGNORECASE)


def inner_line(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cmd /c LINE`: the line is read as a shell line."""
    words_ = call.command.words[1:]
    # Behind `cmd` these are switches, and get there as such.
    words_ = tuple(
        replace(word, text=word.text[1:]) if _SWITCH.fullmatch(word.text[1:]) else word
        for word in words_
    )
    # `/cdir` is `/c dir`; shells on Windows that take `/c` for a path want `//c`.
    starts = {n: _RUN_SWITCH.match(word.text) for n, word in enumerate(words_)}
    at, switch = next(((n, found) for n, found in starts.items() if found), (-1, None))
    if at < 0:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    rest = words_[at + 1 :]
    if switch is not None and (joined := words_[at].text[switch.end() :]):
        rest = (replace(words_[at], text=joined), *rest)
    # One word is a whole line; several would lose their quotes if they were only joined.
    text = rest[0].text if len(rest) == 1 else rejoin(rest)
    known = all(w.is_known for w in rest)
    yield Nested(text=as_shell(text), language="shell", carrier="cmd /c", is_known=known)
