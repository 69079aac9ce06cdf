"""Every detector that reads texts finds its own examples and leaves its look-alikes alone."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.assess.detectors.content import CONTENT_DETECTORS
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.texts import with_texts

FIRES = [
    pytest.param(one, example, id=f"{one.id}-{place}")
    for one in CONTENT_DETECTORS
    for place, example in enumerate(one.fires)
]
PASSES = [
    pytest.param(one, example, id=f"{one.id}-{place}")
    for one in CONTENT_DETECTORS
    for place, example in enumerate(one.passes)
]


@pytest.mark.parametrize(("detector", "example"), FIRES)
def test_example_is_found(detector: Detector, example: Action) -> None:
    """What a detector says it finds, it finds."""
    assert [detector.id] == [
        finding.detector for finding in detector.run(with_texts(Evidence(action=example)))
    ]


@pytest.mark.parametrize(("detector", "example"), PASSES)
def test_look_alike_is_left_alone(detector: Detector, example: Action) -> None:
    """What only looks like it is not found."""
    assert [] == list(detector.run(with_texts(Evidence(action=example))))


@pytest.mark.parametrize("detector", CONTENT_DETECTORS, ids=lambda one: one.id)
def test_detector_is_complete(detector: Detector) -> None:
    """Each has a title, weakness numbers and three examples of both kinds."""
    assert (3, 3) == (len(detector.fires), len(detector.passes))
    assert detector.title
    assert detector.cwe
    assert detector.asi


@pytest.mark.parametrize("detector", CONTENT_DETECTORS, ids=lambda one: one.id)
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
