"""Which secrets `git add` takes up: files called so, copies, what no ignore list leaves out.

git add -f config/firebase-admin.json      an ignored file, added all the same
git add -A                                 after `.env` was taken out of `.gitignore`
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.shell.secret_copies.held_secrets import has_lost_ignore
from signoff.actions.vocabulary import lazy_re2

PUBLIC_ENDINGS = (".pem", ".crt", ".cer", ".pub")
_FORCED = frozenset({"-f", "--force", "-Af", "-fA"})
_WHOLE = frozenset({".", "-A", "--all", "-u", "--update", "*", ":/", "-Af", "-fA"})
# Ignored files that are added all the same, and hold secrets by their names.
_IGNORED = lazy_re2(
    r"(?i)(?:^|[/_.-])(?:secrets?|credentials?|creds|passwords?|private[-_]?keys?|api[-_]?keys?|keystore"
    r"|service[-_]?accounts?(?:[-_]?keys?)?|firebase[-_]?admin(?:sdk)?|adminsdk|client[-_]?secrets?"
    r"|(?:api|auth|access)[-_]?tokens?|htpasswd)(?:[-_][\w-]+)?"
    r"(?:\.(?:json|ya?ml|properties|toml|ini|txt|conf|cfg|xml|plist|php|dat|kdbx|csv))?/?$"
)
_OPEN = lazy_re2(
    r"(?i)(?:^|[/_.-])(?:tests?|fixtures?|testdata|examples?|samples?|templates?|mocks?|pub|docs?"
    r"|schemas?|sealed|encrypted|sops|enc|age)(?:[/_.-]|$)"
)


def secrets_added(given: Sequence[str], place: Place) -> list[str]:
    """The secrets that `git add` takes up: files called so, and copies of secrets."""
    is_forced = not _FORCED.isdisjoint(given)
    found: list[str] = []
    for text in given:
        if text.startswith("-") or not text:
            continue
        at = locate(text, place)
        is_public = text.lower().endswith(PUBLIC_ENDINGS)
        if (
            at.read_kind is FileKind.ENV
            or (at.read_kind in SECRET_KINDS and (is_forced or not is_public))
            or (is_forced and _IGNORED.search(text) and not _OPEN.search(text))
        ):
            found.append(at.path)
        found += copies_in(at.path, place)
    if not _WHOLE.isdisjoint(given):
        folder = place.project or place.cwd
        found += copies_in(folder, place)
        # What the ignore list left out before is taken up now.
        ignore = f"{folder}/.gitignore"
        found += [f"{folder}/.env"] if has_lost_ignore(place.facts.created, ignore) else []
    return list(dict.fromkeys(path for path in found if path))


def copies_in(folder: str, place: Place) -> list[str]:
    """The plain files in a folder that a secret was copied into: `.env` itself is ignored."""
    return [
        path
        for path in sorted(place.facts.secrets_read)
        if folder and is_inside(path, folder) and _is_plain(path, place)
    ]


def _is_plain(path: str, place: Place) -> bool:
    return "/.git/" not in path and locate(path, place).read_kind not in SECRET_KINDS
