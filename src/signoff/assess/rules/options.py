"""Options of a command as patterns read them: clustered, shortened, by another name.

has_option(["-uf"], "--force", program="git")  -> True
"""

from __future__ import annotations

from collections.abc import Mapping

# Other names of one option, by program; the loose reading only.
SHORT_NAMES: Mapping[str, Mapping[str, str]] = {
    "apt": {"--yes": "y"},
    "apt-get": {"--yes": "y"},
    "chmod": {"--recursive": "R"},
    "chown": {"--recursive": "R"},
    "cp": {"--recursive": "rR", "--force": "f"},
    "dnf": {"--assumeyes": "y"},
    "docker": {"--all": "a", "--force": "f"},
    # `git branch -D` is short for `--delete --force`.
    "git": {"--all": "a", "--delete": "dD", "--force": "fD"},
    "ln": {"--force": "f"},
    "mv": {"--force": "f"},
    "npm": {"--force": "f", "--global": "g"},
    "podman": {"--all": "a", "--force": "f"},
    "rm": {"--recursive": "rR", "--force": "f"},
}


def is_option(word: str) -> bool:
    """Return whether a word looks like an option; a single `-` does not."""
    return len(word) > 1 and word[0] == "-"


def is_cluster(option: str) -> bool:
    """Return whether an option may be several letters combined, as `-rf`."""
    # Longer ones are names with one dash, such as `-delete` of find.
    return 2 <= len(option) <= 6 and option[0] == "-" and option[1:].isalpha()


def options_of(words: list[str]) -> list[str]:
    """Return the options among words, up to `--`."""
    end = words.index("--") if "--" in words else len(words)
    return [word for word in words[:end] if is_option(word)]


def has_option(given: list[str], wanted: str, *, program: str = "") -> bool:
    """Return whether an option is given.

    Args:
        program: if named, abbreviations and its aliases count too.
    """
    names = [option.split("=", 1)[0] for option in given]
    if wanted in given or wanted in names:
        return True
    letters = {c for option in given if is_cluster(option) for c in option[1:]}
    if is_cluster(wanted) and letters.issuperset(wanted[1:]):
        return True
    if not program:
        return False
    # Programs take any clear beginning of a name: `--for` is `--force`; `--f` could be many.
    if wanted.startswith("--") and any(len(n) > 3 and wanted.startswith(n) for n in names):
        return True
    # Some programs take one dash for long names: `-force`.
    if any(len(name) > 2 and name.lstrip("-") == wanted.lstrip("-") for name in names):
        return True
    return _by_other_name(names, letters, wanted, program=program)


def _by_other_name(names: list[str], letters: set[str], wanted: str, *, program: str) -> bool:
    other = SHORT_NAMES.get(program, {})
    if wanted in other:
        return not letters.isdisjoint(other[wanted])
    if not is_cluster(wanted):
        return False
    meant = set(letters)
    for name, short in other.items():
        if name in names or not letters.isdisjoint(short):
            meant.update(short)
    return meant.issuperset(wanted[1:])
