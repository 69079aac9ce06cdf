"""The recipe "Add a host" in CONTRIBUTING.md works, and each step that is left out is named."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest
from host_contract import CONTRACT, DOCS, is_documented, prepare

from signoff.actions.known import file_kinds
from signoff.actions.known.file_names import IN_FOLDER
from signoff.challenge import heading
from signoff.frontends import hosts
from signoff.frontends.cli.install import command_of
from signoff.frontends.hosts import registry
from signoff.frontends.hosts.host import HostManifest

ROOT = Path(__file__).parents[3]
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a host\n")[2]
BLOCKS = re.findall(
    r'\n\n( {7}"""Frob.*?)(?=\n\n ?\S|\n\n\d\. )', SECTION.partition("\n## ")[0], re.S
)
FILES = dict(zip(("adapter.py", "install.py", "__init__.py"), map(dedent, BLOCKS), strict=True))
HOOK_FILE = ".frob/hooks.json"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that hosts are imported from as well; what comes from it is forgotten."""
    path = tmp_path / "hosts"
    monkeypatch.setattr(hosts, "__path__", [*hosts.__path__, str(path)])
    yield path
    for name in [name for name in sys.modules if ".hosts.frob" in name]:
        del sys.modules[name]


def follow(folder: Path, edit: tuple[str, str] = ("", "")) -> HostManifest:
    """Write the recipe's files, with one change, and return the host."""
    (folder / "frob").mkdir(parents=True)
    changed = {name: text.replace(*edit) for name, text in FILES.items()}
    assert changed != FILES or edit == ("", "")
    for name, text in changed.items():
        (folder / "frob" / name).write_text(text, "utf-8")
    host: HostManifest = import_module("signoff.frontends.hosts.frob").HOST
    return host


def know(folder: Path, monkeypatch: pytest.MonkeyPatch, *steps: str) -> Path:
    """Take the steps outside the host's folder, without those that are named; return the docs."""
    docs = folder.with_name("docs")
    shutil.copytree(DOCS, docs, ignore=shutil.ignore_patterns("*.svg", "*.png", "adr"))
    (docs / "how-to" / "frob.md").write_text("Frob: `signoff install frob`\n", "utf-8")
    if "docs" not in steps:
        with (docs / "hosts.md").open("a", encoding="utf-8") as page:
            page.write("| [Frob](how-to/frob.md) | yes |\n")
    if "name" not in steps:
        monkeypatch.setattr(heading, "OWN_NAMES", {**heading.OWN_NAMES, "frob": "Frob"})
    if "file" not in steps:
        kinds = {k: v for k, v in IN_FOLDER.items() if not k.startswith("/")}
        known = {**kinds, HOOK_FILE: IN_FOLDER[".cursor/hooks.json"]}
        runs = file_kinds._runs_by_first(known.items())
        monkeypatch.setattr(file_kinds, "_ANYWHERE", runs)
        tells = file_kinds._FOLDERS_THAT_TELL | {".frob"}
        monkeypatch.setattr(file_kinds, "_FOLDERS_THAT_TELL", tells)
    if "tuple" not in steps:
        host = import_module("signoff.frontends.hosts.frob").HOST
        listed = (*registry.HOSTS, host)
        adapters = {one.name: one for each in listed for one in each.adapters}
        monkeypatch.setattr(registry, "HOSTS", listed)
        monkeypatch.setattr(registry, "ADAPTERS", adapters)
    return docs


def broken(
    host: HostManifest, docs: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> set[str]:
    """Return the terms of the contract that a host does not keep."""
    found: set[str] = set()
    for number, term in enumerate(CONTRACT):
        place = folder.with_name(f"term{number}")
        place.mkdir()
        prepare(place, monkeypatch)
        run = partial(is_documented, docs=docs) if term is is_documented else term
        try:
            run(host, place)
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - any failure breaks a term
            found.add(term.__name__)
    return found


def test_the_recipe_makes_a_host(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every term of the contract is kept, and the command line knows how to install it."""
    host = follow(folder)
    docs = know(folder, monkeypatch)

    assert broken(host, docs, folder, monkeypatch) == set()
    assert "every tool call of Frob" in str(command_of(host).help)


@pytest.mark.parametrize(
    ("step", "term"),
    [("docs", "is_documented"), ("name", "has_one_name"), ("file", "is_kept_from_the_agent")],
)
def test_a_step_that_is_left_out_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, term: str
) -> None:
    """By the term that it breaks, and no other."""
    # What a path is, is kept: so the file that nobody knows is another one.
    host = follow(folder, (HOOK_FILE, ".new/hooks.json") if step == "file" else ("", ""))
    docs = know(folder, monkeypatch, step)

    assert broken(host, docs, folder, monkeypatch) == {term}


@pytest.mark.parametrize(
    ("old", "new", "term"),
    [
        ('raise BadPayload("unknown event")', "return hooks.HostEvent()",
         "refuses_what_it_cannot_read"),
        ('refuse=hooks.decision_word("deny")', 'refuse=hooks.decision_word("no")',
         "refuses_its_canary"),
        ("hooks.EMPTY, ", "", "starts_by_a_line_that_closes"),
        ("wait=Wait()", "wait=Wait(-3)", "waits_inside_out"),
        ('{"line": LINE}', '{"line": "ls"}', "reads_its_canary"),
        ('"Bash", {"line": "command"}', '"Bash"', "reads_its_canary"),
        ('caller_of(names, "frob")', 'caller_of(names, "")', "reads_its_canary"),
        ('adapters=("frob",)', "adapters=()", "installs_every_adapter"),
        ('called="Frob"', 'called="Bob"', "has_one_name"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, term: str
) -> None:
    """Each kind of mistake in the folder breaks its term."""
    host = follow(folder, (old, new))
    docs = know(folder, monkeypatch)

    assert term in broken(host, docs, folder, monkeypatch)


@pytest.mark.parametrize(
    "field", ["canary={", "wait=Wait(),", "rules=hooks.HostRules(", "refuse=hooks.", "targets=t"]
)
def test_a_field_that_is_left_out_is_no_host(folder: Path, field: str) -> None:
    """What every host must say has no default: the folder cannot even be imported."""
    with pytest.raises(TypeError, match=rf"{field.partition('=')[0]}|unexpected"):
        follow(folder, (field, f"un{field}"))


def test_a_folder_outside_the_tuple_is_named(tmp_path: Path) -> None:
    """It would look finished, and never run."""
    registries = import_module("test_registries")
    src = registries._copy(tmp_path)
    place = src / registries.HOSTS / "frob"
    place.mkdir()
    for name, text in FILES.items():
        (place / name).write_text(text, "utf-8")

    assert registries.unlisted_hosts(src) == {"frob"}
