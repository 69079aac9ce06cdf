"""Files that arrive from outside: under their own names where the target is a folder.

What a program fetched and what runs later must be distinguished by path, so a copy into a folder
names the file that lies there afterwards.

    scp host:/tmp/run.sh .       -> WRITE file ./run.sh
    aria2c https://x.example/a   -> NETWORK_IN url, WRITE file a
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word

HERE = Word(text=".")
FOLDERS = frozenset({"", ".", ".."})
FOLDER_OPTIONS = ("-d", "--dir", "-D", "-P", "--directory-prefix", "--local-dir")
FILE_OPTIONS = ("-o", "--out", "--output", "-O", "--output-document", "-f", "--file")
GETTING = frozenset({"get", "mget", "pget", "recv", "reget"})


def file_name(address: str) -> str:
    """Return the file name a download from this URL gets, "" if unknown."""
    plain = address.split("?", 1)[0].split("#", 1)[0]
    # `host:file` without a slash: the name begins behind the colon.
    name = plain.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    # A glob is expanded on the other side, so the names that arrive are unknown.
    return "" if name in FOLDERS or any(mark in name for mark in "*[{?") else name


def arriving(call: ProgramCall, sources: Sequence[Word], target: Word) -> Iterator[Operation]:
    """Yield writes of the files that sources arrive as, at a target file or folder.

    A file of secrets from another machine or container is one here, too, whatever its new name.
    """
    kinds = {kind for word in sources if (kind := secret_kind(call, word))}
    holding = (Trait.HOLDS_SECRET,) if kinds else ()
    # Fetching a key file from elsewhere reads it there, whatever it is called here.
    if FileKind.CREDENTIALS in kinds:
        yield read_elsewhere(call, sources[0], FileKind.CREDENTIALS)
    last = target.text.rsplit("/", 1)[-1]
    into = call.on_file(Verb.WRITE, target, *holding)
    is_folder = last in FOLDERS or Trait.BROAD in into.traits or len(sources) > 1
    names = [file_name(word.text) if word.is_known else "" for word in sources]
    if not is_folder or not all(names):
        yield into
    # A dot inside the last part speaks for a file name, which was yielded above.
    if not target.is_known or "." in last.strip("."):
        return
    folder = target.text.rstrip("/") + "/" if target.text.strip("/") else target.text
    for name in filter(None, names):
        yield call.on_file(Verb.WRITE, Word(text=folder + name), *holding)


def read_elsewhere(call: ProgramCall, source: Word, kind: FileKind) -> Operation:
    """Build the reading of a file of secrets on another machine or in a container."""
    return call.operation(
        Verb.READ,
        ResourceType.FILE,
        source.text,
        traits=(Trait.READS_SECRET, Trait.NAMED),
        reach=Reach.REMOTE,
        file_kind=kind,
    )


def secret_kind(call: ProgramCall, source: Word) -> FileKind | None:
    """Return the kind of a file of secrets elsewhere, `host:path`, by its path; None for others."""
    path = source.text.partition(":")[2] if source.is_known and "://" not in source.text else ""
    kind = locate(path, call.place).read_kind if path else None
    return kind if kind in SECRET_KINDS else None


def download(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `aria2c URL` and the like: the files written, and their source."""
    folder = call.value(*FOLDER_OPTIONS) or HERE
    remote = [word for word in call.operands if "://" in word.text or not word.is_known]
    others = [word for word in call.operands if word not in remote]
    named = call.value(*FILE_OPTIONS) or (others[-1] if remote and others else None)
    for word in remote:
        yield call.on_url(Verb.NETWORK_IN, word)
    if not remote:
        target = " ".join(call.texts[:1])
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, target, reach=Reach.REMOTE)
    # Where no address is given, a repository or release is, and behind it names of its files.
    kept = (*(remote or others[1:]), *call.values("-p", "--pattern", "-n", "--name"))
    if named is not None and named.text != "-":
        prefix = "" if folder is HERE else folder.text.rstrip("/") + "/"
        yield call.on_file(Verb.WRITE, Word(text=prefix + named.text, is_known=named.is_known))
    elif kept:
        yield from arriving(call, kept, folder)
    elif folder is not HERE:
        yield call.on_file(Verb.WRITE, folder)


def asked_for(text: str) -> Iterator[Word]:
    """Yield what the commands of a transfer (`get a; mget b`) ask for."""
    for part in text.replace("\n", ";").split(";"):
        words = part.split()
        if words and words[0].lower() in GETTING:
            yield from (Word(text=word) for word in words[1:] if word[:1] != "-")
