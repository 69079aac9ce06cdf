"""Programs that change things unless their own words say that they only read.

`tool list`, `tool --show-keys` and `tool -h` read; `tool eth0 up` changes. Their descriptions say
`reads_by_name: true`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.programs.acts import Effect, On
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import INERT, INSPECT
from signoff.actions.programs.program import Program
from signoff.actions.vocabulary import words
from signoff.values import replace

LOOKING = words(
    "list ls show status info query help print display check search find version get describe "
    "view dump preview examine stat stats benchmark lint whoami"
)
# Beginnings, because such tools take shortened words: `cre` is `create`, `cl` is `clear`.
CHANGING = tuple(
    words(
        "add del set rem rm mod cre dis en up down start stop kill ins wr cl er rep fix app pur "
        "flu for imp edit"
    )
)
HELP_WORDS = frozenset({"-h", "-help", "--help", "-V", "--version", "/?", "-?"})
# Behind other words `-h` is often a host or "human readable".
LONG_HELP_WORDS = frozenset({"-help", "--help", "/?"})
# Managers of services have some more (launchctl(1), initctl(8), `net` of Windows).
_ACT_WORDS = frozenset(VERBS) | words("stop start restart reload unload bootout bootstrap mask")
# `backup-keys/id_rsa` begins with a verb, too, and is a file.
_PLAIN_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
NEUTRAL = frozenset({"-v", "--verbose", "-q", "--quiet", "--json", "--no-pager", "--color"})


def effects_by_name(described: Program, call: ProgramCall) -> Iterator[Effect]:
    """Yield a call's effects: as described, or reading if its words say so."""
    chosen = [
        (act, option.value)
        for option in call.options
        for act in described.acting.get(option.name, ())
    ]
    # A reading option beside one that may change: the reading one must not settle the call.
    if any(act == INSPECT for act, _ in chosen) and not _only_reads(described, call):
        chosen = [(act, value) for act, value in chosen if act != INSPECT]
        chosen = chosen or [(act, None) for act in described.acts]
    if _asks_for_help(described, call):
        chosen = [(INERT, None)]
    elif not chosen and described.bare is not None and _says_nothing(call):
        chosen = [(described.bare, None)]
    elif not chosen and says_reading(call):
        chosen = [(INSPECT, None)]
    if not chosen:
        call = without_act_word(described, call)
    for act, value in chosen or [(act, None) for act in described.acts]:
        yield from call.perform(act, value)


def without_act_word(described: Program, call: ProgramCall) -> ProgramCall:
    """Return the call without a sub-command that no description lists: `load` of `launchctl`.

    It says what is done and is not what it is done to. It stays where it is the only operand, and
    where the acts of the program choose among the operands by their place.
    """
    first = call.operands[0].text if len(call.operands) > 1 else ""
    is_act = _PLAIN_WORD.fullmatch(first) is not None and first.partition("-")[0] in _ACT_WORDS
    if not is_act or any(act.on is not On.OPERANDS for act in described.acts):
        return call
    return replace(call, operands=call.operands[1:])


def _says_nothing(call: ProgramCall) -> bool:
    return not call.operands and all(option.name in NEUTRAL for option in call.options)


def _asks_for_help(described: Program, call: ProgramCall) -> bool:
    """Tell whether a word for help stands alone, or ends a line of plain words."""
    last = call.command.words[-1].text
    # Some tools use `-h` or `-V` for something of their own, which their description says.
    if last not in HELP_WORDS or last in described.known:
        return False
    before = call.command.words[1:-1]
    # An option before it could take the word for its value.
    return not before or (last in LONG_HELP_WORDS and all(w.text.isalnum() for w in before))


def _only_reads(described: Program, call: ProgramCall) -> bool:
    """Tell whether every option given is one that reads; `-v -u` of `update` is none."""
    return all(
        INSPECT in described.acting.get(option.name, ())
        or option.name in NEUTRAL
        or option.name in described.takes
        or (option.name.startswith("--") and not option.name[2:].startswith(CHANGING))
        or (len(option.name) > 2 and option.name[1] != "-")
        for option in call.options
    )


def says_reading(call: ProgramCall) -> bool:
    """Return whether a sub-command or long option is a word for reading."""
    named = [w.text.lower() for w in call.operands if w.is_known and w.text[:1] != "-"][:2]
    # `tool set show`: what is set may be called by any word.
    if named and named[0].startswith(CHANGING):
        named = []
    options = [o.name for o in call.options] + [w.text for w in call.operands]
    # The verb comes first in a word: `list-users`, `show_config`.
    heads = [name.replace("_", "-").split("-", 1)[0] for name in named]
    heads += [
        name[2:].split("-", 1)[0]
        for name in options
        if name.startswith("--") and not name.endswith(("-file", "-fd", "-level"))
    ]
    return any(h in LOOKING or h.startswith(("list", "show", "print")) for h in heads)
