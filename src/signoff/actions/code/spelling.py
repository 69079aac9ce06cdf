"""How words of code are written for a shell, what words of PowerShell stand for, what URLs say."""

from __future__ import annotations

import re

from signoff.actions.code.value import UNKNOWN_PART
from signoff.actions.operation import Trait
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re
from signoff.actions.windows.variables import spelled

_VARIABLE = lazy_re(r"\$(?:env:)?\w+|\$\(", re.IGNORECASE)
_PROFILE = "~/.config/powershell/microsoft.powershell_profile.ps1"
# In lower case: PowerShell reads names in any.
_FOLDERS = {
    "$home": "~",
    "$pwd": ".",
    **{
        name.lower(): folder
        for name, folder in spelled(
            "$env:{}",
            "SYSTEMROOT WINDIR PROGRAMFILES PROGRAMDATA ALLUSERSPROFILE SYSTEMDRIVE USERPROFILE"
            " HOME LOCALAPPDATA APPDATA TEMP TMP",
        ).items()
    },
}


def quoted(word: str) -> str:
    """Quote a word for a shell line; unknown parts stay marked as unknown."""
    # Outside quotes, as the shell expands a tilde only there.
    if word == "~" or (word.startswith("~/") and word[2:].isalnum()):
        return word
    if word and all(char.isalnum() or char in "@%+=:,./-_" for char in word):
        return word
    if UNKNOWN_PART in word:
        plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        # Double quotes: the unknown part is put in later, and must stay one word.
        return f'"{plain}"'.replace("`", "\\`")
    return "'" + word.replace("'", "'\"'\"'") + "'"


def url_traits(url: str) -> frozenset[Trait]:
    """Return traits of a URL: a covert host, a secret in it."""
    facts = look_at_url(url)
    traits = set()
    if facts.is_covert:
        traits.add(Trait.COVERT)
    if facts.host_class == "metadata":
        traits.add(Trait.METADATA_HOST)
    if facts.host_class in {"private", "link-local"}:
        traits.add(Trait.PRIVATE_HOST)
    if facts.has_secret:
        traits.add(Trait.SENDS_SECRET)
    return frozenset(traits)


def open_word(word: str) -> str:
    """Return a word with unknown parts marked; `~` is expanded."""
    text = unquoted(word)
    if word[0] == "'":
        return text
    lowered = text.lower()
    if lowered.startswith("$profile"):
        return _PROFILE
    for known, folder in _FOLDERS.items():
        if lowered.startswith(known) and lowered[len(known) :][:1] in ("", "/", "\\"):
            return folder + text[len(known) :].replace("\\", "/")
    return _VARIABLE.sub(UNKNOWN_PART, text) if "$" in text else text


def unquoted(word: str) -> str:
    """Return a word without its surrounding quotes."""
    return (
        word[1:-1]
        if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0]
        else word.replace("`", "")
    )
