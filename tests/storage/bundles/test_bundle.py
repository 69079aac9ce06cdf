"""Bundles: what is signed is taken, and nothing else; nothing goes back to an older version."""

from __future__ import annotations

import msgspec
import pytest

from signed_bundles import ADMIN, FILES, OTHER, bundle
from signoff.frontends.fleet.bundle_files import content_text
from signoff.storage.bundles.bundle import (
    BadBundle,
    BundleContent,
    Release,
    opened,
    parse_key,
    read_content,
)
from signoff.storage.bundles.stored_bundle import accepted
from signoff.storage.proof.note import CheckpointSigner

KEY = ADMIN.key.text


def test_a_signed_bundle_is_opened() -> None:
    """Positive control of every refusal below."""
    found = opened(bundle(7), (OTHER.key.text, KEY))

    assert (7, KEY, FILES) == (found.version, found.key, found.content.releases[0].files)


def test_every_cut_is_refused() -> None:
    """Wherever the connection ends."""
    text = bundle(7)
    taken = []
    for end in range(len(text)):
        try:
            opened(text[:end], (KEY,))
        except BadBundle:
            continue
        taken.append(end)

    assert [] == taken


def test_every_changed_character_is_refused() -> None:
    """In the note, its signature or the content."""
    text = bundle(7)
    taken = []
    for at, old in enumerate(text):
        changed = text[:at] + ("x" if old != "x" else "y") + text[at + 1 :]
        try:
            opened(changed, (KEY,))
        except BadBundle:
            continue
        taken.append((at, old))

    assert [] == taken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (bundle(7, by=OTHER), "none of the known keys"),
        (bundle(7).partition("\n\n")[0], "cut off"),
        ("", "cut off"),
        (bundle(7).split("\n\n", 2)[-1], "cut off"),
        (
            "\n\n".join([*bundle(8).split("\n\n", 2)[:2], bundle(7).split("\n\n", 2)[2]]),
            "digest differs",
        ),
    ],
)
def test_what_is_not_signed_by_a_known_key_is_refused(text: str, said: str) -> None:
    """Forged, cut, unsigned, or joined of two bundles."""
    with pytest.raises(BadBundle, match=said):
        opened(text, (KEY,))


def test_a_forged_signature_under_the_known_name_is_refused() -> None:
    """The name of a key is no secret."""
    text = bundle(7, by=OTHER).replace(OTHER.key.name, ADMIN.key.name)

    with pytest.raises(BadBundle, match="not signed by"):
        opened(text, (KEY,))


def test_the_key_of_an_audit_log_signs_no_bundle() -> None:
    """Keys are for one purpose each."""
    with pytest.raises(BadBundle, match="no key of a bundle"):
        parse_key(CheckpointSigner(b"a" * 32).key.text)


def test_versions_only_grow() -> None:
    """The same one changes nothing; an older one, or a second of its number, is refused."""
    kept = accepted(None, bundle(7), keys=(KEY,))

    assert kept == accepted(kept, bundle(7), keys=(KEY,))
    assert 8 == accepted(kept, bundle(8), keys=(KEY,)).opened().version
    with pytest.raises(BadBundle, match="version 6 is older than 7"):
        accepted(kept, bundle(6), keys=(KEY,))
    with pytest.raises(BadBundle, match="another bundle of version 7"):
        accepted(kept, bundle(7, {"settings.yaml": "pack: permissive\n"}), keys=(KEY,))


def test_other_keys_in_the_settings_do_not_count_once_enrolled() -> None:
    """Who can edit `signoff.yaml` cannot sign the policy."""
    kept = accepted(None, bundle(7), keys=(KEY,))

    with pytest.raises(BadBundle, match="none of the known keys"):
        accepted(kept, bundle(8, by=OTHER), keys=(OTHER.key.text,))


def test_a_bundle_replaces_the_keys() -> None:
    """From then on the old key signs nothing more."""
    kept = accepted(None, bundle(7, next_keys=(OTHER.key.text,)), keys=(KEY,))
    moved = accepted(kept, bundle(8, by=OTHER), keys=(KEY,))

    assert (OTHER.key.text,) == moved.keys
    with pytest.raises(BadBundle, match="was replaced"):
        accepted(kept, bundle(8), keys=(KEY,))
    with pytest.raises(BadBundle, match="none of the known keys"):
        accepted(moved, bundle(9), keys=(KEY,))


def test_a_release_is_for_groups_and_a_share_of_the_nodes() -> None:
    """The first that fits; a share that grows keeps the nodes it has."""
    first = Release(groups=("canary",), files={"settings.yaml": "pack: strict\n"})
    tenth, half = (Release(share=share, files={"rules.yaml": "x"}) for share in (10, 50))
    rest = Release(files=FILES)
    content = BundleContent(version=7, releases=(first, tenth, rest))
    nodes = [f"{number:04x}" for number in range(2_000)]
    few = {node for node in nodes if tenth.is_for("", node)}

    assert first is content.release_for("canary", "1")
    assert {10, 100} == {content.release_for("", node).share for node in nodes}
    assert 120 < len(few) < 280
    assert few < {node for node in nodes if half.is_for("", node)}


@pytest.mark.parametrize(
    "content",
    [
        {"version": 0, "releases": [{"files": {}}]},
        {"version": 7, "releases": []},
        {"version": 7, "releases": [{"groups": ["canary"], "files": {}}]},
        {"version": 7, "releases": [{"files": {"../signoff.yaml": ""}}]},
        {"version": 7, "releases": [{"files": {}}], "extra": 1},
        {"format": 2, "version": 7, "releases": [{"files": {}}]},
        {"version": 7, "releases": [{"files": {}}], "next_keys": ["x"]},
    ],
)
def test_a_content_that_is_none_is_refused(content: object) -> None:
    """Also by those who sign: no node could use it."""
    with pytest.raises(BadBundle):
        ADMIN.sign(msgspec.json.encode(content).decode())


def test_a_content_is_written_as_it_is_read() -> None:
    """Positive control of the above."""
    content = BundleContent(version=7, releases=(Release(files=FILES),))

    assert content == read_content(content_text(content))
