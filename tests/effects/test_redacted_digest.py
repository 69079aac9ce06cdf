"""The digest of a call with a secret gives nothing to guess the secret by."""

from __future__ import annotations

import json

import pytest

from signoff.challenge.request import Request
from signoff.challenge.terms.redacted_requests import redacted_request
from signoff.effects.dispatch import Effects
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.testing import FakeAssessment, make_action, make_gate


@pytest.mark.parametrize(
    ("line", "is_plain"), [("git status", True), ("docker login -u me -p tulip", False)]
)
def test_the_record_has_the_digest_that_the_card_shows(line: str, *, is_plain: bool) -> None:
    """Of a call with a secret it is over the masked form, by the key of the installation."""
    action = make_action("Bash", command=line)
    redactor, store = Redactor(b"k" * 32), MemoryStore()
    gate = make_gate()
    gate.effects = Effects(store, redactor)
    gate.check_now(action)
    (entry,) = store.entries()
    recorded = json.loads(entry.body)["action_digest"]
    request = Request(action=action, assessment=FakeAssessment(action=action))

    assert redacted_request(request, redactor).action.digest == recorded
    assert is_plain == (recorded == action.digest)
