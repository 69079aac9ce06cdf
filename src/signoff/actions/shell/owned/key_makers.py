"""Which commands make a key, by the words that tools of all kinds have for it.

makes_key(ssh-keygen -f k) = makes_key(openssl genrsa -out k) = makes_key(x key create k) = True
"""

from __future__ import annotations

from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re, words

_FIRST_WORDS = 12  # of a command, in which it says that it makes a key
_MAKES = lazy_re(
    r"(?i)^-{0,2}(?:key[-_]?gen|gen(?:erate)?[-_]?(?:rsa|dsa|ec|p?key|keys|key[-_]?pair|priv(?:ate)?"
    r"[-_]?key|sec(?:ret)?[-_]?key|cert(?:ificate)?|csr|ca|self[-_]signed)|(?:new|create)[-_]?"
    r"(?:key|cert)(?:s|pair|ificate)?|mk(?:cert|key))$"
)
_STARTS = words("generate create new init gen")
_KEYS = lazy_re(
    r"(?i)(?:^|[-_.])(?:key|keys|keypair|signer|cert|certificate|identity|ca)(?:$|[-_])"
)
_PROGRAMS = lazy_re(r"(?i)(?:^|-)(?:key-?gen|mkcert|genkey)$")
_SIGNERS = words("minisign signify signify-openbsd")


def makes_key(command: Command) -> bool:
    """Return whether a command makes a key or a certificate with one."""
    texts = [word.text for word in command.words[1:_FIRST_WORDS]]
    if _PROGRAMS.search(command.program) is not None or any(map(_MAKES.match, texts)):
        return True
    if command.program in _SIGNERS and "-G" in texts:
        return True
    says_key = _KEYS.search(command.program) is not None or any(map(_KEYS.search, texts[:3]))
    return says_key and not _STARTS.isdisjoint(texts[:3])
