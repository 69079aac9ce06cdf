"""Personal data in what a tool gave back: noted by default, acted on where a policy line says so.

Finds:
    Account numbers (IBAN), card numbers and national numbers with valid check digits, dates of
    birth, diagnoses and pay beside a name for them, lists of people with mail addresses and
    telephone numbers, in a result.

Why it matters:
    What a model reads leaves for its provider, and may be repeated in later calls (GDPR art. 4, 9).

Example:
    {"name": "Ada Roy", "date_of_birth": "1981-04-03", "iban": "FR14 2004 1010 0505 0001 3M02 606"}

Does not find:
    Names and addresses alone, sample numbers of payment services and documents, numbers with a
    wrong check digit, contacts of projects and companies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.lexicon.private_values import KINDS
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.detectors.detector import CallMark, Detector, Evidence, TextSource
from signoff.assess.detectors.leaking import result
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import catalogue

ID = "personal-data"
CONTACTS = "contacts"
# By pattern: the kind in `KINDS` that decides, and the words for people.
LINES = {
    "personal.account": ("account", "the account number of a person or company (IBAN)"),
    "personal.birth": ("birth", "a date of birth"),
    "personal.card": ("card", "the number of a card"),
    "personal.health": ("illness", "a diagnosis"),
    "personal.national-number": ("number", "a number that a state gives to one person"),
    "personal.pay": ("pay", "what somebody earns"),
}
NOTED = 0.5  # noted under every pack: 25 * 0.5 lies under the first line that asks, 20
BEFORE, BEHIND = 48, 40  # characters around a match that are looked at
MANY = 5  # people in a list, each with a mail address and a telephone number
CONTACTS_MOST = 400  # addresses and numbers that are counted
TEXT_MOST = 65_536  # characters that are searched for contacts
_MAIL = lazy_re2(r"\b[\w.+-]{1,64}@((?:[\w-]{1,63}\.){1,4}[A-Za-z]{2,20})\b")
_PHONE = lazy_re2(
    r"(?:(?:^|[^\w+])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,4})\b"
    r"|\(\d{3}\) ?\d{3}-\d{4}\b"
    r"|(?i:phone|tel|mobile|cell|fax)\w{0,8}[^\w\n]{1,6}\d{2,5}(?:[ ./-]?\d{2,5}){1,4}\b)"
)
_SAMPLE_HOST = lazy_re2(r"(?i)(?:^|\.)(?:example|test|invalid|localhost)(?:\.\w+)?$")
# Test numbers of payment services, and those that standards and documents use as examples.
_SAMPLE_NUMBERS = (
    *("4242424242424242", "4111111111111111", "4012888888881881", "4000056655665556"),
    *("5555555555554444", "5105105105105100", "2223003122003222", "5200828282828210"),
    *("378282246310005", "371449635398431", "6011111111111117", "6011000990139424"),
    *("3530111333300000", "30569309025904", "36227206271667", "4917610000000000"),
    *("DE89370400440532013000", "GB29NWBK60161331926819", "GB82WEST12345698765432"),
    *("FR1420041010050500013M02606", "NL91ABNA0417164300", "ES9121000418450200051332"),
    *("CH9300762011623852957", "BE68539007547034", "AT611904300234573201"),
    *("IT60X0542811101000000123456",),
)
_SAMPLES = lazy_re2(
    r"\b(?:" + "|".join("[ -]?".join(number) for number in _SAMPLE_NUMBERS) + r")\b"
)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each kind of personal data in a result."""
    text = evidence.texts.get(TextSource.RESULT, "")
    for hit in sorted(evidence.hits.get(TextSource.RESULT, frozenset()) & LINES.keys()):
        kind, words = LINES[hit]
        if _is_in(kind, hit, text):
            yield _noted(hit.partition(".")[2], words)
    if text.count("@") >= MANY and _lists_people(text[:TEXT_MOST]):
        yield _noted(CONTACTS, "a list of people with mail addresses and telephone numbers")


def _noted(line: str, words: str) -> Finding:
    return Finding(
        detector=ID,
        category=f"{ID}.{line}",
        severity=Severity.LOW,
        confidence=NOTED,
        evidence=f"the result holds {words}",
    )


def _is_in(kind: str, hit: str, text: str) -> bool:
    """Return whether the text around a match of the pattern `hit` holds a value of this kind."""
    patterns = catalogue().of(TextSource.RESULT)
    return any(
        KINDS[kind](_SAMPLES.sub("", text[max(0, outer - BEFORE) : max(outer, end) + BEHIND]))
        for outer, (_, end) in patterns.places(hit, text)
    )


def _lists_people(text: str) -> bool:
    """Return whether at least five people's addresses and numbers stand in a text."""
    mails = {
        found[0].lower()
        for found in islice(_MAIL.finditer(text), CONTACTS_MOST)
        if _SAMPLE_HOST.search(found[1]) is None
    }
    if len(mails) < MANY:
        return False
    phones = {
        "".join(filter(str.isdecimal, found[0]))
        for found in islice(_PHONE.finditer(text), CONTACTS_MOST)
    }
    return len([one for one in phones if 7 <= len(one) <= 15]) >= MANY


def _people(count: int, mail: str = "shop{}.org") -> str:
    """Return a list of people, for the examples."""
    return "\n".join(
        f"{name},{name.lower()}@{mail.format(place)},+49 30 55{place}1 77{place}3"
        for place, name in enumerate(("Ida", "Tom", "Eva", "Max", "Kim", "Liz")[:count])
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Personal data in a result",
    lines="contacts",
    families=("personal",),
    cwe=("CWE-359",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS, CallMark.CONTENT}),
    fires=(
        result('{"holder": "A. Roy", "iban": "DE02 1203 0000 0000 2020 51"}'),
        result("card 4539 1488 0343 6467, valid until 11/29"),
        result("Patient R., geb. 12.03.1981"),
        result("Codice fiscale: RSSMRA85T10A562S"),
        result('{"employee": 17, "salary": 61000}'),
        result("diagnosis: F32.1"),
        result(_people(6)),
    ),
    passes=(
        result('{"holder": "A. Roy", "iban": "DE03 1203 0000 0000 2020 51"}'),
        result("pay with the test card 4242 4242 4242 4242"),
        result("order 4539148803436467 of 2026-03-12, built 12.03.1981"),
        result("Example: DE89 3704 0044 0532 0130 00"),
        result(_people(4)),
        result(_people(6, mail="example.org")),
        result("ssn: 078-05-1120"),
    ),
)
