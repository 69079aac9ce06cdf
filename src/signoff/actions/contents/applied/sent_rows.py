"""Rows about people that code of databases and reports sends to another house.

UTL_HTTP.begin_request('http://names.example/?p=' || v.pesel)        PL/SQL
proc http url="https://dedupe.example/v3" method="POST" in=rows;     SAS
CALL METHOD cl_http_client=>create_by_url EXPORTING url = '...'      ABAP
select net.http_post('https://...', row_to_json(new))                PostgreSQL
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.lexicon.private_names import concerns_people
from signoff.actions.vocabulary import lazy_re2, words

_READ = 60_000  # characters
_MOST = 20
_NEAR = frozenset({HostClass.LOOPBACK, HostClass.PRIVATE})
_FILES = words("sql pks pkb pls plsql prc fnc trg pck sas abap ddl psql")
_SENDS = lazy_re2(
    r"(?is)\b(?:utl_http\.(?:begin_)?request\w*|httpuritype|apex_web_service\.make_rest_request\w*"
    r"|net\.http_(?:post|get)|http_(?:post|get)|sp_invoke_external_rest_endpoint|sp_oamethod"
    r"|cl_http_client=>create_by_url|proc\s+http\b[^;]{0,80}?\burl)\b[^;]{0,160}?https?://([\w.-]+)"
)
_POSTS = lazy_re2(r"(?is)\bproc\s+http\b[^;]*;?")
_SENDS_BODY = lazy_re2(r"(?i)\bin\s*=|method\s*=\s*[\"']?(?:post|put)")
_SELECTS = lazy_re2(r"(?is)\bselect\b(.{1,900}?)\bfrom\b|\bkeep\s*=?([^;]{1,400});")
# What is sent to check a code holds no person.
_JOINED = lazy_re2(r"(?i)\bnew\.(\w+)|:new\.(\w+)")


def sent_rows(text: str, path: str) -> str:
    """Return the call that sends rows about people to another house, "" if none does."""
    if path.lower().rpartition(".")[2] not in _FILES:
        return ""
    head = text[:_READ]
    for match in islice(_SENDS.finditer(head), _MOST):
        call = str(match.group())
        if class_of_host(str(match.group(1))) in _NEAR:
            continue
        if call.lower().startswith("proc") and not _has_body(head, call):
            continue
        if _reads_people(head):
            return " ".join(call.split())
    return ""


def _has_body(text: str, call: str) -> bool:
    """Whether a call of SAS sends rows and does not only fetch them."""
    at = text.find(call)
    whole = _POSTS.search(text[at : at + 600])
    return whole is not None and _SENDS_BODY.search(whole.group()) is not None


def _reads_people(text: str) -> bool:
    columns = [str(m.group(1) or m.group(2)) for m in islice(_SELECTS.finditer(text), _MOST)]
    fields = [str(m.group(1) or m.group(2)) for m in islice(_JOINED.finditer(text), _MOST)]
    return any([concerns_people(one) for one in (*columns, " ".join(fields))])
