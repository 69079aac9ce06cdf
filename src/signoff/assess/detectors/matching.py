"""Turns patterns found in a web request into findings: one for each detector, the surest.

Where a value stands and how it is written decide what counts. In headers that browsers fill by
themselves only what is certain counts; a path of the application itself may look like a path of
the machine; a sentence is an attack on a database only if it can be read as SQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from signoff.actions.action import Action, ActionKind
from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.fields.passwords import is_of_a_password
from signoff.assess.contexts.fields.quiet_headers import is_odd_address, is_quiet
from signoff.assess.contexts.fields.remarks import is_remark, names_a_remark
from signoff.assess.contexts.idioms import has_idioms, without_idioms
from signoff.assess.contexts.languages.filters import (
    OF_FILTERS,
    OF_PHRASES,
    OF_SEARCHES,
    compares_only,
    is_filter,
    is_search,
)
from signoff.assess.contexts.languages.landing import (
    CREDENTIALS,
    begins_as_address,
    is_led_to,
    is_spoken_of,
    leaves_a_filter,
    leaves_a_path,
)
from signoff.assess.contexts.languages.template_tags import without_harmless
from signoff.assess.contexts.part import REST
from signoff.assess.contexts.sql_grammar import reads_as_sql
from signoff.assess.contexts.syntax import Syntax, is_counted, is_prose
from signoff.assess.contexts.values import without_pictures, without_quotations
from signoff.assess.detectors.detector import Evidence, RequestField, TextSource
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import COUNTS_FROM, catalogue, certainty
from signoff.assess.patterns.pattern import joined
from signoff.values import replace

# What the patterns of a family find, as a sentence for people ends.
FOUND = {
    "sql": "SQL that changes a query",
    "nosql": "an operator or code for a database",
    "ldap": "signs that change an LDAP filter",
    "command": "a command for a shell",
    "xss": "script or markup that runs in a browser",
    "template": "code for a template engine",
    "xml": "an XML entity or include that loads or expands",
    "path": "a path to files it should not reach",
    "ssrf": "an address inside the network",
    "rfi": "an address to load code from",
    "redirect": "a hidden target of a redirect",
    "header": "line ends that add headers",
    "object": "a packed object that runs code when it is read",
    "scanner": "the name of a scanner or of a file scanners ask for",
}
FOUND_BY = {
    "command.jndi": "a look-up that makes the server load foreign code",
    "command.sheet-program": "a formula that starts a program in a spreadsheet",
    "command.runtime": "an expression that runs code on the server",
    **dict.fromkeys(("command.php-tag", "command.php-open"), "PHP code for the server to run"),
}
CRITICAL_AT = 0.75  # a critical finding of this confidence is refused alone
EXCERPT = 80

OWN_PATHS = frozenset({"path.absolute", "path.drive", "path.log-file", "redirect.absolute"})
PLAIN_PATH = lazy_re(r"(?:/[\w-]+(?:\.\w+)?)+")  # a route may be called `passwd`
# A value that is nothing but a name is what lists of columns and options are made of.
ONLY_A_NAME = frozenset({"command.whole", "command.tool-name", "command.cmdlet", "ldap.star"})
# Names of columns and options that are programs, too; in a parameter that says so they are run.
_LANGUAGES = ("python", "perl", "ruby", "php", "node", "lua", "powershell")
_COLUMNS = ("id", "date", "env", "host", "hostname", "last", "set", "sort", "who")
ORDINARY_WORDS = frozenset((*_COLUMNS, *_LANGUAGES))
PASSWORDS = lazy_re(r"(?:^|[\[._-]|(?<=[a-z]))(?:password|passwd|pwd)\w{0,16}\]?\Z", re.IGNORECASE)
GRAPHQL_MEMBERS = frozenset({"query", "operationName"})
COMMAND_PARAMETERS = ("cmd", "command", "exec", "run", "shell", "ping")
# Patterns that a word with an apostrophe or a password also fits: only what is SQL counts.
ONLY_AS_SQL = frozenset({"sql.quote-operator", "sql.comment-mid"})
# Files that a sentence may name; behind these signs it does not name them, it reaches for them.
# Of 5,941 published attacks none has one of these and nothing else.
SCANNER = "scanner.name"
WEAK_ALONE = frozenset(
    (
        *("xss.call", "xss.custom-tag", "xss.break-script", "sql.as-injectx", "sql.null-list"),
        "redirect.encoded-lead",
    )
)
WEAK_IN_SENTENCES = frozenset({"xss.break-out"})
NAMED_FILES = frozenset(
    (
        *("path.unix-file", "path.home-secret", "path.process-file", "path.log-file"),
        *("path.web-secret", "path.passwd-end", "path.coded-file"),
    )
)
# Addresses a sentence of a body speaks of; those of metadata services count there as well.
SPOKEN_OF = frozenset({"ssrf.private", "ssrf.private-name", "ssrf.loopback", "ssrf.internal-port"})
SPOKEN_OF_IN_REMARKS = SPOKEN_OF | {"ssrf.scheme"}
WORDS_AROUND_AN_ADDRESS = 5
WORDS_OF_A_REMARK = 2
# What the address of a picture within a text fits: it has a scheme and `;base64`.
OF_PICTURES = frozenset({"rfi.wrapper", "command.chained"})
OF_QUERIES = frozenset({"sql", "rawsql", "statement", "query_text"})
JOINING_RESULTS = frozenset({"sql.union-select", "sql.union-broken"})
# `filters[price][$gte]=5`: the brackets are those of a name.
NAME_OF_FORM = lazy_re(r"[\w.$-]+(?:\[[\w.$ -]*\])+=.*", re.DOTALL)
GROUP = lazy_re(r"(?<![;&|\n`$\s])\(\?(?:[:=!]|<[=!])[^()\s]{1,200}\)")  # of a regular expression
REGULAR = frozenset({"regex", "regexp", "pattern", "re"})
# Where an interface of a spreadsheet takes formulas.
OF_SHEETS = lazy_re(r"values|formulas?|formulaValue|userEnteredValue|[A-Za-z]{1,3}\d{1,5}")
PERSONS = ("user", "login", "uid", "cn", "mail", "name", "account", "member", "dn", "pass", "q")
WORDS_BESIDE_SQL = 2
# A list of words has none of them.
SQL_SIGNS = frozenset("'\"`;()=<>*#/|@\\0123456789-\u2018\u2019")
QUOTES = frozenset("'\"`;\u2018\u2019\u00b4")
# An address that every reader takes for the same host: no user part, no backslash, no blank.
_PLAIN_ADDRESS = lazy_re(
    r"(?:https?|wss?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#][^\s\\@]*)?",
    re.IGNORECASE,
)


def in_request(evidence: Evidence, detector: str, *families: str) -> Iterator[Finding]:
    """Yield at most one finding: the most certain match of these pattern families."""
    best: tuple[float, str, RequestField] | None = None
    is_request = evidence.action.kind is ActionKind.HTTP_REQUEST
    hits = evidence.hits.get(TextSource.REQUEST, frozenset()) if is_request else frozenset()
    is_near = any([hit.partition(".")[0] in families for hit in hits])
    for field in evidence.fields if is_near else ():
        for hit in field.hits:
            if hit.partition(".")[0] in families and _may_count(hit):
                sure = _certainty_in(field, hit)
                if best is None or (sure, hit) > best[:2]:
                    best = sure, hit, field
    if best and best[0] >= COUNTS_FROM:
        yield _finding(detector, *best)


def except_hosts(evidence: Evidence, hosts: frozenset[str]) -> Evidence:
    """Return the evidence without values that are plain URLs of these hosts."""
    if not hosts:
        return evidence
    fields = tuple(one for one in evidence.fields if not _leads_to(one, hosts))
    return replace(evidence, fields=fields)


def place_of(field: RequestField) -> str:
    """Return where a value stands, for people: "query `q`"."""
    # A backtick in a name would close the quotation, and the rest would read as our sentence.
    name = field.name.replace("`", "'")
    return f"{field.place} `{name}`" if name else field.place


def excerpt(text: str) -> str:
    """Return the beginning of a text with control characters escaped, for evidence."""
    shown = text[:EXCERPT].encode("unicode_escape").decode("ascii")
    return f"{shown}..." if len(text) > EXCERPT else shown


def request(path: str = "/", **parts: str | dict[str, str]) -> Action:
    """Return a web request as an Action: `request(query={"q": "1"}, headers={...}, body=...)`."""
    arguments = {"method": "GET", "path": path, "query": {}, "headers": {}, "body": "", **parts}
    return Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)


def _leads_to(field: RequestField, hosts: frozenset[str]) -> bool:
    for form in field.forms:
        found = _PLAIN_ADDRESS.fullmatch(form)
        # A second address inside may be where the server is sent in the end.
        if found is None or form.count("//") > 1:
            return False
        host = found[1].lower().strip("[]")
        if not any(f".{host}".endswith(f".{one}") for one in hosts):
            return False
    return True


def _may_count(hit: str) -> bool:
    """Return whether a pattern counts anywhere: where a value stands makes it less certain."""
    return certainty(hit) >= COUNTS_FROM or hit == SCANNER


def _certainty_in(field: RequestField, hit: str) -> float:
    sure = certainty(hit)
    if not is_counted(field.syntax, hit) or not _is_possible(field, hit):
        return 0.0
    if hit == SCANNER:
        # A scanner says its name to the server; in a document it is a word or a product.
        return 0.9 if field.name == "user-agent" else sure * (field.place != "body")
    is_sure = sure >= 0.9 or is_odd_address(field.name, field.raw)
    if field.place == "header" and (is_quiet(field.name, field.raw) or not is_sure):
        return 0.0
    return 0.0 if _is_by_nature(field, hit) or not _has_company(field, hit) else sure


def _has_company(field: RequestField, hit: str) -> bool:
    """Return whether a weak sign stands beside one that counts by itself."""
    if hit not in WEAK_ALONE and hit not in WEAK_IN_SENTENCES:
        return True
    weak = WEAK_ALONE | WEAK_IN_SENTENCES if is_prose(field.raw) else WEAK_ALONE
    # No weak one is company, so none is asked about itself again.
    return hit not in weak or any(_certainty_in(field, one) > 0 for one in field.hits - weak)


def _is_by_nature(field: RequestField, hit: str) -> bool:
    """Return whether every value of this place looks like that."""
    if hit == "scanner.schema-query":
        return field.name in GRAPHQL_MEMBERS  # what every GraphQL client asks first
    if field.name == "referer":
        return hit.startswith(("ssrf.", "redirect.", "rfi."))
    is_plain = hit == "path.passwd-end" and PLAIN_PATH.fullmatch(field.raw) is not None
    return field.place == "path" and (hit in OWN_PATHS or is_plain)


def _is_possible(field: RequestField, hit: str) -> bool:
    """Return whether the value can do what the pattern stands for."""
    if field.place == REST:
        return True  # many values together, which no grammar reads
    is_password = field.syntax == Syntax.PASSWORD or PASSWORDS.search(field.name)
    if is_password and is_of_a_password(field.raw, hit):
        return False
    return all(can_be(field, hit) for can_be in _CHECKS)


def _is_sql(field: RequestField, hit: str) -> bool:
    if not hit.startswith("sql."):
        return True
    if field.syntax == Syntax.QUERY:
        # Joined results are what a query is for, unless they are those of a catalogue or of people.
        is_named = field.name.lower() in OF_QUERIES or names_a_remark(field.name)
        is_plain = hit in JOINING_RESULTS and is_named
        return not is_plain or CREDENTIALS.search(field.raw) is not None
    if _is_whole_filter(field):
        return False
    if hit in OF_PHRASES and field.name.lower() in OF_SEARCHES and all(map(is_search, field.forms)):
        return False
    is_text = field.syntax == Syntax.TEXT
    forms = tuple(map(without_quotations, field.forms)) if is_text else field.forms
    # `{{ is_state('a', 'on') or is_state('b', 'on') }}`: the logic is that of the template.
    if not _is_found_in(tuple([without_harmless(form, "_") for form in forms]), forms, hit):
        return False
    return _can_be_sql(forms, is_certain=hit not in ONLY_AS_SQL)


def _is_whole_filter(field: RequestField) -> bool:
    """Return whether a value is a filter as search services take them, under such a name."""
    name, value = field.name, field.raw
    if not name and field.place == "query":  # `$filter=...`, whose name is more than a name
        name, _, value = value.partition("=")
    return name.lower().lstrip("$") in OF_FILTERS and is_filter(value)


def _is_file(field: RequestField, hit: str) -> bool:
    if not hit.startswith("path."):
        return True
    if field.place == "body" and names_a_remark(field.name) and is_spoken_of(field.forms, hit):
        return False
    return _reaches_for_a_file(field, hit)


def _is_program(field: RequestField, hit: str) -> bool:
    if hit == "command.chained" and field.name.lower() in REGULAR:
        left = tuple(GROUP.sub("_", form) for form in field.forms)
        return _is_found_in(left, field.forms, hit)
    if hit == "command.leading" and field.name.lstrip("$").lower() in REGULAR:
        # There `^` is the anchor of an expression, not the escape sign of cmd.exe.
        return not field.raw.startswith("^")
    if hit == "template.sheet-send":
        return OF_SHEETS.fullmatch(field.name) is None
    if field.place == "body" and is_remark(field.name, field.forms, hit):
        return False
    return hit not in ONLY_A_NAME or _is_more_than_a_name(field)


def _is_target(field: RequestField, hit: str) -> bool:
    is_in_body = field.place == "body"
    if is_in_body and hit in SPOKEN_OF_IN_REMARKS and _speaks_of_addresses(field):
        return False
    if hit in SPOKEN_OF and is_in_body:
        return not is_prose(field.raw, WORDS_AROUND_AN_ADDRESS)
    if hit.startswith("redirect.") and is_prose(field.raw, WORDS_AROUND_AN_ADDRESS):
        # A browser is sent to a value that begins as an address does, not to a sentence.
        return any(map(begins_as_address, field.forms))
    is_package = field.place == "path" and field.raw.startswith("/@")  # `/@scope/package`
    return hit != "redirect.encoded-lead" or not is_package


def _speaks_of_addresses(field: RequestField) -> bool:
    """Return whether a value is a text of people that does not begin as an address."""
    is_text = names_a_remark(field.name) and is_prose(field.raw, WORDS_OF_A_REMARK)
    return is_text and not any(map(begins_as_address, field.forms))


def _is_beside_pictures(field: RequestField, hit: str) -> bool:
    if hit not in OF_PICTURES or field.place != "body":
        return True
    return _is_found_in(tuple(map(without_pictures, field.forms)), field.forms, hit)


def _is_more_than_an_idiom(field: RequestField, hit: str) -> bool:
    return not has_idioms(hit) or _is_found_beside(field.forms, hit)


def _is_no_filter(field: RequestField, hit: str) -> bool:
    if hit == "ldap.xpath" and not any(map(leaves_a_path, field.forms)):
        return False
    if hit.startswith("ldap.") and not any(map(leaves_a_filter, field.forms)):
        return False
    return not hit.startswith(("nosql.", "ldap.")) or not _is_of_a_filter(field, hit)


@lru_cache(maxsize=512)
def _is_found_beside(forms: tuple[str, ...], hit: str) -> bool:
    """Return whether a pattern still fits once its idioms are taken out."""
    return _is_found_in(tuple(without_idioms(hit, form) for form in forms), forms, hit)


def _is_found_in(left: tuple[str, ...], forms: tuple[str, ...], hit: str) -> bool:
    """Return whether a pattern still fits what is left of the forms of a value."""
    return left == forms or hit in catalogue().of(TextSource.REQUEST).scan(joined(left))


def _is_of_a_filter(field: RequestField, hit: str) -> bool:
    """Return whether a value is a comparison of an interface that takes filters."""
    if hit == "ldap.star":
        # A star alone is worth something where a person is looked for: it fits them all.
        return not field.name.lower().startswith(PERSONS) and field.name != ""
    if field.name or hit == "nosql.always" or not NAME_OF_FORM.fullmatch(field.raw):
        return False
    if hit.startswith("ldap."):
        return True
    name = field.raw.partition("=")[0]
    return compares_only(name) and CREDENTIALS.search(name) is None


def _is_more_than_a_name(field: RequestField) -> bool:
    """Return whether a value that is the name of a program may be run."""
    if field.place == "body":
        # Bodies are full of bare names such as `id` and `sort`: there they are data.
        return not field.raw.replace("-", "").isalnum() and field.raw != "*"
    is_ordinary = field.raw.lower() in ORDINARY_WORDS
    return not is_ordinary or field.name.lower().startswith(COMMAND_PARAMETERS)


def _reaches_for_a_file(field: RequestField, hit: str) -> bool:
    """Return whether a value reaches for a file, and does not only speak of it."""
    value = field.forms[-1].rstrip()
    if hit == "path.climb-alias":
        return field.place == "path"  # elsewhere `and so on../x` is only written oddly
    if hit == "path.drive":
        return not is_prose(field.raw, 1)
    words = 1 if field.place == "body" and names_a_remark(field.name) else 3
    if hit in NAMED_FILES and is_prose(value, words):
        return is_led_to(field.forms, hit)
    if field.place != "body":
        return True
    if hit == "path.web-secret":
        return field.name != "filename" or "/" in value  # uploaded under this name
    return hit != "path.log-file" or ".." in value or value.endswith("log")


@lru_cache(maxsize=512)
def _can_be_sql(forms: tuple[str, ...], *, is_certain: bool) -> bool:
    """Return whether one form of the value can be read as SQL, or is no sentence."""
    return any(
        (
            is_certain
            and not is_prose(form, WORDS_BESIDE_SQL)
            and not SQL_SIGNS.isdisjoint(form)
            # No statement goes on with an address: only a quote in it ends the string it is in.
            and not (_PLAIN_ADDRESS.fullmatch(form) and QUOTES.isdisjoint(form))
        )
        or reads_as_sql(form)
        for form in forms
    )


_CHECKS = (
    *(_is_sql, _is_file, _is_program, _is_target, _is_beside_pictures, _is_more_than_an_idiom),
    _is_no_filter,
)


def _finding(detector: str, sure: float, hit: str, field: RequestField) -> Finding:
    is_clear = sure >= CRITICAL_AT
    what = FOUND_BY.get(hit) or FOUND[hit.partition(".")[0]]
    return Finding(
        detector=detector,
        category=f"{detector}.{hit.partition('.')[2]}",
        severity=Severity.CRITICAL if is_clear else Severity.MEDIUM,
        confidence=sure if is_clear else 0.9,
        evidence=f"{place_of(field)} holds {what}: `{excerpt(field.raw)}`",
        field=f"{field.place}.{field.name}",
    )
