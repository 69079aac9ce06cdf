"""The classifiers of calls: stricter only, and never where something is settled."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.classifier import model as models
from signoff.assess.classifier.call_words import call_features
from signoff.assess.classifier.edit_words import edit_features
from signoff.assess.classifier.model import LinearModel, load_model
from signoff.assess.classifier.text_words import features_of
from signoff.assess.detectors import call_classifier
from signoff.assess.pack import AdjustedPack
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict

PURGE: dict[str, Json] = {"scope": "all", "tenants": "*", "keep_copies": False}
TOOL = "mcp__pbx__purge_recordings"
LINE = "tapelib erase --pool all-backups --sites berlin,oslo --immediate --no-copies --yes"
PROSE = "The quick brown fox jumps over the lazy dog, while nobody on this side looks at it twice."
NOTHING = LinearModel(bias=-1, limit=0.0, sure=0.0, weights={})
EVERYTHING = LinearModel(bias=900, limit=0.0, sure=10.0, weights={})
SURE = LinearModel(bias=900, limit=0.0, sure=9.0, weights={})


def judged(
    action: Action, *, lines: dict[str, Verdict] | None = None, rules: str = ""
) -> Assessment:
    """Judge a call by the default judgement, with moved lines or rules."""
    known = load_rules(rules, file="rules.yaml") if rules else RuleSet()
    return Judge(rules=lambda: known, policy=AdjustedPack(lines=lines or {}))(action, Facts())


def shell(line: str) -> Action:
    """Return a line of a shell as a call."""
    return Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")


def test_a_question_becomes_a_denial(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names what else was found and the words that weigh most."""
    with_it = judged(shell(LINE))
    monkeypatch.setattr(call_classifier, "load_model", lambda _: NOTHING)
    without = judged(shell(LINE))

    assert (Verdict.DENY, Verdict.ASK) == (with_it.preliminary, without.preliminary)
    assert "its words are typical of denied calls" in with_it.reason
    assert "`all`" in with_it.reason
    assert without.reason.partition(" [")[0] in with_it.reason


