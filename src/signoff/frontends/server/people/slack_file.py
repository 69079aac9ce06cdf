"""`slack.yaml` in the configuration folder: which app asks, in which conversation, and whom.

    version: 1
    conversation: C0123456789
    users: [U0123ABCD, U0456EFGH]      # asked there; who may answer, the approvers say
    bot_token_file: slack.bot-token    # xoxb-..., beside this file, for its owner only
    app_token_file: slack.app-token    # xapp-..., the same
    api: https://slack.com/api

The tokens stand in files of their own; what others may read is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from signoff.assess.rules.notation.document import Place, compose, fields_of, items_of, text_of
from signoff.challenge.channels.slack.web_api import BASE_URL
from signoff.challenge.outbound.endpoint import Endpoint
from signoff.errors import BadRules, BadSettings
from signoff.frontends.server.people.telegram_file import read_private
from signoff.storage.text_file import read_text

FILE = "slack.yaml"
BOT_TOKEN_FILE, APP_TOKEN_FILE = "slack.bot-token", "slack.app-token"
KEYS = ("version", "conversation", "users", "bot_token_file", "app_token_file", "api")
FILE_LIMIT = 65_536
USERS_LIMIT = 100
ID_LIMIT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """What is configured."""

    bot_token: str = field(repr=False)
    app_token: str = field(repr=False)
    conversation: str
    users: tuple[str, ...]
    api: Endpoint


def read_slack(config_dir: str) -> SlackSettings | None:
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
        found = fields_of(root, place, what="slack", allowed=KEYS)
        nodes = {key: value for key, (_, value) in found.items()}
        return _settings(nodes, place, root, config_dir)
    except BadRules as error:
        raise BadSettings(str(error)) from error


def _settings(
    nodes: Mapping[str, yaml.Node], place: Place, root: yaml.Node, folder: str
) -> SlackSettings:
    for name in ("conversation", "users"):
        if name not in nodes:
            raise place.refuse(f"slack: `{name}` is missing", root)
    version = nodes.get("version")
    if version is not None and text_of(version, place, what="version", limit=10) != "1":
        raise place.refuse("version: expected 1", version)
    users = items_of(nodes["users"], place, what="users", limit=USERS_LIMIT)
    api = nodes.get("api")
    return SlackSettings(
        bot_token=_token(nodes.get("bot_token_file"), place, BOT_TOKEN_FILE, folder),
        app_token=_token(nodes.get("app_token_file"), place, APP_TOKEN_FILE, folder),
        conversation=_id(nodes["conversation"], place, "conversation"),
        users=tuple(_id(user, place, "user") for user in users),
        api=Endpoint.parse(BASE_URL if api is None else text_of(api, place, what="api", limit=500)),
    )


def _id(node: yaml.Node, place: Place, what: str) -> str:
    """Read an id; names like `#general` can change hands and are not taken."""
    text = text_of(node, place, what=what, limit=ID_LIMIT)
    if not (text.isascii() and text.isalnum() and text.isupper()):
        raise place.refuse(f"{what}: expected an id like `C0123456789`, got `{text}`", node)
    return text


def _token(node: yaml.Node | None, place: Place, default: str, folder: str) -> str:
    name = default if node is None else text_of(node, place, what="file", limit=1_000)
    return read_private(os.path.join(folder, name))
