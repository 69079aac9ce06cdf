"""Code in any language that empties a listing: a loop over all there is, whose body deletes.

Consoles take Groovy, Apex, Kotlin, ABAP, macros of SQL, job control: languages that nobody reads
here. All of them write a loop with a head that lists and a body that acts, or one statement without
a condition. Nothing else is read out of them, and what narrows either ends the reading: a
condition, a name, a limit, a list that is written out.

    items.each { it.delete() }                    everything
    for (Account a : [SELECT Id FROM Account]) delete a;
    DELETE PROD.LEDGER.** MASK PURGE
    items.findAll { it.old }.each { it.delete() } some of it
    ["a", "b"].each { delete(it) }                two
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.call import TEXT_LIMIT

_MOST = 20  # loops and statements that are read
_HEAD, _BODY = 200, 400  # characters before and behind the mark of a loop

# The mark of a loop; what it goes through stands before it or directly behind.
_LOOP = lazy_re2(
    r"\.\s*(?:each|for_?each|forEach|find_?each|in_batches|each_\w+|parallel\w*|eachParallel)\b\s*"
    r"(?:\(|\{|do\b)"
    r"|(?i:\bforeach\s*\([^{};\n]{1,120}?\bas\b\s*|\bfor\s*(?:all|each)\s+\w+\s+in\s+)"
    r"|(?:^|[\s;{}(])for(?:each)?\s*(?:await\s*)?\(?[^(){};=\n]{0,80}?(?::|\bin\b|\bof\b|<-)\s*"
    r"|\bwhile\s*\(\s*!?\w+(?:\.|->)(?:hasNext|has_next|next|MoveNext|fetch|EOF)\w*"
    r"|(?i:\bLOOP\s+AT\s+\w+|\bwhile\s+select\s+(?:forupdate\s+)?\w+|\bForEach-Object\b)"
    r"|(?i:\bfor\s+\w+\s+in\s*\(\s*select\s)"
)
_DELETES = lazy_re2(
    r"(?:^|[^A-Za-z])(?i:(?:do|hard|bulk|force|mass)?_?(?:delete|destroy|remove|purge|erase|wipe"
    r"|terminate|drop|expunge|obliterate|decommission|deprovision|empty_?recycle_?bin))"
    r"(?:[A-Z_-][A-Za-z_]*|All|Object|!)?(?:\s*\(|!|;|\s*}|\s+[\w\[$]|\s*$)"
    r"|\bsetTrashed\s*\(\s*true|\bdeleteRecord|\bdelete_from\b"
)
# Statements that need no loop: a whole table, a mask of a catalogue, a method for all of them.
_WHOLE = lazy_re2(
    r"(?i)\bdelete\s*\[\s*select\b[^\]]{0,200}\]"
    r"|\bdelete_from\s+\w+[^;]{0,80};"
    r"|(?:^|[\s'\"(;])delete\s+from\s+(?:\S+|['\"][^;\n]{0,80})\s*(?:['\")~;.]|$)"
    r"|(?:^|[\s'\"(;])truncate\s+table\s+\S+"
    r"|(?m:^\s*(?://\S*\s+.*)?DELETE\s+\(?'?[A-Z0-9$#@.*%]+\*{1,2}\)?'?\s+[A-Z() ]*)"
    r"|(?m:^\s*DELETE\s+\(?'?[A-Z0-9$#@]+(?:\.[A-Z0-9$#@*%]+)+\)?'?\s+[A-Z() ]*"
    r"\b(?:CLUSTER|PURGE|ERASE)\b)"
    r"|(?:\.|->|::)(?:delete_?all|destroy_?all|remove_?all|purge_?all|truncate|drop_?database"
    r"|delete_?multiple|delete_?many)\s*(?:!|\(\s*(?:\{\s*\})?\s*\)|$|;)"
    r"|(?:\(\s*(?:\[\s*\]|\{\s*\})\s*\)|\.(?:all|everything)(?:\(\s*\))?)"
    r"\.(?:unlink|delete|destroy|remove|purge)\w*\s*(?:!|\()"
)
# What leaves some of it out, in a head, a body or a statement.
_NARROWS = lazy_re2(
    r"(?i)\b(?:if|unless|when|where|filter\w*|select\s*\{|grep|reject|find_?all\s*\{|findall\s*\("
    r"|limit|take|first|rownum|top\s+\d|startswith|endswith|matches|contains|equals|switch|case)\b"
    r"|==|=~|!=|\?\s*[\w.(]|\btest|\bold\w*\b|\bexpired|\bstale|\barchived|\btmp|\btemp\b|\bdraft"
    # What a program holds or shows, and nobody else.
    r"|\bselect(?:ion|ed)|\bchildren|queryselector|getelements|\blayers?\b|\bcanvas|\bcookies?\b"
    r"|localstorage|\bcaches?\b|\blisteners?\b|\bcell"
)
# Conditions that leave nothing out: what is already deleted, and a row that a loop goes through.
_NO_CONDITION = lazy_re2(
    r"(?i)\bwhere\s+\w*deleted\w*\s*(?:=|==|is)\s*(?:false|0|null)|\bwhere\s+1\s*=\s*1"
)
_LITERAL = lazy_re2(r"^\s*(?:[\[({]|range\b|\d|['\"]|\.\.)")
_ENDS = lazy_re2(r"(?im)^\s*(?:end\w*|done|next)\b|\{%-?\s*endfor")


def empties_everything(text: str) -> bool:
    """Return whether code deletes all that it lists, or something whole by one statement."""
    text = text[:TEXT_LIMIT]
    if _DELETES.search(text) is None and _WHOLE.search(text) is None:
        return False
    return _has_whole_statement(text) or any([_empties(*one) for one in _loops(text)])


def _has_whole_statement(text: str) -> bool:
    for found in islice(_WHOLE.finditer(text), _MOST):
        said = _NO_CONDITION.sub(" ", text[found.start() : found.end() + 60].partition(";")[0])
        if _NARROWS.search(said) is None:
            return True
    return False


def _loops(text: str) -> Iterator[tuple[str, str]]:
    """Yield head and body of each loop; the head is what it goes through."""
    for found in islice(_LOOP.finditer(text), _MOST):
        rest = _without_own_conditions(found[0], text[found.end() : found.end() + _BODY])
        if found[0].lstrip()[:1] == ".":
            before = text[max(found.start() - _HEAD, 0) : found.start()]
            yield re.split(r"[\n;]", before)[-1], _body(found[0][-1:] + rest)
        elif found[0].lstrip().lower().startswith("while"):
            yield "", _body(rest)
        else:
            head = re.split(r"[\n{]", rest, maxsplit=1)[0]
            is_indented = head.rstrip().endswith(":")
            yield head, _indented(found[0], rest) if is_indented else _body(rest)


def _without_own_conditions(mark: str, rest: str) -> str:
    """Take out `WHERE id = r.id` of a loop over all rows `r`: it leaves none of them out."""
    named = re.search(r"(?i)\bfor(?:each)?\s*\(?\s*(?:\w+\s+)?(\w+)\s*(?::|\bin\b|\bof\b)", mark)
    named = named or re.match(r"(?i)[^\n]{0,40}?\binto\s+(\w+)", rest)
    if named is None:
        return rest
    return re.sub(rf"(?i)\bwhere\b[^;\n]*?=\s*:?{named[1]}\b[^;\n]*", " ", rest)


def _indented(mark: str, rest: str) -> str:
    """Return the lines that stand further in than the head of their loop."""
    line = mark.rpartition("\n")[2]
    indent = len(line) - len(line.lstrip())
    head, _, below = rest.partition("\n")
    body = [head]
    for one in below.split("\n"):
        if one.strip() and len(one) - len(one.lstrip()) <= indent:
            break
        body.append(one)
    return "\n".join(body)


def _body(rest: str) -> str:
    """Return the text up to the brace that closes it, or a word that ends a loop."""
    depth = 0
    for at, char in enumerate(rest):
        depth += (char == "{") - (char == "}")
        if depth < 0 or (char == "}" and depth == 0):
            return rest[:at]
    found = _ENDS.search(rest)
    return rest if found is None else rest[: found.start()]


def _empties(head: str, body: str) -> bool:
    if _LITERAL.search(head) is not None and "select" not in head.lower():
        return False
    acts = _DELETES.search(body)
    if acts is None:
        return False
    head = _NO_CONDITION.sub(" ", head)
    # A condition may stand behind the act: `u.destroy if u.old`.
    said = _NO_CONDITION.sub(" ", body[: acts.end()] + body[acts.end() :].partition("\n")[0])
    return _NARROWS.search(head) is None and _NARROWS.search(said) is None
