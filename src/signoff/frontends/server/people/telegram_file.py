"""`telegram.yaml` in the configuration folder: which bot asks, in which chat, and who may answer.

    version: 1
    token_file: telegram.token       # beside this file, for its owner only
    chat: 4711
    users: [4711, 42]
    api: https://api.telegram.org
    webhook: {url: https://example.org/telegram, port: 8443, secret_file: telegram.secret}

The token and the webhook's secret stand in files of their own; what others may read is refused.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from signoff.assess.rules.notation.document import Place, compose, fields_of, items_of, text_of
from signoff.challenge.channels.telegram.channel import PushedTo
from signoff.challenge.channels.telegram.client import API_URL, Token
from signoff.challenge.channels.telegram.updates import Terms
from signoff.challenge.outbound.endpoint import Endpoint
from signoff.errors import BadRules, BadSettings
from signoff.storage.text_file import read_text

FILE = "telegram.yaml"
TOKEN_FILE = "telegram.token"  # noqa: S105 - the name of a file
KEYS = ("version", "api", "token_file", "chat", "users", "webhook")
WEBHOOK_KEYS = ("url", "port", "secret_file")
FILE_LIMIT = 65_536
SECRET_LIMIT = 1_000
USERS_LIMIT = 100
PORTS = (1_024, 65_535)
LARGEST_ID = 1 << 52  # what Telegram says of its ids


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """What is configured.

    Args:
        pushed_to: None = long polling.
        webhook_port: on loopback, where pushes arrive from a proxy.
    """

    token: Token = field(repr=False)
    terms: Terms
    api: Endpoint
    pushed_to: PushedTo | None = None
    webhook_port: int = 0


def read_telegram(config_dir: str) -> TelegramSettings | None:
    """Read the file, None if there is none.

    Raises:
        BadSettings: it, or a file it names, is refused.
    """
    path = os.path.join(config_dir, FILE)
    text = read_text(path, limit=FILE_LIMIT)
    if text is None:
        return None
    place = Place(path)
    try:
        root = compose(text, place)
        nodes = _nodes(root, place, KEYS, what="telegram")
        return _settings(nodes, place, root, config_dir)
    except BadRules as error:
        raise BadSettings(str(error)) from error


def write_telegram(config_dir: str, token: Token, terms: Terms, *, api: str = API_URL) -> str:
    """Write token and file, for their owner only; return the file's path.

    Raises:
        BadSettings: they cannot be written.
    """
    said = {
        "version": 1,
        "token_file": TOKEN_FILE,
        "chat": terms.chat,
        "users": sorted(terms.users),
        "api": api,
    }
    path = os.path.join(config_dir, FILE)
    try:
        os.makedirs(config_dir, mode=0o700, exist_ok=True)
        _write_private(os.path.join(config_dir, TOKEN_FILE), f"{token.value}\n")
        _write_private(path, yaml.safe_dump(said, sort_keys=False))
    except OSError as error:
        raise BadSettings(f"`{config_dir}` cannot be written: {error.strerror}") from error
    return path


def read_private(path: str) -> str:
    """Return the text of a file that only its owner may read.

    Raises:
        BadSettings: there is none, or others may read it.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, encoding="ascii") as source:
            found = os.fstat(handle)
            text = source.read(SECRET_LIMIT).strip()
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"`{path}` cannot be read: {type(error).__name__}") from error
    is_private = not stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.getuid()
    if not stat.S_ISREG(found.st_mode) or not is_private:
        raise BadSettings(f"`{path}` must be a file of its owner's alone: chmod 600 it")
    return text


def _settings(
    nodes: Mapping[str, yaml.Node], place: Place, root: yaml.Node, folder: str
) -> TelegramSettings:
    for name in ("chat", "users"):
        if name not in nodes:
            raise place.refuse(f"telegram: `{name}` is missing; `signoff telegram setup`", root)
    version = nodes.get("version")
    if version is not None and text_of(version, place, what="version", limit=10) != "1":
        raise place.refuse("version: expected 1", version)
    api = nodes.get("api")
    users = items_of(nodes["users"], place, what="users", limit=USERS_LIMIT)
    token_file = _file(nodes.get("token_file"), place, TOKEN_FILE, folder)
    pushed_to, port = _webhook(nodes.get("webhook"), place, folder)
    return TelegramSettings(
        token=Token.parse(read_private(token_file)),
        terms=Terms(
            chat=_id(nodes["chat"], place, "chat"),
            users=frozenset(_id(user, place, "user", lowest=1) for user in users),
        ),
        api=Endpoint.parse(API_URL if api is None else text_of(api, place, what="api", limit=500)),
        pushed_to=pushed_to,
        webhook_port=port,
    )


def _webhook(node: yaml.Node | None, place: Place, folder: str) -> tuple[PushedTo | None, int]:
    """Read where updates are pushed to; without a secret it is refused."""
    if node is None:
        return None, 0
    nodes = _nodes(node, place, WEBHOOK_KEYS, what="webhook")
    for name in WEBHOOK_KEYS:
        if name not in nodes:
            raise place.refuse(f"webhook: `{name}` is missing: no webhook without a secret", node)
    url = text_of(nodes["url"], place, what="url", limit=500)
    if not url.startswith("https://"):
        raise place.refuse("url: expected `https://...`", nodes["url"])
    secret = read_private(_file(nodes["secret_file"], place, "", folder))
    port = _id(nodes["port"], place, "port", lowest=PORTS[0], highest=PORTS[1])
    return PushedTo(url=url, secret=secret), port


def _nodes(
    node: yaml.Node, place: Place, allowed: tuple[str, ...], *, what: str
) -> Mapping[str, yaml.Node]:
    found = fields_of(node, place, what=what, allowed=allowed)
    return {key: value for key, (_, value) in found.items()}


def _id(
    node: yaml.Node,
    place: Place,
    what: str,
    *,
    lowest: int = -LARGEST_ID,
    highest: int = LARGEST_ID,
) -> int:
    """Read a number; names like `@ada` can change hands and are not taken."""
    text = text_of(node, place, what=what, limit=20)
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or not lowest <= int(text) <= highest:
        raise place.refuse(f"{what}: expected a numeric id, got `{text}`", node)
    return int(text)


def _file(node: yaml.Node | None, place: Place, default: str, folder: str) -> str:
    name = default if node is None else text_of(node, place, what="file", limit=1_000)
    return os.path.join(folder, name)


def _write_private(path: str, text: str) -> None:
    """Write a file whole or not at all, for its owner only."""
    handle, aside = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".telegram.")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        os.unlink(aside)
        raise
