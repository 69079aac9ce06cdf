"""Secrets in what an agent writes, runs or gets back.

Finds:
    Tokens whose shape says whose they are, private keys, and values that look random given to the
    name of a secret, in an authorization header, in an address or on a command line.

Why it matters:
    A secret in a file is published with it; one in a command is in logs and histories.

Example:
    DEPLOY_TOKEN = "ghp_..."

Does not find:
    Passwords that are words, placeholders, hashes and checksums, UUIDs under other names, the
    tokens of pages and locks, keys without their middle, logins at `example.com`.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.operation import FileKind, Reach
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import lazy_re
from signoff.assess.detectors.detector import CallMark, Detector, Evidence, TextSource
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import catalogue, certainty
from signoff.assess.patterns.masks import without_leet
from signoff.assess.patterns.randomness import is_placeholder, is_random
from signoff.assess.patterns.samples import (
    is_documented_host,
    is_no_right,
    is_sample_key,
    is_sample_token,
)

ID = "secrets"
POINTERS = frozenset(
    {
        *("secret.assigned", "secret.header", "secret.vault"),
        *("secret.url-login", "secret.curl-login"),
    }
)
# A server of this machine, or of a network of containers, whose names have no dot:
# `postgres://dev:dev@localhost/shop`. A word as its password is a setting for development.
NEAR_HOST = lazy_re(
    r"@(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|host\.docker\.internal"
    r"|[a-z][a-z0-9_-]{0,30}(?![\w.-]))"
)
# Names that end like a secret's and hold none.
PUBLIC = (
    *(
        "public",
        "pub_key",
        "pubkey",
        "key_id",
        "keyid",
        "key-id",
        "keyhash",
        "key_hash",
        "fingerprint",
    ),
    *("checksum", "integrity", "sha1", "sha256", "sha512", "md5", "digest", "etag", "revision"),
    *(
        "token_type",
        "tokentype",
        "key_name",
        "keyname",
        "key_path",
        "keypath",
        "key_file",
        "keyfile",
    ),
    *("primarykey", "primary_key", "foreignkey", "foreign_key", "sortkey", "partition", "keyboard"),
    *(
        "keyword",
        "s3key",
        "s3_key",
        "objectkey",
        "object_key",
        "tagkey",
        "tag_key",
        "tag-key",
        "tokeniz",
        "token_count",
        "max_token",
        "keyspace",
        "credentialsid",
        "credentialid",
        "monkey",
    ),
    *("csrf", "authenticity", "nonce", "secret_name", "secretname", "secret_length", "passport"),
    *(
        "_size",
        "_length",
        "_count",
        "_url",
        "_uri",
        "_path",
        "_type",
        "_name",
        "_version",
        "_field",
    ),
)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield the most certain finding of a secret per text source, in arguments and results."""
    for channel in (TextSource.ARGUMENTS, TextSource.RESULT):
        if channel is TextSource.ARGUMENTS and _writes_test(evidence):
            continue
        hits = evidence.hits.get(channel, frozenset())
        found = sorted(
            (hit for hit in hits if hit.startswith("secret.")),
            key=lambda hit: (hit in POINTERS, hit),
        )
        text = without_leet(evidence.texts[channel]) if found else ""
        for hit in found:
            if _holds(hit, text):
                yield _finding(hit, channel)
                break


def _writes_test(evidence: Evidence) -> bool:
    """Whether nothing but tests of the project is written: what looks like a secret is data."""
    ops = evidence.operations
    return bool(ops) and all(
        # Where no path is named, nothing says that it is a test.
        [op.file_kind is FileKind.TEST and op.reach is Reach.PROJECT for op in ops if op.path]
        or [False]
    )


def _holds(hit: str, text: str) -> bool:
    """Whether at least one match of the pattern is a secret and not a stand-in for one."""
    patterns = catalogue().of(TextSource.ARGUMENTS)
    places = patterns.places(hit, text)
    if not places:  # it stands further behind than is looked
        return hit not in POINTERS
    for outer, (start, end) in places:
        value = text[start:end]
        if hit not in POINTERS:
            if not is_placeholder(value) and not _is_sample(hit, text, start, end):
                return True
            continue
        if hit in ("secret.url-login", "secret.curl-login"):
            is_stand_in = is_placeholder(value, is_short=True)
            if not is_stand_in and not _is_for_development(text, end, value):
                return True
        elif is_random(value) and not _is_public(text, outer, start, value):
            return True
    # Stand-ins in front must not hide what nobody looks at.
    return not patterns.reads_all(hit, text)


def _is_sample(hit: str, text: str, start: int, end: int) -> bool:
    """Whether a document shows a key without its middle, or a token that claims nothing."""
    if hit == "secret.private-key":
        return is_sample_key(text, start)
    return hit == "secret.jwt" and is_sample_token(text[start:end])


def _is_for_development(text: str, end: int, value: str) -> bool:
    """Whether a login is a word, and its host is near and not for production, or documented."""
    if is_documented_host(text, end):
        return not is_random(value)
    host = NEAR_HOST.match(text, end)
    return host is not None and not is_production(host[0]) and not is_random(value)


def _is_public(text: str, outer: int, start: int, value: str) -> bool:
    """Whether the name before a value, or what stands before it, says that it is no secret."""
    begin = outer
    while (
        # Names are short: a long line without blanks must not be walked back to its start.
        begin > 0 and outer - begin < 40 and (text[begin - 1].isalnum() or text[begin - 1] in "_-.")
    ):
        begin -= 1
    name = text[begin:start]
    if is_no_right(text, begin, name, value):
        return True
    return any(word in name.lower() for word in PUBLIC)


def _finding(hit: str, channel: TextSource) -> Finding:
    what = hit.partition(".")[2].replace("-", " ")
    is_known = certainty(hit) >= 0.9 and channel is TextSource.ARGUMENTS
    return Finding(
        detector=ID,
        category=f"{ID}.{hit.partition('.')[2]}",
        severity=Severity.HIGH if is_known else Severity.MEDIUM,
        evidence=f"a secret in the {channel.value}: {what}",
    )


def _write(content: str) -> Action:
    return Action(tool="Write", arguments={"file_path": "settings.py", "content": content})


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Secrets in what an agent writes, runs or gets back",
    families=("secret",),
    cwe=("CWE-798", "CWE-312"),
    asi=("ASI03",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        _write('GITHUB = "' + "ghp_" + "q7R2mZk9Lw4Tn8Xc1Vb6Hj3Ds5Gf0PaYe2Ui" + '"'),
        _write('db_password = "' + "vK8#tq2Zr9!mLx4W" + '"'),
        _write("-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo"),
    ),
    passes=(
        _write('API_KEY = os.environ["API_KEY"]'),
        _write('token = "<your-token-here>"'),
        _write("DATABASE_URL=postgres://shop:shop-dev@localhost:5432/shop"),
        _write('"integrity": "sha512-Zk3p9vQmX7y2wL8nR4tB6cD1fG5hJ0kM"'),
    ),
)
