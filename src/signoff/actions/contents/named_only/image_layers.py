"""What the build of an image does to files and packages that are the image's own.

`RUN` works in a layer: what it deletes or installs there is on no machine. What starts with a
container (`CMD`, `ENTRYPOINT`) may see volumes, and is no build.

    layer_lines("RUN apt-get update && rm -rf /var/lib/apt/lists/*\\n", "Dockerfile")
        == {"apt-get update && rm -rf /var/lib/apt/lists/*"}
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re2

_IMAGE = lazy_re2(
    r"(?i)(?:^|/)(?:docker|container)file(?:[._-][\w.-]+)?$|\.(?:docker|container)file$"
)
_RUN = lazy_re2(r"(?i)^\s*(?:ONBUILD\s+)?RUN\s+((?:--\S+\s+)*)")
_STARTED = lazy_re2(r"(?i)^\s*(?:HEALTHCHECK\s+(?:--\S+\s+)*)?(?:CMD|ENTRYPOINT)\s+")
# A part of a file may begin in the middle of an instruction.
_GOES_ON = lazy_re2(r"^\s*&&\s*")
_HERE = lazy_re2(r"<<-?\s*[\"']?([A-Za-z_]\w*)")
_OUT_OF_LAYER = lazy_re2(r"--(?:security|network)=|--mount=type=bind")
_OWN = frozenset({ResourceType.FILE, ResourceType.PACKAGE})
_MORE = frozenset(
    {Trait.REMOTE_CODE, Trait.UNTRUSTED_SOURCE, Trait.BACKDOOR, Trait.BLINDS, Trait.ON_REMOTE_HOST}
)


def layer_lines(text: str, path: str) -> frozenset[str]:
    """Return the lines that only the build of an image runs, as a shell gets them."""
    if _IMAGE.search(path) is None:
        return frozenset()
    built, started = set[str](), set[str]()
    for line, is_built in _lines(text.replace("\\\n", " ")):
        (built if is_built else started).add(line)
    return frozenset(built - started)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line without the name of its instruction, and whether a build runs it."""
    end, is_built = "", False
    for line in text.split("\n"):
        if end:
            yield line.strip(), is_built
            end = "" if line.strip() == end else end
            continue
        run = _RUN.search(line)
        is_built = run is not None and _OUT_OF_LAYER.search(str(run.group(1))) is None
        is_built = is_built or _GOES_ON.search(line) is not None
        here = _HERE.search(line)
        end = str(here.group(1)) if here is not None else ""
        yield (line[run.end() :] if run is not None else _STARTED.sub("", line)).strip(), is_built


def stays_in_layer(op: Operation) -> bool:
    """Return whether an Operation of a build only changes files and packages of the image."""
    if not op.understood or op.reach is Reach.REMOTE or not _MORE.isdisjoint(op.traits):
        return False
    if op.verb is Verb.EXECUTE:  # a tool of the image: `docker-php-ext-install intl`
        return not op.traits and op.reach is Reach.PROJECT
    is_change = op.verb in (Verb.DELETE, Verb.INSTALL)
    is_whole = Trait.BROAD in op.traits and op.reach is not Reach.TEMP
    return is_change and op.thing in _OWN and not is_whole
