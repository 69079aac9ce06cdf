"""What a program is handed to run: code, lines, shells, files; and data that is none of these."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.programs.handed_over.files import language_of
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


def operations(line: str) -> tuple[Operation, ...]:
    return understand_shell(line, PLACE).operations


def deletes_home(line: str) -> bool:
    return any(
        op.verb is Verb.DELETE and op.reach is Reach.HOME and Trait.BROAD in op.traits
        for op in operations(line)
    )


@pytest.mark.parametrize(
    "line",
    [
        "newshell -c 'rm -rf ~'",
        "newlang --eval 'system(\"rm -rf ~\")'",
        "srun -n 2 rm -rf ~",
        "brandnew launch -- rm -rf ~",
        "java -XX:OnError='rm -rf ~' -jar app.jar",
        "fzf --bind 'enter:execute(rm -rf ~)+abort'",
        "SVN_SSH='rm -rf ~ #' svn up",
        "ocaml -e 'Sys.command \"rm -rf ~\"'",
        'clojure -M -e \'(clojure.java.shell/sh "rm" "-rf" "/home/dev")\'',
        "pwsh -NoProfile -c 'Remove-Item -Recurse -Force $HOME'",
        "gs '-sOutputFile=%pipe%rm -rf ~' a.ps",
        "magick 'png:|rm -rf ~' b.png",
        "gnuplot -e 'plot \"< rm -rf ~\"'",
        "fs_cli -x 'bgapi system rm -rf ~'",
        "screen -S x -X stuff 'rm -rf ~\\n'",
        "restic --password-command 'rm -rf ~' snapshots",
        "multipass exec vm -- rm -rf /home/dev",
    ],
)
def test_what_is_handed_over_is_judged(line: str) -> None:
    """The line, the literal or the code that a program is handed is read as what it is."""
    assert deletes_home(line)


PADDING = " ".join(f"x{n}" for n in range(60))
LINES = "ls\n" * 60


@pytest.mark.parametrize(
    "line",
    [
        f"newshell {PADDING} -c 'rm -rf ~'",
        f"srun {PADDING} rm -rf ~",
        f"gnuplot <<'E'\n{LINES}!rm -rf ~\nE",
        f"gdb <<'E'\n{LINES}shell rm -rf ~\nE",
    ],
)
def test_padding_hides_nothing(line: str) -> None:
    """Words and lines before what is handed over are passed over, however many there are."""
    assert deletes_home(line)


@pytest.mark.parametrize(
    "line",
    [
        "fzf " + "--preview 'ls' " * 60 + "--preview 'rm -rf ~'",
        "gdb <<'E'\n" + "shell ls\n" * 60 + "shell rm -rf ~\nE",
        "gdb <<'E'\n" + "x\n" * 20_000 + "shell rm -rf ~\nE",
        """aws ssm send-command --parameters 'commands=[""" + '"ls",' * 60 + """"rm -rf ~"]'""",
    ],
)
def test_more_than_is_read_is_asked_about(line: str) -> None:
    """Where a limit is met, the rest is not understood; it is never skipped."""
    assert any(not op.understood for op in operations(line))


def test_many_words_of_a_known_program_are_nothing() -> None:
    """A long line without anything handed over stays what it is."""
    assert all(op.understood for op in operations(f"srun {PADDING} ./simulate"))


@pytest.mark.parametrize(
    "line",
    [
        "newlang --eval 'foo(bar(1))'",
        "glue --spawn /bin/sh",
        "quickrun /tmp/job.sh",
        "tunnel 198.51.100.7 4444",
        "make -f /tmp/x.mk",
        "PSQLRC=/tmp/rc psql app_dev",
    ],
)
def test_what_cannot_be_read_is_not_understood(line: str) -> None:
    """Code, a shell, a script or a host in the hands of who knows what is asked about."""
    assert any(not op.understood for op in operations(line))


@pytest.mark.parametrize(
    "line",
    [
        "frobctl completion bash",
        "frobctl -c config.yml check",
        "frobctl search 'how to remove a folder'",
        "frobctl serve --host 127.0.0.1 --port 4444",
        "pytest -k 'rm -rf' -q",
        "git commit -m 'rm -rf ~ was wrong'",
        "make -f build/local.mk",
        "srun -n 2 ls -la",
        "swift build -c release",
        "fzf --bind 'ctrl-r:reload(ls src)'",
        "pwsh -c 'Get-ChildItem src | ForEach-Object { $_.Name }'",
    ],
)
def test_data_is_not_taken_for_code(line: str) -> None:
    """What is named, searched for or written down is not run."""
    found = operations(line)

    assert all(op.understood and op.verb is not Verb.DELETE for op in found)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("import os; os.getcwd()", "python"),
        ("require('fs')", "javascript"),
        ("make deploy", "shell"),
        ("foo(bar(1))", "code"),
        ("print('done')", ""),
        ("Release notes for May", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    """The look of a text tells its language, or that it is no code."""
    assert language_of(text) == language


def test_long_text_is_read_in_time() -> None:
    """Twenty thousand characters that nearly look like code cost no more than others."""
    for text in ("a(" * 10_000, "\"'" * 10_000, "`" * 20_000, "rm " * 6_000):
        assert operations(f"newlang -c '{text.replace(chr(39), chr(34))}'")
