"""The rules in force follow their files, and only good files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from signoff.assess.rules.rule import RuleAction, RuleSet
from signoff.errors import BadRules
from signoff.storage.reloading.periodic_check import CHECK_EVERY_S
from signoff.storage.reloading.rules_in_force import RulesInForce


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def rule(name: str, action: str = "deny") -> str:
    """Write a rules file with one rule."""
    return f"version: 1\nrules:\n  - name: {name}\n    action: {action}\n    tool: Bash\n"


def write(path: Path, text: str, *, age_s: float = 10.0) -> None:
    """Write a file as it would have been some seconds ago."""
    path.write_text(text)
    then = time.time() - age_s
    os.utime(path, (then, then))


def names(rules: RuleSet) -> list[str]:
    """Return the names of the rules."""
    return [rule.name for rule in rules.rules]


@pytest.fixture
def clock() -> Clock:
    """Give a clock."""
    return Clock()


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Name the user's file."""
    return tmp_path / "rules.yaml"


@pytest.fixture
def rules(user: Path, clock: Clock) -> RulesInForce:
    """Give rules that follow the user's file."""
    return RulesInForce(user_file=str(user), clock=clock)


def test_without_files_there_are_no_rules(rules: RulesInForce) -> None:
    """The scores decide."""
    assert (rules.current(), rules.problem) == (RuleSet(), "")


def test_a_change_is_in_force_at_the_next_look(
    rules: RulesInForce, user: Path, clock: Clock
) -> None:
    """Within the second, and as a whole."""
    write(user, rule("first"))
    before = names(rules.current())
    write(user, rule("second"), age_s=5)
    clock.now += CHECK_EVERY_S

    assert (before, names(rules.current())) == (["first"], ["second"])


def test_files_are_not_looked_at_with_every_call(
    rules: RulesInForce, user: Path, clock: Clock
) -> None:
    """Between two looks the rules are those already there."""
    write(user, rule("first"))
    rules.current()
    write(user, rule("second"), age_s=5)
    clock.now += CHECK_EVERY_S / 2

    assert names(rules.current()) == ["first"]


def test_a_file_just_being_written_is_read_a_moment_later(
    rules: RulesInForce, user: Path, clock: Clock
) -> None:
    """The first half of a file may be good rules too."""
    write(user, rule("first"))
    rules.current()
    write(user, rule("half"), age_s=0)
    clock.now += CHECK_EVERY_S
    during = names(rules.current())
    write(user, rule("whole"), age_s=1)
    clock.now += CHECK_EVERY_S

    assert (during, names(rules.current())) == (["first"], ["whole"])


@pytest.mark.parametrize("bad", ["", "version: 1\n", "version: 1\nrules: [{name: x}]\n", "{"])
def test_a_bad_file_leaves_the_last_good_rules(
    rules: RulesInForce, user: Path, clock: Clock, bad: str
) -> None:
    """And says what is wrong, until it is fixed."""
    write(user, rule("good"))
    rules.current()
    write(user, bad, age_s=5)
    clock.now += CHECK_EVERY_S
    during, problem = names(rules.current()), rules.problem
    write(user, rule("fixed"), age_s=4)
    clock.now += CHECK_EVERY_S

    assert (during, str(user) in problem) == (["good"], True)
    assert (names(rules.current()), rules.problem) == (["fixed"], "")


def test_a_file_that_vanishes_leaves_its_rules(
    rules: RulesInForce, user: Path, clock: Clock
) -> None:
    """Fewer rules must be said, not left unsaid."""
    write(user, rule("good"))
    rules.current()
    user.unlink()
    clock.now += CHECK_EVERY_S

    assert (names(rules.current()), "is gone" in rules.problem) == (["good"], True)
    clock.now += CHECK_EVERY_S
    assert names(rules.current()) == ["good"]


