"""What a choice of a search stands for as words: the files that a program gets.

words_of(Choice(names=("*.o",)), "src")   ->  src/*.o
words_of(Choice(is_empty=True), ".")      ->  ./**, only the empty ones
"""

from __future__ import annotations

from signoff.actions.known.selection import Choice
from signoff.actions.known.wildcards import below, dotted
from signoff.actions.shell.command import Word
from signoff.values import replace

TREE = "/**"


def is_tree(word: Word) -> bool:
    """Tell whether a word stands for everything below a folder."""
    return word.has_glob and word.text.endswith(TREE) and word.selected != "empty"


def tree_root(word: Word) -> Word:
    """The folder of a tree; other words stay as they are."""
    if not is_tree(word):
        return word
    text = word.text.removesuffix(TREE) or "/"
    return replace(word, text=text, has_glob="*" in text or "?" in text or "[" in text)


def words_of(choice: Choice, root: str, behind: str = "") -> tuple[Word, ...]:
    """Return what one selection matches below a root folder, as words."""
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
