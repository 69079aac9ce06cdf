"""Copies of mails, and links that open an account, that go to a private mailbox of the source.

mail.bcc("orders.copy@gmail.com")                          a copy nobody sees
sendMail({to: "a@gmx.net", text: `${site}/reset?t=${t}`})  a link that opens an account
mail.to(user.email)                                        none
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks.mailed_rows import MAILBOX
from signoff.actions.contents.leaks.requests import statement_from
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 20
_BACK = 160
_COPIES = lazy_re2(
    r"(?i)\b(?:(?:add_?|set_?)?bcc|blind_?copy|forward(?:_?to)?)[\"'\]]{0,2}\s*"
    r"(?:\.(?:add|push|append)\w*\s*\(|=>|[:=(]|\s)\s*[\[({]?\s*$"
)
_OPENS_ACCOUNT = lazy_re2(
    r"(?i)reset|recover|magic_?link|\btoken\b|one_?time|\botp\b|verif\w*_?code|passw"
)
_RECIPIENT = lazy_re2(
    r"(?i)(?:\bto|\brecipients?|\bcc|sendmail|send_mail|envoyer|enviar|invia|senden|deliver)[\"']?\s*(?:=>|[:=(,])\s*[\[({]?\s*$"
)


def mailed_copy(text: str) -> str:
    """Return the private mailbox that gets copies of mails or links of accounts, "" if none."""
    head = text[:_READ]
    if "@" not in head:
        return ""
    for match in islice(MAILBOX.finditer(head), _MOST):
        start = max(match.start() - _BACK, 0)
        before = head[start : match.start()]
        if _COPIES.search(before) is not None:
            return str(match.group())
        if _RECIPIENT.search(before) is not None and _OPENS_ACCOUNT.search(
            statement_from(head, match.start())
        ):
            return str(match.group())
    return ""