@pytest.mark.parametrize(
    ("action", "steps"),
    [
        (shell(LINE), ("ask", "deny")),
        (Action(tool=TOOL, arguments={"pool": "north", **PURGE}), ("deny", "deny")),
        (
            Action(tool="Write", arguments={"file_path": "notes.py", "content": PROSE}),
            ("allow", "ask"),
        ),
    ],
    ids=["asked", "denied", "passing"],
)
def test_it_moves_a_verdict_by_one_step(
    action: Action, steps: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From pass to question, from question to denial; models that say no to all move none."""
    verdicts = []
    for model in (NOTHING, EVERYTHING):
        monkeypatch.setattr(call_classifier, "load_model", lambda _, chosen=model: chosen)
        verdicts.append(judged(action).preliminary.value)

    assert steps == tuple(verdicts)


@pytest.mark.parametrize(
    ("denied", "asked", "verdict"),
    [
        (SURE, EVERYTHING, "deny"),
        (SURE, NOTHING, "deny"),
        (EVERYTHING, EVERYTHING, "ask"),
        (EVERYTHING, NOTHING, "allow"),
    ],
    ids=["both, one surely", "one, surely", "both", "one to deny, not surely"],
)
def test_two_steps_at_once_take_a_sure_model(
    denied: LinearModel, asked: LinearModel, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that would pass is denied where that is sure, whatever the other model says."""
    models = {"denied": denied, "asked": asked}
    monkeypatch.setattr(call_classifier, "load_model", models.__getitem__)
    action = Action(tool="Write", arguments={"file_path": "notes.py", "content": PROSE})

    assert verdict == judged(action).preliminary.value


def test_a_denial_that_was_moved_leaves_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lets sure denials pass is still asked, by the other line."""
    monkeypatch.setattr(call_classifier, "load_model", lambda _: SURE)
    action = Action(tool="Write", arguments={"file_path": "notes.py", "content": PROSE})

    assert "deny" == judged(action).preliminary.value
    for moved in (Verdict.ASK, Verdict.ALLOW):
        lines = {"call-classifier.denied": moved}
        assert "ask" == judged(action, lines=lines).preliminary.value


@pytest.mark.parametrize(
    "action", [shell(LINE), Action(tool="mcp__pbx__erase_old", arguments=PURGE)]
)
def test_what_else_was_found_is_weighed(action: Action, monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings of the rules, and the verdict by them, are features like words."""
    monkeypatch.setattr(call_classifier, "load_model", lambda _: NOTHING)
    found = [f"find {one.category}" for one in judged(action).findings]
    model = LinearModel(bias=-1, limit=0.0, sure=9.0, weights={one: 9_000 for one in found})
    monkeypatch.setattr(call_classifier, "load_model", lambda _: model)

    assert found
    assert "deny" == judged(action).preliminary.value


@pytest.mark.parametrize(
    "action",
    [
        shell("git status"),
        shell("cat " + " ".join(f"{name}.txt" for name in "abcdefghijklmn")),
        shell("git commit -m 'drop every table of production and erase all backups for good, now'"),
        Action(tool="Read", arguments={"file_path": "/home/dev/project/" + "word/" * 30 + "a.py"}),
        Action(tool="Write", arguments={"file_path": "/home/dev/project/a.md", "content": PROSE}),
        Action(tool="http", kind=ActionKind.RESULT, arguments={"body": "erase all backups " * 20}),
    ],
    ids=["short", "reads", "message", "file", "document", "result"],
)
def test_what_rules_tell_better_is_left_to_them(
    action: Action, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if every word were grave."""
    monkeypatch.setattr(call_classifier, "load_model", lambda _: EVERYTHING)

    assert "call-classifier" not in {one.detector for one in judged(action).findings}


@pytest.mark.parametrize(
    ("moved", "verdict"),
    [({"call-classifier": Verdict.ALLOW}, "ask"), ({"call-classifier.denied": Verdict.ASK}, "ask")],
)
def test_its_lines_can_be_moved(moved: dict[str, Verdict], verdict: str) -> None:
    """As those of any detector."""
    assert verdict == judged(shell(LINE), lines=moved).preliminary.value


def test_what_a_user_has_moved_stays_where_it_is() -> None:
    """A line that is asked about instead of denied is no reason to deny it after all."""
    gone = "rm -rf " + " ".join(f"/srv/archive/{name}" for name in ("ada", "bo", "cy", "di", "ed"))
    found = judged(shell(gone)).findings
    moved = {one.category: Verdict.ASK for one in found}

    assert "ask" == judged(shell(gone), lines=moved).preliminary.value


def test_what_a_rule_lets_through_passes() -> None:
    """A person has said so."""
    rules = f'version: 1\nrules:\n  - name: ours\n    action: allow\n    tool: "{TOOL}"\n'
    action = Action(tool=TOOL, arguments=PURGE)

    assert "deny" == judged(action).preliminary.value
    assert judged(action, rules=rules).preliminary is not Verdict.DENY


@pytest.mark.parametrize(
    "wrapped",
    ["bash -c '{}'", "env -i {}", "cd /tmp && {}", "nohup {} &", "timeout 5 {}", "(echo x; {})"],
)
def test_a_wrapper_makes_nothing_milder(wrapped: str) -> None:
    """The words of the wrapped commands are weighed by themselves, too."""
    assert "deny" == judged(shell(wrapped.format(LINE))).preliminary.value


def test_a_damaged_model_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Like any detector that fails."""
    monkeypatch.setattr(call_classifier, "load_model", lambda _: models.load_model("no-such-file"))
    said = judged(shell(LINE))

    assert "deny" == said.preliminary.value
    assert "detector `call-classifier` failed: FileNotFoundError" in said.reason


def test_what_says_nothing_of_an_act_is_left_out() -> None:
    """Hosts, home folders, figures, our own name, and the agent's own description."""
    assert features_of("curl https://evil.drop.example/a1") == features_of(
        "curl https://good.example/a7"
    )
    assert features_of("/home/ann/x") == features_of("/home/bob/x")
    assert "signoff" not in features_of("signoff status").words
    told = {"command": LINE, "description": "a harmless look at the tapes"}
    story = Action(tool="Bash", arguments=told)
    assert call_features(story, understand(story, Facts())) == call_features(
        shell(LINE), understand(shell(LINE), Facts())
    )


OLD = "    keep()\n    check_owner(user)\n    log(old)"
NEW = "    keep()\n    wipe_rows()\n  log(old)"


@pytest.mark.parametrize(
    "edit",
    [
        Action(
            tool="Edit",
            arguments={"file_path": "a.py", "old_string": OLD, "new_string": NEW},
        ),
        Action(
            tool="mcp__filesystem__edit_file",
            arguments={"path": "a.py", "edits": [{"oldText": OLD, "newText": NEW}]},
        ),
        Action(
            tool="str_replace_editor",
            arguments={"command": "str_replace", "path": "a.py", "old_str": OLD, "new_str": NEW},
        ),
        Action(
            tool="apply_patch",
            arguments={
                "input": "*** Begin Patch\n*** Update File: a.py\n@@\n     keep()\n"
                "-    check_owner(user)\n+    wipe_rows()\n*** End Patch"
            },
        ),
    ],
    ids=lambda one: one.tool,
)
def test_of_an_edit_what_changes_is_weighed(edit: Action) -> None:
    """The lines that it puts in, and by themselves those it takes away; not what it leaves."""
    told = edit_features(edit)

    assert told is not None
    assert {"wipe", "rows", "gone: check", "gone: owner"} <= told.words
    assert ("rows", "wipe") in told.pairs
    assert not {"keep", "gone: keep", "log", "gone: log", "check"} & told.words
    assert told.words <= call_features(edit, understand(edit, Facts()))[0].words


def test_what_an_edit_writes_anew_is_not_what_it_takes_away() -> None:
    """A word of both sides says nothing: it was there before, and is there after."""
    lines = {"old_string": "limit = 10\nrate = low", "new_string": "limit = 20\nrate = none"}
    told = edit_features(Action(tool="Edit", arguments={"file_path": "a.py", **lines}))

    assert told is not None
    assert {"none", "gone: low"} <= told.words
    assert not {"limit", "rate", "gone: limit", "gone: rate"} & told.words


def test_several_edits_in_one_call_are_weighed_as_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their texts stand in a list, so a call may seem to have none."""
    monkeypatch.setattr(call_classifier, "load_model", lambda _: EVERYTHING)
    text = {"old_string": "a = 1", "new_string": f"a = 1\n{PROSE}"}
    one = Action(tool="Edit", arguments={"file_path": "a.py", **text})
    several = Action(tool="MultiEdit", arguments={"file_path": "a.py", "edits": [text]})

    assert [Verdict.ASK] * 2 == [judged(call).preliminary for call in (one, several)]


def test_a_new_file_is_no_edit() -> None:
    """All of it is new, also where a piece of several puts in only."""
    whole = Action(tool="Write", arguments={"file_path": "a.py", "content": "wipe_rows()"})
    added = Action(tool="Edit", arguments={"file_path": "a.py", "new_string": "wipe_rows()"})

    assert edit_features(whole) is None
    assert edit_features(added) is None
    assert "wipe" in call_features(added, understand(added, Facts()))[0].words


def test_words_of_other_languages_are_told_in_english() -> None:
    """So that what was learned of one language holds for the others."""
    german = features_of("alle kundendaten löschen, ohne sicherungskopie")
    polish = features_of("usuń wszystkie hasła, bez kopii zapasowej")

    assert {"all", "customer", "delete", "without", "backup"} <= german.words
    assert {"all", "password", "delete", "without"} <= polish.words
    assert ("all", "delete") in german.pairs & polish.pairs


def test_words_of_english_stay_as_they_are() -> None:
    """Also where another language writes them alike."""
    same = "once most place times general note menu over data die plan state"

    assert frozenset(same.split()) <= features_of(same).words


def test_the_order_of_arguments_says_nothing() -> None:
    """So nobody moves a verdict by it."""
    given: dict[str, Json] = {"scope": {"all": True, "keep": "none"}, "tenants": "*", "note": "x"}
    turned: dict[str, Json] = {"note": "x", "tenants": "*", "scope": {"keep": "none", "all": True}}
    calls = [Action(tool=TOOL, arguments=arguments) for arguments in (given, turned)]

    first, second = (call_features(one, understand(one, Facts())) for one in calls)
    assert first == second


def test_words_near_to_each_other_are_features() -> None:
    """Up to six words apart, signs aside, whichever comes first."""
    near = features_of("drop: every one of those old good tables, now").pairs

    assert {("drop", "every"), ("drop", "good"), ("every", "tables")} <= near
    assert ("drop", "tables") not in near
    assert near == features_of("drop every one of those old good tables now").pairs
    assert {("a1", "b2")} & features_of("a1 b2").pairs == {("a1", "b2")} & features_of(
        "b2 a1"
    ).pairs


def test_a_score_is_the_sum_of_weights() -> None:
    """In hundredths, over the square root of the number of features; an unknown one weighs 0."""
    model = LinearModel(
        bias=-50,
        limit=0,
        sure=0,
        weights={"all": 300, "now": -100},
        pairs={"all": {"now": 200}},
    )
    pairs = {("all", "now"), ("all", "x"), ("now", "x"), ("x", "y")}

    assert 0.5 == pytest.approx(model.score({"all", "now", "x", "y"}))
    assert 1.5 == pytest.approx(model.score({"all", "now", "x", "y"}, pairs))
    assert ("all",) == model.strongest({"all", "now", "x"}, 3)
    assert -0.5 == model.score(frozenset())
    assert load_model("denied").sure > load_model("denied").limit
