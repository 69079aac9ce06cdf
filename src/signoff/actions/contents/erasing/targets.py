"""Which paths are not the project's to erase: homes, broad parts of them, `.git`, backups.

target_of("~/repos/*", ...)       "a home folder"
target_of("/home/*/data", ...)    "folders of all users"
target_of("~/.cache/tool", ...)   ""
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re2, words

_HOME = lazy_re2(r"(?:~|/root|/home/[\w.-]+|(?:[A-Z]:)?/Users/[\w.-]+)(?:/\*{1,2})?")
_IN_HOME = lazy_re2(r"(?:~|/root|/home/[\w.-]+|(?:[A-Z]:)?/Users/[\w.-]+)/([^/]+)(/.*)?")
# In the words of several languages; the folder that holds the project is told by its path.
_BROAD = words(
    "documents desktop pictures photos music movies videos downloads documentos imagenes musica"
    " descargas escritorio"
    " dokumente bilder schreibtisch musik dokumenter dokument billeder bilete bilder skrivbord"
    " documenti immagini"
    " scrivania images bureau telechargements dokumenty obrazy pulpit pobrane obrazky plocha"
    " stazene belgeler"
    " resimler masaustu documenten afbeeldingen asiakirjat kuvat projects projekte projekty"
    " projekter proyectos"
    " projetos progetti projets projecten repos repositories code workspace onedrive dropbox"
    " icloud nextcloud"
)
_USERS = lazy_re2(
    r"(?:/(?:home|Users|export/home|mnt/home|data/home|nfs/home|lustre/home|usr/home|srv/home"
    r"|homes?|Volumes/Users)|[A-Z]:/Users"
    r"|\.\.(?:/\.\.)*/home)(?:/\*.*)?"
)
_ROOT = lazy_re2(r"/(?:\*.*)?|[A-Z]:/(?:\*.*)?")
_SYSTEM = lazy_re2(
    r"/(?:etc|usr|bin|sbin|lib|lib64|boot|var|opt|srv|dev|System|Library|Applications"
    r"|usr/(?:local|bin|lib|share)|var/(?:lib|log|mail|spool|www|backups?)"
    r")(?:/\*{1,2})?|[A-Z]:/(?:Windows|Program Files)(?:/\*{1,2})?"
)
_GIT = lazy_re2(r"(?:\./)?\.git(?:/\*{1,2}|/objects|/refs)?")
_COPIES = (
    r"(?i)(?:back-?ups?|bak|snapshots?|sicherung\w*|datensicherung|respaldos?|sauvegardes?"
    r"|copias?(?:_?de_?seguridad)?|zaloh[ay]?"
    r"|kopie?_?zapasow\w*|kopia\w*|yedek\w*|varmuuskopio\w*|sikkerhedskopi\w*|sikkerhetskopi\w*"
    r"|reservekopi\w*|backup\w*|cadangan"
    r"|sao_?luu|nakala)"
)
_IS_COPY = lazy_re2(_COPIES)
_LEFT_OVER = lazy_re2(
    r"(?i)tmp|temp|cache|scratch|build|test|trash|node_modules|target|\bdist\b|__pycache__"
    r"|\.(?:pyc|o|log|tmp|bak|swp|class|part|old)\b"
    r"|thumb|DS_Store|venv|\.local|spool|logs?\b|crash"
)
_PERSONAL = lazy_re2(
    r"(?i)\.(?:psd|clip|png|jpe?g|heic|raw|cr2|nef|tiff?|svg|ai|docx?|xlsx?|pptx?|pdf|txt|od[tsp]"
    r"|rtf|mov|mp4|mkv|avi|mp3"
    r"|wav|flac|zip|7z|csv|sql|db|sqlite|kdbx|pst|eml|dwg|blend|key|md|\*)"
)
_EVERY = lazy_re2(r"(?:~|/home|/Users)/\*\*(?:/\*)?/?")

_BELOW_HOME, _IN_FOLDER = 3, 5  # parts of `/home/ada/code/loom/file`


class ProjectPlace(Struct, frozen=True, kw_only=True):
    """Where the code lies: its root, and the folder of the home that holds it."""

    root: str
    holder: str


def project_of(path: str, depth: int) -> ProjectPlace:
    """Return the project of a file by its path and its depth below the root."""
    named = path.replace("\\", "/").split("/")
    root = "/".join(named[: -depth or None])
    is_home = len(named) > _BELOW_HOME + 1 and named[1].lower() in ("home", "users")
    return ProjectPlace(
        root=root, holder=named[_BELOW_HOME].lower() if is_home and len(named) > _IN_FOLDER else ""
    )


def target_of(path: str, project: ProjectPlace) -> str:
    """Say what a path is that code may not erase, "" if it may."""
    path = _absolute(path.replace("\\\\", "/").replace("\\", "/"), project)
    if "?" in path:
        return ""
    if _ROOT.fullmatch(path):
        return "the whole disk"
    if _USERS.fullmatch(path):
        return "" if _is_kind(path) else "folders of all users"
    if _HOME.fullmatch(path) or _EVERY.fullmatch(path):
        return "a home folder"
    return _lesser(path, project)


def _lesser(path: str, project: ProjectPlace) -> str:
    if _GIT.fullmatch(path):
        return "the history of the repository"
    if _SYSTEM.fullmatch(path):
        return "a folder of the system"
    within = _IN_HOME.fullmatch(path)
    if within is not None:
        return _part_of_home(str(within.group(1)), str(within.group(2) or ""), path, project)
    names = path.split("/")
    is_copy = any([_IS_COPY.fullmatch(one) for one in names[1:]]) and path.startswith("/")
    return "backups" if is_copy and _LEFT_OVER.search(_without_copies(names)) is None else ""


def _part_of_home(first: str, rest: str, path: str, project: ProjectPlace) -> str:
    if first.startswith("**"):
        return "files of a home folder" if _PERSONAL.search(path) and not _is_kind(path) else ""
    is_broad = first.lower() in _BROAD or first.lower() == project.holder
    return "a broad part of a home folder" if is_broad and rest.strip("/*") == "" else ""


def _is_kind(path: str) -> bool:
    """Whether a path ends in a kind that is rebuilt or left over."""
    return _LEFT_OVER.search(path.partition("*")[2]) is not None


def _without_copies(names: list[str]) -> str:
    return "/".join([one for one in names if not _IS_COPY.fullmatch(one)])


def _absolute(path: str, project: ProjectPlace) -> str:
    """A path that leaves the project upwards, from its root."""
    if path.rstrip("/") in ("", "."):
        return "" if path != "/" else path
    if not path.startswith(".."):
        return path if path.startswith("/") else path.removeprefix("./")
    ups = path.split("/").count("..")
    above = project.root.split("/")
    return "/".join(above[:-ups]) if ups < len(above) - 1 else ""
