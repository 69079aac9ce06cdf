"""A detector, host, channel or handler that its registry does not list fails here.

Registries are visible tables; nothing scans for parts. So a file nobody listed would be in the
project, look finished, and never run.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

SRC = Path(__file__).parents[1] / "src"
DOCS = Path(__file__).parents[1] / "docs"
DETECTORS = "signoff/assess/detectors"
HOSTS = "signoff/frontends/hosts"
CHANNELS = "signoff/channels"
HANDLERS = "signoff/effects/handlers"

# Not listed on purpose, by file or folder.
NO_HOSTS = {"installing": "what installers share", "results": "what results of tools share"}
NO_CHANNELS = {"threads": "what messengers with threads share"}

Part = tuple[str, str]  # the module, the name in it


def parts_in(src: Path, folder: str, kind: str) -> set[Part]:
    """Give every module-level `NAME = kind(...)` below a folder."""
    return {
        (_module(src, path), target.id)
        for path in (src / folder).rglob("*.py")
        for node in _tree(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _builds(node.value, kind)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def listed_in(registry: Path) -> set[Part]:
    """Give what a registry imports and uses: `from m import NAME as X`, or `m.NAME`."""
    tree = _tree(registry)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    found: set[Part] = set()
    for module, alias in _imports(tree):
        used = alias.asname or alias.name
        found |= {(module, alias.name)} if used in names else set()
        found |= {(f"{module}.{alias.name}", name) for at, name in attributes if at == used}
    return found


def unlisted_detectors(src: Path) -> set[str]:
    """Give detectors that no table lists, and files that run like one but hold none."""
    folder = src / DETECTORS
    listed = listed_in(folder / "registry.py") | listed_in(folder / "content.py")
    missing = {module for module, _ in parts_in(src, DETECTORS, "Detector") - listed}
    running = {_module(src, path) for path in folder.glob("*.py") if "run" in _functions(path)}
    return missing | (running - {module for module, name in listed if name == "DETECTOR"})


def unlisted_hosts(src: Path) -> set[str]:
    """Give adapters that no manifest of their folder lists, and folders the tuple does not list."""
    folder = src / HOSTS
    listed = {
        module.split(".")[-1]
        for module, name in listed_in(folder / "registry.py")
        if name == "HOST"
    }
    hosts = {path.parent.name for path in folder.glob("*/__init__.py")} - set(NO_HOSTS)
    return (hosts - listed) | {
        f"{module}:{name}"
        for module, name in parts_in(src, HOSTS, "Adapter")
        if name not in _adapters_of(folder / module.split(".")[-2])
    }


def _adapters_of(folder: Path) -> set[str]:
    """Give the names in `adapters=(...)` of the manifests of a host's folder."""
    return {
        name.id
        for path in folder.glob("*.py")
        for node in ast.walk(_tree(path))
        if _builds(node, "HostManifest")
        for keyword in node.keywords
        if keyword.arg == "adapters"
        for name in ast.walk(keyword.value)
        if isinstance(name, ast.Name)
    }


def unlisted_channels(src: Path) -> set[str]:
    """Give folders whose manifest the tuple does not list, and folders without one."""
    folder = src / CHANNELS
    listed = {module.split(".")[-2] for module, name in listed_in(folder / "registry.py")}
    return {path.parent.name for path in folder.glob("*/__init__.py")} - listed - set(NO_CHANNELS)


def unlisted_handlers(src: Path) -> set[str]:
    """Give classes that are called with a decision and that no table lists."""
    folder = src / HANDLERS
    listed = listed_in(folder / "registry.py")
    return {
        f"{_module(src, path)}:{node.name}"
        for path in folder.glob("*.py")
        for node in _tree(path).body
        if isinstance(node, ast.ClassDef)
        and "__call__" in {getattr(part, "name", "") for part in node.body}
        and (_module(src, path), node.name) not in listed
    }


GATES = {
    DETECTORS: unlisted_detectors,
    HOSTS: unlisted_hosts,
    CHANNELS: unlisted_channels,
    HANDLERS: unlisted_handlers,
}


@pytest.mark.parametrize("folder", GATES)
def test_every_part_is_listed(folder: str) -> None:
    """No file stands beside its registry."""
    assert set() == GATES[folder](SRC)


