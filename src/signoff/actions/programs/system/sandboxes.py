"""Sandboxes that run a command below other folders: `bwrap`, `proot`, `firejail`.

What runs in one is judged as if it ran outside. But an agent finds its settings by its home folder:
started where that is hidden, moved or covered, it calls no hook (threats.md T-43).

    bwrap --bind / / --tmpfs ~/.claude claude -p hi    an agent without its guard
    bwrap --ro-bind / / claude -p hi                   an agent
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.registry import find
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

# Options of bwrap(1) by what follows them: a place alone, or what stands there and the place.
COVERS = words("--tmpfs --tmp-overlay --ro-overlay")
SHOWS = words(
    "--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --file "
    "--bind-data --ro-bind-data --bind-fd --ro-bind-fd"
)
MOVED_BY = ("HOME", "XDG_CONFIG_HOME")
MOVES_ENDS = ("_CONFIG_DIR", "_HOME")
FIREJAIL_HIDES = ("--private", "--private-home", "--blacklist=", "--tmpfs=", "--overlay-tmpfs")


def inside(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `proot COMMAND`, `bwrap COMMAND`: what the command names may be ours."""
    inner = _inner(call)
    yield Nested(text=rejoin(inner), language="shell", carrier=call.name)
    if _starts_agent(inner) and _hides_home(call):
        yield _unguarded(call)


def jail(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `firejail COMMAND`, whose command is read as one of the line by itself."""
    yield call.operation(Verb.INERT, ResourceType.NOTHING)
    given = call.command.words[1:]
    start = next((at for at, word in enumerate(given) if word.text[:1] != "-"), len(given))
    is_hidden = any(word.text.startswith(FIREJAIL_HIDES) for word in given[:start])
    if is_hidden and _starts_agent(given[start:]):
        yield _unguarded(call)


def _inner(call: ProgramCall) -> Sequence[Word]:
    """Return the command: folders of the sandbox's own options stand before it."""
    given = call.operands
    start = next((i for i, word in enumerate(given) if word.text[:1] not in "-/"), 0)
    return given[start:]


def _unguarded(call: ProgramCall) -> Effect:
    return call.operation(
        Verb.CONFIGURE,
        ResourceType.GUARD,
        "an agent without its guard",
        traits=(Trait.SELF_APPROVAL,),
        reach=Reach.GUARD,
    )


def _starts_agent(inner: Sequence[Word]) -> bool:
    """Tell whether a coding agent is named among the words, or in a line one of them holds."""
    return any(_is_agent(name) for word in inner for name in word.text.split())


def _is_agent(name: str) -> bool:
    described = find(name.rpartition("/")[2])
    handler = described.handler if described else None
    return handler is not None and handler.name == "guard.agent"


def _hides_home(call: ProgramCall) -> bool:
    """Tell whether the home folder, or a part of it, is not what stands outside."""
    home, given = call.place.home, [word.text for word in call.command.words[1:]]
    if call.name != "bwrap":
        return any("--rootfs" in one or one[:2] in {"-r", "-R", "-S", "-b"} for one in given)
    is_shown = is_hidden = False
    for at, option in enumerate(given):
        after = given[at + 1 : at + 3]
        if len(after) < 2:
            break
        if option in COVERS:
            is_hidden = is_hidden or _meets(after[0], home)
        elif option in SHOWS and after[0] == after[1]:
            is_shown = is_shown or _is_above(after[1], home)
        elif option in SHOWS:
            is_hidden = is_hidden or _meets(after[1], home)
        elif option == "--setenv":
            is_hidden = is_hidden or after[0] in MOVED_BY or after[0].endswith(MOVES_ENDS)
    return is_hidden or not is_shown


def _is_above(path: str, home: str) -> bool:
    return f"{home}/".startswith(f"{path.rstrip('/')}/")


def _meets(path: str, home: str) -> bool:
    """Tell whether a place is the home, above it, or a hidden part of it."""
    below = path[len(home) + 1 :] if path.startswith(f"{home}/") else ""
    return _is_above(path, home) or path[:1] == "~" or below.startswith(".")
