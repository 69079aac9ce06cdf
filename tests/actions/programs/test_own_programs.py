"""What users and projects describe counts, and never makes a judgement milder."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, ProgramDescriptions
from signoff.actions.operation import Operations, ResourceType, Verb
from signoff.actions.programs.own import OwnPrograms, own_programs
from signoff.actions.understand import understand
from signoff.assess.assessed import Assessed
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.storage.reloading.own_programs import read_own_file

DESTROYS = """
programs:
  - names: frob
    commands:
      inspect: status list
      delete cloud on:first @remote irreversible always: destroy
"""
HARMLESS = """
programs:
  - names: frob terraform rm
    does: inert
"""


def own(user: str = "programs: []", project: str = "programs: []") -> OwnPrograms | None:
    """Read descriptions of a user and of a project."""
    described = [read_own_file(text, file="frob.yaml").programs for text in (user, project)]
    return own_programs(*described, digest=f"{user}{project}")


def facts(programs: ProgramDescriptions | None) -> Facts:
    """Give the facts of a project with these descriptions."""
    return Facts(home="/home/dev", project="/home/dev/project", programs=programs)


def action(line: str) -> Action:
    """Give a shell line in the project."""
    return Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")


def operations(line: str, programs: OwnPrograms | None) -> Operations:
    """Take a line apart under these descriptions."""
    return understand(action(line), facts(programs)).operations


@pytest.fixture
def judge() -> Judge:
    """Give a judge without rules."""
    return Judge(rules=RuleSet)


def judged(judge: Judge, line: str, programs: OwnPrograms | None) -> Assessed:
    """Judge a line under these descriptions."""
    return judge(action(line), facts(programs))


def test_the_user_describes_an_unknown_program() -> None:
    """Its sub-commands do what the description says."""
    [destroyed] = operations("frob destroy x", own(DESTROYS))
    [listed] = operations("frob list x", own(DESTROYS))

    assert (destroyed.verb, destroyed.thing) == (Verb.DELETE, ResourceType.CLOUD)
    assert (listed.verb, listed.thing) == (Verb.READ, ResourceType.NOTHING)


@pytest.mark.parametrize("line", ["FROB destroy x", "frob.exe destroy x", "sudo frob destroy x"])
def test_a_name_is_found_as_shipped_names_are(line: str) -> None:
    """In capitals, with the ending of Windows, behind a wrapper."""
    assert ResourceType.CLOUD in {one.thing for one in operations(line, own(DESTROYS))}


def test_the_user_only_adds_to_a_program_that_signoff_describes() -> None:
    """What signoff says of `rm` stays."""
    found = operations("rm -rf src", own(HARMLESS))

    assert {Verb.DELETE, Verb.INERT} == {one.verb for one in found}


@pytest.mark.parametrize("line", ["rm -rf ~", "terraform destroy -auto-approve"])
@pytest.mark.parametrize("who", ["user", "project"])
def test_a_description_makes_no_known_program_milder(judge: Judge, line: str, who: str) -> None:
    """A verdict with it is at least as severe as without it."""
    without = judged(judge, line, None)
    given = judged(judge, line, own(**{who: HARMLESS}))

    assert given.preliminary.severity >= without.preliminary.severity
    assert given.level >= without.level


def test_a_project_makes_no_unknown_program_milder(judge: Judge) -> None:
    """Its words still count: a user could say that they mean nothing, a project cannot."""
    by_words = judged(judge, "frob delete-cluster prod", None)
    by_user = judged(judge, "frob delete-cluster prod", own(HARMLESS))
    by_project = judged(judge, "frob delete-cluster prod", own(project=HARMLESS))

    assert by_words.preliminary is Verdict.DENY
    assert by_user.preliminary is Verdict.ALLOW
    assert by_project.preliminary is Verdict.DENY


def test_a_project_makes_programs_stricter(judge: Judge) -> None:
    """Unknown ones, described ones, and those the user describes."""
    stricter = DESTROYS.replace("frob", "frob ls").replace("inspect: status list\n", "inspect: x\n")
    stricter = stricter.replace("destroy", "destroy list")

    for line, user in (("frob list x", HARMLESS), ("ls list x", ""), ("frob list x", "")):
        programs = own(user or "programs: []", stricter)
        assert judged(judge, line, programs).preliminary is Verdict.ASK, line
        assert judged(judge, line, None).preliminary is Verdict.ALLOW, line


def test_the_worse_of_both_answers_counts(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where an added effect would make the whole line look milder."""
    programs = own(project=HARMLESS)
    real = judge._assess

    def milder(action: Action, given: Facts, rules: RuleSet) -> Assessed:
        line = "ls" if given.programs is programs else "rm -rf ~"
        return real(Action(tool="Bash", arguments={"command": line}, cwd="/"), given, rules)

    monkeypatch.setattr(judge, "_assess", milder)
    answer = judged(judge, "frob", programs)

    assert answer.preliminary is Verdict.DENY
    assert answer.facts.programs is programs


def test_a_kept_answer_is_not_given_under_other_descriptions(judge: Judge) -> None:
    """The same call is judged again once descriptions changed."""
    answers = [
        judged(judge, "frob destroy x", programs).preliminary
        for programs in (own(HARMLESS), own(DESTROYS), own(HARMLESS), None)
    ]

    assert answers[:3] == [Verdict.ALLOW, Verdict.ASK, Verdict.ALLOW]


def test_approvals_are_bound_to_the_descriptions(judge: Judge) -> None:
    """Another state of the descriptions is another policy; the same state is the same."""
    digests = [
        judged(judge, "ls", programs).policy_digest
        for programs in (None, own(DESTROYS), own(HARMLESS), own(DESTROYS))
    ]

    assert digests[1] == digests[3]
    assert len({*digests}) == 3


def test_descriptions_of_another_make_are_refused() -> None:
    """Leaving them out could be too mild."""
    with pytest.raises(TypeError, match="expected OwnPrograms"):
        operations("ls", ProgramDescriptions())  # type: ignore[arg-type]  # what is tested
