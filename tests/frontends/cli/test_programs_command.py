"""`signoff programs`, and the commands that honour what it checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from signoff.frontends.cli.app import app

FROB = """\
programs:
  - names: frob
    values: -o
    commands:
      inspect: status list
      delete cloud on:first @remote irreversible always: destroy
    examples:
      frob destroy x: delete cloud @remote irreversible
      frob list x: nothing
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the user's folder with one description, and an empty project to work in."""
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    made = tmp_path / "config" / "programs"
    made.mkdir(parents=True)
    (made / "frob.yaml").write_text(FROB)
    return made


def run(*args: str, text: str | None = None) -> Result:
    """Run a command of signoff."""
    return CliRunner().invoke(app, args, input=text)


def test_good_descriptions_have_no_mistakes(folder: Path) -> None:
    """And their examples hold."""
    linted, tested = run("programs", "lint"), run("programs", "test")

    assert (linted.exit_code, linted.output) == (0, "1 description, 0 mistakes\n")
    assert (tested.exit_code, tested.output) == (0, "2 examples, 0 wrong\n")


def test_a_wrong_example_fails(folder: Path) -> None:
    """With its place, what was expected, and what the line does."""
    (folder / "frob.yaml").write_text(FROB.replace("frob list x", "frob destroy y"))
    tested = run("programs", "test")

    assert tested.exit_code == 1
    assert f"{folder}/frob.yaml:9:7: `frob destroy y`: it does `delete cloud" in tested.output
    assert tested.output.endswith("2 examples, 1 wrong\n")


def test_mistakes_are_named_with_line_and_column(folder: Path) -> None:
    """Two roles of one option, and an entry without examples."""
    file = folder / "more.yaml"
    file.write_text("programs:\n  - names: brof ls sudo\n    values: -o\n    switches: -o -p\n")
    linted = run("programs", "lint", str(file))

    assert linted.exit_code == 1
    assert f"{file}:4:15: `-o` stands in `switches` and in `values`" in linted.output
    assert f"{file}:2:5: no `examples`" in linted.output
    assert "signoff describes `ls` too; yours only adds to it" in linted.output
    assert "judges what `sudo` runs; a description of it changes nothing" in linted.output
    assert linted.output.endswith("1 description, 2 mistakes\n")


@pytest.mark.parametrize("command", ["lint", "test"])
def test_a_file_that_cannot_be_read_says_where(folder: Path, command: str) -> None:
    """File, line and column."""
    (folder / "frob.yaml").write_text(FROB.replace("values", "valeus"))
    done = run("programs", command)

    assert done.exit_code == 2
    assert f"{folder}/frob.yaml:3:5: unknown field of a program `valeus`" in done.output
    assert "did you mean `values`?" in done.output


def test_explain_shows_the_description_and_the_operations(folder: Path) -> None:
    """From which file, line for line, and what the line does."""
    own = run("programs", "explain", "frob", "destroy", "x").output
    shipped = run("programs", "explain", "gsutil", "rb", "gs://b").output
    unknown = run("programs", "explain", "nobody-knows-it").output

    assert f"described {folder}/frob.yaml:2\n  - names: frob\n" in own
    assert own.endswith("does      delete cloud @remote irreversible  x\n")
    assert "described stores.yaml:6\n  - names: gsutil\n" in shipped
    assert "does      delete cloud @remote +whole-store irreversible  gs://b" in shipped
    assert unknown.startswith("`nobody-knows-it` is not described; it is judged by its words")


def test_without_any_file_it_says_where_one_is_expected(folder: Path) -> None:
    """The folder, and the page that explains it."""
    (folder / "frob.yaml").unlink()
    done = run("programs", "test")

    assert done.exit_code == 2
    assert f"{folder}: no file of descriptions (*.yaml)" in done.output


def test_check_and_batch_honour_the_users_folder(folder: Path) -> None:
    """A description decides in both."""
    payload = {"tool_name": "Bash", "tool_input": {"command": "frob destroy x"}}
    checked = run("check", "--json", "--", "frob", "destroy", "x")
    batch = run("check", "--batch", text=json.dumps(payload))
    (folder / "frob.yaml").unlink()
    without = run("check", "--json", "--", "frob", "list", "x")

    assert [json.loads(one.output)["verdict"] for one in (checked, without)] == ["ask", "allow"]
    assert checked.exit_code == 1
    assert batch.exit_code == 0


def test_check_honours_the_projects_folder(folder: Path) -> None:
    """It makes stricter, and not milder."""
    Path(".signoff.yaml").write_text("programs: tools\n")
    Path("tools").mkdir()
    Path("tools/a.yaml").write_text(
        "programs:\n  - names: brof\n    does: delete cloud @remote irreversible always\n"
        "  - names: frob\n    does: inert\n"
    )
    verdicts = [
        json.loads(run("check", "--json", "--", *line.split()).output)["verdict"]
        for line in ("brof x", "frob destroy x")
    ]

    assert verdicts == ["ask", "ask"]


def test_check_refuses_under_a_bad_file(folder: Path) -> None:
    """There is nothing good that could stay in force."""
    (folder / "frob.yaml").write_text("programs:\n  - names: frob\n    doez: x\n")
    done = run("check", "--", "ls")

    assert done.exit_code == 2
    assert f"{folder}/frob.yaml:3:5: unknown field of a program `doez`" in done.output
