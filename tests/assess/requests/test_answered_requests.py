"""A response is judged with the request it answers, however many are on their way."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.reflected_xss import DETECTOR
from signoff.assess.detectors.texts import with_texts
from signoff.frontends.web_apps.reading import response_action, web_request

SCRIPT = "<script>x()</script>"


def answered(asked: Action, output: str) -> list[str]:
    """Return what is found in a response."""
    found = DETECTOR.run(with_texts(Evidence(action=response_action(asked, output))))
    return [one.category for one in found]


def test_requests_on_their_way_at_once_are_kept_apart() -> None:
    """Their responses come in any order, and each counts with its own request."""
    page = f"<p>You asked for {SCRIPT}</p>"
    asked = [web_request("/", query={"q": word}) for word in ("shoes", SCRIPT, "hats") * 40]
    for one in asked:
        with_texts(Evidence(action=one))

    found = [answered(one, page) for one in reversed(asked)]

    assert found == [[], ["reflected-xss.unescaped"], []] * 40


def test_a_request_of_another_object_is_read_for_itself() -> None:
    """Only the very same object is taken for one that was read."""
    asked = [web_request("/", query={"q": "a"}), web_request("/")]

    found = [[f.raw for f in with_texts(Evidence(action=one)).fields] for one in asked]

    assert found == [["GET", "/", "a"], ["GET", "/"]]
