"""Settings in, what traces calls: an OpenTelemetry collector where `traces.url` names one.

tracing = build_tracing(settings)
"""

from __future__ import annotations

from signoff.errors import BadSettings
from signoff.frontends.auditing.push_kinds import OTLP, read_headers_file
from signoff.frontends.server.telemetry.tracing import OFF, Tracing
from signoff.settings import Settings

ABOUT = "traces"


def build_tracing(settings: Settings) -> Tracing:
    """Build the tracing that the settings configure.

    Raises:
        BadSettings: the address or the headers are refused, or `signoff[otlp]` is not installed.
    """
    section = settings.traces
    if not section.url:
        return OFF
    if not section.url.startswith(OTLP):
        raise BadSettings(f"{ABOUT}: `{section.url[:255]}` is no `otlp+https://host:port`")
    try:
        from signoff.frontends.auditing.otlp import OtlpTarget  # noqa: PLC0415 - an extra
        from signoff.frontends.server.telemetry.otlp_tracing import (  # noqa: PLC0415 - as above
            PATH,
            OtlpTracing,
        )
    except ImportError as error:
        said = "needs the OpenTelemetry SDK: install `signoff[otlp]`"
        raise BadSettings(f"{ABOUT}: `{section.url[:255]}` {said} ({error})") from error
    headers = read_headers_file(section.headers_file, about=ABOUT)
    target = OtlpTarget.parse(section.url, "", headers, path=PATH, about=ABOUT)
    node = settings.store.node if settings.store is not None else ""
    return OtlpTracing(target, node=node, share=section.share)
