"""Settings that loosen how services let people in: asked about, as somebody may want them.

GatewayPorts clientspecified                            SSH: tunnels are open to others
hostssl orders vendor 203.0.113.7/32 scram-sha-256      PostgreSQL: an address outside the house
ssl_protocols TLSv1 TLSv1.1 TLSv1.2;                    protocols that are broken
xpack.security.authc.anonymous:                         callers need no name
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.applied.rights.open_doors import is_outside
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_OFF = r"[\"']?[ \t]*[:=][ \t]*[\"']?(?:false|off|no)\b"
_LOOSE = lazy_re2(
    r"(?im)^[ \t]*(?:gatewayports[ \t]+(?:yes|clientspecified)|permittunnel[ \t]+(?:yes"
    r"|point-to-point|ethernet)"
    r"|strictmodes[ \t]+no|loglevel[ \t]+quiet|permituserenvironment[ \t]+yes"
    r"|hostbasedauthentication[ \t]+yes"
    r"|ignorerhosts[ \t]+no)\b"
    r"|^[ \t]*-?auth[ \t]+(?:sufficient|\[success=(?:done|ok)[^\]\n]*\])[ \t]+pam_(?:u2f"
    r"|fprintd|usb|ssh_agent_auth|howdy|faceid|wheel\.so[^\n]*trust)\b"
    r"|\bAuth-Type[ \t]*:=[ \t]*\"?PAP\b"
    rf"|^[ \t]*[\"']?xpack\.security\.(?:http|transport)\.ssl\.enabled{_OFF}"
    r"|^[ \t]*xpack\.security\.authc\.anonymous\b|^[ \t]*bind[ \t]+(?:0\.0\.0\.0|\*)[^\n:]*$"
    r"|^[ \t]*bind[ \t]+(?:0\.0\.0\.0|\*|::)?:(?:5432|3306|6379|27017|9200|1433|1521|11211)\b"
    rf"|\"bruteForceProtected{_OFF}"
)
# Which protocols a server speaks, without those it takes out.
_PROTOCOLS = lazy_re2(
    r"(?im)^[^\n#;]*\b(?:ssl_?protocols?|ssl-min-ver|(?:min(?:imum)?_?|ssl_)(?:tls|ssl"
    r"|protocol)_?(?:version|protocol)?"
    r"|tls_?(?:min(?:imum)?_?version|version_?min|minversion)|ssl_min_protocol_version"
    r"|minprotocol|smtpd?_tls_(?:mandatory_)?protocols)\b"
    r"[\"']?[ \t]*(?:=>|[:=]|[ \t])[ \t]*([^\n]{1,120})"
)
_BROKEN = lazy_re2(
    r"(?i)(?:^|[^!\w-])[+>=]{0,2}[\"']?(?:sslv[23]|tls(?:v|_)?1(?:[._][01])?)(?:[^\w.]|\.?$|$)"
)
_HOST = lazy_re2(
    r"(?im)^[ \t]*(host\w*)[ \t]+\S+[ \t]+\S+[ \t]+(\S+)[ \t]+(md5|password|scram-sha-256|cert"
    r"|ldap|pam)\b"
)
# The page by which servers are taken out, for everybody.
_CONSOLE = lazy_re2(
    r"(?im)^[ \t]*stats[ \t]+admin[ \t]+if[ \t]+(?:TRUE|\{[ \t]*always_true[ \t]*\})"
)
_ASKS = lazy_re2(r"(?im)^[ \t]*stats[ \t]+auth\b|\bhttp_auth\b")
_ITSELF = ("127.", "::1", "localhost", "samehost")


def wider_door(text: str) -> str:
    """Return the setting that loosens how a service lets people in, "" if none does."""
    return next(_doors(text[:_READ]), "")


def _doors(text: str) -> Iterator[str]:
    for find in (_LOOSE, _CONSOLE):
        match = find.search(text)
        if match is not None and (find is _LOOSE or _ASKS.search(text) is None):
            yield str(match.group()).strip()
    for match in islice(_PROTOCOLS.finditer(text), _MOST):
        if _BROKEN.search(str(match.group(1))) is not None:
            yield str(match.group()).strip()
    for match in islice(_HOST.finditer(text), _MOST):
        kind, address, method = (str(one) for one in match.groups())
        is_old = method == "password" or (method == "md5" and kind.lower() != "hostssl")
        if is_outside(address) or (is_old and not address.startswith(_ITSELF)):
            yield str(match.group()).strip()
