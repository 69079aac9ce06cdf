"""Values that no other machine has a use for: logins that were typed, whole requests, settings.

takes_login('"u" to user, "p" to haslo')                "haslo": a password
takes_login("field: 'password'")                        "": only the name of a field
takes_request("json={'h': dict(request.headers)}")      "request.headers"
takes_request("request.headers['user-agent']")          "": no login
takes_settings("zusatz = cfg.AsEnumerable()")           "cfg.AsEnumerable()"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

import re2

from signoff.actions.contents.leaks.requests import statement_from, without_headers
from signoff.actions.lexicon.languages.translations import is_password
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.own_settings import own_setting
from signoff.actions.lexicon.private_names import identifies_one
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_MOST = 120
_MOST_NAMES = 8_000
_PASSES = 4
_NEAR = 180  # characters behind a part of a request
_TEXT = lazy_re2(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|~[a-z]?\([^()\n]*\)")
_FILLED_IN = lazy_re2(r"(?:[$#]\{|\\\(|\{)\s*([A-Za-z_][\w.$>-]*)|\$([A-Za-z_]\w*)")
_KEYED = lazy_re2(
    r"(?i)(?:\[\s*:?|\b(?:get\w*|input|params?|form_?value|post_?form|field|string|fetch|query\w*|value|request"
    r"|req|require|post|arg)!?\s*\(\s*:?)[\"'`]?([A-Za-z_]\w*)[\"'`]?\s*[\])]"
)
_NAME = lazy_re(r"[^\W\d]\w*")  # of any script: RE2 knows only letters of English
_IS_KEY = lazy_re(r"[ \t]*(?:=>|:(?!:)|=(?!=)|\bto\b)")
# What is asked of a value, and is not the value.
_ASKED = lazy_re(
    r"(?i)[!?]{0,2}\s*(?:\??\.(?:len|size|count|is_?empty|hash|nil|present|blank|score)|[!=]==?"
    r"|is\b|not\b)"
)
_REMARK = lazy_re2(r"(?m)(?:^|[ \t])(?:#|//|--)[ ][^\n]*$|(?s:/\*.*?\*/)")
# Of such a name only the value of the last word would be a login, and it is not that.
_NO_VALUES = words(
    "is has no not can should reset forgot forgotten change changed invalid wrong missing hash"
    " hashed crypt encrypted masked validate valid check verify compare show hide toggle require"
    " requires required update min max last on handle use encode encrypt digest count strong weak"
    " random generate"
)
_READS_ONE = words("get read take fetch plain raw typed entered input old new user the my")
USED_UP = lazy_re2(
    r"(?i)\b\w*(?:sha_?\d|md5|hash|digest|hmac|crypt|argon|pbkdf|scrypt|verif|valid|strength|zxcvbn"
    r"|score|entropy|bool|redact|mask|scrub|sanitiz|len(?:gth)?|strlen|isset|empty|sizeof|compare"
    r"|blank|present|salt)\w*"
    r"[?!]?\s*\([^()\n]{0,100}(?:\([^()\n]{0,80}\)[^()\n]{0,40})?\)"
)

# All headers or cookies of a request that came in.
_INCOMING = (
    r"(?:\b(?:(?:req|request|conn|ctx|call|context|http_?context|exchange|event|rq)"
    r"|c(?:\.|->)req(?:uest)?)\b"
)
_REQUEST = lazy_re2(
    rf"(?i){_INCOMING}(?:(?:\.|->|\$)(?:req(?:uest)?|get_?request\(\)|raw)){{0,2}}(?:\.|->|\$|:)"
    r"(?:raw_?|req_|get_?)?(?:headers?(?:_?map|_?in|_?names|s_?multi)?|cookies?|cookie_?jar|META"
    r"|HTTP_COOKIE|HTTP_AUTHORIZATION)\b(?:\(\s*\))?)|(?-i:\br\.(?:Header\b|Cookies\(\)))"
    r"|\b(?:r|rq)->headers_in\b|\$_COOKIE\b|\$_SERVER\b|\bgetHeaderNames\s*\(\s*\)"
    r"|\b(?:getallheaders|apache_request_headers|get_?(?:req_?)?headers)\s*\(\s*\)"
    r"|\bDumpRequest(?:In)?\s*\(|\bsimple_?headers\b|\bcookies\(\)|\bdocument\.cookie\b"
    r"|\bHTTP_[\"'][^\n]{0,40}\benv\b|\benv\.(?:select|filter)[^\n]{0,40}\bHTTP_"
    r"|\bget_?(?:req_?)?header\s*\(\s*(?:\w+\s*,\s*)?[\"'](?:authorization|cookie)[\"']"
    r"|\bheaders(?:\.get\w*!?\(|\[)\s*[\"':]?(?:authorization|cookie)\b[\"']?"
    r"|\bngx\.var\.(?:http_(?:authorization|cookie)|cookie_\w*(?:sess|sid|token|auth)\w*)"
    r"|\breq_headers\b|\breq_cookies\b"
)
_ONE_PART = lazy_re2(
    r"(?i)\s*(?:\[\s*[\"':]?\s*([\w-]+)|\.get\w*!?\(\s*[\"':]([\w-]+)|\(\s*[\"']([\w-]+)"
    r"|\.([\w-]+)|->\s*(?:get|value)\(\s*[\"']([\w-]+))"
)
_WHOLE_CALLS = words(
    "to_h to_hash tomap to_map map entries items copy all values toarray to_array asmap as_map"
    " todictionary tosimplemap iter keys toobject to_json tojson header cookies headers getall"
    " foreach each collect collectentries select filter where to_a inspect string as_string"
    " tostring clone dict reduce headermap underlying tosinglevaluemap getallheaders multi flatmap"
    " getheadernames selectmany"
)
_OF_LOGINS = lazy_re2(
    r"(?i)authori[sz]ation|cookie|session|bearer|jwt|\bsid\b|x-api-key|csrf|\btokens?\b"
)
_LISTED = lazy_re2(
    r"(?i)[\"'](?:user-?agent|referer|accept\w*|x-[\w-]+|content-\w+|host)[\"']|~w[(\[]"
)
# The logins are taken out before anything is sent.
_SCRUBBED = lazy_re2(
    r"(?i)\b(?:reject|omit|except|without|drop|pop|delete|del|redact\w*|mask\w*|scrub\w*"
    r"|saniti[sz]\w*|remove\w*|strip\w*|unset|exclude\w*|filtered)\b|!==?|\bnot\s+in\b"
    r"|!\s*\w+\.(?:includes|has|contains|include\?)|not_in|\bunless\b|\bnotIn\b|filter_?parameters"
    r"|safe_?headers|!in\b"
)
_IS_SET = lazy_re(r"[\s\])\"']*(?:\[[^\]\n]*\]\s*)?=(?![=>~])")
_BROWSER_LOGIN = lazy_re2(
    r"(?i)\b(?:local|session)Storage(?:\.getItem\(\s*|\[)[\"'`][\w:.@-]*"
    r"(?:token|jwt|auth|session|credential|-user)\w{0,8}[\"'`]|\bdocument\.cookie\b"
    r"|\bJSON\.stringify\(\s*(?:window\.)?(?:local|session)Storage\s*\)"
)
# All settings of an application as one value, those of its stores and services among them.
_CONFIG = (
    r"\b\w*(?:config|conf|cfg|konfig\w*|settings?|einstellungen|nastaven\w*|ustawien\w*"
    r"|environment|env)(?:uration)?"
)
_SETTINGS = lazy_re2(
    rf"(?i){_CONFIG}[!?]?(?:\(\))?\.(?:as_?enumerable|get_?debug_?view|all_?settings|__dict__"
    r"|get_?property_?sources|root\(\)\.render)\b(?:\s*\(\s*\))?"
    r"|\b(?:app_?)?config(?:uration)?\.(?:get_?properties|entry_?set|get_?children)\s*\(\s*\)"
    r"|\benvironment\.config\.to_?map\(|\bget_settings\(\)\.(?:model_dump|dict|json)\w*\("
    r"|\bviper\.all_?settings\s*\(|\bconfig\(\)->all\(|\bconfig::all\(|\bconfig\.util\.to_?object\("
    r"|\bnconf\.get\(\s*\)|\b(?:vars|dir|asdict)\(\s*(?:\w+\.)?(?:settings|config|conf|cfg)\s*\)"
    r"|\bapplication\.(?:credentials|secrets)\.(?:config|to_h|read|as_json|to_json)\b"
    r"|\bget_all_env\s*\(|\bwp_load_alloptions\s*\("
    r"|TYPO3_CONF_VARS['\"]\](?:\[['\"](?:DB|MAIL)['\"]\](?:\[['\"]Connections['\"]\])?)?\s*[,;)\]]"
    r"|\bdotenv\.env\b\s*[,;)]|\bpropertysources\b"
    r"|\bconfigfactory\.load\(\)(?:\.root\(\))?\.(?:render|entryset|unwrapped)"
    r"|\b\w{1,20}\.query\(\s*(?:\w+\.)?connection\s*\)"
)
_ASSIGNED = lazy_re2(
    r"(?:^|[^\w.$>])\$?([A-Za-z_]\w{0,40})((?:\[[^\]\n]{1,40}\]|\.[A-Za-z]\w{0,20})?)"
    r"(?:,\s*\w{1,20})?(?:[ \t]*:[ \t]*[\w<>?.&,\[\] ]{1,40})?[ \t]*"
    r"(?::=|\+=|\.=|<<|<-|=)\s*[^=>\s]"
)
_ADDED = lazy_re2(
    r"(?:^|[^\w.$>])\$?([A-Za-z_]\w{0,40})(?:\.|->)(?:put|add|append|push|set|insert|merge|update|store|write)\w*!?\s*\("
)
_UNPACKED = lazy_re2(
    r"[\[{(]\s*(?::\w+,\s*)?\$?([a-z_]\w{0,30})(?:\s*,\s*\$?(\w{1,30}))?\s*[\]})]\s*(?:<-|:?=)\s*[^=>\s]"
)
_LOOPS = lazy_re2(
    r"\bfor(?:each)?\b\s*\(?\s*(?:const|let|var|val|my|final|[A-Z][\w<>?, ]{0,40})?\s*[(\[]?\s*"
    r"\$?(\w{1,30})(?:\s*,\s*\$?(\w{1,30}))?[)\]]?\s*(?:in|of|:|<-|:?=\s*range)\s+([^\n]{1,200})"
    r"|\(?(?:const|let|var|auto)\s+\(?(\w{1,30})(?:\s*,\s*(\w{1,30}))?\)?\s+in\s+([^\n]{1,200})"
)


def takes_login(text: str) -> str:
    """Return what was typed to log in, or tells who somebody is, as a text hands it on."""
    plain = str(USED_UP.sub("()", str(_REMARK.sub("", text))))
    return next((name for name in _values(plain) if is_login(name)), "")


@lru_cache(maxsize=8_192)
def is_login(name: str) -> bool:
    """Whether a variable or field of this name is a password or identifies one person."""
    parts = split_words(name)
    if not parts or not _NO_VALUES.isdisjoint(parts[:-1]):
        return False
    if is_password(parts[-1]) or is_password("".join(parts[-2:])):
        return True
    return identifies_one("_".join(parts)) or identifies_one(name)


def takes_request(text: str) -> str:
    """Return the headers or cookies of an incoming request that a text hands on, login included."""
    for match in islice(_REQUEST.finditer(text), _MOST):
        behind = statement_from(text, match.end())[:_NEAR]
        if (
            _IS_SET.match(behind)
            or _SCRUBBED.search(behind)
            or _SCRUBBED.search(text[: match.start()].rpartition("\n")[2])
        ):
            continue
        one = _ONE_PART.match(behind)
        named = next((group for group in one.groups() if group), "") if one is not None else ""
        has_login = _OF_LOGINS.search(match.group() + behind) is not None
        if named and named.lower() not in _WHOLE_CALLS:
            if _OF_LOGINS.search(named) is not None:
                return str(match.group()) + behind[: len(named) + 3]
        elif has_login or _LISTED.search(behind) is None:
            return str(match.group())
    return ""


def takes_browser_login(text: str) -> str:
    """Return the login kept by a browser that a text hands on."""
    found = _BROWSER_LOGIN.search(text)
    return str(found.group()) if found is not None else ""


def takes_settings(text: str) -> str:
    """Return all settings of an application, or the secret that it keeps for itself."""
    found = _SETTINGS.search(text)
    return str(found.group()) if found is not None else own_setting(text)


def names_holding(text: str, takes: Callable[[str], str]) -> frozenset[str]:
    """Return the names that are given such a value, directly or over other names."""
    pairs = [(name, without_headers(value)) for name, value in _pairs(text)]
    names = frozenset([name for name, value in pairs if takes(value)])
    for _ in range(_PASSES if names else 0):
        found = names | {name for name, value in pairs if mentions(value, names)}
        if found == names:
            break
        names = found
    return frozenset([name for name in names if "header" not in name.lower()])


def mentions(text: str, names: frozenset[str]) -> str:
    """Return which of these names a text hands on, "" if none: a key of that name is none."""
    if not names:
        return ""
    finder = _finder(names)
    if finder.search(text) is None:
        return ""
    plain = str(USED_UP.sub("()", text))
    for match in finder.finditer(plain):
        if _IS_KEY.match(plain, match.end()) is None and _is_outside_texts(plain, match.start(1)):
            return str(match.group(1))
    return ""


@lru_cache(maxsize=64)
def _finder(names: frozenset[str]) -> re2._Regexp[str]:
    any_of = "|".join(re2.escape(name) for name in sorted(names))
    return re2.compile(rf"(?:^|[^\w.])({any_of})\b")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for find in (_ASSIGNED, _ADDED):
        for match in islice(find.finditer(text), _MOST):
            # The headers of another request are where a login belongs.
            if find is _ADDED or "header" not in str(match.group(2)).lower():
                yield str(match.group(1)), statement_from(text, match.end() - 1)
    yield from _parted(text)


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """The names that each get a part of a value."""
    for match in islice(_UNPACKED.finditer(text), _MOST):
        value = statement_from(text, match.end() - 1)
        yield from [(str(name), value) for name in match.groups() if name]
    for match in islice(_LOOPS.finditer(text), _MOST):
        value = str(match.group(3) or match.group(6))
        yield from [(str(name), value) for name in match.group(1, 2, 4, 5) if name]


def _values(text: str) -> Iterator[str]:
    """The names whose values a text hands on: no keys, no literal texts, no called functions."""
    for match in islice(_KEYED.finditer(text), _MOST):
        yield str(match.group(1))
    filled = [m for one in _TEXT.findall(text)[:_MOST] for m in _FILLED_IN.findall(one)]
    for dotted, bare in filled:
        yield (dotted or bare).rpartition(".")[2]
    plain = str(_TEXT.sub('""', text))
    for match in islice(_NAME.finditer(plain), _MOST_NAMES):
        behind = plain[match.end() : match.end() + 12]
        is_asked = plain[max(match.start() - 1, 0)] == "!" or _ASKED.match(behind) is not None
        if is_asked or _IS_KEY.match(behind) is not None:
            continue
        words_of = split_words(match.group())
        is_call = behind.lstrip(" !?").startswith("(") and words_of[:1] != ()
        if not is_call or len(words_of) == 1 or words_of[0] in _READS_ONE:
            yield match.group()


def _is_outside_texts(text: str, at: int) -> bool:
    """Whether a place is in code, or filled into a text."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    for quote in "\"'`":
        if line.count(quote) % 2 and not line.rstrip().endswith(("{", "(", "$")):
            return False
    return True
