"""The part of Slack's Web API that is used: one method, one JSON object each way.

Tokens go in a header and nowhere else; errors carry Slack's own short word.

    await SlackApi(bot_token="xoxb-...").call("chat.postMessage", {"channel": "C1", "text": "..."})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.patience import RetryPolicy, post_patiently
from signoff.challenge.visible import visible

BASE_URL = "https://slack.com/api"
ENDPOINT = OutboundEndpoint.parse(BASE_URL)
# Short: the reconciler tries again, and one message must not keep the others waiting.
PATIENCE = RetryPolicy(timeout_s=15.0, retries=3, pause_s=1.0)
WORD_LIMIT = 60


class SlackError(CallFailed):
    """Slack returned an error; `word` is its reason, e.g. `channel_not_found`."""

    def __init__(self, word: str) -> None:
        super().__init__(f"slack says `{word}`")
        self.word = word


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackApi:
    """Calls Slack's Web API.

    Args:
        bot_token: `xoxb-...`, for posting and editing.
        app_token: `xapp-...`, only for opening Socket Mode.
    """

    bot_token: str = field(repr=False)
    app_token: str = field(default="", repr=False)
    endpoint: OutboundEndpoint = ENDPOINT
    patience: RetryPolicy = PATIENCE

    async def call(self, method: str, body: Mapping[str, Json]) -> Mapping[str, Json]:
        """Call a method with the bot token and return its answer.

        Raises:
            CallFailed: there was no answer, or it says `ok: false`.
        """
        return await self._call(method, body, self.bot_token)

    async def open_socket(self) -> str:
        """Return a one-time WebSocket URL; the caller must check its host before connecting.

        Raises:
            CallFailed: there was no answer, or it says `ok: false`.
        """
        answer = await self._call("apps.connections.open", {}, self.app_token)
        url = answer.get("url")
        if not isinstance(url, str):
            raise CallFailed("slack gave no address for its socket")
        return url

    async def _call(self, method: str, body: Mapping[str, Json], token: str) -> Mapping[str, Json]:
        found = await post_patiently(
            self.endpoint,
            f"/{method}",
            headers={
                "Authorization": f"Bearer {token}",
                "Content-Type": "application/json; charset=utf-8",
            },
            body=body,
            reply=dict[str, object],
            patience=self.patience,
        )
        # Slack says no with status 200.
        if found.get("ok") is not True:
            raise SlackError(visible(str(found.get("error"))[:WORD_LIMIT]))
        return found  # type: ignore[return-value]  # values of decoded JSON are JSON
