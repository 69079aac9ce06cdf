"""What a session put a secret into, and a call sends, publishes, deploys, attaches or shares.

leaves_machine(op, call)    an operation gives something to people or machines elsewhere
takes_secret(op, call)      what it gives holds a secret
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.shell.data_flow.secrets import STAYS, STORES
from signoff.actions.shell.secret_copies.held_secrets import BUNDLE, LOST, held_secrets
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import words
from signoff.assess.combined.call import Call, cached_per_call, name_words
from signoff.assess.remembered.secrets.images import (
    COMPOSE,
    builds_secret,
    images_made,
    named_image,
)

_SENT = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
_GIVEN = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.EXECUTE})
_THINGS = frozenset(
    {
        *(ResourceType.CLOUD, ResourceType.FILE, ResourceType.URL, ResourceType.MESSAGE),
        *(ResourceType.NOTHING, ResourceType.PACKAGE),
    }
)
# Programs that do nothing but put a folder on the web.
_SITES = words("surge gh-pages now vercel neocities-cli ipfs-deploy tiiny")
_DEPLOYS = words("deploy gh-deploy release publish site pages surge now vercel launch hosting up")
# What a tool does here, although nobody knows where it runs.
_LOCAL = words("zip archive compress pack tar unzip extract convert")
# Folders whose content a build takes over, and folders that it fills.
_SOURCES = words(
    "static public assets docs doc content pages source www web htdocs theme themes app client src"
    " site images img media"
)
_OUTPUTS = words("dist build out public _site site www .next .output .vercel html book htdocs docs")
_LISTS = {
    ".npmignore": words("npm pnpm yarn bun"),
    ".vscodeignore": words("vsce ovsx"),
    ".gcloudignore": words("gcloud"),
    ".vercelignore": words("vercel now"),
    ".nowignore": words("now vercel"),
    ".ebignore": words("eb"),
    ".slugignore": words("heroku"),
    ".helmignore": words("helm"),
    ".cfignore": words("cf"),
    ".funcignore": words("func"),
    ".surgeignore": words("surge"),
    ".railwayignore": words("railway"),
    ".dockerignore": words("fly flyctl railway gcloud"),
}


def leaves_machine(op: Operation, call: Call) -> bool:
    """Return whether an operation gives something away, after a secret went somewhere."""
    if not held_secrets(call.facts.created) or op.reach is Reach.LOOPBACK:
        return False
    if Trait.DRY_RUN in op.traits or op.thing is ResourceType.REPOSITORY:
        return False
    if op.verb in _SENT or _is_site(op):
        return True
    if op.verb in _GIVEN and op.reach in _FAR and op.thing in _THINGS:
        return not (op.program == call.action.tool and not _LOCAL.isdisjoint(name_words(call)))
    return False


def _is_site(op: Operation) -> bool:
    return op.verb is Verb.EXECUTE and not _SITES.isdisjoint((op.program, op.target))


def takes_secret(op: Operation, call: Call) -> bool:
    """Return whether what an operation gives away holds a secret."""
    given = _given(op, call)
    held = held_secrets(call.facts.created)
    if op.thing is ResourceType.IMAGE:
        return _takes_image(op, given, call)
    if not STORES.isdisjoint(given[:5]):
        return False
    if _takes_unlisted(given, call):
        return True
    paths = list(_paths(given, call))
    if any([name.startswith(BUNDLE) for name in held]) and _deploys_site(op, paths, call):
        return True
    files = frozenset([name for name in held if name.startswith("/")])
    if any([_holds(path, files, call) for path in paths]):
        return True
    return _takes_site(op, paths, files, call)


def _given(op: Operation, call: Call) -> list[str]:
    """Return the words that say what is given: those of the command, or the arguments."""
    if call.action.text("command"):
        return [text.strip("'\"") for text in op.source.split()]
    return [text for text in _arguments(call) if len(text) < 1_024]


@cached_per_call
def _arguments(call: Call) -> tuple[str, ...]:
    return tuple(strings_of(call.action.arguments))[:200]


def _takes_image(op: Operation, given: list[str], call: Call) -> bool:
    held = held_secrets(call.facts.created)
    if "build" in given[1:4]:
        return builds_secret(given, call, held)
    # `docker build -t a/b . && docker push a/b`: the call itself makes the image.
    made = images_made(call.operations, call, held)
    held = held.union([name for state, name in made if state == "in"])
    if "compose" in given[1:3]:
        return COMPOSE in held
    name = named_image(op.target)
    is_all = "--all-tags" in given or "-a" in given
    return name in held or (is_all and any([one.startswith(name[:-6]) for one in held]))


def _takes_unlisted(given: list[str], call: Call) -> bool:
    """Tell whether it publishes a package or tree whose ignore list no longer names a secret."""
    programs = set(given[:3])
    return any(
        [
            name.startswith(LOST)
            and not programs.isdisjoint(_LISTS.get(name.rpartition("/")[2], ()))
            for name in held_secrets(call.facts.created)
        ]
    )


def _paths(given: list[str], call: Call) -> Iterator[str]:
    """Yield the absolute paths that words may be, without what is used to log in."""
    before = ""
    for text in given[:200]:
        last, before = before, text
        option, equals, value = text.partition("=") if text[:1] == "-" else ("", "", text)
        if (option if equals else last) in STAYS or "://" in value or "\n" in value:
            continue
        value = value.rpartition("@")[2] if value[:1] == "@" or "=@" in value else value
        if value and (equals or text[:1] != "-"):
            yield posixpath.normpath(posixpath.join(call.action.cwd or "/", value))


def _holds(path: str, files: frozenset[str], call: Call) -> bool:
    """Tell whether a path is a file that holds a secret, or a folder with one in it."""
    if path in files:
        return True
    inside = [one for one in files if is_inside(one, path)]
    # `.env.bak` in the project itself is left out like `.env`; a copy under another name is not.
    is_whole = path == _project(call)
    return any([not is_whole or _is_plain(one, call) for one in inside])


def takes_site(op: Operation, files: frozenset[str], call: Call) -> bool:
    """Return whether a site goes to the web that was made of a folder with one of the files."""
    paths = list(_paths(_given(op, call), call))
    is_out = op.verb in _SENT or _is_site(op) or (op.reach in _FAR and op.thing in _THINGS)
    return is_out and _takes_site(op, paths, files, call)


def _takes_site(op: Operation, paths: list[str], files: frozenset[str], call: Call) -> bool:
    """Tell whether a site is put on the web that was made of a folder with a secret in it."""
    project = _project(call)
    return _deploys_site(op, paths, call) and any(
        [not _SOURCES.isdisjoint(one.split("/")[:-1]) for one in files if is_inside(one, project)]
    )


def _deploys_site(op: Operation, paths: list[str], call: Call) -> bool:
    said = {*op.source.split(), *op.program.split(), *name_words(call), op.target}
    if _DEPLOYS.isdisjoint(said) and op.thing is not ResourceType.CLOUD:
        return False
    project = _project(call)
    tops = {path.rpartition("/")[2] for path in paths if is_inside(path, project)}
    return not (tops.isdisjoint(_OUTPUTS) and _DEPLOYS.isdisjoint(said))


def _project(call: Call) -> str:
    return call.facts.project or call.action.cwd or "/"


def _is_plain(path: str, call: Call) -> bool:
    at = locate(path, place_of(call.action, call.facts), has_glob=False)
    return at.read_kind not in SECRET_KINDS
