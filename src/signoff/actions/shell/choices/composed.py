"""Folders of this machine that a compose file, which the session wrote, puts into a service.

    compose.yml `volumes: ["${ROOT:-./data}:/data"]`, all.env `ROOT=/home`
    docker compose --env-file all.env run sweep rm -rf /data      deletes `/home`

Folders of the project itself are left to the container: work there is what services are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from signoff.actions.action import Json
from signoff.actions.contents.settings.formats import parse_env, parse_yaml
from signoff.actions.programs.infra.mounts import Mount, read_mount
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, lazy_re2

Given = Sequence[tuple[str, Word]]
COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
ENV_FILE = ".env"
_DELETES = lazy_re2(
    r"(?:^|[\s;&|/])(?:rm|find|mv|shred|dd|truncate|rsync|chown|chmod|unlink|rmdir)\s"
)
_VARIABLE = lazy_re(r"\$(?:\{(\w+)(?::?-([^{}]*))?[^{}]*\}|(\w+))")
_OUTSIDE = ("/", "~", "..")


def composed_mounts(
    rest: tuple[Word, ...],
    options: Given,
    assignments: Given,
    file_text: Callable[[Word], Word | None],
) -> list[Mount]:
    """Return the folders outside the project that a service gets.

    Args:
        rest: the service and what runs in it.
        options: those before the sub-command.
        assignments: variables that stand before the line.
        file_text: returns the text of a file that the line or the session wrote.
    """
    if len(rest) < 2 or _DELETES.search(" ".join([word.text for word in rest[1:]]) + " ") is None:
        return []
    files = _values(options, "f", "file") or [Word(text=name) for name in COMPOSE_FILES]
    texts = [known.text for file in files if (known := file_text(file)) is not None]
    if not texts:
        return []
    variables = _variables(options, assignments, file_text)
    written = [one for text in texts for one in _volumes(parse_yaml(text), rest[0].text)]
    found = [read_mount(_filled(one, variables)) for one in written]
    return [one for one in found if one.source.startswith(_OUTSIDE)]


def _values(options: Given, *names: str) -> list[Word]:
    return [word for name, word in options if name in names]


def _variables(
    options: Given, assignments: Given, file_text: Callable[[Word], Word | None]
) -> Mapping[str, str]:
    """Return the variables that compose puts in: those of the shell win over those of files."""
    found: dict[str, str] = {}
    for file in _values(options, "env-file") or [Word(text=ENV_FILE)]:
        known = file_text(file)
        found.update(parse_env(known.text) if known is not None else {})
    return {**found, **{name: word.text for name, word in assignments if word.is_known}}


def _volumes(document: Json, service: str) -> Iterator[str]:
    """Yield the volumes of a service, each as `-v` takes it."""
    services = document.get("services") if isinstance(document, Mapping) else None
    described = services.get(service) if isinstance(services, Mapping) else None
    volumes = described.get("volumes") if isinstance(described, Mapping) else None
    for one in volumes if isinstance(volumes, list) else ():
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping) and one.get("type") == "bind":
            yield f"{one.get('source')}:{one.get('target')}"


def _filled(text: str, variables: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1] or match[3]
        return variables.get(name) or match[2] or ("~" if name == "HOME" else "")

    return _VARIABLE.sub(value, text)
