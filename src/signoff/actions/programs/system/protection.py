"""Protections: mandatory access control, audit, logs, history, antivirus, integrity.

Looking at them is free; changing them is asked about; switching them off or making them blind is
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_letters, digits

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    BLIND_PROTECTION,
    CONFIGURE_PROTECTION,
    CONTROL_SERVICE,
    WEAKEN_PROTECTION,
)
from signoff.actions.shell.command import Word

TINY = 10  # seconds, minutes or bytes of a record that are as good as none
# Permissive SELinux only logs what it would have refused, so it protects no more than none.
OFF = frozenset({"0", "permissive", "off", "disabled", "disable", "-e0"})


def enforcement(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `setenforce`: 0 switches off."""
    off = any(text.lower() in OFF for text in call.texts)
    yield from call.perform(WEAKEN_PROTECTION if off else CONFIGURE_PROTECTION)


def scanner(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `mdatp`: disabling a setting or adding an exclusion weakens it."""
    said = {word.text.lower() for word in call.command.words[2:]}
    if said & {"list", "get", "show", "--help"}:
        yield call.operation(Verb.READ, ResourceType.PROTECTION)
    elif said & OFF or said & {"add", "allow"}:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_PROTECTION)


def audit_rules(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `auditctl`: `-s`, `-l` look; `-e 0` and `-D` make the audit blind."""
    enabled = call.value("-e")
    # auditctl(8): `-D` deletes all rules, `-e 0` stops recording. `-e 2` only locks the rules.
    if call.has("-D") or (enabled is not None and enabled.text == "0"):
        yield from call.perform(BLIND_PROTECTION)
    elif call.has("-s", "-l", "-v", "-h"):
        yield call.operation(Verb.READ, ResourceType.PROTECTION)
    else:
        yield from call.perform(CONFIGURE_PROTECTION)


def history(call: ProgramCall) -> Iterator[Effect]:
    """`history`: lists; `-c` and `-d` take records away, `-s` and `-a` write to a file."""
    # fish and others spell them as words: `history clear`.
    if call.has("-c", "-d") or "clear" in call.texts or "delete" in call.texts:
        yield from call.perform(BLIND_PROTECTION)
        return
    for option in ("-a", "-w", "-n", "-r"):
        if call.has(option):
            for word in call.operands[:1] or (Word(text="~/.bash_history"),):
                yield _recorded(call, word, writing=option in {"-a", "-w"})
            return
    yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _recorded(call: ProgramCall, word: Word, *, writing: bool) -> Operation:
    # Without a name it is the shell's own history file, written at every exit anyway.
    if not call.operands:
        return call.operation(Verb.INERT, ResourceType.NOTHING)
    return call.on_file(Verb.WRITE if writing else Verb.READ, word)


def journal(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `journalctl`: reads; vacuuming and rotating cut the record."""
    kept = [o.value.text if o.value else "" for o in call.options if o.name.startswith("--vacuum")]
    # Routine clean-ups keep weeks; keeping seconds covers tracks.
    if any([_keeps_nothing(text) for text in kept]):
        yield from call.perform(BLIND_PROTECTION)
    elif kept:
        yield call.operation(
            Verb.DELETE,
            ResourceType.PROTECTION,
            "journal",
            traits=(Trait.BY_PATTERN,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    elif call.has("--rotate", "--flush", "--sync", "--relinquish-var", "--setup-keys"):
        yield from call.perform(CONTROL_SERVICE)
    else:
        yield call.operation(Verb.READ, ResourceType.NOTHING, "journal")


def _keeps_nothing(kept: str) -> bool:
    """Whether seconds, minutes or bytes are all that is kept of the record: `1s`, `0`, `1K`."""
    number, unit = kept.rstrip(ascii_letters), kept.lstrip(digits)
    is_tiny = unit in {"", "s", "sec", "us", "ms", "m", "min", "K", "B"}
    # Six digits are enough to tell, and keep an endless number from costing time.
    return is_tiny and number.isdigit() and int(number[:6]) <= TINY


def rotation(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `logrotate`: `-d` only shows."""
    if call.has("-d", "--debug"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield from call.perform(CONTROL_SERVICE)
