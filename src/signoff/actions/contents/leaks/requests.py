"""What code puts into a request to one address, in any language, without the request's own headers.

A request is one call, a call with a block, a chain of calls, a pipe, or a value that is filled step
by step. So the statement around the address is taken, and each statement that uses the name it is
given to.

    http.post(ADDRESS) { setBody(mapOf("p" to secret)) }             the block
    Request.Builder().url(ADDRESS).post(body).build()                the chain
    request(ADDRESS) |> req_body_json(list(p = secret))              the pipe
    r = URLRequest(url: ADDRESS); r.httpBody = encode(secret)        the later statement
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re, lazy_re2

_REACH = 1_200  # characters of one statement
_BEFORE = 500
_MOST = 40
_PASSES = 3
_BRACKET = lazy_re(r"[()\[\]{};\n]")
_OPENERS = "([{"
# A line that goes on with the statement of the line before, and a line that is not at its end.
_GOES_ON = lazy_re(r"\s*(?:[.)\]}|,+?:]|->|<>|&&|and\b|\{|do\b|with\b)")
_NOT_AT_END = lazy_re(r"(?:[,(\[{+=|.&:>\\]|<>|->|\.\.)\s*\Z")
_GIVEN_TO = lazy_re2(
    r"^[ \t]*(?:(?:const|let|var|val|my|local|final|auto|mut|static|private"
    r"|[A-Z]\w*(?:<[^>\n]*>)?)[ \t]+){0,3}"
    r"\$?([A-Za-z_]\w{0,40})(?:[ \t]*:[ \t]*[\w<>?.]{1,30})?[ \t]*(?::=|=|<-)\s*[^=]"
)
_HEAD_BEFORE = lazy_re(r"\s*(?:for|foreach|if|while)\b")
_HEADER_OPTION = lazy_re(
    r"(?i)[\"']?\b\w*headers?(?:_mut)?(?:\(\))?[\"']?\s*(?:=>|[:=]|,\s*(?=[\[{(]))\s*"
)
_HEADER_CALL = lazy_re2(
    r"(?i)(?:\bheaders?\w{0,5}(?:\(\))?\.(?:try_?)?(?:add|set|append|insert|put|extend|merge|copy)\w*!?\s*\("
    r"|%\{\s*\$\w+->headers\w*\s*\}\s*,\s*Content\b"
    r"|\b(?:set|add|put|with|insert|append)_?\w{0,12}(?:headers?|property|authorization|cookies?)!?\s*\("
    r"|\.(?:bearer_?\w*|basic_?auth\w*|set_?auth\w*|headers|cookie)\(\s*[^)\s]|\.header\([^()\n]*,)"
    r"[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
)
_PAYLOAD = lazy_re2(
    r"(?i)(?:\b(?:json|data|body|form(?:_params)?|payload|content|params|entity|multipart)[\"']?"
    r"\s*(?:=>|[:=])\s*|(?:stringify|dumps|encode\w*|marshal\w*|serialize\w*|mapof|to_?string)!?\s*\()"
)


def sent_with(text: str, starts: Iterable[int]) -> str:
    """Return what a text puts into the requests whose addresses start at these places."""
    spans = [span for start in starts for span in [_statement(text, start)]]
    names: set[str] = set()
    for _ in range(_PASSES):
        given = [m.group(1) for at, end in spans if (m := _GIVEN_TO.match(text[at:end]))]
        new = {str(name) for name in given} - names
        if not new:
            break
        names |= new
        spans += islice(_uses(text, new, spans), _MOST)
    return "\n".join([without_headers(text[at:end]) for at, end in sorted(set(spans))])


def statement_from(text: str, at: int) -> str:
    """Return a text from a place to the end of the statement that stands there."""
    return text[at : _end(text, at)]


def without_headers(given: str) -> str:
    """Return a statement without the headers of its request; one inside of a payload is data."""
    kept, at = [], 0
    payloads = [
        (m.start(), _balanced(given, m.end())) for m in islice(_PAYLOAD.finditer(given), _MOST)
    ]
    for match in islice(_HEADER_OPTION.finditer(given), _MOST):
        if match.start() < at or any([a < match.start() < b for a, b in payloads]):
            continue
        kept.append(given[at : match.start()])
        at = _balanced(given, match.end())
    kept.append(given[at:])
    return str(_HEADER_CALL.sub("", "".join(kept)))


def _uses(text: str, names: set[str], known: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The further statements in which names stand."""
    any_of = "|".join(re2.escape(name) for name in sorted(names))
    for match in re2.finditer(rf"\b(?:{any_of})\b", text):
        if not any([at <= match.start() < end for at, end in known]):
            line = text.rfind("\n", 0, match.start()) + 1
            first = max(line, text.rfind(";", line, match.start()) + 1)
            is_head = _HEAD_BEFORE.match(text, first, match.start()) is not None
            yield match.start() if is_head else first, _end(text, match.start())


def _statement(text: str, start: int) -> tuple[int, int]:
    """The statement around a place: from the line of its outermost bracket to its end."""
    depth, first = 0, start
    low = max(start - _BEFORE, 0)
    for match in reversed(list(_BRACKET.finditer(text, low, start))):
        sign = match.group()
        if sign in ")]}":
            depth += 1
        elif sign in _OPENERS and depth:
            depth -= 1
        elif sign in _OPENERS:
            if sign == "{" and _is_block(text[low : match.start()]):
                break
            first = match.start()
        elif sign == ";" and not depth:
            break
    line = text.rfind("\n", 0, first) + 1
    return max(line, text.rfind(";", line, first) + 1), _end(text, start)


def _is_block(before: str) -> bool:
    """Whether a brace behind this text opens a block of statements and no value."""
    plain = before.rstrip()
    is_named = plain != before and plain[-1:].isalnum()
    return is_named or plain.endswith((")", ">", "else", "try", "do"))


def _end(text: str, start: int) -> int:
    """The end of the statement that stands at a place."""
    depth = floor = 0
    last = min(start + _REACH, len(text))
    for match in _BRACKET.finditer(text, start, last):
        sign, at = match.group(), match.start()
        if sign in _OPENERS:
            depth += 1
        elif sign in ")]}":
            depth -= 1
            floor = min(floor, depth)
        elif depth <= floor and (sign == ";" or not _goes_on(text, start, at)):
            return at
    return last


def _goes_on(text: str, start: int, at: int) -> bool:
    """Whether a statement goes on behind the end of a line."""
    before = _NOT_AT_END.search(text, max(start, at - 20), at)
    return before is not None or _GOES_ON.match(text, at + 1) is not None


def _balanced(text: str, start: int) -> int:
    """The end of the value that starts here: at a comma or bracket that is not its own."""
    depth = 0
    for at in range(start, min(start + _REACH, len(text))):
        sign = text[at]
        if sign in _OPENERS:
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return at
        elif depth == 0 and (sign in ",;" or (sign == "\n" and text[start:at].strip())):
            return at
    return min(start + _REACH, len(text))
