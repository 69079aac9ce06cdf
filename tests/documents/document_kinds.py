"""Reads one text as a file of a kind, and returns what a user is told if it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from signoff.assess.profiles.profile_file import load_profile
from signoff.assess.rules.load import load_rules
from signoff.channels.slack.settings import read_slack
from signoff.channels.telegram.settings import read_telegram
from signoff.errors import SignoffError
from signoff.frontends.web_apps.web_file import read_web_file
from signoff.settings import CHANNEL_NAMES, load_settings
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.reloading.own_programs import read_own_file
from signoff.storage.reloading.rules_in_force import rules_of_project

SECRETS = ("slack.bot-token", "slack.app-token", "telegram.token", "telegram.secret")


def _settings(folder: Path, text: str) -> None:
    (folder / "signoff.yaml").write_text(text)
    load_settings(environment=_variables(folder))


def _project(folder: Path, text: str) -> None:
    (folder / ".signoff.yaml").write_text(text)
    load_settings(str(folder), environment=_variables(folder / "none"))


def _variables(folder: Path) -> dict[str, str]:
    return {"SIGNOFF_CONFIG_DIR": str(folder), "SIGNOFF_STATE_DIR": str(folder / "state")}


def _telegram(folder: Path, text: str) -> None:
    _write_secrets(folder)
    (folder / "telegram.yaml").write_text(text)
    read_telegram(str(folder))


def _slack(folder: Path, text: str) -> None:
    _write_secrets(folder)
    (folder / "slack.yaml").write_text(text)
    read_slack(str(folder))


def _write_secrets(folder: Path) -> None:
    for name in SECRETS:
        (folder / name).write_text("12345:abcdefghijklmnopqrstuvwxyz0123456789")
        (folder / name).chmod(0o600)


def _approvers(folder: Path, text: str) -> None:
    (folder / "approvers.json").write_text(text)
    ApproverFile(str(folder / "approvers.json")).listed()


def _locks(folder: Path, text: str) -> None:
    (folder / "locks.json").write_text(text)
    LockFile(str(folder / "locks.json")).remove(Lock(scope=LockScope.TOOL, name="Bash"))


def _rules(folder: Path, text: str) -> None:
    load_rules(text, file=str(folder / "rules.yaml"))


def _project_rules(folder: Path, text: str) -> None:
    rules_of_project(text, file=str(folder / ".signoff.yaml"))


def _programs(folder: Path, text: str) -> None:
    read_own_file(text, file=str(folder / "frob.yaml"))


def _profile(folder: Path, text: str) -> None:
    load_profile(text, file=str(folder / "finance.yaml"))


def _web(folder: Path, text: str) -> None:
    (folder / "web.yaml").write_text(text)
    read_web_file(str(folder / "web.yaml"))


KINDS: Mapping[str, Callable[[Path, str], None]] = {
    "settings": _settings,
    "project settings": _project,
    "rules": _rules,
    "project rules": _project_rules,
    "programs": _programs,
    "telegram": _telegram,
    "slack": _slack,
    "profile": _profile,
    "approvers": _approvers,
    "locks": _locks,
    "web": _web,
}


def message_of(kind: str, text: str, folder: Path) -> str:
    """Return the message without folder and list of channels; "" if the text is taken."""
    try:
        KINDS[kind](folder, text)
    except SignoffError as error:
        message = str(error).replace(f"{folder}/", "")
        return message.replace(", ".join(CHANNEL_NAMES), "all channels")
    return ""
