"""Where questions go, as `signoff.yaml` says it: the line `channels`, written for the user.

with_channel("pack: strict\n", "web")     "pack: strict\nchannels: [web]\n"
"""

from __future__ import annotations

from pathlib import Path

from signoff.documents.node import Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.sections import USER_KEYS
from signoff.settings import FORM, USER_FILE, Settings
from signoff.storage.text_file import make_folder

KEY = "channels"


def keep_channel(settings: Settings, name: str, *, is_dry: bool = False) -> FileChange:
    """Add a channel to the settings, for the daemon's next start.

    Args:
        is_dry: return the change without writing it.

    Raises:
        BadSettings: the settings cannot be read or written; they are unchanged then.
    """
    path = Path(settings.config_dir, USER_FILE)
    if not is_dry:
        make_folder(str(path.parent))
    return changed(path, lambda text: with_channel(text, name, file=str(path)), is_dry=is_dry)


def with_channel(text: str, name: str, *, file: str = USER_FILE) -> str:
    """Return the text of the settings with this channel listed; the rest is unchanged.

    Raises:
        BadSettings: they cannot be read, or changed without risk.
    """
    listed = _listed(text, file)
    if listed is not None and name in _names(listed):
        return text
    if listed is None:
        return f"{text.rstrip()}\n{KEY}: [{name}]\n".lstrip()
    names = [one for one in _names(listed) if one != "terminal"]  # a daemon has no terminal
    line = f"[{', '.join([*names, name])}]"
    before, after = text[: listed.start], text[listed.end :]
    if text[listed.start : listed.end].endswith("\n"):  # a list of lines ends where the next begins
        after = f"\n{after}"
    new = f"{before}{line}{after}"
    # Read back: the old list may stand in a form that no line can replace.
    written = _listed(new, file)
    if written is None or name not in _names(written):
        raise BadSettings(f"there is no sure place for `{KEY}: {line}` in {file}: write it by hand")
    return new


def _listed(text: str, file: str) -> Node | None:
    """Return where the channels stand, None if nowhere."""
    if not text.strip():
        return None
    return read_yaml(text, file=file, form=FORM).fields(allowed=USER_KEYS).get(KEY)


def _names(node: Node) -> list[str]:
    return [item.written for item in (node.items() if node.is_list else [node])]
