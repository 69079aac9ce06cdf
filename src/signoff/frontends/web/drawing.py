"""Drawing pages: templates that escape everything, and make visible what cannot be seen.

Every value a template prints passes `shown`: no control, format or private character ever gets
into a page, whoever wrote it.

    draw("inbox.html", frame, pending=pending)
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from signoff.challenge.card import origin_of_call
from signoff.challenge.terms.approver import Approver
from signoff.challenge.visible import FILLERS
from signoff.challenge.words.showing import origin_words
from signoff.values import count_of

FOLDER = "signoff.frontends.web"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MARK = "\\u{"  # as `visible` writes it
UNSAFE_FILLERS = frozenset(map(chr, FILLERS))


class PageFrame(Struct, frozen=True, kw_only=True):
    """What every page shows around its content.

    Args:
        approver: who is signed in, None on the sign-in page.
        now_s: seconds since the epoch, for countdowns.
        notices: what everybody should know, as a nap; notice: what the last press did.
        tenant: whose requests and record the pages show, "" where nobody shares the store.
    """

    page: str
    title: str
    approver: Approver | None
    now_s: float
    mode: str = ""
    locks: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    version: str = ""
    notice: str = ""
    tenant: str = ""


def draw(template: str, frame: PageFrame, **values: object) -> str:
    """Render a page template inside the frame."""
    return _environment().get_template(template).render(frame=frame, **values)


def shown(value: object) -> object:
    """Return a value prepared for a template: invisible characters in texts are escaped."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if value.isprintable() and UNSAFE_FILLERS.isdisjoint(value):
        return value
    return "".join(_shown(char) for char in value)


class StaticFile(Struct, frozen=True):
    """A file of this package that browsers load."""

    content: bytes
    kind: str
    packed: bytes = b""  # by gzip; empty = it is sent as it is

    @property
    def digest(self) -> str:
        """Hash of its content, part of its URL, so that browsers reload changed files."""
        return hashlib.sha256(self.content).hexdigest()[:12]


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Return the files browsers load, by name."""
    folder = files(FOLDER) / "static"
    return {
        entry.name: _static_file(entry.read_bytes(), entry.name)
        for entry in folder.iterdir()
        if entry.name.endswith(tuple(KINDS))
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(FOLDER),
        autoescape=True,
        # A name spelled wrong in a template fails, instead of leaving a part of the call out of
        # sight.
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "origin_of_call": origin_of_call,
        "origin_words": origin_words,
        "clock": _clock,
        "count_of": count_of,
        "ago": _ago,
        "bar": _bar,
        "span": _span,
        "marked": _marked,
        "ticked": ticked,
        "raw_text": _raw_text,
    }
    environment.globals["static"] = _static
    return environment


def _static_file(content: bytes, name: str) -> StaticFile:
    packed = gzip.compress(content, mtime=0)
    return StaticFile(content, KINDS[name[name.rindex(".") :]], packed)


def _shown(char: str) -> str:
    is_plain = char.isprintable() and char not in UNSAFE_FILLERS
    return char if is_plain else f"\\u{{{ord(char):X}}}"


def _marked(line: str) -> Markup:
    """Return a line that has passed `visible`, its marks set off."""
    first, *pieces = str(shown(line)).split(MARK)
    parts = [escape(first)]
    for piece in pieces:
        code, _, rest = piece.partition("}")
        parts.append(Markup('<b class="unseen">{}</b>{}').format(f"{MARK}{code}}}", rest))
    return Markup("").join(parts)


def ticked(text: str) -> Markup:
    """Return words whose names stand in backticks, those set as code."""
    pieces = str(shown(text)).split("`")
    if len(pieces) % 2 == 0:  # one that is never closed is no mark
        pieces[-2:] = [f"{pieces[-2]}`{pieces[-1]}"]
    marks = (Markup("<code>{}</code>"), Markup("{}"))
    return Markup("").join(marks[at % 2 == 0].format(piece) for at, piece in enumerate(pieces))


def _raw_text(text: str) -> Markup:
    """Return what is in a field to be edited: its lines stay lines."""
    return Markup("\n").join(escape(shown(line)) for line in text.split("\n"))


def _static(name: str) -> str:
    return f"/web/static/{name}?v={static_files()[name].digest}"


def _clock(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S UTC") if at else ""


def _ago(at_s: float, now_s: float) -> str:
    return _span(max(0.0, now_s - at_s)) + " ago"


def _span(seconds: float) -> str:
    """Return a length of time in its two largest units."""
    left = round(max(0.0, seconds))
    if left < 60:
        return f"{left} s"
    if left < 3600:
        return f"{left // 60} min {left % 60:02} s"
    if left < 86_400:
        return f"{left // 3600} h {left % 3600 // 60:02} min"
    return f"{left // 86_400} d {left % 86_400 // 3600} h"


def _bar(value: float) -> str:
    """Return a share, 0..1, as a width of a hundred."""
    return f"{max(0.0, min(1.0, value)) * 100:.1f}"
