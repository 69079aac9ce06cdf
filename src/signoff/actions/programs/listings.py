"""Programs whose output is a list of file names: `ls`, `fd`, `rg --files`, `grep -l`, `git`.

Where a word is filled in by one, it stands for the files that the words of the listing name; a
listing without names of its own gives the tree it is started in. The same for what `find` chooses.

    listed_names(git ls-files '*.py')         ->  ./*.py
    listed_names(git diff --name-only)        ->  ./**
    words_of(Choice(names=("*.o",)), "src")   ->  src/*.o
    words_of(Choice(is_empty=True), ".")      ->  ./**, only the empty ones
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from signoff.actions.known.selection import Choice
from signoff.actions.known.wildcards import below, dotted
from signoff.actions.shell.command import Command, Word
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

GREPS = frozenset({"grep", "egrep", "fgrep", "ggrep"})
RIPGREPS = frozenset({"rg", "ag", "ack"})
FDS = frozenset({"fd", "fdfind"})
LISTINGS = frozenset({"ls", "git"}) | GREPS | RIPGREPS | FDS
# Only such a pattern is the same as a glob; `.`, `+` or `(` would be a regular expression.
_PLAIN_NAME = lazy_re(r"[A-Za-z0-9_-]+")
# fd's `\.py$` is `*.py`.
_ENDING = lazy_re(r"\\?\.([A-Za-z0-9]+)\$")
_GIT_NAMES = {
    "diff": frozenset({"--name-only"}),
    "diff-tree": frozenset({"--name-only"}),
    "diff-index": frozenset({"--name-only"}),
    "show": frozenset({"--name-only"}),
    "log": frozenset({"--name-only"}),
    "grep": frozenset({"-l", "--files-with-matches", "--name-only", "-L"}),
}
_PATTERN_OPTIONS = frozenset({"-e", "--regexp"})
_GREP_VALUED = frozenset({"-e", "--regexp", "-f", "-m", "-g", "--glob", "-t", "--type", "-A", "-B"})
_FD_VALUED = frozenset({"-e", "--extension", "-t", "--type", "-E", "--exclude", "-d", "-S", "-j"})
# Behind these stands the command that fd runs on each file.
_FD_RUNS = frozenset({"-x", "-X", "--exec", "--exec-batch"})


def listed_names(command: Command) -> tuple[Word, ...]:
    """Return the files a listing prints, as globs; () if none or unknown."""
    name, words = command.program, command.words[1:]
    # git's pathspecs stand behind `--`, where an unknown revision does not matter.
    if name != "git" and any(not word.is_known for word in words):
        return ()
    if name == "ls":
        # `ls src` prints names without their folder, so only a glob tells which files they are.
        return tuple(word for word in words if word.has_glob)
    if name == "git":
        return _git(words)
    texts = [word.text for word in words]
    if name in FDS:
        return _fd(texts)
    if name in GREPS or name in RIPGREPS:
        return _searched(texts, is_deep=name in RIPGREPS)
    return ()


def _globs(texts: Iterable[str]) -> tuple[Word, ...]:
    return tuple(Word(text=text, has_glob=True, selected="all") for text in texts)


def _git(words: Sequence[Word]) -> tuple[Word, ...]:
    texts = [word.text for word in words]
    if not texts:
        return ()
    command, rest = texts[0], texts[1:]
    if command == "ls-files":
        return _pathspecs(rest)
    needed = _GIT_NAMES.get(command)
    # In a cluster of short options, `git grep -lE`.
    is_joined = command == "grep" and any([_has_letter(one, "l") for one in rest])
    if needed is None or (needed.isdisjoint(rest) and not is_joined):
        return ()
    return _pathspecs(rest[rest.index("--") + 1 :] if "--" in rest else ())


def _pathspecs(texts: Sequence[str]) -> tuple[Word, ...]:
    """The paths that git is limited to: globs match in all folders below."""
    named = [text for text in texts if text[:1] not in {"-", ":"}]
    # A name without a dot is taken for a folder.
    made = [text if _has_glob(text) or "." in text else f"{text.rstrip('/')}/**" for text in named]
    return _globs(text if text[:1] in {"/", "."} else f"./{text}" for text in made or ["**"])


def _has_glob(text: str) -> bool:
    return not {"*", "?", "["}.isdisjoint(text)


def _fd(texts: Sequence[str]) -> tuple[Word, ...]:
    cut = next((at for at, text in enumerate(texts) if text in _FD_RUNS), len(texts))
    own = texts[:cut]
    endings = [value for name, value in pairwise(own) if name in {"-e", "--extension"}]
    operands = _operands(own, _FD_VALUED)
    pattern = operands[0] if operands else ""
    roots = operands[1:] or ["."]
    names = [f"*.{ending.lstrip('.')}" for ending in endings] or [
        _pattern_glob(pattern, is_glob="-g" in own or "--glob" in own)
    ]
    return _globs(below(root, name) for root in roots for name in names)


def _pattern_glob(pattern: str, *, is_glob: bool) -> str:
    if is_glob and pattern:
        return pattern
    ending = _ENDING.fullmatch(pattern)
    if ending is not None:
        return f"*.{ending[1]}"
    return f"*{pattern}*" if _PLAIN_NAME.fullmatch(pattern) else "**"


def _searched(texts: Sequence[str], *, is_deep: bool) -> tuple[Word, ...]:
    """`grep -rl PATTERN ROOT...`, `rg -l`, `rg --files`: by its globs below the roots."""
    lists = [text for text in texts if "--files" in text or _has_letter(text, "l")]
    if not lists:
        return ()
    operands = _operands(texts, _GREP_VALUED)
    has_pattern = "--files" in texts or not _PATTERN_OPTIONS.isdisjoint(texts)
    roots = operands if has_pattern else operands[1:]
    deep = is_deep or any(_has_letter(text, "r") or _has_letter(text, "R") for text in texts)
    names = [
        *(value for name, value in pairwise(texts) if name in {"-g", "--glob"}),
        *(text.partition("=")[2] for text in texts if text.startswith("--include=")),
    ]
    # `-g '!x'` only leaves files out; the rest may be any.
    names = [name for name in names if name[:1] != "!"] or ["**"]
    if not deep:
        return _globs(roots)
    return _globs(below(root, name) for root in roots or ["."] for name in names)


def _has_letter(text: str, letter: str) -> bool:
    # In a cluster of short options, `-rl`; of long ones the second character is a dash.
    return text[:1] == "-" and text[1:2].isalpha() and letter in text[1:]


def _operands(texts: Sequence[str], valued: frozenset[str]) -> list[str]:
    found: list[str] = []
    skip = False
    for text in texts:
        if skip:
            skip = False
        elif text[:1] == "-" and len(text) > 1:
            skip = text in valued
        else:
            found.append(text)
    return found


TREE = "/**"


def is_tree(word: Word) -> bool:
    """Return whether a word stands for everything below a folder."""
    # Empty files and folders are no loss, however many.
    return word.has_glob and word.text.endswith(TREE) and word.selected != "empty"


def tree_root(word: Word) -> Word:
    """Return the folder of a tree; other words unchanged."""
    if not is_tree(word):
        return word
    text = word.text.removesuffix(TREE) or "/"
    return replace(word, text=text, has_glob="*" in text or "?" in text or "[" in text)


def words_of(choice: Choice, root: str, behind: str = "") -> tuple[Word, ...]:
    """Return what one `find` selection matches below a root folder, as words."""
    if choice.exact:
        text = choice.exact if "/" in choice.exact else f"{root.rstrip('/')}/{choice.exact}"
        return (Word(text=text + behind, is_quoted=True),)
    if not choice.names:
        text = f"{root.rstrip('/')}{TREE}"
        return (
            Word(
                text=text + behind,
                has_glob=True,
                raw=text,
                selected="" if behind else _limit(choice),
            ),
        )
    names = [name.removeprefix("./") for name in choice.names]
    # `find -name '*x'` also finds names with a dot in front, which the shell's `*` leaves out.
    names += [hidden for name in names for hidden in dotted(name)]
    return tuple(
        Word(
            text=below(root, name) + behind,
            has_glob=True,
            raw=f"{root}/{name}",
            selected="" if behind else _limit(choice),
        )
        for name in names
    )


def _limit(choice: Choice) -> str:
    if choice.is_empty:
        return "empty"
    return "old" if choice.is_old else "all"
