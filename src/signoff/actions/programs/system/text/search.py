"""Searching in files: grep and its kin, find, fd, locate.

A search pattern is data. What is searched is read, a folder with everything below it, so a
search in a folder of keys reads the keys. `find` may also delete and write.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.known.wildcards import below, dotted
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, ProgramCall
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.system.operands import files_given, listed
from signoff.actions.shell.command import Word

FIND_DELETING = ("-delete",)
FIND_WRITING = ("-fprint", "-fprintf", "-fprint0", "-fls")
NAME_TESTS = words("-name -iname -path -ipath -wholename -regex -iregex -lname")
NARROW_TESTS = words("-empty -mtime -mmin -newer -size -inum -samefile -links")
FIND_LEADING = words("-H -L -P -E -X -x -s -d -O1 -O2 -O3")
FOLDER_SEARCHES = words("rg ripgrep rga ag ack pt ug sift git-grep")  # files need not be named
NAMED_KINDS = SECRET_KINDS | {FileKind.GUARD}
MATCHES_ALL = frozenset({"*", "*.*", ".*", "?*"})


def grep(call: ProgramCall) -> Iterator[Effect]:
    """`grep PATTERN FILE...`: the pattern is data; programs of its options run."""
    given = call.has("-e", "--regexp", "-f", "--file", "--files", "--type-list")
    files = call.operands if given else call.operands[1:]
    patterns = call.values("-e", "--regexp")
    behind = [word for word in files_given(call)[len(call.operands) :] if word not in patterns]
    for word in (*files, *behind, *call.values("-f", "--file")):
        if word.text != "-":
            yield call.on_file(Verb.READ, word)
    yield from _included(call, files)
    yield from _preprocessors(call)
    if not files and _searches_folder(call):
        yield call.on_file(Verb.READ, Word(text="."))
    elif not files:
        yield call.operation(Verb.READ, ResourceType.FILE, ".", reach=Reach.PROJECT)


def _preprocessors(call: ProgramCall) -> Iterator[Effect]:
    """Programs that `rg` is told to run."""
    for option in call.options:
        if option.name in {"--pre", "--hostname-bin"} and option.value is not None:
            yield Nested(
                text=option.value.text,
                language="shell",
                carrier=f"rg {option.name}",
                is_known=option.value.is_known,
            )


def _searches_folder(call: ProgramCall) -> bool:
    """Tell whether a search that names no file goes through the folder it is started in."""
    if call.name in FOLDER_SEARCHES:
        return call.command.stdin is None
    return any(
        option.name in {"--recursive", "--dereference-recursive"}
        or (option.name[:1] == "-" and option.name[1:2] != "-" and set("rR") & set(option.name))
        for option in call.options
    )


def _included(call: ProgramCall, roots: tuple[Word, ...]) -> Iterator[Operation]:
    """Protected files that `-g` and `--include` name below the folders searched."""
    for glob in call.values("-g", "--glob", "--iglob", "--include"):
        patterns = () if glob.text[:1] == "!" else (glob.text, *dotted(glob.text))
        for pattern in patterns:
            for root in roots or (Word(text="."),):
                word = Word(text=below(root.text, pattern), is_known=root.is_known, has_glob=True)
                operation = call.on_file(Verb.READ, word)
                if operation.file_kind in NAMED_KINDS:
                    yield operation


def find(call: ProgramCall) -> Iterator[Effect]:
    """`find`: lists names; `-delete` deletes what its tests select below its roots."""
    given = call.command.words[1:]
    texts = [w.text for w in given]
    start = next(
        (i for i, t in enumerate(texts) if t[:1] in {"-", "(", "!"} and t not in FIND_LEADING),
        len(texts),
    )
    roots = [w for w in given[:start] if not w.text.startswith("-")] or [Word(text=".")]
    for root in roots:
        yield listed(call, root)
    for place, text in enumerate(texts):
        if text in FIND_WRITING and place + 1 < len(given):
            yield call.on_file(Verb.WRITE, given[place + 1])
    tests = _own_tests(texts)
    if any(text in FIND_DELETING for text in tests):
        for root in roots:
            yield from _find_deletion(call, root, _selected_names(tests), narrow=_is_narrow(tests))


def _own_tests(texts: list[str]) -> list[str]:
    """What belongs to find itself: the words of `-exec ... ;` belong to another program."""
    own: list[str] = []
    inside = False
    for text in texts:
        if text in {"-exec", "-execdir", "-ok", "-okdir"}:
            inside = True
        elif inside and text in {";", "\\;", "+"}:
            inside = False
        elif not inside:
            own.append(text)
    return own


def _selected_names(texts: list[str]) -> list[str]:
    return [
        texts[i + 1]
        for i, t in enumerate(texts[:-1])
        if t in NAME_TESTS and (i == 0 or texts[i - 1] not in {"!", "-not"})
    ]


def _is_narrow(texts: list[str]) -> bool:
    return not NARROW_TESTS.isdisjoint(texts)


def _find_deletion(
    call: ProgramCall, root: Word, chosen: list[str], *, narrow: bool
) -> Iterator[Operation]:
    """Deletion by find: a name filter makes it a deletion of such files below the root."""
    real = [n for n in chosen if n not in MATCHES_ALL]
    if not real and not narrow:
        whole = call.on_file(Verb.DELETE, root, Trait.RECURSIVE)
        if Trait.REBUILDABLE not in whole.traits:
            whole = call.on_file(Verb.DELETE, root, Trait.RECURSIVE, Trait.BROAD)
        yield whole
        return
    hidden = [name for one in real for name in dotted(one)]
    for name in [*real, *hidden] or [UNKNOWN_MARK]:
        selected = Word(
            text=below(root.text, name), is_known=root.is_known and bool(real), has_glob=True
        )
        operation = call.on_file(Verb.DELETE, selected)
        wide = operation.reach not in {Reach.PROJECT, Reach.TEMP}
        yield call.on_file(Verb.DELETE, selected, *((Trait.RECURSIVE,) if wide else ()))
