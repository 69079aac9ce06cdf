"""Notices on other services: desktop, ntfy, e-mail and what else Apprise knows. One way only.

Nobody can approve anything by a notice: it says that somebody is asked, or that a session was
refused often, and where to look. Secrets in it are masked, hidden characters written out. Sending
never holds anything up: one thread sends, a bounded queue waits for it, and what does not fit is
dropped with a word in the log. A password goes over the network encrypted, or not at all.

    notifier = Notifier(("ntfys://ntfy.example/topic",), mask=redactor)
    notifier.tell(Notice(title="signoff asks", body="..."))
"""

from __future__ import annotations

import logging
import queue
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from signoff.assess.level import Level
from signoff.challenge.card import origin_of_call
from signoff.challenge.evaluators.model import Mask
from signoff.challenge.heading import bounded_name, own_name
from signoff.challenge.pending import PendingRequest
from signoff.challenge.visible import visible
from signoff.errors import BadSettings
from signoff.values import count_of

log = logging.getLogger(__name__)

# A service that hangs must not let old notices pile up; newer ones are dropped, and said.
QUEUE_LIMIT = 20
TITLE_LIMIT = 120
BODY_LIMIT = 600
CLOSE_S = 5.0  # a notice still on its way may hold up the end of the process no longer than this
UNKNOWN = "is none Apprise knows, or its service needs a package that is not installed"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Notice(Struct, frozen=True, kw_only=True):
    """The text of a notification to people.

    Args:
        link: to the request's page, "" for none; never cut or masked, as it holds no code.
        is_urgent: shown as a warning where the service can.
    """

    title: str
    body: str
    link: str = ""
    is_urgent: bool = False


Send: TypeAlias = Callable[[Notice], bool]


class Notifier:
    """Sends notices through Apprise; a `PushChannel` that takes no answers.

    Args:
        urls: Apprise URLs; they contain tokens, so they are never shown.
        address: of the inbox under its public name; "" = notices hold no link.

    Raises:
        BadSettings: Apprise is not installed, or does not know an address.
    """

    name = "notify"

    def __init__(self, urls: Sequence[str], *, mask: Mask, address: str = "") -> None:
        self._mask, self._address = mask, address
        self._send = _open_apprise(urls)
        self._waiting: queue.Queue[Notice | None] = queue.Queue(QUEUE_LIMIT)
        self._thread: threading.Thread | None = None
        # Notices come from several threads, and there must be one sender only.
        self._lock = threading.Lock()

    async def announce(self, pending: PendingRequest) -> None:
        """Send a notice that a request waits for an answer."""
        card = pending.card
        self.tell(
            Notice(
                title=f"signoff asks [{card.level.value}] {card.headline}",
                body="\n".join(
                    line
                    for line in (
                        card.command,
                        origin_of_call(card),
                        card.why,
                        f"digest {card.code}",
                    )
                    if line
                ),
                # Only where to look: the page asks whoever opens it to sign in.
                link=f"{self._address}/web/requests/{pending.id}" if self._address else "",
                is_urgent=card.level >= Level.HIGH,
            )
        )

    async def update(self, pending: PendingRequest) -> None:
        """Do nothing: a notice cannot be updated, and the outcome is in the audit log."""

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Send a notice that a session was denied often."""
        self.tell(
            Notice(
                title=f"signoff denied {count_of(denials, 'call')} of one session",
                body=f"{own_name(agent)}, session {bounded_name(session)}, last tool {last_tool}",
                is_urgent=True,
            )
        )

    def tell(self, notice: Notice) -> bool:
        """Queue a notice; return False if the queue is full."""
        try:
            self._waiting.put_nowait(self._clean(notice))
        except queue.Full:
            log.warning("a notice was dropped: %d wait to be sent", QUEUE_LIMIT)
            return False
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="notify", daemon=True)
                self._thread.start()
        return True

    def close(self) -> None:
        """Send what is queued, for a few seconds at most, and stop."""
        thread = self._thread
        if thread is None:
            return
        try:
            # Behind what is queued: whoever waits for an answer should still hear of it.
            self._waiting.put(None, timeout=CLOSE_S)
        except queue.Full:
            return
        thread.join(CLOSE_S)
        self._thread = None

    def _clean(self, notice: Notice) -> Notice:
        """Return a notice that is short, and safe to show."""
        lines = self._mask.text(notice.body).split("\n")
        return Notice(
            # Masked before it is cut: half a secret would not be found any more (T-52).
            title=_cut(visible(self._mask.text(notice.title)), TITLE_LIMIT),
            body=_cut("\n".join(visible(line) for line in lines), BODY_LIMIT),
            link=notice.link,
            is_urgent=notice.is_urgent,
        )

    def _work(self) -> None:
        """Send queued notices one after another."""
        while (notice := self._waiting.get()) is not None:
            try:
                if not self._send(notice):
                    log.warning("a notice did not reach every service")
            except Exception as error:  # noqa: BLE001 - a plugin's own error; the next one is sent
                # Only the kind of error: texts of errors carry addresses and tokens.
                log.warning("a notice was not sent: %s", type(error).__name__)


def _open_apprise(urls: Sequence[str]) -> Send:
    """Return what sends to all the services.

    Raises:
        BadSettings: Apprise is not installed, or does not know an address.
    """
    try:
        import apprise  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise BadSettings("`notify` needs Apprise: run `pip install 'signoff[notify]'`") from error
    services = apprise.Apprise()
    for count, url in enumerate(urls, 1):
        with warnings.catch_warnings():
            # Its plugins are loaded by the first address, and some use what is deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            service = apprise.Apprise.instantiate(url)
        problem = UNKNOWN if service is None else _problem(service)
        if service is None or problem:
            # No more of it: what follows the scheme is often a token.
            scheme = visible(url.partition(":")[0][:30])
            raise BadSettings(f"notify: address {count} (`{scheme}:...`) {problem}")
        services.add(service)

    def send(notice: Notice) -> bool:
        kind = apprise.NotifyType.WARNING if notice.is_urgent else apprise.NotifyType.INFO
        sent = services.notify(
            title=notice.title,
            body=f"{notice.body}\n\nanswer: {notice.link}" if notice.link else notice.body,
            notify_type=kind,
            body_format=apprise.NotifyFormat.TEXT,
        )
        return bool(sent)

    return send


def _problem(service: object) -> str:
    """Return what is wrong with a service, "" if nothing is."""
    # Only where there are two forms can the encrypted one be asked for.
    has_two = bool(getattr(service, "protocol", None) and getattr(service, "secure_protocol", None))
    is_bare = has_two and not getattr(service, "secure", False)
    host = str(getattr(service, "smtp_host", "") or getattr(service, "host", ""))
    if is_bare and getattr(service, "password", None) and host not in LOOPBACK:
        return "would send its password in the clear: use the encrypted form, ending in `s`"
    return ""


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
