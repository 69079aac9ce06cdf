"""The path that an expression names, across literals, names, loops and calls."""

from __future__ import annotations

import pytest

from signoff.actions.contents.erasing.symbolic import Paths


def paths_at_end(text: str, said: str) -> set[str]:
    """Return what an expression names behind a text."""
    return set(Paths(text).of(said, len(text) - 1))


@pytest.mark.parametrize(
    ("text", "said", "path"),
    [
        ("base = Path.home() / 'repos'\n", "base", "~/repos"),
        ("const d = path.join(os.homedir(), 'Music')\n", "d", "~/Music"),
        ("d <- file.path(Sys.getenv('HOME'), 'data')\n", "d", "~/data"),
        ('my $d = "$ENV{HOME}/mail";\n', "$d", "~/mail"),
        ('val d = Paths.get("a", "b").getParent\n', "d", "a"),
        ("for who in os.listdir('/home'):\n    x = os.path.join('/home', who)\n", "x", "/home/*"),
        ("d = tempfile.mkdtemp()\n", "d", "?/temporary"),
        ("d = lookup('/home')\n", "d", "?/home"),
    ],
)
def test_an_expression_names_a_path(text: str, said: str, path: str) -> None:
    """Literals, names and joins of any language give one path."""
    assert path in paths_at_end(text, said)


def test_a_parameter_is_what_callers_hand_over() -> None:
    """The argument of each call is one value of the parameter."""
    text = "wipe('/srv/a')\nwipe(Path.home())\ndef wipe(p):\n    rmtree(p)\n"

    assert {"/srv/a", "~"} == paths_at_end(text, "p")


def test_a_choice_names_each_of_its_branches() -> None:
    """A default counts, whatever else may be given."""
    text = "var disk = args.isEmpty ? '/dev/sda' : args.first;\n"

    assert "/dev/sda" in paths_at_end(text, "disk")


def test_names_that_are_given_each_other_end() -> None:
    """What cannot be followed to its end is said to be unknown."""
    names = "abcdefgh"
    either = " or ".join([f"{one} + '/' + {other}" for one in names for other in names])
    text = "a = '/home'\n" + "".join([f"{name} = {either}\n" for name in names * 4])
    paths = Paths(text)

    for name in names:
        paths.of(name, len(text) - 1)

    assert paths.is_spent
    assert "?" in paths.of("h + a", len(text) - 1)
