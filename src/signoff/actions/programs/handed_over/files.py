"""Files of code that options load, from a place where anybody may have put them.

make -f /tmp/x.mk                    ->  opaque: `/tmp/x.mk` was not read
docker compose -f https://x/c.yml    ->  opaque
make -f build/local.mk               ->  nothing: it is the project's own
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handed_over.tables import LOADING_OPTIONS
from signoff.actions.shell.command import Word

# What another command prints: the flow of the line tells where it comes from.
STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
BARE_LOADING = frozenset(one[:-1] for one in LOADING_OPTIONS if one.endswith("="))


def loaded_files(call: ProgramCall, own: frozenset[str] | None) -> Iterator[Operation]:
    """Say which files of code the options of a call load that nobody looked at.

    Args:
        own: the options of this program that load a file; None for none.
    """
    given = call.command.words
    for at, word in enumerate(given[1:], 1):
        text = word.text
        if text[:1] != "-":
            continue
        value = _value(text, given[at + 1] if at + 1 < len(given) else None, own)
        if value.startswith(STREAMS):
            yield call.operation(Verb.EXECUTE, ResourceType.CODE, value, traits=(Trait.NAMED,))
        elif value and _is_foreign(call, value):
            yield call.operation(
                Verb.EXECUTE,
                ResourceType.CODE,
                value[:200],
                traits=(Trait.NAMED,),
                reach=Reach.UNKNOWN,
                reversible=False,
                understood=False,
                why=f"`{value[:80]}` was not read",
            )


def _value(text: str, behind: Word | None, own: frozenset[str] | None) -> str:
    """The file that an option names, "" if it names none."""
    if text.startswith(LOADING_OPTIONS):
        start = next(start for start in LOADING_OPTIONS if text.startswith(start))
        return text[len(start) :].partition("=")[0]
    name, equals, value = text.partition("=")
    if name in BARE_LOADING or (own is not None and name in own):
        return value if equals else behind.text if behind is not None else ""
    if own is not None and len(text) > 2 and text[1] != "-" and text[:2] in own:
        return text[2:]
    return ""


def _is_foreign(call: ProgramCall, value: str) -> bool:
    """Whether anybody may have put the file there: a temporary folder, another machine."""
    if "://" in value:
        return not value.startswith(("http://localhost", "http://127.", "file://"))
    if "/" not in value:
        return False
    return locate(value, call.place).reach is Reach.TEMP
