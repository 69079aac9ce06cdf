"""rclone: copies between folders and services, mirrors, deletes on the other side."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.net.arrivals import arriving
from signoff.actions.programs.net.transfer import is_remote, mirrored, sent
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

READING = words(
    "ls lsd lsf lsl lsjson tree size check cat about version listremotes md5sum sha1sum hashsum "
    "ncdu help completion genautocomplete cryptcheck checksum"
)
COPYING = words("copy copyto move moveto sync bisync")
DELETING = words("delete purge deletefile rmdir rmdirs cleanup dedupe")


def rclone(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `rclone COMMAND SOURCE TARGET`; a word with a colon names a service."""
    what = call.texts[0] if call.operands else ""
    operands = call.operands[1:]
    if call.is_dry("-n", "--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
    elif what in COPYING and len(operands) > 1:
        yield from _copied(call, what, operands)
    elif what in DELETING:
        yield from (_deleted(call, what, word) for word in operands)
    elif what == "config" and "dump" in call.texts:
        # Prints the keys of every remote; rclone only obscures passwords, it does not encrypt
        # them.
        yield call.operation(Verb.READ, ResourceType.CREDENTIAL, traits=(Trait.READS_SECRET,))
    elif what == "cat" and any([is_remote(word.text) for word in operands]):
        name = " ".join(call.texts[1:])
        yield call.operation(Verb.NETWORK_IN, ResourceType.CLOUD, name, reach=Reach.REMOTE)
    elif what in READING or (what == "config" and {"show", "file", "paths"} & set(call.texts)):
        yield call.operation(Verb.READ, ResourceType.CLOUD, " ".join(call.texts[1:]))
    else:
        yield _other(call, what)


def _other(call: ProgramCall, what: str) -> Operation:
    if what == "rcat":  # what arrives on standard input goes there
        return sent(call, " ".join(call.texts[1:]))
    # A mounted remote changes with each write of any program.
    if what == "mount":
        return call.operation(Verb.CONTROL, ResourceType.DEVICE, call.texts[-1], reach=Reach.SYSTEM)
    return call.operation(
        Verb.CONFIGURE, ResourceType.CLOUD, " ".join(call.texts), reach=Reach.REMOTE
    )


def _copied(call: ProgramCall, what: str, operands: tuple[Word, ...]) -> Iterator[Operation]:
    source, target = operands[:2]  # behind them only values of options that nobody described
    if is_remote(source.text):
        yield call.operation(Verb.NETWORK_IN, ResourceType.CLOUD, source.text, reach=Reach.REMOTE)
    else:
        yield call.on_file(Verb.READ, source)
    if is_remote(target.text):
        yield sent(call, target.text, Trait.SENDS_FILES)
    elif is_remote(source.text):
        yield from arriving(call, (source,), target)
    else:
        yield call.on_file(Verb.WRITE, target)
    if what in {"sync", "bisync"}:
        yield mirrored(call, target, (source,))
    elif what in {"move", "moveto"} and is_remote(source.text):
        yield _deleted(call, "delete", source)


def _deleted(call: ProgramCall, what: str, word: Word) -> Operation:
    if not is_remote(word.text):
        return call.on_file(Verb.DELETE, word, Trait.RECURSIVE)
    # Nothing behind the colon: everything the remote holds.
    whole = what == "purge" or word.text.endswith(":")
    return call.operation(
        Verb.DELETE,
        ResourceType.CLOUD,
        word.text,
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.PRODUCTION if is_production(word.text) else Reach.REMOTE,
        reversible=False,
    )
