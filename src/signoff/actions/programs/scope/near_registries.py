"""Registries of this machine: what is published to them, or taken back from them, is a test's.

npm publish --registry http://127.0.0.1:4873                  -> WRITE package, LOOPBACK
dotnet nuget push a.nupkg --source ./feed                     -> WRITE package, PROJECT
mvn deploy -DaltDeploymentRepository=x::file:./target/repo    -> the same
docker push localhost:5000/app:dev                            -> WRITE image, LOOPBACK

The registry has to stand in the call literally, in every place that names one. One that is known
by a name only (`--repository staging`) may be anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect
from signoff.actions.shell.command import Command, Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# The option that names the registry, from the manuals; it comes before any file of settings.
_OPTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(words("npm pnpm"), words("--registry")),
    "twine": words("--repository-url"),
    "uv": words("--publish-url"),
    "gem": words("--host"),
    "dotnet": words("--source -s"),
    "nuget": words("-Source -source"),
    "choco": words("--source -s"),
    "luarocks": words("--server"),
    "ovsx": words("--registryUrl -r"),
    **dict.fromkeys(words("mvn mvnw mvnd"), words("-DaltDeploymentRepository")),
}
# The reference of an image or chart begins with its registry.
_REFERRING = words("docker podman nerdctl buildah helm crane oras skopeo img")
_SCHEMES = ("docker://", "oci://")
_FOLDERS = words("dotnet nuget choco mvn mvnw mvnd")
_OWN = frozenset({Reach.PROJECT, Reach.TEMP})
_THINGS = frozenset({ResourceType.PACKAGE, ResourceType.IMAGE, ResourceType.URL})
_NEVER = frozenset({Trait.SENDS_SECRET, Trait.READS_SECRET, Trait.HIDDEN, Trait.REMOTE_CODE})
# Of Maven: for releases or snapshots alone, and before the other one.
_PARTIAL = ("-DaltReleaseDeploymentRepository", "-DaltSnapshotDeploymentRepository")
# With these another engine pushes, on another machine.
_LEADING = words("-H --host -c --context --url --connection")
PUBLISHERS = frozenset(_OPTIONS) | _REFERRING
_MOST = 200


def at_near_registry(
    effects: Iterable[Effect], name: str, command: Command, place: Place
) -> Iterator[Effect]:
    """Yield a program's effects, with what it publishes on this machine as writing there.

    Args:
        name: of the program.
    """
    done = list(effects)
    if not any([isinstance(one, Operation) and _counts(one) for one in done]):
        yield from done
        return
    reach = _registry(name, command, place)
    for one in done:
        if reach is not None and isinstance(one, Operation) and _counts(one):
            yield replace(one, verb=Verb.WRITE, reach=reach, reversible=True)
        else:
            yield one


def _counts(op: Operation) -> bool:
    is_act = op.verb is Verb.PUBLISH or (op.verb is Verb.DELETE and op.reach is Reach.REMOTE)
    return is_act and op.thing in _THINGS and op.understood and _NEVER.isdisjoint(op.traits)


def _registry(name: str, command: Command, place: Place) -> Reach | None:
    """Return where the registry of a call is, None if it may be elsewhere."""
    given = command.words[1:_MOST]
    if command.input_words or len(command.words) > _MOST:
        return None
    if name in _REFERRING:
        return _of_reference(given)
    if any([word.text.startswith(_PARTIAL) for word in given]):
        return None
    named = list(_values(given, _OPTIONS[name]))
    found = {_place_of(name, word, place) for word in named}
    return found.pop() if len(found) == 1 else None


def _of_reference(given: tuple[Word, ...]) -> Reach | None:
    """Where an image goes: the last reference; a name without a registry goes to the public one."""
    if not _LEADING.isdisjoint([word.text.partition("=")[0] for word in given]):
        return None
    references = [word for word in given[1:] if word.text[:1] != "-"]
    if not references or not all([word.is_known for word in given]):
        return None
    far = [word for word in references if not _is_near_reference(word.text)]
    # `skopeo copy A B` and `helm push CHART REGISTRY` name what is taken first.
    is_last = _is_near_reference(references[-1].text) and len(references) <= 2
    return Reach.LOOPBACK if not far or is_last else None


def _is_near_reference(text: str) -> bool:
    for scheme in _SCHEMES:
        text = text.removeprefix(scheme)
    registry, mark, _ = text.partition("/")
    is_registry = mark != "" and (":" in registry or registry == "localhost")
    return is_registry and is_near_url(f"http://{registry}")


def _place_of(name: str, word: Word, place: Place) -> Reach | None:
    if not word.is_known or word.has_glob:
        return None
    # Maven: `id::url`, and `id::layout::url` before.
    text = word.text.rpartition("::")[2] if name.startswith("mvn") else word.text
    if text.startswith(("http://", "https://")):
        return Reach.LOOPBACK if is_near_url(text) else None
    is_folder = text.startswith(("file:", "/", "./", "../"))
    if name not in _FOLDERS or not is_folder:
        return None
    path = text.removeprefix("file:").removeprefix("//")
    reach = locate(path, place, has_glob=False).reach
    return reach if reach in _OWN else None


def _values(given: tuple[Word, ...], options: frozenset[str]) -> Iterator[Word]:
    """Yield the values of options."""
    for at, word in enumerate(given):
        option, mark, _ = word.text.partition("=")
        if option not in options:
            continue
        if mark:
            yield replace(word, text=word.text[len(option) + 1 :])
        else:
            yield given[at + 1] if at + 1 < len(given) else Word(text="")
