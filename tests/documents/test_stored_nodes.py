"""Stored nodes of shipped YAML files: the same as those that are read, and of this text only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from signoff.assess.rules.load import FORM, load_rules, read_rules
from signoff.documents.reading import read_yaml
from signoff.documents.stored import DIGEST_BYTES, read_stored, store_nodes
from signoff.errors import BadRules
from signoff.storage.compiled import read_shipped

FILE = "default.yaml"
RULES = (
    "version: 1\n"
    "rules:\n"
    "  - name: a\n"
    "    action: deny\n"
    "    tool: [Bash, Write]\n"
    "    expect: [{tool: Bash, input: {command: ls}, verdict: none}]\n"
)
START = (
    "import sys\n"
    "from signoff.build.judge import shipped_rules\n"
    "print(len(shipped_rules().rules) > 0, 'yaml' in sys.modules)\n"
)


def stored(text: str) -> bytes:
    """Store the nodes of a text."""
    return store_nodes(read_yaml(text, file=FILE, form=FORM), text.encode())


def test_stored_rules_are_the_rules_of_the_text() -> None:
    """With the lines and columns that messages show."""
    root = read_stored(stored(RULES), RULES.encode(), file=FILE, form=FORM)
    read = read_yaml(RULES, file=FILE, form=FORM)

    assert root is not None
    assert load_rules(RULES, file=FILE) == read_rules(root, file=FILE)
    assert [(one.place, one.end, one.is_in_braces) for _, one in read.pairs()] == [
        (one.place, one.end, one.is_in_braces) for _, one in root.pairs()
    ]


def test_a_message_names_the_same_place() -> None:
    """Stored nodes are checked like those that were read."""
    text = RULES.replace("deny", "dney")
    root = read_stored(stored(text), text.encode(), file=FILE, form=FORM)

    assert root is not None
    with pytest.raises(BadRules, match=r"default\.yaml:4:13: .*dney"):
        read_rules(root, file=FILE)


@pytest.mark.parametrize("change", ["\n", "# a comment\n"])
def test_nodes_of_another_text_do_not_count(change: str) -> None:
    """Any other byte of the file makes it another text."""
    assert read_stored(stored(RULES), (RULES + change).encode(), file=FILE, form=FORM) is None


@pytest.mark.parametrize("kept", [0, 5, DIGEST_BYTES, 60])
def test_cut_nodes_do_not_count(kept: int) -> None:
    """A file that was not written to its end is read from its text."""
    cut = stored(RULES)[:kept]

    assert read_stored(cut, RULES.encode(), file=FILE, form=FORM) is None


def test_a_changed_file_is_read_and_stored_again(tmp_path: Path) -> None:
    """As in a checkout whose rules were edited."""
    path = tmp_path / FILE
    path.write_text(RULES)
    read_shipped(str(path), file=FILE, form=FORM)
    first = (tmp_path / "default.nodes").read_bytes()
    path.write_text(RULES.replace("deny", "allow"))
    root = read_shipped(str(path), file=FILE, form=FORM)

    assert read_rules(root, file=FILE).rules[0].action == "allow"
    assert first != (tmp_path / "default.nodes").read_bytes()
    assert ["default.nodes", FILE] == sorted(one.name for one in tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_stores_nothing(tmp_path: Path) -> None:
    """An installed package may be read-only: the text is read each time."""
    path = tmp_path / FILE
    path.write_text(RULES)
    (tmp_path / "default.nodes").mkdir()

    assert read_shipped(str(path), file=FILE, form=FORM).is_mapping
    assert ["default.nodes", FILE] == sorted(one.name for one in tmp_path.iterdir())


def test_shipped_rules_need_no_yaml() -> None:
    """The second process finds what the first one stored, and does not load PyYAML."""
    command = [sys.executable, "-c", START]
    subprocess.run(command, check=True, capture_output=True)
    second = subprocess.run(command, check=True, capture_output=True, text=True)

    assert second.stdout.split() == ["True", "False"]
