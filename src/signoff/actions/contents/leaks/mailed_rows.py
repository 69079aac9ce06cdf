"""Rows about people that code mails to a private mailbox written in it.

$r = DB::table('patients')->get(); Mail::raw($r, fn ($m) => $m->to('a@gmail.com'))
Mail::to($user->email)->send(new Invoice($user))               none: a mail to the person
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks.functions import functions_of
from signoff.actions.contents.leaks.private_parts import is_login
from signoff.actions.lexicon.private_names import concerns_people
from signoff.actions.vocabulary import lazy_re, lazy_re2

_MOST = 10
_FIELDS = 300
# Where anybody has a mailbox: nobody's own domain.
MAILBOX = lazy_re2(
    r"(?i)[\"'`<][\w.+-]+@(?:gmail|googlemail|yahoo|outlook|hotmail|live|msn|gmx|web|proton(?:mail)?|pm|mail|yandex|qq"
    r"|163|126|icloud|me|aol|tutanota|tuta|tutamail|seznam|email|wp|o2|onet|op|interia|rediffmail|naver|hanmail|daum"
    r"|libero|virgilio|laposte|free|orange|ukr|inbox|list|bk|rambler|bol|uol|terra|ziggo|freemail|zoho|fastmail|hey"
    r"|cock|mailbox)\.[a-z]{2,4}(?:\.[a-z]{2})?[\"'`>]"
)
_MAILS = lazy_re2(
    r"(?i)\bmail\w*(?:::|\.|->|\()|->to\(|send_?mail|sendmail|smtp|mail_?message|deliver|->send\(|mime\w*|swoosh|bamboo"
    r"|add_?(?:address|recipient|attachment)|set_?to\(|java_?mail|nodemailer|\bemail\."
)
_WHOLE_TABLE = lazy_re2(
    r"(?i)->get\(\)|\.all\b|::all\(|chunk\w*\(|fetch_?all|find_?all|find_?each|findMany|find_in_batches|each_row|->cursor\("
    r"|select\s[^;\"']{1,300}\sfrom\s|\.dump|to_?csv|to_?excel|->each\(|\bquery\(|\bDataTable\b|read_?sql|copy_?to|putcsv|csv_?writer"
)
_FIELD = lazy_re(r"[A-Za-z_]\w{2,30}")


def mailed_rows(text: str) -> str:
    """Return the private mailbox to which a text mails rows about people, "" if there is none."""
    if MAILBOX.search(text) is None or _MAILS.search(text) is None:
        return ""
    for one in functions_of(text):
        box = MAILBOX.search(one.text)
        if box is None or _MAILS.search(one.text) is None or _WHOLE_TABLE.search(one.text) is None:
            continue
        code = one.text.replace(str(box.group()), "")
        if concerns_people(code) or _holds_logins(code):
            return str(box.group())
    return ""


def _holds_logins(text: str) -> bool:
    return any([is_login(m.group()) for m in islice(_FIELD.finditer(text), _FIELDS)])
