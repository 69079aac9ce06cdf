"""Searching in files: grep and its kin, find, fd, locate.

A search pattern is data. What is searched is read, a folder with everything below it, so a
search in a folder of keys reads the keys. `find` may also delete and write.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.known.selection import Choice, choices_before
from signoff.actions.known.wildcards import below, dotted
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.listings import words_of
from signoff.actions.programs.system.operands import files_given, listed
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words
from signoff.values import replace

FIND_DELETING = "-delete"
FIND_WRITING = ("-fprint", "-fprintf", "-fprint0", "-fls")
# find(1): options that may stand before the roots.
FIND_LEADING = words("-H -L -P -E -X -x -s -d -O1 -O2 -O3")
FOLDER_SEARCHES = words("rg ripgrep rga ag ack pt ug sift git-grep")  # files need not be named
NAMED_KINDS = SECRET_KINDS | {FileKind.GUARD}


def grep(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `grep PATTERN FILE...`: the pattern is data; programs of its options run."""
    # With these no operand is a pattern.
    given = call.has("-e", "--regexp", "-f", "--file", "--files", "--type-list")
    files = call.operands if given else call.operands[1:]
    patterns = call.values("-e", "--regexp")
    # A path taken as an option's value may be a file all the same; a pattern never is.
    behind = [word for word in files_given(call)[len(call.operands) :] if word not in patterns]
    for word in (*files, *behind, *call.values("-f", "--file")):
        if word.text != "-":
            yield call.on_file(Verb.READ, word)
    yield from _included(call, files)
    yield from _preprocessors(call)
    # Searching without a file reads the whole folder, secrets in it as well.
    if not files and _searches_folder(call):
        yield call.on_file(Verb.READ, Word(text="."))
    elif not files:
        yield call.operation(Verb.READ, ResourceType.FILE, ".", reach=Reach.PROJECT)


def _preprocessors(call: ProgramCall) -> Iterator[Effect]:
    """Yield the programs that `rg` is told to run."""
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
        # ripgrep searches its input instead where it has one.
        return call.command.stdin is None
    return any(
        option.name in {"--recursive", "--dereference-recursive"}
        or (option.name[:1] == "-" and option.name[1:2] != "-" and set("rR") & set(option.name))
        for option in call.options
    )


def _included(call: ProgramCall, roots: tuple[Word, ...]) -> Iterator[Operation]:
    """Protected files that `-g` and `--include` name below the folders searched."""
    for glob in call.values("-g", "--glob", "--iglob", "--include"):
        # `!` leaves files out; `-g '*.env'` also finds `.env`.
        patterns = () if glob.text[:1] == "!" else (glob.text, *dotted(glob.text))
        for pattern in patterns:
            for root in roots or (Word(text="."),):
                word = Word(text=below(root.text, pattern), is_known=root.is_known, has_glob=True)
                operation = call.on_file(Verb.READ, word)
                if operation.file_kind in NAMED_KINDS:
                    yield operation


def find(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `find`: lists names; `-delete` deletes what its tests select below its roots."""
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
    if FIND_DELETING in texts:
        # Only tests before `-delete` limit it: `find . -delete -name x` deletes everything.
        for choice in choices_before(texts[start:], FIND_DELETING):
            for root in roots:
                yield from _find_deletion(call, root, choice)


def _find_deletion(call: ProgramCall, root: Word, choice: Choice) -> Iterator[Operation]:
    """Deletion by find: a name filter makes it a deletion of such files below the root."""
    if not (choice.names or choice.exact or choice.is_empty or choice.is_old):
        whole = call.on_file(Verb.DELETE, root, Trait.RECURSIVE)
        # `find build -delete` empties what the next build makes again.
        if Trait.REBUILDABLE not in whole.traits:
            whole = call.on_file(Verb.DELETE, root, Trait.RECURSIVE, Trait.BROAD)
        yield whole
        return
    for word in words_of(choice, root.text):
        selected = replace(word, is_known=root.is_known)
        operation = call.on_file(Verb.DELETE, selected)
        # find goes through all folders below, which counts outside the project.
        wide = word.has_glob and operation.reach not in {Reach.PROJECT, Reach.TEMP}
        yield call.on_file(Verb.DELETE, selected, *((Trait.RECURSIVE,) if wide else ()))
