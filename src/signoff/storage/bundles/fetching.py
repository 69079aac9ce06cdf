"""Fetches a bundle from where the settings say: a URL, a file, or a folder with `signoff.bundle`.

text = await fetched("https://policy.example.com/signoff.bundle")
"""

from __future__ import annotations

import asyncio
import os

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import opened
from signoff.errors import BadSettings
from signoff.storage.bundles.bundle import BUNDLE_LIMIT, BadBundle
from signoff.storage.text_file import read_text

NAME = "signoff.bundle"
FETCH_S = 20.0
ADDRESSES = ("https://", "http://")


async def fetched(source: str) -> str:
    """Return the text of the bundle at a URL or absolute path, unchecked.

    Raises:
        BadBundle: it does not exist or could not be read completely.
    """
    try:
        if not source.startswith(ADDRESSES):
            return await asyncio.to_thread(_read, source)
        async with asyncio.timeout(FETCH_S):
            return (await _body(source)).decode()
    except TimeoutError as error:
        raise BadBundle(f"no bundle came within {FETCH_S:g} seconds") from error
    except (CallFailed, BadSettings, UnicodeError) as error:
        raise BadBundle(f"no bundle came: {error}") from error


async def _body(source: str) -> bytes:
    endpoint, headers = OutboundEndpoint.parse(source), {"Accept": "text/plain"}
    async with opened(endpoint, "GET", "", headers=headers, body=b"", limit=BUNDLE_LIMIT) as stream:
        if stream.status != 200:  # redirects too: the settings say where bundles are
            raise CallFailed(f"the server answered with status {stream.status}")
        return b"".join([part async for part in stream])


def _read(source: str) -> str:
    path = os.path.join(source, NAME) if os.path.isdir(source) else source
    text = read_text(path, limit=BUNDLE_LIMIT)
    if text is None:
        raise BadBundle(f"`{path}` does not exist")
    return text
