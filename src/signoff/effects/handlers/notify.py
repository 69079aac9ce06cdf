"""Handler `notify`: tells a webhook, with a time limit and retries.

One JSON object is posted: tool, session, agent, score, level, what is done, categories. Answers
2xx are good; 429 and 5xx and network errors are tried again after a growing pause; anything else
is given up at once. A redirect is not followed. `NotifyFailed` goes to the log of whoever runs
the handlers. With a file for dead letters, what could not be delivered is added to it, one JSON
object a line.

With a secret each message is signed, so that the receiver can check that it is ours, complete and
recent: the header holds the time and an HMAC-SHA256 over `time.body`. The time is signed, so that
an old message cannot be sent again later.

    pipeline.on("notify", NotifyHandler("https://chat.example/hook", timeout_s=3, retries=2))
    signature(secret, body, at=1767225600)       ->  "t=1767225600,v1=5257a869..."
    is_signed(secret, header, body, now=time.time())
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from signoff.actions.action import Json
from signoff.effects.pipeline import PipelineDecision
from signoff.errors import BadSettings, SignoffError
from signoff.ids import is_same_secret
from signoff.system.files import CLOEXEC, NOFOLLOW

DEAD_LETTERS_LIMIT = 16 << 20  # bytes; further messages are only logged

HEADER = "Signoff-Signature"
TOLERANCE_S = 300  # clocks of two machines differ, and retries take time
SECRET_AT_LEAST = 16  # characters
HEADER_LIMIT = 200


class NotifyFailed(SignoffError):
    """A webhook could not be delivered."""


class NotifyHandler:
    """A handler that posts decisions to one webhook URL.

    Raises:
        BadSettings: the URL is not http(s) with a host, a figure is out of range, or the secret
            has fewer than 16 characters.
    """

    takes_long = True

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = 5.0,
        retries: int = 2,
        pause_s: float = 0.5,
        secret: str = "",
        dead_letters: str = "",
    ) -> None:
        self._url = urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise BadSettings(f"webhook `{url}` is no http or https address")
        if not (0 < timeout_s <= 60 and 0 <= retries <= 10 and 0 <= pause_s <= 60):
            raise BadSettings("webhook: timeout 0..60 s, retries 0..10, pause 0..60 s expected")
        if secret and len(secret) < SECRET_AT_LEAST:
            raise BadSettings(f"webhook: the secret has fewer than {SECRET_AT_LEAST} characters")
        self._secret, self._dead_letters = secret, dead_letters
        self._timeout_s, self._retries, self._pause_s = timeout_s, retries, pause_s

    def __call__(self, decision: PipelineDecision) -> None:
        """Post the decision.

        Raises:
            NotifyFailed: no attempt was answered well.
        """
        self.send(_message(decision))

    def send(self, message: Mapping[str, Json]) -> None:
        """Post a message, with retries.

        Raises:
            NotifyFailed: no attempt got a successful response.
        """
        body = json.dumps(message).encode()
        problem = ""
        for attempt in range(self._retries + 1):
            if attempt:
                time.sleep(self._pause_s * 2 ** (attempt - 1))
            problem, again = self._post(body)
            if not problem:
                return
            if not again:
                break
        self._keep(body)
        raise NotifyFailed(f"webhook on `{self._url.hostname}` was not notified: {problem}")

    def _post(self, body: bytes) -> tuple[str, bool]:
        """Post once; give the problem, "" for none, and whether to try again."""
        host, url = self._url.hostname or "", self._url
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(host, url.port, timeout=self._timeout_s)
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        try:
            connection.request("POST", target, body, self._headers(body))
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__, True
        finally:
            connection.close()
        if 200 <= status < 300:
            return "", False
        # Any other status says that the message itself is wrong: it would be so again.
        return f"status {status}", status == 429 or status >= 500

    def _headers(self, body: bytes) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if self._secret:
            # Signed at each try: a retry must not be too old for whoever checks it.
            headers[HEADER] = signature(self._secret, body, at=int(time.time()))
        return headers

    def _keep(self, body: bytes) -> None:
        """Add a message nobody took to the dead letters, for its owner only."""
        if not self._dead_letters:
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | CLOEXEC | NOFOLLOW
        handle = os.open(self._dead_letters, flags, 0o600)
        try:
            if os.fstat(handle).st_size < DEAD_LETTERS_LIMIT:
                # One write with O_APPEND: lines of several processes do not mix (write(2)).
                os.write(handle, body + b"\n")
        finally:
            os.close(handle)


def _message(decision: PipelineDecision) -> dict[str, Json]:
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


def signature(secret: str, body: bytes, *, at: int) -> str:
    """Return the signature header for a webhook body.

    Args:
        at: time of sending, seconds since the epoch.
    """
    return f"t={at},v1={_digest(secret, body, str(at))}"


def is_signed(
    secret: str, header: str, body: bytes, *, now: float, tolerance_s: float = TOLERANCE_S
) -> bool:
    """Return whether a webhook body has a valid signature at most `tolerance_s` old.

    Args:
        header: the received signature header.
        now: present time, seconds since the epoch.
    """
    # Cut first: the header comes from whoever calls.
    parts = dict(part.partition("=")[::2] for part in header[:HEADER_LIMIT].split(","))
    at = parts.get("t", "")
    if not (at.isascii() and at.isdigit() and abs(now - int(at)) <= tolerance_s):
        return False
    return is_same_secret(_digest(secret, body, at), parts.get("v1", ""))


def _digest(secret: str, body: bytes, at: str) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
