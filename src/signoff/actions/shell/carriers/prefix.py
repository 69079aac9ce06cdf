"""Programs that run the words behind their own options: sudo, env, timeout and many more.

    timeout -k 5 30s rm -rf x    ->  rm -rf x      (one operand, the duration, comes first)
"""

from __future__ import annotations

from dataclasses import dataclass

from signoff.actions.shell.carriers.inner import Call, Inner, joined
from signoff.actions.shell.carriers.options import OptionTable
from signoff.actions.shell.command import Word


@dataclass(frozen=True, slots=True)
class Prefix:
    """Options of a carrier, operands before the program, and whether assignments may precede."""

    options: OptionTable = OptionTable()
    operands: int = 0
    assigns: bool = False
    folder: tuple[str, ...] = ()


def split_assignments(
    words: tuple[Word, ...],
) -> tuple[tuple[tuple[str, Word], ...], tuple[Word, ...]]:
    """Leading `NAME=value` words and the rest."""
    pairs: list[tuple[str, Word]] = []
    for n, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if not equals or not name.isidentifier():
            return tuple(pairs), words[n:]
        known = word.is_known or "\ufffd" not in value
        pairs.append((name, Word(text=value, is_known=known, sources=word.sources)))
    return tuple(pairs), ()


def unfold_prefix(call: Call) -> tuple[Inner, ...]:
    """The words behind the carrier's options and own operands."""
    prefix = PREFIXES[call.name]
    options = prefix.options.read(call.words, 1)
    rest = call.words[options.start + prefix.operands :]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    assignments: tuple[tuple[str, Word], ...] = ()
    if prefix.assigns:
        assignments, rest = split_assignments(rest)
    if not rest:
        return ()
    folder = options.value(*prefix.folder) if prefix.folder else None
    return (
        Inner(
            carrier=call.name,
            words=rest,
            assignments=assignments,
            folder=None if folder is None else folder.text if folder.is_known else "",
        ),
    )


PREFIXES: dict[str, Prefix] = {
    "nohup": Prefix(),
    "nice": Prefix(OptionTable("n", ("adjustment",))),
    "timeout": Prefix(OptionTable("ks", ("kill-after", "signal")), operands=1),
}


def unfold_sudo(call: Call) -> tuple[Inner, ...]:
    """`sudo` runs words; with `-s` or `-i` the user's shell reads them."""
    options = _SUDO.read(call.words, 1)
    assignments, rest = split_assignments(call.words[options.start :])
    if not rest or options.flags & {"e", "edit", "l", "list", "v", "K"}:
        return ()
    folder = options.value("D", "chdir")
    place = None if folder is None else folder.text
    if options.flags & {"s", "shell", "i", "login"}:
        return (Inner(carrier="sudo", text=joined(rest), assignments=assignments, folder=place),)
    return (Inner(carrier="sudo", words=rest, assignments=assignments, folder=place),)


_SUDO = OptionTable(
    "ugpCcDhRrtTU",
    (
        "user",
        "group",
        "prompt",
        "chdir",
        "close-from",
        "host",
        "chroot",
        "role",
        "type",
        "other-user",
        "command-timeout",
        "login-class",
    ),
    ("shell", "login", "edit", "list", "validate", "non-interactive", "preserve-env", "stdin"),
)
