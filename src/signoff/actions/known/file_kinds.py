"""What a file is, by its path alone: components in, `FileKind` out.

Names are compared case-blind. The strongest meaning wins (`file_names.RANKING`): what makes a
file dangerous beats what makes it boring, so a token store in a build folder stays one. All
components given here are lower case.

    look(("home", "dev", ".ssh", "id_ed25519"), local_from=2).kind is FileKind.CREDENTIALS
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise, product
from typing import NamedTuple

from signoff.actions.file_endings import (
    AFFIXED,
    CACHE_ENDS,
    DEPENDENCY_FOLDERS,
    DOC_FOLDERS,
    ENDINGS,
    EXAMPLE_ENDINGS,
    LEFT_OVER_STARTS,
    PUBLIC_STEMS,
    REBUILT_ENDINGS,
    REBUILT_ENDS,
    REBUILT_FOLDERS,
    REBUILT_INSIDE,
    REBUILT_NAMES,
    REBUILT_OFTEN,
    REBUILT_PATHS,
    RUNTIME_FOLDERS,
    SCRATCH_NAMES,
    SOURCE_FOLDERS,
    TEST_FOLDERS,
)
from signoff.actions.known.file_names import (
    AT_ROOT,
    IN_FOLDER,
    IN_HOME,
    NAMED,
    RANKING,
)
from signoff.actions.known.wildcards import lead_of, names_matching
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.operation import FileKind, Reach
from signoff.actions.vocabulary import words

_Run = tuple[tuple[str, ...], int, bool]  # what follows, rank, counts only below the local folder


class PathProperties(NamedTuple):
    """What a path tells about its file.

    Args:
        secret: kind of a secret file that a glob also covers, beside the stronger `kind`.
    """

    kind: FileKind
    is_rebuildable: bool
    secret: FileKind | None = None


RANK: Mapping[FileKind, int] = {kind: place for place, kind in enumerate(RANKING)}
_NOTHING = RANK[FileKind.OTHER]
# Kinds of folders that say little about the files in them: an ending tells more.
_YIELDING = frozenset({FileKind.BACKUP, FileKind.INFRA})
# Kinds that count only below the project or home folder itself, not for where that folder is.
_LOCAL = frozenset({FileKind.AGENT_NOTES, FileKind.INFRA, FileKind.BACKUP})
_DATA_LIKE = frozenset({FileKind.OTHER, FileKind.DATA, FileKind.INFRA, FileKind.BACKUP})
_HOME_DEPTHS: Mapping[str, int] = {"home": 2, "users": 2, "root": 1, "c:": 3, "var": 3}
_MAX_FILLED = 64
SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.ENV})
_OPEN_PROC = frozenset({"environ", "mem", "kcore"})


def _runs_by_first(keys: Iterable[tuple[str, FileKind]]) -> dict[str, tuple[_Run, ...]]:
    runs: dict[str, tuple[_Run, ...]] = {}
    for key, kind in keys:
        first, *rest = key.replace("+", " ").split("/")
        runs[first] = (*runs.get(first, ()), (tuple(rest), RANK[kind], kind in _LOCAL))
    return runs


_ANYWHERE = _runs_by_first((k, v) for k, v in IN_FOLDER.items() if not k.startswith("/"))
_ROOTED = _runs_by_first(
    [*((k[1:], v) for k, v in IN_FOLDER.items() if k.startswith("/")), *AT_ROOT.items()]
)
_INITIALS = 3
_BY_INITIALS: Mapping[str, tuple[tuple[str, str, FileKind], ...]] = {
    start[:_INITIALS]: tuple(row for row in AFFIXED if row[0][:_INITIALS] == start[:_INITIALS])
    for start, _, _ in AFFIXED
}
_FOLDERS_THAT_TELL = frozenset(_ANYWHERE) | REBUILT_FOLDERS | REBUILT_OFTEN
_FOLDERS_THAT_TELL |= TEST_FOLDERS | DOC_FOLDERS
_HOLDS_REBUILT = frozenset(folder for folder, _ in REBUILT_INSIDE)
_TEST_ENDS = ("_test", ".test", ".spec", "_spec", ".cy", "_tests")


def worse_kind(one: FileKind, other: FileKind) -> FileKind:
    """Return the more severe of two kinds."""
    return one if RANK[one] <= RANK[other] else other


_SECRET_ENV = words("prod production live secret secrets creds credentials passwords tokens keys")
# Behind `.log.`: a number or date, and how it is packed.
_ROTATED = re.compile(r"[\d*?\[\]_-]{1,20}(?:\.(?:gz|xz|bz2|zst))?\Z")
# `butler_creds`, `deploy-credentials.json`: tools call the file of a login so.
_LOGIN_ENDS = ("_creds", "-creds", "_credentials", "-credentials")
# `credentials.local.yml`, `secrets.prod.yaml`: those of one place of work.
_OF_PLACES = words("local prod production live staging private")
_KEPT_SECRETS = words("credentials credential creds secrets secret")
_MAY_HOLD_LOGIN = frozenset({FileKind.OTHER, FileKind.DATA, FileKind.TOOL_CONFIG})
# In the folder that a tool keeps in a home (`~/.config/pypoetry/auth.toml`), its login.
_LOGIN_NAMES = words(
    "auth auth-token auth_token access-token access_token token tokens credential credentials "
    "creds oauth oauth2 oauth_creds oauth-token apikey api-key api_key secret secrets login logins"
)
# In the folder of an agent, what it may do and what it runs, however deep it lies.
_AGENT_SETTINGS = words(
    "hooks.json settings.json settings.local.json permissions.json permissions.yaml mcp.json "
    "config.toml"
)


def look(folded: Sequence[str], *, local_from: int = 0) -> PathProperties:
    """Return what a path tells about its file.

    Args:
        folded: lower-case components of the absolute path.
        local_from: index of the first component inside the project or home folder.
    """
    if not folded:
        return PathProperties(FileKind.OTHER, is_rebuildable=False)
    name = folded[-1]
    rank = _name_rank(name)
    tells = not _FOLDERS_THAT_TELL.isdisjoint(folded)
    if tells or folded[0] in _ROOTED:
        rank = min(rank, _folder_rank(folded, local_from))
    if name in IN_HOME:
        rank = min(rank, _home_rank(folded, name))
    rebuilt = is_rebuildable(folded, local_from=local_from)
    inner = folded[local_from:-1] if tells else ()
    plain = _plain_kind(name, inner, is_rebuilt=rebuilt, is_local=local_from > 0)
    if plain in _MAY_HOLD_LOGIN and _is_login(name, folded[local_from:-1]):
        plain = FileKind.CREDENTIALS
    if rank == _NOTHING:
        return PathProperties(plain, rebuilt)
    kind = RANKING[rank]
    if kind is FileKind.GIT_INTERNAL and is_repository_scratch(name):
        return PathProperties(FileKind.GENERATED, is_rebuildable=True)
    return PathProperties(_settle(kind, plain, folded), rebuilt)


def _is_login(name: str, folders: Sequence[str]) -> bool:
    """Whether a name in a tool's own (dotted) folder is that of its login."""
    return is_login_name(name) and any([one.startswith(".") for one in folders])


