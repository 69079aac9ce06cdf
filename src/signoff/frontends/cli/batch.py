"""`signoff check --batch`: one JSON payload a line in, one JSON answer a line out.

No person, no model, nothing stored, and nothing of this machine is looked at: every payload
stands alone. Every line has its answer, in order; what cannot be read or judged is answered with
a deny. Answers leave as soon as no further input is waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.assessed_json import assessed_json, refused_json
from signoff.frontends.call_id import find_id
from signoff.frontends.payloads import parse_object, read_call
from signoff.frontends.strict_json import MAX_BYTES
from signoff.gate import Judge

CHUNK = 1 << 16

Read = Callable[[int], bytes]
Write = Callable[[bytes], object]


def answer_lines(read: Read, write: Write, judge: Judge) -> None:
    """Judge each line of input and write an answer line, until the input ends.

    Args:
        read: returns up to so many bytes, b"" at the end.
        write: writes all bytes it gets.
        judge: judges one call.
    """
    for lines in _line_groups(read):
        write(b"".join(answer_line(line, judge) + b"\n" for line in lines))


def answer_line(line: bytes, judge: Judge) -> bytes:
    """Return the JSON answer for one payload in JSON."""
    id: Json = None
    try:
        names = parse_object(line)
        id = names.get("id")
        call = read_call(names, source="batch")
        return assessed_json(judge(call.action, call.facts), id=id)
    except BadPayload as error:
        # Even a line that is no JSON may show its id, by which the answer is matched to it.
        return refused_json(f"unreadable payload: {error}", id=find_id(line) if id is None else id)
    except Exception as error:  # noqa: BLE001 - a frontend's frame: a failure is a refusal, not an end
        return refused_json(f"cannot be judged: {type(error).__name__}: {error}"[:500], id=id)


def _line_groups(read: Read) -> Iterator[list[bytes]]:
    """Yield the lines that came together.

    Of a line without end only as much is kept as shows that it is too long.
    """
    rest = bytearray()
    while chunk := read(CHUNK):
        first, *others = chunk.split(b"\n")
        rest += first[: max(0, MAX_BYTES + 1 - len(rest))]
        if others:
            lines = [bytes(rest), *others[:-1]]
            rest = bytearray(others[-1])
            yield lines
    if rest:
        yield [bytes(rest)]
