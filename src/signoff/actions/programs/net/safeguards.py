"""Audit and logs of a service that a request switches off: in its body, or by its address.

PUT /_cluster/settings {"xpack.security.audit.enabled": false}  -> DELETE, traits={BLINDS}
DELETE /v1/sys/audit/file                                       -> the same
PUT /_cluster/settings {"xpack.security.audit.enabled": true}   -> None
"""

from __future__ import annotations

from signoff.actions.lexicon.guards import guard_off_in
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.call import ProgramCall
from signoff.actions.vocabulary import lazy_re

_MAX_BODY = 20_000
_QUOTE = r"\\?[\"']?"
# `audit_events_enabled=false`, `"auditing": {"enabled": false}`, `"audit.type": "noop"`.
_NAME = (
    r"(?<![a-z])(?:security[._-]?log(?:ging)?|audit(?:ing|[._-]?(?:logs?|logging|events?|trail))?)"
)
_OFF = rf"{_QUOTE}(?:false|off|none|noop|disabled?|0|null)\b"
_BODY_OFF = lazy_re(
    rf"(?i){_NAME}(?:[._-](?:enabled?|active|type|mode|status|state))?{_QUOTE}\s*:?[:=]\s*"
    rf"(?:\{{[^{{}}]*?\b(?:enabled?|active|type|mode|status|state){_QUOTE}\s*:\s*)?{_OFF}"
    rf"|(?i:disable[._-]?audit\w*){_QUOTE}\s*:?[:=]\s*{_QUOTE}(?:true|on|1)\b"
)
_AUDIT_ADDRESS = lazy_re(
    r"(?i)/(?:sys/)?audit(?:ing|[-_]?(?:devices?|settings|config|logging))?(?:/|$)"
)
_SWITCHED_OFF = lazy_re(rf"(?i)\b(?:enabled?|active|status|state|mode){_QUOTE}\s*:?[:=]\s*{_OFF}")
# JSON Patch (RFC 6902).
_PATCHED_OFF = lazy_re(
    r"(?i)\"path\"\s*:\s*\"[^\"]*\b(?:enabled?|active|status|state|mode)\"[^{}]*\"value\"\s*:\s*"
    r"(?:false|null|0|\"(?:off|none|noop|disabled?|false)\")"
)

# Not a search or a new document whose text speaks of such a setting.
_SETS = lazy_re(r"(?i)settings?\b|config|/api/|/admin|/sys/|/management|/v\d")


def blinded(call: ProgramCall, method: str, url: str, body: str) -> Operation | None:
    """Give the loss of the service's audit that a request asks for, None for others."""
    address = url.partition("?")[0]
    is_audit = _AUDIT_ADDRESS.search(address) is not None
    if method == "DELETE":
        is_off = is_audit and "/sys/audit/" in address
    elif method in ("PUT", "POST", "PATCH"):
        text = body[:_MAX_BODY]
        is_named = _BODY_OFF.search(text) is not None or bool(guard_off_in(text))
        is_off = (is_named and _SETS.search(address) is not None) or (
            is_audit and any([one.search(text) for one in (_SWITCHED_OFF, _PATCHED_OFF)])
        )
    else:
        is_off = False
    if not is_off:
        return None
    return call.operation(
        Verb.DELETE,
        ResourceType.PROTECTION,
        address,
        traits=(Trait.BLINDS,),
        reach=Reach.SYSTEM,
        reversible=False,
    )
