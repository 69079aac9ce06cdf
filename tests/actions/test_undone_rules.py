"""Rules of guards that undo all the others."""

from __future__ import annotations

import pytest

from signoff.actions.contents.applied.rights.undone_rules import undone_rules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass quick all\nblock in log all\n", "pass quick all"),
        ("block in log all\npass quick all\n", ""),
        ("pass quick on lo0 all\nblock in all\n", ""),
        ("-a never,task\n-w /etc/passwd -p wa\n", "-a never,task"),
        ("-a never,exit -F dir=/var/cache\n-w /etc/passwd -p wa\n", ""),
        ("-D\n-a never,task\n", ""),
        ("Exclude ident ^(sudo|sshd)$", "Exclude ident ^(sudo|sshd)$"),
        ("Exclude ident ^sudo$", ""),
        ("authpriv.* stop", "authpriv.* stop"),
        ("authpriv.* /var/log/secure", ""),
    ],
)
def test_a_rule_counts_where_it_stands_before_all_others(text: str, expected: str) -> None:
    """Behind the others, for one folder or for one program it is everyday work."""
    assert expected == undone_rules(text)
