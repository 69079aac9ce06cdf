"""Every detector finds its own examples and leaves its look-alikes alone, in a whole call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from signoff.actions.action import Action
from signoff.actions.understand import understand
from signoff.assess.detectors import credential_access
from signoff.assess.detectors.content import CONTENT_DETECTORS
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.detectors.registry import DETECTORS
from signoff.assess.detectors.runner import classify, look
from signoff.assess.detectors.texts import with_texts
from signoff.assess.verdict import Verdict
from signoff.values import replace

each_detector = pytest.mark.parametrize("detector", DETECTORS, ids=lambda one: one.id)
each_of_texts = pytest.mark.parametrize("detector", CONTENT_DETECTORS, ids=lambda one: one.id)


def finds(detector: Detector, example: Action) -> bool:
    """Tell whether a detector finds something in a call, judged as any call is."""
    known = understand(example, detector.given)
    others = look(example, detector.given, known.operations)
    so_far = Verdict.ASK if others else Verdict.ALLOW
    found = (*others, *classify(example, known, others, so_far))
    return any(one.detector == detector.id and one.detected for one in found)


def wrong_examples(detectors: Iterable[Detector]) -> Iterator[str]:
    """Name every example that does not hold: `id must fire on ...`."""
    for detector in detectors:
        for must_fire, examples in ((True, detector.fires), (False, detector.passes)):
            for example in examples:
                if finds(detector, example) is not must_fire:
                    must = "must fire on" if must_fire else "must pass"
                    yield f"{detector.id} {must} {example.tool} {dict(example.arguments)}"


def incomplete(detectors: Iterable[Detector]) -> Iterator[str]:
    """Name every detector without title, weakness numbers, or three examples of both kinds."""
    for one in detectors:
        if not (one.title and one.cwe and one.asi and len(one.fires) >= 3 <= len(one.passes)):
            yield one.id


@each_detector
def test_examples_hold(detector: Detector) -> None:
    """What a detector says it finds it finds, and what only looks like it it does not."""
    assert [] == list(wrong_examples([detector]))


@each_detector
def test_detector_is_complete(detector: Detector) -> None:
    """Each has a title, weakness numbers and three examples of both kinds."""
    assert [] == list(incomplete([detector]))


def test_a_wrong_example_is_named() -> None:
    """The check can fail: a harmless call that must fire, and a harmful one that must pass."""
    planted = replace(
        credential_access.DETECTOR,
        fires=(shell_call("ls -la"),),
        passes=(shell_call("cat ~/.ssh/id_ed25519"),),
    )

    assert [
        "credential-access must fire on Bash {'command': 'ls -la'}",
        "credential-access must pass Bash {'command': 'cat ~/.ssh/id_ed25519'}",
    ] == list(wrong_examples([planted]))


def test_a_missing_example_is_named() -> None:
    """The check can fail: a detector with no look-alike is not complete."""
    planted = replace(credential_access.DETECTOR, passes=())

    assert ["credential-access"] == list(incomplete([planted]))


@each_of_texts
def test_an_example_of_text_is_one_finding(detector: Detector) -> None:
    """A detector that reads texts finds its example once, and nothing in its look-alikes."""
    fires = [list(detector.run(with_texts(Evidence(action=one)))) for one in detector.fires]
    passes = [list(detector.run(with_texts(Evidence(action=one)))) for one in detector.passes]

    assert [[detector.id]] * len(fires) == [[f.detector for f in found] for found in fires]
    assert [[]] * len(passes) == passes


@each_of_texts
def test_examples_of_one_are_quiet_for_plain_requests(detector: Detector) -> None:
    """A plain browser request is nobody's finding."""
    from signoff.assess.detectors.matching import request  # noqa: PLC0415

    plain = request(
        "/shop/items",
        query={"page": "2", "q": "red shoes"},
        headers={
            "Host": "shop.example",
            "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Cookie": "session=abc123; theme=dark; id=7",
            "Referer": "https://shop.example/shop?id=7",
        },
    )
    assert [] == list(detector.run(with_texts(Evidence(action=plain))))
