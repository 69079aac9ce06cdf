"""Statements whose effect is a refusal: the acts, rights and settings they name are forbidden.

Statements of AWS with `Deny`, in JSON, YAML, Terraform or CDK; rules of Kyverno and admission
policies that are enforced; `deny` and `violation` rules of Rego; Azure policies that deny.

    without_refusals('{"Effect": "Deny", "Principal": "*", "Action": "s3:PutObjectAcl"}')
        is empty but for spaces

Not blanked, so read like any other text: a statement that also allows, or whose effect stands in a
comment; one that shuts everybody out but for a few; one that forbids what records or protects.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.named_only.blocks import (
    Span,
    block_around,
    bracketed,
    item_around,
    rest_of_block,
)
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60  # statements
_MAY_REFUSE = lazy_re2(r"(?i)\b(?:deny|violation|enforce|validations)\b")
_EFFECT = lazy_re2(r"(?i)\beffect[\"']?\s*[:=]\s*[\"']?(?:\w+\.){0,3}deny\b")
_ANY_EFFECT = lazy_re2(r"(?i)\beffect[\"']?\s*[:=]")
_BLOCK_COMMENT = lazy_re2(r"(?m)(?:^|[\s,;{(])/\*")
_IN_COMMENT = lazy_re2(r"#|//|--\s|/\*|\*/|<!--")
_THEN = lazy_re2(r"(?i)\bthen[\"']?\s*[:=]\s*$")
_STATEMENT = lazy_re2(r"(?i)\b(?:not_?)?actions?[\"']?\s*[:=]|\b[\"']?if[\"']?\s*:")
_OTHER_PRINCIPAL = lazy_re2(r"(?i)\bnot_?principals?[\"']?\s*[:={]")
_CONDITION = lazy_re2(r"(?i)\bconditions?[\"']?\s*[:={]")
# Who is left out of a refusal by a condition.
_UNLESS = lazy_re2(r"(?i)\b(?:string|arn)not\w+|\bnotipaddress\b")
_WHO = lazy_re2(
    r"(?i)\b(?:principal(?:arn|account|tag|type|servicename)|userid|username|sourceip|sourceaccount)\b"
)
# All acts, or all of one service.
_ALL_ACTS = lazy_re2(r"(?i)\bactions?[\"']?\s*[:=][\s\[\"'-]*(?:[\w-]+:)?\*[\"'\s,\]]")
_ANYTHING = lazy_re2(r"(?i)\bactions?[\"']?\s*[:=][\s\[\"'-]*\*[\"'\s,\]]")
_NOT_ACTIONS = lazy_re2(r"(?i)\bnot_?actions?[\"']?\s*[:=]")
# What records, protects or keeps copies must not be forbidden.
_PROTECTS = lazy_re2(
    r"(?i)\b(?:logs:(?:put|create)|cloudtrail:(?:create|start|put|\*)|guardduty:(?:create|enable|\*)"
    r"|config:(?:put|start|\*)|securityhub:(?:enable|create|batch|\*)|backup:(?:create|start|\*)"
    r"|ec2:createsnapshot|rds:createdbsnapshot|access-analyzer:(?:create|\*)|inspector2?:(?:enable|\*)"
    r"|macie2?:(?:enable|\*)|(?:cloudtrail|config|delivery\.logs|backup|guardduty)\.amazonaws\.com)"
)
# Records that come to nothing where their writers are forbidden to write.
_RECORDS = lazy_re2(
    r"(?i)\b(?:logs:(?:putlogevents|createlogstream)|cloudtrail:startlogging|backup:startbackupjob"
    r"|config:(?:put|start)configurationrecorder|securityhub:batchimportfindings|s3:putobject\b"
    r"(?s:.{0,300}?)(?:cloudtrail|delivery\.logs)\.amazonaws\.com"
    r"|(?:cloudtrail|delivery\.logs)\.amazonaws\.com(?s:.{0,300}?)s3:putobject\b)"
)
# All that a file holds besides may only carry such statements.
_CARRIES = lazy_re2(
    r"(?i)^(?:aws_iam_policy_document|aws_\w+_policy|aws_s3_bucket_public_access_block)$"
)
_BLOCK = lazy_re2(r"(?m)^\s*(?:resource|data|module|provider|ephemeral|action)\s+\"([\w-]+)\"")
_CFN_TYPE = lazy_re2(r"(?m)^\s*\"?Type\"?\s*:\s*[\"']?([\w-]+::[\w:-]+)")
_NO_CARRIER = lazy_re2(
    r"(?i)\b(?:effect|provisioner|local-exec|(?:template)?file\s*\(|templatefile|managed_policy_arns|false)\b"
)
_BY_FORMAT = lazy_re2(r"(?i)\.(?:tf|json|ya?ml)$")
_JSON_POLICY = lazy_re2(
    r"(?s)^\s*\{[\s,]*(?:\"(?:Version|Id|Sid)\"\s*:\s*\"[^\"]*\"[\s,]*)*\"Statement\"\s*:\s*\[?[\s,]*\]?[\s,]*(?:\"(?:Version|Id)\"\s*:\s*\"[^\"]*\"[\s,]*)*\}\s*$"
)
_DOCUMENT = lazy_re2(r"(?m)^---[ \t]*$")
_KYVERNO = lazy_re2(r"(?m)^apiVersion:\s*[\"']?(?:kyverno\.io|policies\.kyverno\.io)/")
_ADMISSION = lazy_re2(
    r"(?m)^kind:\s*[\"']?(?:ValidatingAdmissionPolicy|ConstraintTemplate|ValidatingPolicy)\b"
)
_ENFORCED = lazy_re2(
    r"(?im)^\s*-?\s*(?:validationFailureAction|failureAction)\s*:\s*[\"']?enforce\b"
    r"|^\s*validationActions\s*:[\s\[-]*[\"']?deny\b"
)
_AUDITED = lazy_re2(
    r"(?im)^\s*-?\s*(?:validationFailureAction|failureAction|action)\s*:\s*[\"']?(?:audit|warn)\b"
)
# A policy that leaves out everything checks nothing.
_ALL_LEFT_OUT = lazy_re2(
    r"(?is)\bexclude\b.{0,300}?\b(?:namespaces|names)\s*:[\s\[-]*[\"']?\*[\"'\s\],]"
)
_CHECKS = lazy_re2(
    r"(?m)^[ \t]*-?[ \t]*(?:validate|validations|rego|policies\.kyverno\.io/(?:title|description)"
    r"|messageExpression|message)[ \t]*:"
)
_REGO = lazy_re2(r"(?m)^(?:deny|violation)\b[^\n{]{0,120}\{")
_PACKAGE = lazy_re2(r"(?m)^package\s+[\w.]+")


def without_refusals(text: str) -> str:
    """Return a text of the same length in which statements that only refuse are blank."""
    if len(text) > _READ or _MAY_REFUSE.search(text) is None:
        return text
    for start, end in (*_statements(text), *_checks(text), *_rego_rules(text)):
        kept = "".join(["\n" if one == "\n" else " " for one in text[start:end]])
        text = text[:start] + kept + text[end:]
    return text


def only_refuses(text: str, path: str) -> bool:
    """Return whether all statements of a whole file refuse, and nothing else stands in it."""
    rest = without_refusals(text)
    if rest == text or _BY_FORMAT.search(path) is None or _NO_CARRIER.search(rest) is not None:
        return False
    if path.lower().endswith(".json"):
        return _JSON_POLICY.search(rest) is not None
    if _KYVERNO.search(rest) or _ADMISSION.search(rest):
        return _DOCUMENT.search(rest.lstrip("-")) is None
    kinds = [str(one.group(1)) for one in islice(_BLOCK.finditer(rest), _MOST)]
    types = [str(one.group(1)) for one in islice(_CFN_TYPE.finditer(rest), _MOST)]
    return bool(kinds or types) and (
        all([_CARRIES.search(one) is not None for one in kinds])
        and all([one.endswith("Policy") for one in types])
    )


def muted_records(text: str) -> str:
    """Return the statement that forbids everybody to write records or copies, else ""."""
    if len(text) > _READ or _MAY_REFUSE.search(text) is None or _RECORDS.search(text) is None:
        return ""
    for begin, end in _refusing(text):
        statement = text[begin:end]
        if _RECORDS.search(statement) and _CONDITION.search(statement) is None:
            return " ".join(statement.split())
    return ""


def _statements(text: str) -> Iterator[Span]:
    for around in _refusing(text):
        if _only_refuses(text[around[0] + 1 : around[1]]):
            yield around


def _refusing(text: str) -> Iterator[Span]:
    pairs = bracketed(text)
    for match in islice(_EFFECT.finditer(text), _MOST):
        begin = text.rfind("\n", 0, match.start()) + 1
        if _IN_COMMENT.search(text[begin : match.start()]) is not None:
            continue
        around = _statement_around(text, pairs, match.start())
        if around is not None:
            yield around


def _statement_around(text: str, pairs: tuple[Span, ...], at: int) -> Span | None:
    # In YAML a key has no quotes, and its line begins with it.
    item = item_around(text, at)
    around = block_around(pairs, at)
    if item is not None and (around is None or around[0] < item[0]):
        return item
    if around is not None and _THEN.search(text[max(0, around[0] - 20) : around[0]]) is not None:
        return block_around(pairs, around[0])  # of Azure: what is met stands beside
    return around


def _only_refuses(statement: str) -> bool:
    effects = sum(1 for _ in islice(_ANY_EFFECT.finditer(statement), 2))
    is_unclear = _BLOCK_COMMENT.search(statement) or "statement" in statement.lower()
    if effects != 1 or is_unclear:
        return False
    is_other = _OTHER_PRINCIPAL.search(statement) or _PROTECTS.search(statement)
    if is_other is not None or _STATEMENT.search(statement) is None:
        return False
    if _UNLESS.search(statement) is not None and _WHO.search(statement) is not None:
        is_named = _ALL_ACTS.search(statement) is None
        return is_named and _NOT_ACTIONS.search(statement) is None
    is_bounded = _CONDITION.search(statement) is not None
    is_wide = _ANYTHING.search(statement) or _NOT_ACTIONS.search(statement)
    return is_bounded or is_wide is None


def _checks(text: str) -> Iterator[Span]:
    """Yield what each manifest of a policy that is enforced compares with."""
    starts = [0, *[match.end() for match in islice(_DOCUMENT.finditer(text), _MOST)]]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        if not _is_enforced(part):
            continue
        for match in islice(_CHECKS.finditer(part), _MOST):
            yield start + match.start(), start + rest_of_block(part, match.start())


def _is_enforced(manifest: str) -> bool:
    if _AUDITED.search(manifest) or _ALL_LEFT_OUT.search(manifest):
        return False
    if _KYVERNO.search(manifest) is not None:
        return _ENFORCED.search(manifest) is not None
    return _ADMISSION.search(manifest) is not None


def _rego_rules(text: str) -> Iterator[Span]:
    if _PACKAGE.search(text) is None:
        return
    pairs = bracketed(text)
    for match in islice(_REGO.finditer(text), _MOST):
        around = block_around(pairs, match.end())
        if around is not None:
            yield match.start(), around[1]
