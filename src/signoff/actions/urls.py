"""URLs: text as written -> host, what kind of place it is, what it gives away.

Where clients disagree about a URL (backslashes, several `@`, control characters), the worst
reading counts. Nothing is resolved or fetched.

    look_at_url("http://good.example.org@169.254.169.254/").host_class is HostClass.METADATA
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from urllib.parse import unquote

from msgspec import Struct

from signoff.actions.known.hosts import (
    BADNESS,
    MAX_HOST,
    HostClass,
    address_of,
    class_of_host,
    normal_host,
)
from signoff.actions.operation import Reach
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

MAX_URL = 65_536

# Places where whoever knows the address reads what anybody left: pastes, file drops, request
# bins, tunnels to a machine at home, out-of-band listeners.
COVERT_HOSTS = words(
    "pastebin.com paste.ee hastebin.com termbin.com ix.io sprunge.us dpaste.com dpaste.org "
    "0x0.st transfer.sh file.io bashupload.com temp.sh gofile.io anonfiles.com catbox.moe "
    "oshi.at rentry.co ghostbin.com privatebin.net controlc.com pastes.dev tmpfiles.org uguu.se "
    "filebin.net paste.rs justpaste.it clbin.com envs.sh ttm.sh x0.at keep.sh wetransfer.com "
    "send.vis.ee fileditch.com paste.debian.net paste.ubuntu.com p.ip.fi pst.moe null-byte.wtf "
    "paste.centos.org webhook.site requestbin.com requestbin.net pipedream.net "
    "requestcatcher.com beeceptor.com hookbin.com ptsv2.com ptsv3.com postb.in interact.sh "
    "interactsh.com oast.fun oast.live oast.me oast.online oast.pro oast.site "
    "burpcollaborator.net oastify.com canarytokens.com canarytokens.org dnslog.cn ceye.io "
    "requestrepo.com smee.io hookdeck.com webhook.cool webhookrelay.com mockbin.io "
    "typedwebhook.tools dnsbin.zhack.ca request-bin.com putsreq.com ngrok.io ngrok-free.app "
    "ngrok-free.dev ngrok.app ngrok.dev trycloudflare.com loca.lt localtunnel.me serveo.net "
    "localhost.run lhr.life lhr.rocks bore.pub pagekite.me playit.gg devtunnels.ms tunnelto.dev "
    "tunnelmole.net pinggy.io pinggy.link onion tor2web.org portmap.io hooks.zapier.com "
    "maker.ifttt.com hook.make.com hooks.slack.com ntfy.sh"
)
# (host, path beginning): message hooks on hosts that have other uses.
COVERT_PATHS: tuple[tuple[str, str], ...] = (
    ("discord.com", "/api/webhooks"),
    ("discordapp.com", "/api/webhooks"),
    ("api.telegram.org", "/bot"),
    ("script.google.com", "/macros"),
    ("outlook.office.com", "/webhook"),
    ("docs.google.com", "/forms"),
)
_SECRET_NAMES = words(
    "token access_token refresh_token id_token auth authorization api_key apikey api-key key "
    "secret client_secret password passwd pwd pass private_key session sessionid credential "
    "credentials aws_secret_access_key secret_key env dotenv"
)
# Shapes of secrets that no page address has by chance.
_SECRET_SHAPE = lazy_re2(
    r"(?:^|[^A-Za-z0-9])(?:AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9_-]{20,}"
    r"|[sr]k_live_[A-Za-z0-9]{16,}|xox[abposr]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{35}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|SG\.[A-Za-z0-9_-]{20,}\."
    r"|dop_v1_[a-f0-9]{60,}|shpat_[a-f0-9]{32}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|LS0tLS1CRUdJTi[A-Za-z0-9+/]{8,})"
)
_SCHEME = lazy_re2(r"^([A-Za-z][A-Za-z0-9+.-]{0,31}):")
_HOST_AND_PORT = lazy_re2(r"^(?:localhost|[A-Za-z0-9.-]+\.[A-Za-z0-9-]+):\d{1,5}(?:[/?#]|$)")
_PLACEHOLDERS = words("xxx your changeme example placeholder redacted dummy test todo")


class UrlFacts(Struct, frozen=True, kw_only=True):
    """What the text of a URL reveals.

    Args:
        host_class: of the worst reading, where clients would read it differently.
        is_covert: a paste site, request bin, tunnel or message hook.
        has_secret_like_query: a secret by its shape, or a value under a secret's name.
        has_secret: a secret by its shape alone, anywhere in the URL.
        is_disguised: it is written so that a reader takes the host for another.
    """

    scheme: str
    host: str
    port: int
    path: str
    host_class: HostClass
    is_covert: bool = False
    has_secret_like_query: bool = False
    has_secret: bool = False
    is_disguised: bool = False

    @property
    def reach(self) -> Reach:
        """The reach of a request to it."""
        if self.host_class is HostClass.LOOPBACK:
            return Reach.LOOPBACK
        return Reach.UNKNOWN if self.host_class is HostClass.UNKNOWN else Reach.REMOTE


def looks_secret(text: str) -> bool:
    """Tell whether a text contains a secret by its form: a known token format or a private key."""
    return _SECRET_SHAPE.search(_encoded(text)) is not None


def _encoded(text: str) -> str:
    """Return text that has an encoding, which a lone surrogate has not."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def is_covert_host(host: str, path: str = "") -> bool:
    """Return whether a host or path is a dead drop, such as a paste site or tunnel."""
    labels = host[-MAX_HOST:].rsplit(".", 3)[-3:]
    if any(".".join(labels[at:]) in COVERT_HOSTS for at in range(len(labels))):
        return True
    if host.endswith(".make.com") and host.startswith("hook."):
        return True
    return any(host == name and path.startswith(start) for name, start in COVERT_PATHS)


