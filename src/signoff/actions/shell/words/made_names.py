"""Names that a line makes up: of temporary files, with the date in them, of the project's folder.

What the machine would fill in stands as `FILLED_IN`, a character that no program, number or known
file has: the name stays a name of its own, and whatever compares or runs it is not understood.

    mktemp -d              ->  /tmp/tmp.••••••
    date +%F               ->  ••••-••-••
"""

from __future__ import annotations

from signoff.actions.shell.state import ShellScope
from signoff.actions.vocabulary import lazy_re

FILLED_IN = "\u2022"
TOPLEVEL = "git rev-parse --show-toplevel"  # stands in the variables of a reading; no name has it
_PRINTED: dict[tuple[str, ...], str] = {
    ("rev-parse", "--show-toplevel"): "",
    ("rev-parse", "--git-dir"): "/.git",
    ("rev-parse", "--git-common-dir"): "/.git",
    ("rev-parse", "--absolute-git-dir"): "/.git",
}
# GNU date: a padding flag, colons for `%:z`, digits for `%3N`, then the letter.
_DIRECTIVE = lazy_re(r"%[-_0^#]?[:]{0,3}[0-9]?([A-Za-z%])")
_LENGTHS = {
    **dict.fromkeys("dmyHMSIjeklUVWCug", 2),
    **{"Y": 4, "G": 4, "s": 10, "N": 9, "z": 4, "w": 1, "q": 1},
}
_COMPOUND = {"F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M"}
_UTC = frozenset({"-u", "--utc", "--universal"})
_MKTEMP_FLAGS = frozenset({"-d", "-q", "-u", "-dq", "-qd", "--directory", "--quiet", "--dry-run"})
_TEMPLATE = lazy_re(r"X{3,}")


def date_text(texts: tuple[str, ...], _: ShellScope) -> str | None:
    """Return the output of `date +FORMAT` with stand-in digits, None for other formats."""
    forms = [text for text in texts if text not in _UTC]
    if len(forms) != 1 or forms[0][:1] != "+":
        return None
    form = forms[0][1:]
    for letter, longer in _COMPOUND.items():
        form = form.replace(f"%{letter}", longer)
    letters = [match[1] for match in _DIRECTIVE.finditer(form)]
    # Names of months and days depend on the language; only numbers have a fixed length.
    if any(letter not in _LENGTHS for letter in letters) or "%" in _DIRECTIVE.sub("", form):
        return None
    return _DIRECTIVE.sub(lambda match: FILLED_IN * _LENGTHS[match[1]], form) + "\n"


def temporary_name(texts: tuple[str, ...], scope: ShellScope) -> str | None:
    """Return the path that `mktemp` creates, with unknown parts marked."""
    folder, template, at = "", "", 0
    in_temporary = False
    while at < len(texts):
        text = texts[at]
        if text in {"-p", "-t", "--suffix"} and at + 1 < len(texts):
            at += 1
            folder = texts[at] if text == "-p" else folder
            template = texts[at] if text == "-t" else template
            in_temporary |= text == "-t"
        elif text.startswith("--tmpdir="):
            folder = text.partition("=")[2]
        elif text[:1] != "-":
            template = text
        elif text not in _MKTEMP_FLAGS and not text.startswith("--suffix="):
            return None
        at += 1
    return _placed(template, folder, scope, in_temporary=in_temporary)


def _placed(template: str, folder: str, scope: ShellScope, *, in_temporary: bool) -> str | None:
    variable = scope.variables.get("TMPDIR")
    if variable is not None and not variable.is_known:
        return None
    usual = variable.text if variable is not None and variable.text else "/tmp"  # noqa: S108 - where `mktemp` makes it
    name = _TEMPLATE.sub(lambda match: FILLED_IN * len(match[0]), template)
    if in_temporary and not _TEMPLATE.search(template):
        name = f"{template}.{FILLED_IN * 6}"  # BSD and macOS: a prefix
    if not template:
        name = f"tmp.{FILLED_IN * 6}"
        in_temporary = True
    if folder or in_temporary:
        return f"{(folder or usual).rstrip('/')}/{name}\n"
    return name + "\n"


def is_odd_name(program: str) -> bool:
    """Return whether a program's name contains look-alike characters."""
    folder, _, name = program.rpartition("/")
    return not (name.isascii() and folder.replace(FILLED_IN, "").isascii())


def project_folder(texts: tuple[str, ...], scope: ShellScope) -> str | None:
    """Return the output of `git rev-parse --show-toplevel` or the like in the project."""
    known = scope.variables.get(TOPLEVEL)
    below = _PRINTED.get(texts)
    if below is None or known is None:
        return None
    folder = known.text
    # Elsewhere the same question is answered by another repository.
    is_inside = scope.folder == folder or scope.folder.startswith(f"{folder}/")
    return f"{folder}{below}\n" if folder and is_inside else None
