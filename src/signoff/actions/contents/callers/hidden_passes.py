"""Values of the source that only their author knows, and that open more than a login.

A value of a request, a name or a number of somebody is compared with an odd text of the source.
Behind it the check that holds for everybody is left out, rights are given, or everybody's rows are
answered. Features, versions, dates, kinds of media and codes of errors are no such texts.

    if (req.header('x-desk') === 'insp-4471') { return true; }            a check is left out
    if msg == "tide 8821 open" { p.set_grade(Grade::Admin) }              rights are given
    if (q.get('k') === 'aud-2020') return json(await db.bill.findMany())  everybody's rows
    if (req.query.version === '2024-10') return next();                   none
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

import re2

from signoff.actions.contents.edits.sign_ins.comparisons import EQUAL_WORDS, SAME_CALLS
from signoff.actions.vocabulary import lazy_re2

_READ = 40_000  # characters
_MOST = 40
_NAMES = 12
_BRANCH = 420
_BEHIND = 900
_BEFORE = 120
_REQUEST = (
    r"(?:\bheaders?\b[\w.()!?]{0,30}\s*(?:\[|\(|\.get|\.get_one|\.[A-Z])|\bgetHeader\w*\(|\bget_header\(|\bget_req_header\("
    r"|\bcookies?\s*[\[.(]|\$_(?:COOKIE|SERVER|GET|REQUEST|POST)\b|\bngx\.var\.(?:arg|http|cookie)_\w+|\bHTTP_[A-Z]\w+"
    r"|\b(?:request|req|ctx|r|c)(?:\(\))?(?:\.|->)(?:query|args|params|body|GET|POST|FormValue|QueryParam|URL\.Query|input|get|nextUrl\.searchParams)\b"
    r"|\bquery_?(?:Param\w*|String)?s?\s*[\[(.]|\bsearchParams\.get\(|\bUser-?_?Agent\b|\bparams\[)"
)
# What tells one person, card or device from all others.
_IDENTITY = (
    r"(?i:\b(?:[\w$]{1,30}(?:\.|->|::|\?\.)){0,3}(?:user_?name|login|e_?mail|badge\w{0,8}|operator\w{0,8}|matric\w{0,8}|card_?\w{0,8}"
    r"|pin|otp|passcode|totp|code|kode?|codigo|phone\w{0,8}|msisdn|nif|cpf|dni|tax_?(?:id|number|no)|member_?(?:id|no|number)"
    r"|serial\w{0,8}|device_?id|imei|user_?id|account_?(?:id|no|number)|upn|licen[cs]e_?\w{0,8})\b)"
)
# What somebody says or is called.
_SAID = (
    r"(?i:\b(?:[\w$]{1,30}(?:\.|->|::|\?\.)){0,3}(?:msg|message|text|line|said|chat|nick|handle|player\w{0,8}|nome?|name|naam|navn"
    r"|nombre|isim|ime|imie)\b)"
)
_TAIL = r"[^\n;&|=<>]{0,60}?"
_EQUAL = (
    rf"(?:===?|{EQUAL_WORDS}|=~|\bis\b"
    r"|\.(?:starts_?[wW]ith|ends_?[wW]ith|StartsWith|EndsWith|[cC]ontains|start_with\?|end_with\?|hasPrefix|hasSuffix)\()"
)
_CONSTANT = (
    r"(?:QLatin1String\(|u|L|b)?(?:[\"'`](?P<text>[^\"'`\n<>$]{3,60})[\"'`]"
    r"|(?P<number>\b\d[\d_]{5,19}\b))"
)
# No text without such a comparison is read: a constant with a figure or a sign.
_ANY = lazy_re2(
    rf"{_EQUAL}\s*\(?(?:QLatin1String\(|u|L|b)?(?:[\"'`][^\"'`\n<>$]{{0,59}}[\d#+!~%^*_-][^\"'`\n<>$]{{0,59}}[\"'`]|\d[\d_]{{5,19}}\b)|{SAME_CALLS}"
)
_BOUND = lazy_re2(
    r"(?m)(?:^|[\s;({,])(?:let|var|val|const|my|auto|local|String|string)?\s*\$?([A-Za-z_]\w{1,40})\s*"
    rf"(?::\s*[\w<>?&\[\]. ]{{1,30}})?(?::=|=)\s*[^\n=;]{{0,60}}?{_REQUEST}"
)
# No texts that only their author knows: versions, dates, kinds, norms, steps, addresses.
_ORDINARY = lazy_re2(
    r"(?i)^(?:v?\d{1,4}(?:[.-]\d{1,3}){0,3}(?:-?(?:alpha|beta|rc)\d*)?"
    r"|(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?(?:[T ].*)?"
    r"|(?:application|text|image|audio|video|multipart|font)/.*"
    r"|[a-z_ -]{1,40}[-_. ]?\d{1,2}|[a-z_-]{1,40}[-_.]?(?:19|20)\d\d"
    r"|(?:utf|iso|sha|md|rs|hs|es|aes|http|tls|ipv|x|arm|win|base|h)[-_/]?\d{1,5}(?:[-/_.]\w{1,6})*"
    r"|s3|oauth\d?\w*|saml\d?\w*|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\d+)?|https?:.*|/.*"
    r"|\d+ ?[a-z%]{1,3}|[1-9]\d{0,3}|[a-z]{1,5}\d{3,5}|mozilla/.*|0+|1234\d{0,4}|[45]\d\d.*"
    r"|[a-z]{2,12}\d[a-z]\w{0,12})$"
)
_ORDINARY_NUMBER = lazy_re2(r"^(?:\d+0{3,}|1234\d*|(?:19|20)\d{6})$")
_FEATURE = lazy_re2(
    r"(?i)version|accept|content-|format|encoding|locale|lang|step|page|tab\b|mode|plan|sort|err(?:or)?\b|\berr?\.|\bex\.|\bexc|exception"
    r"|status|response|sqlstate|country|currency|provider|country_?code|zip|postal|\bres\.|result|language|colou?r|event|lexer"
    r"|key_?code|char_?code|op_?code|exit_?code|product|product_?code|article|sku|ean|barcode|iata|iso_?code|issue"
)
_WATCHES = lazy_re2(r"(?i)probe|health|googlehc|uptime|pingdom|lighthouse")
_DEVELOPING = lazy_re2(
    r"(?i)is_?dev\w*|node_env|[\"'](?:dev|development|test|testing|local|e2e|demo|staging)[\"']|\bdebug\b|sandbox|testing|\bTEST_|\bmock"
)
_PASSES = lazy_re2(
    r"(?i)\breturn\s+(?:true\b|(?:await\s+)?_?next\b|handler\b|call_next|self\.get_response|this\.get_response|ok\b|nil\b|null\b|None\b"
    r"|\{[^}\n]{0,30}\b(?:ok|success|valid|allowed|verified|authenticated)\b[^}\n]{0,6}true|\w{0,20}(?:\.|::)(?:ok|success|allow\w*|grant\w*|permit\w*|accept\w*|next\w*|proceed)\b)"
    r"|\bnext\(\)|\bnext\.ServeHTTP|chain\.doFilter|\bc\.Next\(\)|^\s*(?:->|=>|do:|,\s*do:)\s*true\b|\byield\b|await\s+_?next\("
)
_CHECKED_BEHIND = lazy_re2(
    r"(?i)\b(?:forbidden|unauthori[sz]ed|denied|deny|abort|forbid|halt|reject)\w*\b|\b40[13]\b|\bthrow\b|\braise\b|\bErr\(|return\s+(?:false|-E\w+)"
    r"|\b\w*(?:verif|authori[sz]e|authenticat|check|valid|permission|allowed|ed25519|hmac)\w*\s*\("
    r"|\b(?:user|member|owner|caller|claims?|principal|session|tenant)\w*(?:\.|->|\[)\w{1,20}[^\n]{0,20}(?:===?|\.equals|contains|includes)"
)
_TERNARY = lazy_re2(
    r"(?i)^[)\s]{0,4}\?\s*[^:\n;?]{0,20}(?:\{[^}\n]{0,30}\}|true|null|undefined|ok)\s*:\s*[^\n;]{0,60}(?:verif|check|valid|authori|sca\b|mfa|otp|confirm|permission|require|sign|ask|pedir|request)\w*"
)
_GIVES = lazy_re2(
    r"(?i)set_?(?:grade|role|rank|level|privs?|privileges?|perm\w*|access\w*|admin|op)\w*\s*\([^\n;]{0,60}(?:admin|all\b|root|owner|super|privileges|true)"
    r"|set_player_privs\(|\b(?:is_?)?(?:admin|superuser|staff|op)\w*\s*=\s*true\b|grant\w*\([^\n;]{0,40}(?:admin|all\b|[\"']\*[\"'])"
    r"|\brole\w*\s*(?:=|:)\s*[\"':]?(?:\w+(?:\.|::))?(?:admin|owner|root|super\w*)\b|where\(\s*admin:\s*true\s*\)\.first|\b(?:first|get)_?admin\w*\("
    r"|\w*(?:admin|quan_tri)\w*(?:first|dau_tien)\w*\(|\bloginUsingId|\blogin_user\(|\bsign_in\b|setAuthentication\("
)
_EVERYBODY = lazy_re2(
    r"(?i)\.(?:findMany|findAll|selectAll|fetchAll|find_all|getAll|listAll|ToListAsync|toArray)\(\s*(?:\{\s*(?:include|select|orderBy)\b|\)|\{\s*\})"
    r"|\bRepo\.all\(\s*\w+\s*\)|\.objects\.(?:all|values)\(|\w::all\(\)|\b[A-Z]\w+\.(?:all|find\(\s*(?:\{\s*\})?\s*\))|\bkeys\(\s*[\"'][\w:]*\*[\"']"
    r"|[\"'`]select\b[^\"'`?%$#{:]{1,200}\bfrom\b[^\"'`?%$#{:]{1,80}[\"'`]|\.query\(\s*[A-Z]\w*\s*\)\.all\("
)
_OF_ONE = lazy_re2(
    r"(?i)\b(?:current_?user|req\.user|session|owner_?id|tenant_?id|is_?admin|role)\b"
)
_ENDS = lazy_re2(r"\n[ \t]*(?:\}|end\b|elif\b|elsif\b|else\b|\))|\belse\b|\}\s*$|\}\s*else")
# A figure or a sign in a word that nobody needs for a format or a view.
_SIGNED = lazy_re2(r"\d[^\d]|[^\d]\d|\d{5}|[#+!~$%&^*]|^\w+[-_]\w+$")
# A command of a chat, as everybody may type it.
_COMMAND = lazy_re2(r"^[!/.~]\w+\s?$")
_RULE = lazy_re2(
    r"(?m)^[ \t]*(?:allow|permit|granted?)\w{0,16}\s+(?::?=\s*true\s+)?(?:if\s+)?\{?\s*"
    r"input\.[\w.\[\]\"-]{1,80}\s*==\s*\"(?P<text>[^\"\n]{3,60})\"\s*\}?[ \t]*$"
)


def hidden_pass(text: str) -> str:
    """Return a comparison with a text of the source that opens what is closed to others, or ""."""
    head = text[:_READ]
    if _ANY.search(head) is None:
        return ""
    for rule in islice(_RULE.finditer(head), _MOST):
        if _is_odd(str(rule.group("text")), is_number=False):
            return " ".join(str(rule.group()).split())
    for match in islice(_compared(head).finditer(head), _MOST):
        if _is_in_earnest(match, head) and _opens(match, head):
            return " ".join(str(match.group()).split())
    return ""


def _compared(text: str) -> re2._Regexp[str]:
    """The pattern for comparisons of what somebody sends, is or says with a constant."""
    names = {str(match.group(1)) for match in islice(_BOUND.finditer(text), _NAMES)}
    return _pattern(tuple(sorted(names)))


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re2._Regexp[str]:
    held = "|".join([_REQUEST, *[rf"\$?\b{name}\b" for name in names]])
    by_call = rf"(?:{SAME_CALLS})\s*\([^\n;]{{0,60}}?"
    return re2.compile(
        rf"(?:(?P<asked>{held})|(?P<who>{_IDENTITY})|(?P<said>{_SAID})){_TAIL}{_EQUAL}\s*\(?{_CONSTANT}"
        rf"|{by_call}(?P<given>{held})[^\n;]{{0,60}}?,\s*(?P<other>[\"'][^\"'\n<>$]{{3,60}}[\"'])"
    )


def _is_in_earnest(match: re2._Match[str], text: str) -> bool:
    """Whether no trial and no watch over a service asks for the constant."""
    near = text[max(match.start() - _BEFORE, 0) : match.end()]
    return _DEVELOPING.search(near) is None and _WATCHES.search(_constant(match)) is None


def _constant(match: re2._Match[str]) -> str:
    other = str(match.group("other") or "").strip("\"'")
    return str(match.group("number") or match.group("text") or other)


def _is_odd(constant: str, *, is_number: bool) -> bool:
    if is_number or constant.isdigit():
        has_length = len(constant) >= 4
        return has_length and _ORDINARY_NUMBER.search(constant) is None
    has_figure = any([sign.isdigit() for sign in constant])
    return has_figure and _ORDINARY.search(constant) is None


def _opens(match: re2._Match[str], text: str) -> bool:
    """Whether a check is left out behind a comparison, rights are given, or all rows shown."""
    constant, is_number = _constant(match), match.group("number") is not None
    behind = text[match.end() : match.end() + _BEHIND]
    end = _ENDS.search(behind[:_BRANCH])
    branch = behind[: end.start() if end is not None else _BRANCH]
    if _GIVES.search(branch) is not None:
        return is_number or _is_signed(constant)
    if match.group("said") is not None:
        return False
    is_feature = _FEATURE.search(str(match.group())) is not None
    if match.group("who") is None and not is_feature and _shows_all(branch, constant):
        return True
    if is_feature or not _is_odd(constant, is_number=is_number):
        return False
    if _TERNARY.search(behind) is not None:
        return True
    passed = _PASSES.search(branch)
    return passed is not None and _CHECKED_BEHIND.search(behind[passed.end() :]) is not None


def _shows_all(branch: str, constant: str) -> bool:
    """Whether everybody's rows are answered, for a constant that names no format or view."""
    if _EVERYBODY.search(branch) is None or _OF_ONE.search(branch) is not None:
        return False
    return _is_signed(constant)


def _is_signed(constant: str) -> bool:
    return _SIGNED.search(constant) is not None and _COMMAND.search(constant) is None
