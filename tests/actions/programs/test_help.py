"""Options that print help make a call inert in option position only."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Verb
from signoff.actions.place import Place
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")
HELP = (
    "rm --help",
    "git push --help",
    "terraform destroy -help",
    "npm publish -h",
    "java -version",
    "kubectl delete pod x --dry-run=client",
    "npm publish --dry-run",
)
NO_HELP = (
    "rm -rf ~ --help",
    "rm -rf -- --help",
    "find ~ -name --help -o -delete",
    "python3 -c 'import shutil; shutil.rmtree(\"/\")' --help",
    "perl -e 'unlink glob \"*\"' --version",
    "aws s3 rb s3://x --force --profile --help",
    "npm publish --dry-run=false",
    "npm publish --dry-run --no-dry-run",
    "kubectl delete namespace x --dry-run=none",
    "cargo yank --version 1.0",
    "xargs rm -rf --help",
    "./tool --version",
    "/tmp/x -h",
)


def _verbs(line: str) -> set[Verb]:
    return {op.verb for op in understand_shell(line, PLACE).operations}


@pytest.mark.parametrize("line", HELP)
def test_help_in_option_position_does_nothing(line: str) -> None:
    """Nothing is done beside printing."""
    assert _verbs(line) <= {Verb.INERT, Verb.READ}


@pytest.mark.parametrize("line", NO_HELP)
def test_help_elsewhere_changes_nothing(line: str) -> None:
    """Behind operands, in a value's place, beside code, of local files: it is carried out."""
    assert not _verbs(line) <= {Verb.INERT, Verb.READ}