def _is_login_of_place(base: str) -> bool:
    name, _, place = base.rpartition(".")
    return place in _OF_PLACES and name in _KEPT_SECRETS


def is_tool_login(path: str) -> bool:
    """Return whether a file counts as a tool's login only by its name and folder.

    It is then the login of one service, as keys of a cloud and private keys have rows.
    """
    folded = path.lower().strip("/").split("/")
    rank = min(_name_rank(folded[-1]), _folder_rank(folded, 0))
    return rank in (_NOTHING, RANK[FileKind.TOOL_CONFIG]) and _is_login(folded[-1], folded[:-1])


def is_login_name(name: str) -> bool:
    """Return whether tools use this name for their login file: `auth.json`, `token`."""
    stem, dot, _ = name.rpartition(".")
    return (stem if dot and stem else name) in _LOGIN_NAMES


def is_repository_scratch(name: str) -> bool:
    """Return whether a file of this name in `.git` holds no history: a lock, log or message.

    Git refuses references that end in `.lock`: what ends so is a lock.
    """
    return name in SCRATCH_NAMES or (name.endswith(".lock") and len(name) > len(".lock"))


def _settle(strong: FileKind, plain: FileKind, folded: Sequence[str]) -> FileKind:
    """The kind of a file whose path has a strong meaning, with the exceptions to it."""
    name = folded[-1]
    # `backup/main.py` is a source file that lies in a folder of that name.
    if strong in _YIELDING and plain not in _DATA_LIKE:
        return plain
    if strong in (FileKind.CREDENTIALS, FileKind.ENV) and (
        # `.env.example` holds no secret; `known_hosts` holds public keys only.
        name.endswith(EXAMPLE_ENDINGS) or name.startswith("known_hosts")
    ):
        return FileKind.DATA
    if strong is FileKind.TOOL_CONFIG and plain is FileKind.CREDENTIALS:
        return plain
    if strong is FileKind.AGENT_NOTES and name in _AGENT_SETTINGS:
        return FileKind.AGENT_CONFIG
    # proc(5): these show a program's environment or memory, with every secret in it.
    if strong is FileKind.KERNEL and name in _OPEN_PROC:
        return FileKind.CREDENTIALS
    return strong


