"""What templates of clouds and clusters open: to everybody, to another account, to all of a kind.

AuthType: NONE                                         a function that everybody may call
Principal: {AWS: "arn:aws:iam::440127765190:root"}     another account may act
block_public_acls = false                              the block of public access is loosened
sourceAddressPrefix: 'Internet'  to  '*'               every port, for everybody

One service is open to everybody on its own port in ordinary work; all ports, or those of consoles,
are not.
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.applied.rights.open_doors import is_outside
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_OPEN = lazy_re2(
    r"(?i)\bAWS::Lambda::Url\b(?s:.{0,300}?)\bAuthType:\s*[\"']?NONE\b"
    r"|\baws_lambda_function_url\b(?s:.{0,300}?)\bauthorization_type\s*=\s*\"NONE\""
    r"|\b(?:block_public_(?:acls|policy)|ignore_public_acls|restrict_public_buckets"
    r"|BlockPublic(?:Acls|Policy)"
    r"|IgnorePublicAcls|RestrictPublicBuckets)[\"']?\s*[:=]\s*[\"']?false\b"
    r"|\bloadBalancerSourceRanges:\s*(?:\[\s*|\n\s*-\s*)[\"']?0\.0\.0\.0/0"
    r"|\bproxy-ssl-verify:\s*[\"']?off\b|\bpublicAccess:\s*'(?:Container|Blob)'"
    r"|\bcontainer_access_type\s*=\s*\"(?:container|blob)\""
    r"|\b(?:NotAction|Action)s?[\"']?\s*[:=]\s*\[?\s*[\"'](?:iam|sts|organizations|kms"
    r"|secretsmanager):\*[\"'](?s:.{0,80}?)"
    r"\bResources?[\"']?\s*[:=]\s*\[?\s*[\"']\*"
)
_ACCOUNT = lazy_re2(r"\barn:aws[\w-]*:iam::\d{12}:(?:root|user/[\w*/-]+)")
_ASSUMED = lazy_re2(r"(?i)\bsts:AssumeRole\b")
_RULE = lazy_re2(r"(?is)\baccess[\"']?\s*[:=]\s*[\"']allow[\"'].{0,400}")
_NEXT = lazy_re2(r"(?i)\baccess[\"']?\s*[:=]\s*[\"'](?:allow|deny)")
_INBOUND = lazy_re2(r"(?i)\bdirection[\"']?\s*[:=]\s*[\"']inbound")
_FROM = lazy_re2(r"(?i)\bsource_?address_?prefix[\"']?\s*[:=]\s*[\"']([^\"'\n]{1,40})[\"']")
_PORT = lazy_re2(r"(?i)\bdestination_?port_?range[\"']?\s*[:=]\s*[\"']([\d*-]{1,11})[\"']")
_ANYBODY = ("*", "internet", "any", "0.0.0.0/0")
_CONSOLES = frozenset(
    {"22", "23", "445", "502", "3389", "5900", "5985", "5986", "1433", "3306", "5432"}
)
_ALL_PORTS = ("*", "0-65535", "1-65535")
_DESTROYS = lazy_re2(
    r"(?ims)^[ \t]*path\s+\"(?:\*|[\w-]+/(?:destroy|metadata|delete"
    r"|\*)/(?:\+/)?[+*][^\"]*)\"\s*\{[^}]*\"(?:update|delete|sudo)\""
)


def opened_cloud(text: str) -> tuple[str, str]:
    """Return what opens everything, and what opens something, to others; empty texts if none."""
    head = text[:_READ]
    destroys = _DESTROYS.search(head)
    everything, something = _rules(head)
    if destroys is not None:
        everything = str(destroys.group())
    match = _OPEN.search(head)
    account = _ACCOUNT.search(head) if _ASSUMED.search(head) is not None else None
    found = match if match is not None else account
    return everything, something or (str(found.group()) if found is not None else "")


def _rules(text: str) -> tuple[str, str]:
    """Rules of security groups of Azure: all ports for everybody, a console for somebody."""
    everything = something = ""
    for match in islice(_RULE.finditer(text), _MOST):
        rule = text[max(0, match.start() - 120) : match.end()]
        said = str(match.group())
        other = _NEXT.search(said[12:])
        said = said[: other.start() + 12] if other is not None else said
        source, port = _FROM.search(said), _PORT.search(said)
        if _INBOUND.search(rule) is None or source is None or port is None:
            continue
        who, where = str(source.group(1)).lower(), str(port.group(1))
        if who in _ANYBODY and where in _ALL_PORTS:
            everything = everything or f"{who} to {where}"
        elif where in _CONSOLES and (who in _ANYBODY or is_outside(who)):
            something = something or f"{who} to {where}"
    return everything, something
