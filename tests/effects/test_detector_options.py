"""Options change what a detector finds, and nothing else."""

from __future__ import annotations

import pytest

from signoff.pipeline import DetectorOptions, Pipeline, Strictness, web_detectors, web_request

SCRIPT = "<script>fetch('//e.example')</script>"
SQL = "1' or 1=1-- -"
COOKIE = {"Host": "shop.example", "Cookie": "session=1"}


def found(pipeline: Pipeline, path: str = "/", **parts: object) -> set[str]:
    """Return the detectors that found something."""
    decision = pipeline.decide(web_request(path, **parts))  # type: ignore[arg-type]  # parts of a request
    return {one.detector for one in decision.threat.results}


def with_all(**options: object) -> Pipeline:
    return Pipeline.sync(web_detectors(options=DetectorOptions(**options)))  # type: ignore[arg-type]  # its fields


def test_a_detector_can_be_switched_off() -> None:
    """Others still find what they find."""
    pipeline = with_all(off=("xss",))
    assert set() == found(pipeline, query={"q": SCRIPT})
    assert {"sql-injection"} == found(pipeline, query={"q": SQL})


def test_a_check_can_be_switched_off_and_others_still_count() -> None:
    """What only this check finds passes; what another check finds as well does not."""
    union = {"q": "7 union select name from users"}
    categories = {
        one.category
        for one in Pipeline.sync(web_detectors()).decide(web_request(query=union)).threat.results
    }
    assert {"sql-injection.union-select"} <= categories
    pipeline = with_all(off=("sql-injection.union-select",))
    assert "sql-injection" in found(pipeline, query={"q": SQL})
    left = pipeline.decide(web_request(query=union)).threat.results
    assert "sql-injection.union-select" not in {one.category for one in left}


@pytest.mark.parametrize("field", ["body.article", "body.art*", "body.ARTICLE"])
def test_a_field_can_be_left_out(field: str) -> None:
    """It is not read; the same text in another field, place or name is."""
    pipeline = with_all(except_fields=(field,))
    assert set() == found(pipeline, method="POST", body={"article": SCRIPT})
    assert {"xss"} == found(pipeline, method="POST", body={"title": SCRIPT})
    assert {"xss"} == found(pipeline, query={"article": SCRIPT})


def test_a_name_with_brackets_is_taken_as_it_is() -> None:
    """`[` and `?` stand for themselves."""
    pipeline = with_all(except_fields=("query.tags[0]",))
    assert set() == found(pipeline, query="tags[0]=" + SCRIPT)
    assert {"xss"} == found(pipeline, query="tags0=" + SCRIPT)


def test_what_stands_behind_the_limits_is_read_all_the_same() -> None:
    """No number of values hides one that is not left out."""
    many = {f"a{number}": "1" for number in range(2_100)}
    pipeline = with_all(except_fields=("body.*",))
    assert "xss" in found(pipeline, method="POST", body={**many, "z": SCRIPT})


def test_one_detector_can_be_narrowed() -> None:
    """The field is left out for this detector only."""
    options = {"xss": DetectorOptions(except_fields=("body.article",))}
    pipeline = Pipeline.sync(web_detectors(single=options))
    assert set() == found(pipeline, body={"article": SCRIPT})
    assert {"sql-injection"} == found(pipeline, body={"article": SQL})


def test_strictness_decides_what_is_likely() -> None:
    """A likely redirect: let through, asked about, blocked."""
    parts = {"query": {"next": "https://elsewhere.example"}, "headers": {"Host": "a.example"}}
    scores = [
        with_all(strictness=one).decide(web_request(**parts)).threat.score  # type: ignore[arg-type]  # parts of a request
        for one in (Strictness.LENIENT, Strictness.NORMAL, Strictness.STRICT)
    ]
    assert [0.0, 45.0, 90.0] == scores


@pytest.mark.parametrize(
    ("allowed", "origin", "is_found"),
    [
        ("https://app.example", "https://app.example", False),
        ("https://app.example", "http://app.example", True),
        ("https://app.example", "https://app.example.evil.example", True),
        ("https://app.example", "https://evil.example/?https://app.example", True),
        ("app.example", "http://app.example:8080", False),
        ("app.example", "https://x.app.example", True),
        ("*.app.example", "https://x.app.example", False),
        ("*.app.example", "https://xapp.example", True),
        ("*.app.example", "null", True),
    ],
)
def test_allowed_origins(allowed: str, origin: str, *, is_found: bool) -> None:
    """A page of an allowed site may change things, any other may not."""
    pipeline = Pipeline.sync(web_detectors(allowed_origins=(allowed,)))
    headers = {**COOKIE, "Origin": origin}
    assert is_found is ("csrf" in found(pipeline, method="POST", headers=headers))


@pytest.mark.parametrize(
    ("address", "is_found"),
    [
        ("http://10.0.0.7:8000/hook", False),
        ("http://10.0.0.8/", True),
        ("http://10.0.0.7@10.0.0.8/", True),
        ("http://10.0.0.7\\@10.0.0.8/", True),
        ("http://10.0.0.7/?u=http://169.254.169.254/latest", True),
        ("http://10.0.0.7%2f@169.254.169.254/", True),
        ("http://jobs.intern.example/x", False),
    ],
)
def test_allowed_hosts(address: str, *, is_found: bool) -> None:
    """A plain address of an allowed host passes, one that only looks like it does not."""
    pipeline = Pipeline.sync(web_detectors(allowed_hosts=("10.0.0.7", "intern.example")))
    assert is_found is bool({"ssrf"} & found(pipeline, body={"url": address}))


def test_redirect_hosts() -> None:
    """Browsers are sent to listed hosts only."""
    pipeline = Pipeline.sync(web_detectors(redirect_hosts=("pay.example",)))
    own = {"Host": "shop.example"}
    assert set() == found(pipeline, query={"next": "https://pay.example/7"}, headers=own)
    assert {"open-redirect"} == found(
        pipeline, query={"next": "https://other.example"}, headers=own
    )


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"off": ("sql-injektion",)}, "sql-injection"),
        ({"off": ("xss.no-such",)}, "xss"),
        ({"except_fields": ("article",)}, "query"),
    ],
)
def test_a_name_that_does_not_exist_is_refused(options: dict[str, object], word: str) -> None:
    """And the message names what there is."""
    with pytest.raises(ValueError, match=word):
        DetectorOptions(**options)  # type: ignore[arg-type]  # its fields
    with pytest.raises(ValueError, match="sql-error-leak"):
        web_detectors(single={"sql-error-leak": DetectorOptions()})