@pytest.mark.parametrize(
    ("folder", "file", "text", "named"),
    [
        (DETECTORS, "novel.py", "DETECTOR = Detector(id='novel', run=run)", "novel"),
        (DETECTORS, "odd.py", "def run(evidence):\n    yield", "odd"),
        (HOSTS, "novel/adapter.py", "ADAPTER = Adapter(name='novel')", "novel.adapter:ADAPTER"),
        (HOSTS, "novel/install.py", "HOST = HostManifest(name='x', adapters=())", "novel"),
        (HOSTS, "novel/notes.py", "", "novel"),
        (HOSTS, "codex/second.py", "MORE: Adapter = Adapter(name='x')", "codex.second:MORE"),
        (HOSTS, "codex/third.py", "MORE = hooks.Adapter(name='x')", "codex.third:MORE"),
        (CHANNELS, "pigeon/channel.py", "class PigeonChannel:\n    name = 'pigeon'", "pigeon"),
        (HANDLERS, "page.py", "class Page:\n    def __call__(self, d): ...", "page:Page"),
        (HANDLERS, "log.py", "class Second:\n    def __call__(self, d): ...", "log:Second"),
    ],
)
def test_a_planted_file_is_named(
    tmp_path: Path, folder: str, file: str, text: str, named: str
) -> None:
    """Each gate can fail: a file that nobody listed is reported by its name."""
    src = _copy(tmp_path)
    planted = src / folder / file
    planted.parent.mkdir(exist_ok=True)
    (planted.parent / "__init__.py").touch()
    planted.write_text(text, "utf-8")

    assert [one for one in GATES[folder](src) if one.endswith(named)]


@pytest.mark.parametrize(
    ("folder", "registry", "line"),
    [
        (DETECTORS, "content.py", "    xss.DETECTOR,\n"),
        (HOSTS, "registry.py", "    KIRO,\n"),
        (HOSTS, "codex/install.py", ", PERMISSION_ADAPTER),\n"),
        (HANDLERS, "registry.py", '    "notify": NotifyHandler,\n'),
        (CHANNELS, "registry.py", "    SLACK,\n"),
    ],
)
def test_a_line_taken_out_is_missed(tmp_path: Path, folder: str, registry: str, line: str) -> None:
    """Each gate can fail: what is imported but left out of the table is reported."""
    src = _copy(tmp_path)
    table = src / folder / registry
    text = table.read_text("utf-8")
    assert line in text
    table.write_text(text.replace(line, "),\n" if line.endswith("),\n") else "", 1), "utf-8")

    assert set() != GATES[folder](src)


@pytest.mark.parametrize(
    ("folder", "exceptions"),
    [
        (HOSTS, NO_HOSTS),
        (CHANNELS, NO_CHANNELS),
    ],
)
def test_an_exception_is_still_one(folder: str, exceptions: dict[str, str]) -> None:
    """What is excepted exists: no name waits for a file to come."""
    there = {path.stem for path in (SRC / folder).iterdir()}

    assert set() == set(exceptions) - there


def test_every_handler_is_documented() -> None:
    """The page about pipelines names each handler."""
    page = (DOCS / "pipelines" / "handlers.md").read_text("utf-8")
    listed = listed_in(SRC / HANDLERS / "registry.py")

    assert [] == [name for _, name in listed if name.endswith("Handler") and name not in page]


def _copy(tmp_path: Path) -> Path:
    """Copy the folders the gates read."""
    src = tmp_path / "src"
    for folder in GATES:
        shutil.copytree(SRC / folder, src / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return src


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _module(src: Path, path: Path) -> str:
    return ".".join(path.relative_to(src).with_suffix("").parts)


def _builds(value: ast.AST | None, kind: str) -> TypeGuard[ast.Call]:
    """Tell whether a value is `kind(...)` or `module.kind(...)`."""
    return isinstance(value, ast.Call) and kind in (
        getattr(value.func, "id", ""),
        getattr(value.func, "attr", ""),
    )


def _functions(path: Path) -> set[str]:
    return {node.name for node in _tree(path).body if isinstance(node, ast.FunctionDef)}


def _classes(path: Path) -> list[str]:
    return [node.name for node in _tree(path).body if isinstance(node, ast.ClassDef)]


def _imports(tree: ast.Module) -> Iterator[tuple[str, ast.alias]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias
