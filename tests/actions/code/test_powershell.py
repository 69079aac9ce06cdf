"""PowerShell in a plainer form, cmdlets by verb and noun, and texts that are cut off."""

from __future__ import annotations

import pytest

from signoff.actions.code.powershell.cmdlets import act_of_cmdlet, as_program
from signoff.actions.code.powershell.forms import in_plain_form
from signoff.actions.code.reading import understand_code
from signoff.actions.operation import Reach, Trait, Verb
from signoff.actions.place import Place

PLACE = Place(cwd="/p", home="/home/dev", project="/p")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("$p = @{Force = $true}; ri x @p", "; ri x  -Force"),
        ("foreach ($d in gci x) { ri $d.FullName }", "gci x | ForEach-Object { ri $_.FullName }"),
        ("$to = 'C:\\a b'; ri $to", "$to = 'C:\\a b'; ri 'C:\\a b'"),
        # What is set twice, or by a loop, has no one value.
        ("$to = 'a'; $to = 'b'; ri $to", "$to = 'a'; $to = 'b'; ri $to"),
        ("$to = 'a'; foreach ($to in 1) { ri $to }", "$to = 'a'; 1 | ForEach-Object { ri $_ }"),
        ("echo '$to'; $to = 'a'", "echo '$to'; $to = 'a'"),
        # In a loop within a loop `$_` would be another item.
        (
            "foreach ($a in x) { foreach ($b in y) { ri $a } }",
            "foreach ($a in x) { y | ForEach-Object { ri $a } }",
        ),
    ],
)
def test_a_text_is_put_in_a_plainer_form(text: str, plain: str) -> None:
    """Tables, loops and constants are put in where they stand for one thing."""
    assert in_plain_form(text) == plain


@pytest.mark.parametrize(
    ("name", "verb", "reach"),
    [
        ("Remove-AzResourceGroup", Verb.DELETE, Reach.REMOTE),
        ("New-EC2Instance", Verb.WRITE, Reach.REMOTE),
        ("remove-aduser", Verb.DELETE, Reach.REMOTE),
        ("Stop-Service", Verb.CONTROL, Reach.SYSTEM),
        ("Set-VMMemory", Verb.CONFIGURE, Reach.SYSTEM),
    ],
)
def test_a_cmdlet_is_told_by_verb_and_noun(name: str, verb: Verb, reach: Reach) -> None:
    """Nobody described most of them."""
    act = act_of_cmdlet(name, ())

    assert act is not None
    assert (act.verb, act.reach) == (verb, reach)


@pytest.mark.parametrize(
    "name",
    [
        "Get-AzVM",
        "Invoke-MyBuild",
        "New-Variable",
        "Set-Azimuth",
        "Connect-AzAccount",
        "add",
        "Import-Module",
        "New-ScheduledTaskAction",
        "Clear-Host",
        "Select-Object",
    ],
)
def test_what_looks_or_is_of_the_project_is_ordinary(name: str) -> None:
    """A noun of no known family may be a function of the project."""
    assert act_of_cmdlet(name, ()) is None


def test_whole_stores_and_secrets_are_told_by_the_noun() -> None:
    """A group of resources is a store; a secret is read by name."""
    group = act_of_cmdlet("Remove-AzResourceGroup", ())
    secret = act_of_cmdlet("Get-AzKeyVaultSecret", ())

    assert group is not None
    assert Trait.WHOLE_STORE in group.traits
    assert secret is not None
    assert Trait.READS_SECRET in secret.traits


def test_cmdlets_that_stand_for_a_line() -> None:
    """Only where they say what runs."""
    words = ["New-ScheduledTaskAction", "-Execute", "pwsh", "-Argument", "'-c ls'"]

    assert as_program("new-scheduledtaskaction", words) == ["pwsh", "-c", "ls"]
    assert as_program("new-scheduledtaskaction", words[:1]) is None
    assert as_program("get-item", ["Get-Item", "x"]) is None


@pytest.mark.parametrize(
    "text", ["gci -Include a, ; ls", "& ", "foreach ($x in", "''", '@{ "', "|"]
)
def test_a_text_that_is_cut_off_is_read_without_an_error(text: str) -> None:
    """An error of the reader would refuse what it cannot name."""
    assert understand_code(text, language="powershell", place=PLACE).operations is not None


@pytest.mark.parametrize(
    "line",
    [
        "Search-Mailbox -Identity a -DeleteContent -Force",
        "Get-Mailbox | ForEach-Object { Search-Mailbox -Identity $_.Id -DeleteContent }",
    ],
)
def test_a_switch_deletes_whatever_the_verb(line: str) -> None:
    found = understand_code(line, language="powershell", place=PLACE).operations

    assert Verb.DELETE in [one.verb for one in found]


@pytest.mark.parametrize(
    "line",
    [
        "Search-Mailbox -Identity a -EstimateResultOnly",
        "Import-Csv a.csv -Delimiter ';'",
        "$c = New-AzStorageContext -StorageAccountName a",
    ],
)
def test_looking_and_making_a_context_change_nothing(line: str) -> None:
    found = understand_code(line, language="powershell", place=PLACE).operations

    assert {Verb.DELETE, Verb.WRITE}.isdisjoint([one.verb for one in found])
