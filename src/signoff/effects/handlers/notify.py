"""Handler `notify`: tells a webhook, with a time limit and retries.

One JSON object is posted: tool, session, agent, score, level, what is done, categories. Answers
2xx are good; 429 and 5xx and network errors are tried again after a growing pause; anything else
is given up at once. A redirect is not followed. `NotifyFailed` goes to the log of whoever runs
the handlers.

    pipeline.on("notify", NotifyHandler("https://chat.example/hook", timeout_s=3, retries=2))
"""

from __future__ import annotations

import http.client
import json
import time
from urllib.parse import urlsplit

from signoff.effects.pipeline import PipelineDecision
from signoff.errors import BadSettings, SignoffError


class NotifyFailed(SignoffError):
    """A webhook was not notified."""


class NotifyHandler:
    """Posts decisions to one URL.

    Raises:
        BadSettings: the URL is not http(s) with a host, or a figure is out of range.
    """

    takes_long = True

    def __init__(
        self, url: str, *, timeout_s: float = 5.0, retries: int = 2, pause_s: float = 0.5
    ) -> None:
        self._url = urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise BadSettings(f"webhook `{url}` is no http or https address")
        if not (0 < timeout_s <= 60 and 0 <= retries <= 10 and 0 <= pause_s <= 60):
            raise BadSettings("webhook: timeout 0..60 s, retries 0..10, pause 0..60 s expected")
        self._timeout_s, self._retries, self._pause_s = timeout_s, retries, pause_s

    def __call__(self, decision: PipelineDecision) -> None:
        """Post the decision.

        Raises:
            NotifyFailed: no attempt was answered well.
        """
        body = json.dumps(_message(decision)).encode()
        problem = ""
        for attempt in range(self._retries + 1):
            if attempt:
                time.sleep(self._pause_s * 2 ** (attempt - 1))
            problem, again = self._post(body)
            if not problem:
                return
            if not again:
                break
        raise NotifyFailed(f"webhook on `{self._url.hostname}` was not notified: {problem}")

    def _post(self, body: bytes) -> tuple[str, bool]:
        """Post once; give the problem, "" for none, and whether to try again."""
        host, url = self._url.hostname or "", self._url
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(host, url.port, timeout=self._timeout_s)
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        try:
            connection.request("POST", target, body, {"Content-Type": "application/json"})
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__, True
        finally:
            connection.close()
        if 200 <= status < 300:
            return "", False
        return f"status {status}", status == 429 or status >= 500


def _message(decision: PipelineDecision) -> dict[str, object]:
    action, threat = decision.action, decision.threat
    return {
        "tool": action.tool,
        "agent": action.agent,
        "session": action.session,
        "request_id": action.request_id,
        "score": round(threat.score, 1),
        "level": threat.level.value,
        "do": list(decision.do),
        "findings": sorted({finding.category for finding in threat.results}),
    }
