"""Parts that installed packages bring, as entry points: looked up by name, never scanned for.

A package says in its `pyproject.toml`:

    [project.entry-points."signoff.scorers"]
    size = "acme_signoff:SizeScorer"

Only what a settings file names is imported. Two packages with one name are refused: nobody could
tell which one judges.

    installed(PartGroup.SCORERS, "size").load()
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from signoff.documents.nearest import suggest
from signoff.errors import BadSettings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints


class PartGroup(StrEnum):
    """The groups of entry points through which packages add parts to signoff."""

    SCORERS = "signoff.scorers"
    AGGREGATORS = "signoff.aggregators"
    PROFILES = "signoff.profiles"

    @property
    def one(self) -> str:
        """The word for one such part in messages, as `channel`."""
        return self.value.rpartition(".")[2][:-1]


def load_installed(group: PartGroup, name: str, *, place: str, shipped: tuple[str, ...]) -> object:
    """Import the entry point of this name, and return the object it names.

    Args:
        place: where it is named, for messages.
        shipped: names of the parts that signoff brings, for messages.

    Raises:
        BadSettings: there is none, there are several, or it cannot be imported.
    """
    point = _point(group, name, place=place, shipped=shipped)
    try:
        found: object = point.load()
    except Exception as error:
        raise BadSettings(
            f"{place}: {group.one} `{name}` of {_package(point)} cannot be imported:"
            f" {type(error).__name__}: {error}"
        ) from error
    return found


def made_by(found: object, group: PartGroup, name: str, *, place: str) -> object:
    """Call a class or function of a package without arguments, and return its result.

    Raises:
        BadSettings: it raises, or it is nothing to call.
    """
    if not callable(found):
        raise BadSettings(f"{place}: {group.one} `{name}`: expected a class or function to call")
    try:
        made: object = found()
    except Exception as error:
        raise BadSettings(
            f"{place}: {group.one} `{name}` cannot be made: {type(error).__name__}: {error}"
        ) from error
    return made


def package_of(group: PartGroup, name: str) -> str:
    """Return name and version of the package that provides a part, "" if none does."""
    points = tuple(_points(group, name=name))
    return _package(points[0]) if points else ""


def _point(group: PartGroup, name: str, *, place: str, shipped: tuple[str, ...]) -> EntryPoint:
    # One package may stand on the path twice, installed and as its source.
    points = {one.value: one for one in _points(group, name=name)}
    if len(points) == 1:
        return next(iter(points.values()))
    if points:
        packages = " and ".join(sorted(map(_package, points.values())))
        raise BadSettings(f"{place}: {group.one} `{name}` is in {packages}: uninstall one of them")
    others = sorted({one.name for one in _points(group)})
    raise BadSettings(
        f"{place}: there is no {group.one} `{name}`{suggest(name, [*shipped, *others])}; install"
        f" the package that has it among its entry points `{group.value}`"
    )


def _points(group: PartGroup, *, name: str = "") -> EntryPoints:
    # It loads the parser of mails: only who names a part of a package pays for that.
    from importlib.metadata import entry_points  # noqa: PLC0415 - see above

    found = entry_points(group=group.value)
    return found.select(name=name) if name else found


def _package(point: EntryPoint) -> str:
    return f"`{point.dist.name} {point.dist.version}`" if point.dist else "an unnamed package"
