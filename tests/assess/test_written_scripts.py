"""Shell text in written files: which parts are run, and what of them is refused."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.contents.scripts.batch_files import batch_lines
from signoff.actions.contents.scripts.hook_lines import hook_lines, with_variables
from signoff.actions.contents.scripts.keyed_values import keyed_values
from signoff.actions.contents.scripts.recipes import just_lines, snakemake_code
from signoff.actions.facts import Facts
from signoff.assess.written.scripts import found_in_scripts


def categories(path: str, new: str, old: str = "") -> set[str]:
    """Return what is found in an edit of a file of the project."""
    arguments = {"file_path": f"/home/dev/project/{path}", "new_string": new, "old_string": old}
    action = Action(tool="Edit", arguments=arguments, cwd="/home/dev/project")
    return {one.category for one in found_in_scripts(action, Facts())}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runcmd:\n  - rm -rf /srv\n", ["rm -rf /srv"]),
        ("shell_command:\n  send: >-\n    curl a\n    b\n", ["curl a b"]),
        ("run: |\n  a\n  b\nname: x\n", ["a\nb"]),
        ('command: ["sh", "-c", "rm -rf /srv"]\n', ["rm -rf /srv"]),
        ("ExecStart=-/bin/rm -rf /srv\n", ["/bin/rm -rf /srv"]),
        ("description: rm -rf /srv\n", []),
    ],
)
def test_values_of_keys_that_are_run(text: str, expected: list[str]) -> None:
    """The key says whether its value is run."""
    assert expected == [part.text for part in keyed_values(text)]


def test_a_batch_file_puts_its_variables_in() -> None:
    """A line is judged with the values that the file sets."""
    lines = batch_lines("@echo off\nset N=D:\\old\nif exist x rd /s /q %N%\n")

    assert ("cmd /c 'rd /s /q D:\\old'",) == lines


def test_recipes_of_just_and_snakemake() -> None:
    """Recipes and blocks of code are read, what they are named is not."""
    assert ("rm -rf ~/x",) == just_lines("d := '~/x'\nclean:\n    rm -rf {{d}}\n")
    assert "import os\nos.remove(1)\n" == snakemake_code(
        "import os\nrule a:\n    run:\n        os.remove(1)\n"
    )


def test_what_stood_there_before_is_no_find_of_an_edit() -> None:
    """Only what an edit adds is refused."""
    assert {"destructive.home-files"} == categories("x.sh", "rm -rf ~\n")
    assert set() == categories("x.sh", "rm -rf ~\nls\n", old="rm -rf ~\n")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("x.sh", "npm publish\n", {"remote-change.published"}),
        ("x.sh", "npm publish --dry-run\n", set()),
        ("x.sh", "sudo apt-get install -y jq\nrm -rf data\n", set()),
        ("x.sh", "ssh a@b.example uci commit\n", {"remote-change.remote-host"}),
        ("x.sh", "export NATS_URL=nats://127.0.0.1:4222\nnats stream rm T --force\n", set()),
        ("x.sh", "H=ldap://localhost\nldapmodify -H $H -f a.ldif\n", set()),
        ("x.sh", "restic -r sftp:a@b:/r unlock --remove-all\n", {"system-change.backup"}),
        ("x.sh", "restic -r ./r unlock --remove-all\n", set()),
        (
            "x.kts",
            'exec { commandLine("git", "push", "-f", "origin", "a") }',
            {"destructive.history"},
        ),
        ("x.js", "live().a.updateOne({b: 1}, {$set: {c: 2}})", {"production-impact.change"}),
        ("x.js", "// live().a.updateOne({})\ndev().a.updateOne({})", set()),
        ("x.js", "product.updateOne({b: 1})", set()),
        ("x.py", "prod.execute('select name, email from a')", {"production-impact.people-read"}),
        ("x.py", 'STEPS = ["npm publish"]\n# run(["npm", "publish"])\n', set()),
        ("test_x.py", 'subprocess.run(["npm", "publish"])\n', set()),
    ],
)
def test_what_acts_on_others_is_asked_where_it_is_written(
    path: str, text: str, expected: set[str]
) -> None:
    """Nobody may ask before a colleague or a schedule runs it."""
    assert expected == categories(path, text)


def test_an_act_of_before_with_other_options_is_no_find() -> None:
    """What is asked about was there already."""
    old = "$k = Get-ADUser -Filter *\nRemove-ADUser -Identity $k -Confirm:$false\n"

    assert set() == categories("x.ps1", old.replace("$false", "$true"), old=old)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/var/log/a {\n  postrotate\n    reload a\n  endscript\n}\n", ("reload a",)),
        ("exec { 'a':\n  command => '/bin/b -c',\n}\n", ("/bin/b -c",)),
        ('KERNEL=="sda", RUN+="/bin/sh -c \'a\'"\n', ("/bin/sh -c 'a'",)),
        ('new command.local.Command("a", { create: `b | c` });', ("b | c",)),
        ("# postrotate is written before endscript\n", ()),
        ("exec { 'a':\n  path => '/bin',\n}\n", ()),
    ],
)
def test_lines_that_services_run(text: str, expected: tuple[str, ...]) -> None:
    """Rotations, resources, devices and stacks run lines at a turn of their own."""
    assert expected == hook_lines(text)


def test_tasks_name_folders_by_variables() -> None:
    """A variable with a plain value is put in, another stays."""
    text = "vars:\n  OUT: /srv/a\n  NOW: {sh: date}\ncmds:\n  - rm {{.OUT}} {{.NOW}}\n"

    assert text.replace("{{.OUT}}", "/srv/a") == with_variables(text)