def _home_rank(folded: Sequence[str], name: str) -> int:
    """The rank of a name directly in a home folder: `/home/dev`, `/root`, `C:/Users/dev`."""
    depth = _HOME_DEPTHS.get(folded[0])
    return RANK[IN_HOME[name]] if depth == len(folded) - 1 else _NOTHING


def _is_secret_env(name: str) -> bool:
    last = re.split(r"[-_.]", name.removesuffix(".env"))[-1]
    return last in _SECRET_ENV or concept_of(last) in _SECRET_ENV


def _name_rank(name: str) -> int:
    kind = NAMED.get(name)
    if kind is None:
        # `docker/shop-prod.env`, `secrets.env`; `app.env` mostly holds versions and ports.
        if name.endswith(".env") and _is_secret_env(name):
            return RANK[FileKind.ENV]
        rows = _BY_INITIALS.get(name[:_INITIALS])
        for start, end, affixed in rows or ():
            if name.startswith(start) and name.endswith(end):
                return RANK[affixed]
        return _NOTHING
    return RANK[kind]


def _folder_rank(folded: Sequence[str], local_from: int) -> int:
    best = _NOTHING
    for rest, rank, _ in _ROOTED.get(folded[0], ()):
        if rank < best and (not rest or tuple(folded[1 : 1 + len(rest)]) == rest):
            best = rank
    for at, part in enumerate(folded):
        for rest, rank, is_local in _ANYWHERE.get(part, ()):
            if (
                rank < best
                and not (is_local and at < local_from)
                and (not rest or tuple(folded[at + 1 : at + 1 + len(rest)]) == rest)
            ):
                best = rank
    return best


def _plain_kind(name: str, inner: Sequence[str], *, is_rebuilt: bool, is_local: bool) -> FileKind:
    """The kind by folder names and ending, for a file without a strong meaning."""
    stem, dot, ending = name.rpartition(".")
    kind = ENDINGS.get(ending, FileKind.OTHER) if dot and stem else FileKind.OTHER
    base = stem if dot and stem else name
    if kind in _MAY_HOLD_LOGIN and (base.endswith(_LOGIN_ENDS) or _is_login_of_place(base)):
        return _key_kind(base, inner)
    if is_rebuilt:
        return FileKind.LOG if kind is FileKind.LOG else FileKind.GENERATED
    if kind is FileKind.CREDENTIALS:
        return _key_kind(stem, inner)
    if (
        stem.startswith("test_")
        or stem.endswith(_TEST_ENDS)
        or (inner and not TEST_FOLDERS.isdisjoint(inner))
    ):
        return FileKind.TEST
    if inner and kind is not FileKind.SOURCE and not DOC_FOLDERS.isdisjoint(inner):
        return FileKind.DOC
    return FileKind.DATA if kind is FileKind.BACKUP and is_local else kind