def look_at_url(url: str) -> UrlFacts:
    """Classify a URL by its text alone: host class, reach, secrets in it. Never resolves names."""
    return _look(url) if len(url) <= 512 else _look.__wrapped__(url)


def driven_address(text: str) -> str:
    """Return the address behind the name of a driver, ``""`` if there is none: `ES:http://host`."""
    found = _DRIVEN.match(text)
    return text[found.end(1) :] if found is not None else ""


_DRIVEN = lazy_re(r"(\w{1,20}:)(?:https?|wss?|s?ftps?|tcp|udp|mqtts?|amqps?)://\S")


def is_near_url(text: str) -> bool:
    """Return whether a URL is on this machine; `https://localhost.example` is not."""
    return look_at_url(text).host_class is HostClass.LOOPBACK


def is_every_interface(text: str) -> bool:
    """Return whether a server bound to this address is open to others: `0.0.0.0:80`, `::`.

    A client that is given such an address reaches this machine, so its class is no answer.
    """
    host = look_at_url(f"//{text}").host or normal_host(text)
    address = address_of(normal_host(text)) or address_of(host)
    return text in ("", "*") or (address is not None and address.is_unspecified)


@lru_cache(maxsize=1024)
def _look(url: str) -> UrlFacts:
    text = "".join(
        char for char in _encoded(url[:MAX_URL]).strip() if char >= " " and char != "\x7f"
    )
    scheme, rest = _split_scheme(text)
    if not rest.startswith(("//", "\\\\")):
        return UrlFacts(
            scheme=scheme, host="", port=0, path=rest, host_class=HostClass.UNKNOWN,
            has_secret=looks_secret(text),
        )  # fmt: skip
    slashed = rest.replace("\\", "/")
    bare = slashed[2:] if scheme == "file" else slashed.lstrip("/")
    authority, path = _split_authority(bare)
    user, host, port = _split_user(authority)
    host_class = class_of_host(host) if len(url) <= MAX_URL else HostClass.UNKNOWN
    if "\\" in rest:
        other = _split_user(_split_authority(rest.lstrip("/\\"))[0])[1]
        host_class = max(host_class, class_of_host(other), key=BADNESS.index)
    seen = normal_host(host)
    has_secret = looks_secret(text) or looks_secret(unquote(text))
    return UrlFacts(
        scheme=scheme,
        host=seen,
        port=port,
        path=path,
        host_class=host_class,
        is_covert=is_covert_host(seen, path),
        has_secret_like_query=has_secret or _has_secret_parameter(path),
        has_secret=has_secret,
        is_disguised="\\" in rest or "." in user or _is_disguised(host),
    )


def _split_scheme(text: str) -> tuple[str, str]:
    """The scheme, and the rest from its slashes on; an address without one is fetched by http."""
    if text.startswith(("//", "\\\\")):
        return "http", text
    found = _SCHEME.search(text)
    if found is None or _HOST_AND_PORT.search(text):
        return "http", "//" + text
    scheme = found.group(1).lower()
    rest = text[len(scheme) + 1 :]
    if scheme in ("view-source", "feed", "url", "jar"):
        return _split_scheme(rest)
    if scheme in ("http", "https", "ws", "wss", "ftp") and rest[:1] not in ("/", "\\"):
        rest = "//" + rest
    elif scheme in ("http", "https", "ws", "wss", "ftp") and rest[1:2] not in ("/", "\\"):
        rest = "/" + rest
    return scheme, rest


def _split_authority(text: str) -> tuple[str, str]:
    end = min((at for at in (text.find(char) for char in "/?#") if at >= 0), default=len(text))
    return text[:end], text[end:]


def _split_user(authority: str) -> tuple[str, str, int]:
    user, _, place = authority.rpartition("@")
    host, port = place, ""
    if place.startswith("["):
        inner, _, behind = place.partition("]")
        host, port = inner + "]", behind.removeprefix(":")
    elif place.count(":") == 1:
        host, _, port = place.partition(":")
    number = int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else 0
    return user, host, number


def _has_secret_parameter(path: str) -> bool:
    """Whether a value of some length is under a secret's name in the query."""
    query = path.partition("?")[2]
    for pair in query.replace(";", "&").split("&")[:200]:
        name, _, value = pair.partition("=")
        if name.lower() in _SECRET_NAMES and len(value) >= 8:
            folded = value.lower()
            if not any(word in folded for word in _PLACEHOLDERS):
                return True
    return False


def _is_disguised(host: str) -> bool:
    """Whether a host has invisible or look-alike characters, or letters of several scripts."""
    if host.isascii():
        return False
    if normal_host(host) != host.lower().rstrip("."):
        return True
    scripts = {unicodedata.name(char, "?").partition(" ")[0] for char in host if char.isalpha()}
    return len(scripts) > 1
