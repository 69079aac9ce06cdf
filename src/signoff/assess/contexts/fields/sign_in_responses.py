"""Recognises answers of sign-in services, which browsers post from the service's own site.

SAML, OpenID Connect (`response_mode=form_post`), WS-Federation and 3-D Secure send their answer as
a form of another site. The form has the members of its protocol and no other, its document is one
of the protocol, and the path is one where such an answer is taken in. Nothing here is verified:
signature, `state` and `InResponseTo` are the application's to check, as the protocol demands.

    is_sign_in_response("/saml/acs", {"SAMLResponse": "PHNhbWxwOlJlc3BvbnNl..."})  ->  True
    is_sign_in_response("/transfer", {"SAMLResponse": "PHNhbWxwOlJlc3BvbnNl..."})  ->  False
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from signoff.assess.contexts.packed import saml_message

DOCUMENT_LIMIT = 256 << 10
_WORD = re.compile(r"[a-z0-9]+")
# A path that takes in such answers has one of these words, and none of another change.
_TAKING = frozenset(
    (
        *("acs", "adfs", "assertion", "auth", "authenticate", "callback", "consumer", "federation"),
        *("idp", "launch", "login", "logon", "lti", "oauth", "oauth2", "oidc", "openid", "saml"),
        *("saml2", "shibboleth", "signin", "sso", "wsfed", "wsfederation", "3ds", "3ds2"),
        *("threeds", "3dsecure"),
    )
)
_OTHER_CHANGE = frozenset(
    (
        *(
            "add",
            "approve",
            "cancel",
            "change",
            "confirm",
            "connect",
            "create",
            "delete",
            "disable",
        ),
        *("disconnect", "edit", "email", "enable", "grant", "invite", "link", "order", "password"),
        *("pay", "profile", "register", "remove", "reset", "revoke", "save", "send", "settings"),
        *("transfer", "unlink", "update", "users", "withdraw"),
    )
)
# What proves the right to a token, by how one is asked for.
_PROOFS = {"refresh_token": "refresh_token", "authorization_code": "code_verifier"}
_OF_TOKEN_REQUESTS = frozenset(
    (
        *("grant_type", "refresh_token", "client_id", "client_secret", "scope", "code", "resource"),
        *("code_verifier", "redirect_uri", "audience", "client_assertion", "client_assertion_type"),
    )
)
_PART = r"[A-Za-z0-9_-]+"
_TOKEN = re.compile(rf"({_PART})\.{_PART}\.{_PART}")
_TOKEN_OF_SAML = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?<(?:[\w-]+:)?Response[\s>]")
_TOKEN_OF_WS = re.compile(r"\s*<(?:[\w-]+:)?RequestSecurityTokenResponse(?:Collection)?[\s>]")
_NAMESPACE = "urn:oasis:names:tc:SAML:2.0:protocol"


class _ResponseForm(Struct, frozen=True):
    """The form of one protocol: the members it needs, those it may have, how they must be."""

    needs: frozenset[str]
    may_have: frozenset[str]
    is_of: Callable[[Mapping[str, str]], bool]


def is_sign_in_response(path: str, form: Mapping[str, str]) -> bool:
    """Return whether a form is a sign-in provider's response, at a path that takes one."""
    words = frozenset(_WORD.findall(path.lower()))
    if words.isdisjoint(_TAKING) or not words.isdisjoint(_OTHER_CHANGE):
        return False
    return any(_is_of(one, form) for one in _RESPONSES)


def is_token_request(path: str, form: Mapping[str, str]) -> bool:
    """Return whether a form is an OAuth token request (RFC 6749) with its own credentials.

    No cookie is needed for that, so another site gains nothing from the visitor's browser.
    """
    proof = _PROOFS.get(form.get("grant_type", ""), "")
    is_plain = form.keys() <= _OF_TOKEN_REQUESTS and bool(proof and form.get(proof))
    return is_plain and path.rstrip("/").rpartition("/")[2].lower() == "token"


def _is_of(response: _ResponseForm, form: Mapping[str, str]) -> bool:
    names = form.keys()
    has_members = response.needs <= names <= response.needs | response.may_have
    return has_members and response.is_of(form)


def _is_saml(form: Mapping[str, str]) -> bool:
    message = saml_message(form["SAMLResponse"]) or ""
    return _NAMESPACE in message and _TOKEN_OF_SAML.match(message) is not None


def _is_openid(form: Mapping[str, str]) -> bool:
    """Return whether an answer has a state, and a code, a token or an error."""
    token = form.get("id_token")
    if not form["state"] or form.keys().isdisjoint({"code", "id_token", "error"}):
        return False
    return token is None or _is_token(token)


def _is_federation(form: Mapping[str, str]) -> bool:
    is_sign_in = form["wa"] == "wsignin1.0"
    return is_sign_in and _TOKEN_OF_WS.match(form["wresult"][:DOCUMENT_LIMIT]) is not None


def _is_challenge_result(form: Mapping[str, str]) -> bool:
    said = _object(form["cres"])
    return said.get("messageType") == "CRes" and "transStatus" in said


def _is_token(value: str) -> bool:
    """Return whether a value is a signed JSON Web Token (RFC 7515)."""
    found = _TOKEN.fullmatch(value[:DOCUMENT_LIMIT])
    return found is not None and str(_object(found[1]).get("alg", "none")).lower() != "none"


def _object(value: str) -> Mapping[str, object]:
    """Return the JSON object in a Base64 value, an empty one if it holds none."""
    try:
        plain = base64.urlsafe_b64decode(value[:DOCUMENT_LIMIT] + "=" * (-len(value) % 4))
        said = json.loads(plain)
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


_RESPONSES = (
    _ResponseForm(
        frozenset({"SAMLResponse"}), frozenset({"RelayState", "SigAlg", "Signature"}), _is_saml
    ),
    _ResponseForm(
        frozenset({"state"}),
        frozenset(
            (
                *("code", "id_token", "session_state", "iss", "scope", "user", "client_info"),
                *("error", "error_description", "error_uri", "lti_storage_target"),
            )
        ),
        _is_openid,
    ),
    _ResponseForm(frozenset({"wa", "wresult"}), frozenset({"wctx", "wctxt"}), _is_federation),
    _ResponseForm(
        frozenset({"cres"}), frozenset({"threeDSSessionData", "TermUrl"}), _is_challenge_result
    ),
)
