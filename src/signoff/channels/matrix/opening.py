"""Opens Matrix: the channel as `matrix.yaml` says, now and later."""

from __future__ import annotations

import os

from signoff.channels.context import ChannelContext
from signoff.channels.followed import Followed
from signoff.channels.matrix.api import MatrixApi
from signoff.channels.matrix.client import CARD_LIMIT, REACT, MatrixPort
from signoff.channels.matrix.line import MatrixLine
from signoff.channels.matrix.names import CHANNEL, FILE
from signoff.channels.matrix.settings import MatrixSettings, read_matrix
from signoff.channels.reloadable import ReloadableChannel
from signoff.channels.threads.message_store import ThreadStore
from signoff.channels.threads.reconciler import ThreadPlace
from signoff.channels.threads.text_channel import TextChannel
from signoff.channels.threads.text_client import TextClient

STORE_FILE = "matrix.db"


def open_matrix(config_dir: str) -> ReloadableChannel:
    """Return the channel as its file says, now and later."""
    path = os.path.join(config_dir, FILE)
    followed = Followed(lambda: read_matrix(config_dir), path)
    return ReloadableChannel(CHANNEL, followed, build=build_matrix)


def build_matrix(found: MatrixSettings, context: ChannelContext) -> TextChannel:
    """Build the channel; nothing is sent before it runs."""
    api = MatrixApi(found.homeserver, found.token, room=found.room)
    client = TextClient(MatrixPort(api), mask=context.mask, card_limit=CARD_LIMIT, by=REACT)
    path = os.path.join(context.state_dir, STORE_FILE)
    place = ThreadPlace(
        channel=CHANNEL,
        client=client,
        store=ThreadStore(path, conversation=found.room),
        context=context,
        users=found.users,
    )
    return TextChannel(place, client, receive=MatrixLine(api).receive)