def _key_kind(stem: str, inner: Sequence[str]) -> FileKind:
    """A key by its ending: public halves and test fixtures are data."""
    if stem in PUBLIC_STEMS:
        return FileKind.DATA
    return FileKind.CREDENTIALS if TEST_FOLDERS.isdisjoint(inner) else FileKind.TEST


def is_rebuildable(folded: Sequence[str], *, local_from: int = 0) -> bool:
    """Return whether a command recreates a path: build output, caches, dependencies."""
    # The project's own folder may be called `build`; it is not made again.
    if len(folded) <= local_from:
        return False
    name = folded[-1]
    dot = name.rfind(".")
    if dot > 0 and name[dot + 1 :] in REBUILT_ENDINGS:
        return True
    inner = folded[local_from:]
    is_left_over = name.startswith(LEFT_OVER_STARTS) and dot < len("tmp.")
    is_named = name in REBUILT_NAMES or name.endswith(REBUILT_ENDS)
    is_left_over |= _is_rotated_log(name)
    if is_named or (local_from and (is_left_over or _is_output(inner))):
        return True
    if not _HOLDS_REBUILT.isdisjoint(inner) and not REBUILT_INSIDE.isdisjoint(pairwise(inner)):
        return True
    if REBUILT_FOLDERS.isdisjoint(folded) and REBUILT_OFTEN.isdisjoint(folded):
        return False
    return not REBUILT_FOLDERS.isdisjoint(inner) or _has_often_rebuilt(inner)


def _is_rotated_log(name: str) -> bool:
    """Tell `app.log.1`, `.nextflow.log.*` and `app.log.2030-01-31.gz`: logs that were put aside."""
    _, mark, rest = name.rpartition(".log.")
    return mark != "" and rest != "" and _ROTATED.match(rest) is not None


def _is_output(inner: Sequence[str]) -> bool:
    """Tell folders whose names, or names together, say that they are caches or output."""
    path = f"/{'/'.join(inner)}/"
    return any(map(_is_cache, ("", *inner), inner)) or any(map(path.__contains__, REBUILT_PATHS))


def _is_cache(parent: str, name: str) -> bool:
    """Tell `.cpcache` and `var/page_cache`; `packages/http-cache` may be sources."""
    return name.endswith(CACHE_ENDS) and (name[0] == "." or parent in RUNTIME_FOLDERS)


def _has_often_rebuilt(inner: Sequence[str]) -> bool:
    for part in inner:
        if part in SOURCE_FOLDERS:  # `src/build/` is a source folder as often as not
            return False
        if part in REBUILT_OFTEN:
            return True
    return False


def is_sample(path: str, reach: Reach) -> bool:
    """Return whether a file of the project exists for its tests or documentation."""
    folders = path.lower().split("/")[:-1]
    return reach is Reach.PROJECT and not (TEST_FOLDERS | DOC_FOLDERS).isdisjoint(folders)


def is_dependency(folded: Sequence[str]) -> bool:
    """Whether a path lies in a folder of installed third-party packages."""
    return not DEPENDENCY_FOLDERS.isdisjoint(folded)


def look_at_glob(folded: Sequence[str], *, local_from: int = 0) -> PathProperties:
    """Like `look`, for components with glob characters; the most severe match counts."""
    best = look(folded, local_from=local_from)
    parts = tuple(folded)
    choices = [
        names_matching(part, lead_of(parts, at)) if _is_open(part) else ()
        for at, part in enumerate(parts)
    ]
    if not any(choices):
        return best
    # Lazily: a glob in every component would multiply to millions of paths.
    filled = product(*(names or (part,) for names, part in zip(choices, parts, strict=True)))
    kinds = {best.kind}
    kinds.update(look(names, local_from=local_from).kind for names in islice(filled, _MAX_FILLED))
    strongest, secrets = min(kinds, key=RANK.__getitem__), kinds & SECRET_KINDS
    secret = min(secrets, key=RANK.__getitem__) if secrets else None
    return PathProperties(
        strongest, best.is_rebuildable, secret if secret is not strongest else None
    )


def _is_open(part: str) -> bool:
    return "*" in part or "?" in part or "[" in part or "{" in part
