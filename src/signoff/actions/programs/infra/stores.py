"""Object storage: copying to and from it, mirroring, deleting objects and whole buckets.

A bucket that goes is a whole store; a name that speaks of backups makes it a backup; files that
are copied up have left the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.net.arrivals import HERE, arriving
from signoff.actions.programs.net.transfer import mirrored
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

STORES = ("s3://", "gs://", "gcs://", "az://", "https://", "abfs://", "oss://", "cos://", "b2://")
PUBLIC = words("public-read public-read-write publicRead public authenticated-read")
# Whole parts of a name, so `dumpster` is none.
BACKUP_WORDS = words("backup backups snapshot snapshots archive dump dumps")


def is_stored(text: str) -> bool:
    """Return whether a word is a URL in object storage."""
    return text.startswith(STORES)


def _reach(text: str) -> Reach:
    return Reach.PRODUCTION if is_production(text) else Reach.REMOTE


def stored(call: ProgramCall, verb: Verb, word: Word, *traits: Trait) -> Operation:
    """Build an operation on something in object storage; backups are recognised by name."""
    parts = set(word.text.lower().replace("-", "/").replace("_", "/").split("/"))
    is_backup = verb is Verb.DELETE and not BACKUP_WORDS.isdisjoint(parts)
    return call.operation(
        verb,
        ResourceType.BACKUP if is_backup else ResourceType.CLOUD,
        word.text,
        traits=traits,
        reach=_reach(word.text),
        reversible=verb is not Verb.DELETE,
    )


def _is_whole(text: str) -> bool:
    """Whether an address is a whole bucket: nothing follows its name."""
    # `s3://bucket/*` is the whole bucket, too.
    return "/" not in text.split("://", 1)[-1].rstrip("/*")


def storage_copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cp`, `mv`, `sync`, `rsync` between files and object storage."""
    if _is_spared(call):
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
    elif len(call.operands) < 2:
        # `gsutil cp gs://b/x` without a target copies into the folder in force.
        if call.operands and is_stored(call.operands[0].text):
            yield from _copied(call, call.operands[0], HERE)
        else:
            yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        yield from _copied(call, call.operands[0], call.operands[-1])


def _is_spared(call: ProgramCall) -> bool:
    """Whether nothing is done: a dry run, or help."""
    # s5cmd takes it before its sub-command.
    first = [word.text for word in call.command.words[1:6]] if call.name[:6] == "s5cmd " else ()
    return (
        call.is_dry("--dryrun", "--dry-run", "-n")
        or "--dry-run" in first
        or call.texts[:1] == ("help",)
    )


def _is_far(call: ProgramCall, word: Word) -> bool:
    """Whether a word names something in object storage; `mc` writes it `alias/bucket/name`."""
    if not call.name.startswith(("mc ", "mcli ")):
        return is_stored(word.text)
    first, slash, _ = word.text.partition("/")
    return bool(slash) and first not in {"", ".", "..", "~"}


def _copied(call: ProgramCall, source: Word, target: Word) -> Iterator[Effect]:
    goes_out = _is_far(call, target)
    # `mc` writes a local and a far path alike; where the target is far, the source is a file
    # here.
    comes_in = is_stored(source.text) or (not goes_out and _is_far(call, source))
    if comes_in:
        yield call.operation(Verb.NETWORK_IN, ResourceType.CLOUD, source.text, reach=Reach.REMOTE)
    elif source.text != "-":
        yield call.on_file(Verb.READ, source)
    if goes_out:
        yield _sent(call, source, target)
    elif target.text != "-" and comes_in:
        yield from arriving(call, (source,), target)
    elif target.text != "-":
        yield call.on_file(Verb.WRITE, target)
    if call.has("--delete", "-d", "--delete-unmatched-destination-objects", "--delete-removed"):
        yield mirrored(call, target, (source,))
    if call.name.endswith((" mv", " move")) and is_stored(source.text):
        yield stored(call, Verb.DELETE, source)