def test_a_vanished_file_keeps_its_rules_when_another_changes(
    tmp_path: Path, user: Path, clock: Clock
) -> None:
    """However many changes of the project's file come after it; until it is back."""
    project = tmp_path / ".signoff.yaml"
    write(user, rule("mine", "deny"))
    rules = RulesInForce(user_file=str(user), project_file=str(project), clock=clock)
    found = [names(rules.current())]
    user.unlink()
    for age_s in (8, 6):
        clock.now += 1
        found.append(names(rules.current()))
        write(project, rule(f"theirs-{age_s}", "deny"), age_s=age_s)
    clock.now += 1
    found.append(names(rules.current()))
    said = rules.problem
    write(user, rule("back", "deny"), age_s=4)
    clock.now += 1

    assert found == [["mine"]] * 4
    assert "is gone" in said
    assert (sorted(names(rules.current())), rules.problem) == (["back", "theirs-6"], "")


def test_bad_rules_from_the_start_are_an_error(
    rules: RulesInForce, user: Path, clock: Clock
) -> None:
    """There is nothing good to fall back on, so every call is refused until they are fixed."""
    write(user, "rules: nonsense\n")
    for _ in range(2):
        with pytest.raises(BadRules):
            rules.current()
    write(user, rule("fixed"), age_s=5)

    assert names(rules.current()) == ["fixed"]


def test_a_project_only_tightens(tmp_path: Path, user: Path, clock: Clock) -> None:
    """Its allow rules are left out."""
    project = tmp_path / ".signoff.yaml"
    write(user, rule("mine", "allow"))
    write(
        project,
        rule("theirs", "deny") + "  - {name: loose, action: allow, tool: Write}\n",
    )
    both = RulesInForce(user_file=str(user), project_file=str(project), clock=clock)

    found = {rule.name: rule.action for rule in both.current().rules}

    assert found == {"mine": RuleAction.ALLOW, "theirs": RuleAction.DENY}


SETTINGS_AND_RULES = """\
# of this project
pack: strict
version: 1
lines:
  a.b: deny  # comment

rules:
  - {name: one, action: deny, tool: Bash}
hosts: {allow: never}
"""


def test_a_projects_settings_are_passed_over(tmp_path: Path) -> None:
    """Its file holds both; every line of the rules stays where it was."""
    project = tmp_path / ".signoff.yaml"
    write(project, SETTINGS_AND_RULES)

    (found,) = RulesInForce(project_file=str(project)).current().rules

    assert (found.name, found.line) == ("one", 8)


@pytest.mark.parametrize("text", ["pack: strict\n", "", "{pack: strict}\n"])
def test_a_project_may_have_settings_only(tmp_path: Path, text: str) -> None:
    """Then it adds no rules."""
    project = tmp_path / ".signoff.yaml"
    write(project, text)

    assert RulesInForce(project_file=str(project)).current() == RuleSet()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("pack: strict\nversion: 1\nrules:\n  - {name: x, action: denny}\n", ":4:"),
        ("{pack: strict, version: 1, rules: []}\n", ":1:1"),
        ("pack: strict\nrules: []\n", ":2:1"),
    ],
)
def test_bad_rules_of_a_project_are_refused_with_their_place(
    tmp_path: Path, text: str, where: str
) -> None:
    """The place is that in the whole file."""
    project = tmp_path / ".signoff.yaml"
    write(project, text)

    with pytest.raises(BadRules) as refused:
        RulesInForce(project_file=str(project)).current()

    assert f"{project}{where}" in str(refused.value)


def test_a_rule_ends_while_it_is_in_force(user: Path, clock: Clock) -> None:
    """No change of the file is needed, and a clock that is set back revives nothing."""
    wall = Clock()
    write(user, rule("a") + "    expires: 1970-01-02\n")
    rules = RulesInForce(user_file=str(user), clock=clock, wall=wall)
    found = []
    for clock.now, wall.now in ((1.0, 0.0), (2.0, 172_799.0), (3.0, 172_800.0), (4.0, 0.0)):
        found.append(names(rules.current()))
    assert [["a"], ["a"], [], []] == found
    assert ["a"] == names(rules.everywhere())


def test_rules_of_another_project_are_left_out(tmp_path: Path, user: Path, clock: Clock) -> None:
    """A rule of a project holds where that project's file would be."""
    write(user, rule("a") + f"    project: {tmp_path}/app\n")
    files = [f"{tmp_path}/app/.signoff.yaml", f"{tmp_path}/other/.signoff.yaml", ""]
    found = [RulesInForce(user_file=str(user), project_file=f, clock=clock) for f in files]
    assert [["a"], [], []] == [names(one.current()) for one in found]
