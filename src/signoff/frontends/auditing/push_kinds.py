"""Which push a setting names: syslog, or OTLP by the OpenTelemetry SDK.

build_push(settings.push[0], store, folder="/home/dev/.local/state/signoff/push")
"""

from __future__ import annotations

import os

from signoff.errors import BadSettings
from signoff.frontends.auditing.pushing import LogPush, SyslogPush, SyslogTarget
from signoff.sections import PushSection
from signoff.settings import Settings
from signoff.storage.reading import Readable
from signoff.storage.text_file import read_text

OTLP = "otlp+"
HEADERS_LIMIT = 10_000  # bytes


def build_pushes(settings: Settings, store: Readable) -> tuple[LogPush, ...]:
    """Build the senders of new audit log entries, one per target in the settings.

    Raises:
        BadSettings: as `build_push`.
    """
    folder = os.path.join(settings.state_dir, "push")
    return tuple(build_push(one, store, folder=folder) for one in settings.push)


def build_push(section: PushSection, store: Readable, *, folder: str) -> LogPush:
    """Build the sender of new audit log entries to one target.

    Args:
        folder: where its progress is stored.

    Raises:
        BadSettings: its address or its headers are refused, or `signoff[otlp]` is not installed.
    """
    form = section.format.value
    if not section.url.startswith(OTLP):
        if section.headers_file:
            raise BadSettings("audit.push: `headers_file` is for `otlp+https://` only")
        return SyslogPush(store, SyslogTarget.parse(section.url, form), folder=folder)
    try:
        from signoff.frontends.auditing.otlp import OtlpPush, OtlpTarget  # noqa: PLC0415 - an extra
    except ImportError as error:
        said = "needs the OpenTelemetry SDK: install `signoff[otlp]`"
        raise BadSettings(f"audit.push: `{section.url[:255]}` {said} ({error})") from error
    headers = read_headers_file(section.headers_file, about="audit.push")
    return OtlpPush(store, OtlpTarget.parse(section.url, form, headers), folder=folder)


def read_headers_file(path: str, *, about: str) -> str:
    """Return the text of a file with headers, "" if `path` is "".

    Raises:
        BadSettings: it is not there.
    """
    found = read_text(path, limit=HEADERS_LIMIT) if path else ""
    if found is None:
        raise BadSettings(f"{about}: there is no file `{path}`")
    return found