def _sent(call: ProgramCall, source: Word, target: Word) -> Operation:
    public = any(word.text in PUBLIC for word in call.values("--acl", "-a", "--predefined-acl"))
    traits = [Trait.SENDS_FILES] if not is_stored(source.text) else []
    traits += [Trait.OPENS_ACCESS] if public or call.has("--acl-public") else []
    return call.operation(
        Verb.NETWORK_OUT,
        ResourceType.CLOUD,
        target.text,
        traits=traits,
        reach=_reach(target.text),
        reversible=False,
    )


def storage_remove(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `rm`: recursively on a whole bucket it is the bucket that goes."""
    if _is_spared(call):
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
        return
    wide = call.has("--recursive", "-r", "-R", "--all-versions")
    for word in call.operands or (Word(text=""),):
        # With `--exclude` something of the bucket stays.
        # s5cmd takes wildcards across folders: `s3://bucket/*` is all of it.
        everything = wide or (call.name.startswith("s5cmd") and word.text.endswith("/*"))
        whole = everything and _is_whole(word.text) and not call.has("--exclude", "-x")
        yield stored(call, Verb.DELETE, word, *((Trait.WHOLE_STORE,) if whole else ()))


def bucket_remove(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `rb`: a bucket is deleted."""
    if _is_spared(call):
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
        return
    for word in call.operands or (Word(text=""),):
        yield stored(call, Verb.DELETE, word, Trait.WHOLE_STORE)


def bucket_access(call: ProgramCall) -> Iterator[Effect]:
    """`mc anonymous set public alias/bucket`: what anybody may read or write without a login."""
    if call.texts[:1] and call.texts[0] in {"get", "list", "links", "get-json"}:
        yield call.operation(Verb.READ, ResourceType.CLOUD)
        return
    # mc(1): `download` lets everybody read, `upload` lets everybody write.
    is_open = not {"public", "download", "upload", "readwrite"}.isdisjoint(call.texts)
    target = call.texts[-1] if call.texts else ""
    yield call.operation(
        Verb.PRIVILEGE if is_open else Verb.WRITE,
        ResourceType.CLOUD,
        target,
        traits=(Trait.OPENS_ACCESS,) if is_open else (),
        reach=_reach(target),
        reversible=False,
    )


HADOOP_READS = words(
    "-ls -cat -du -df -count -stat -tail -head -text -test -find -help -usage -checksum -get "
    "-copyToLocal -getmerge -getfacl -getfattr"
)


def hadoop_files(call: ProgramCall) -> Iterator[Effect]:
    """`hdfs dfs -rm -r PATH`: the act is an option, the paths are those of the cluster."""
    given = [word.text for word in call.command.words[1:]]
    # Generic options of Hadoop stand before the act.
    verb = next((text for text in given if text[:1] == "-" and text not in HADOOP_OPTIONS), "")
    paths = given[given.index(verb) + 1 :] if verb else []
    named = [path for path in paths if path[:1] != "-"]
    if verb in {"-rm", "-rmr", "-rmdir", "-expunge"}:
        for path in named or [""]:
            # Folders right below the root hold everybody's data.
            is_whole = path.rstrip("/*") in {"", "hdfs:", "/user", "/data", "/warehouse", "/apps"}
            yield stored(
                call, Verb.DELETE, Word(text=path), *((Trait.WHOLE_STORE,) if is_whole else ())
            )
    elif verb in {"-put", "-copyFromLocal", "-moveFromLocal", "-appendToFile"}:
        for path in named[:-1]:
            yield call.on_file(Verb.READ, Word(text=path))
        yield stored(call, Verb.WRITE, Word(text=named[-1] if named else ""))
    elif not verb or verb in HADOOP_READS:
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        yield stored(call, Verb.WRITE, Word(text=named[-1] if named else ""))


HADOOP_OPTIONS = words("-D -fs -conf -jt -files -libjars")
