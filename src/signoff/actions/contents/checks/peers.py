"""Connections whose other end is no longer examined: certificates, host names, host keys.

Every library has its own word for it, and each is unmistakable: an empty set of checks, a handler
that agrees with every certificate, a flag by name. A handler that refuses or compares is no such.

    SSLOptions.VerifyMode := [];                              an empty set
    badCertificateCallback = (cert, host, port) => true       agrees with all
    TLSSettingsSimple True False False                        a flag
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_HINTS = (
    *("ssl", "tls", "cert", "verif", "trust", "insecure", "hostname", "host_key", "hostkey"),
    *("none", "13056", "serveridentity"),
)
_NO = r"(?:false|no\b|nil\b|off\b|never\b|0(?:x0+|l)?\b|\.f(?:alse)?\.)"
_YES = r"(?:true|yes\b|on\b|1l?\b)"
_TO = r"[\"'\])}]{0,3}\s*(?:=>|:=|<-|[:=(,]|\s)\s*"
# What a function, block or lambda has before its body, and a body that says yes.
_TRUE_BODY = (
    r"(?:\{?\s*(?:\|[^|\n]{0,60}\||[^{}()\n;]{0,80}(?:->|=>|\bin\b))|\([^()\n]{0,120}\)\s*(?:async\s*)?"
    r"(?:->|=>|\{|:\s*\w{1,12}\s*\{?)|(?:fun|function|lambda|sub|fn|delegate|func|proc)\b[^\n{};]{0,120}?(?:->|=>|:|\{))"
    r"\s*\{?\s*(?:return\s+)?\$?(?:true|1|yes)\b"
)
_FIRST = (
    # Delphi, C++Builder, Pascal
    r"\bverifymode\s*:=\s*\[\s*\]|\b(?:ssl)?verify(?:peer|host\w*)?\s*:=\s*false"
    rf"|\bignore_?(?:certificate|cert|ssl|tls)_?\w{{0,24}}{_TO}{_YES}"
    r"|[\[,]\s*\w{0,4}ignore_?(?:invalid|bad|untrusted)_?cert\w*\s*[\],]"
    r"|onvalidateservercertificate[^;]{0,200}\baccepted\s*:=\s*true"
    # Java, Kotlin, Scala, Groovy
    r"|\bcheck(?:server|client)trusted\s*\([^)]{0,200}\)\s*(?::\s*unit\s*)?"
    r"(?:throws\s+[\w., ]{1,80})?"
    r"(?:\{\s*(?:(?://|/\*)[^\n]{0,120}\s*)?\}|=\s*(?:unit|\(\))|:?\s*unit\s*=\s*\(\))"
    r"|\binsecuretrustmanagerfactory\b|\btrustallstrategy\b|\btrustall\b\s*(?:=|\()\s*true"
    r"|\bsettrustall\s*\(\s*true|\.init\s*\([^\n]{0,60}\btrust_?(?:all|any|every)|\bsetverifyhost\s*\(\s*false|\btrustallhosts\b|\bignoresslissues\s*\("
    r"|\bverify\s*\(\s*(?:\w+\s*:\s*)?(?:final\s+)?string[^)]{0,120}sslsession[^)]{0,40}\)\s*(?::\s*boolean\s*)?"
    r"(?:\{\s*(?:return\s+)?true|=\s*true)"
    r"|\bloadtrustmaterial\s*\(\s*null\s*,\s*(?:trustall|trustselfsigned|new\s+trustself)"
    r"|\bonreceivedsslerror\b[^}]{0,200}\.proceed\s*\("
)
_SECOND = (
    # Dart, Swift, Objective-C
    r"\bcertificateverification\s*[:=]\s*\.none\b|\bdisabledtrustevaluator\s*\("
    r"|\btls\s*:\s*\.(?:disable|none)\b|\ballowinvalidcertificates\s*=\s*(?:yes|true)"
    r"|\bsetallowsanyhttpscertificate\b|\bvalidatesdomainname\s*=\s*(?:no|false)"
    r"|\bvalidatescertificatechain\s*=\s*(?:no|false)|\bsec_protocol_verify_complete\w*\s*\(\s*true"
)
_THIRD = (
    # Erlang, Elixir, Perl, PHP, Ruby, Python, R, Julia, Lua, Tcl
    r"\bverify_fun\b[^\n]{0,40}\bf(?:u)?n\s*\(?\s*_[^\n]{0,60}->\s*\{\s*:?valid\b"
    r"|\[\s*:insecure\b|\bhackney\s*:\s*\[[^\]\n]{0,80}:insecure\b"
    r"|\bssl_verify_mode\s*=>\s*(?:0\b|0x0+\b)|\bverify_hostname\s*=>\s*0|\bverify_ssl\s*=>\s*0"
    r"|\bperl_lwp_ssl_verify_hostname\W{1,4}=\s*[\"']?0"
    r"|\bverify_peer(?:_name)?[\"']\s*=>\s*(?:false|0)|\ballow_self_signed[\"']\s*=>\s*true"
    rf"|\b(?:ssl|tls|guzzle\w*|client|faraday|httpoison|https)\b[^\n]{{0,80}}\bverify[\"']?\s*(?:=>|:)\s*{_NO}"
    rf"|\bssl[._]?verify[._]?(?:peer|host(?:name)?|cert\w*|server)\w{{0,12}}{_TO}[\"']?{_NO}"
    r"|\bset_sslverify(?:peer|host)\s+\w+\s+(?:false|sslverifyhost_none)"
    r"|\btcpconnector\s*\([^\n)]{0,80}\bssl\s*=\s*false|\btls_insecure_set\s*\(\s*true"
    rf"|\brequire_ssl_verification\s*=\s*{_NO}|\bverify\s*=\s*[\"']none[\"']"
    r"|\btls::(?:init|socket|import)\b[^\n]{0,160}-require\s+(?:0|false|no)\b"
)
_FOURTH = (
    # C, C++, Qt, Arduino, Go, Rust, Nim, Crystal
    r"\bignoresslerrors\s*\(\s*\)|\bqsslsocket::verifynone\b|\bmbedtls_ssl_verify_none\b"
    r"|\bmbedtls_ssl_conf_authmode\s*\([^\n]{0,80}verify_none|\bsecurity_flag_ignore_(?:unknown_ca|cert)"
    r"|\.setinsecure\s*\(\s*\)|\bskip_cert_common_name_check\s*=\s*true|\bcverifynone\b|\.no_verification\b"
    r"|\benable_server_certificate_verification\s*\(\s*false"
    r"|\binsecureskipverify\s*=\s*true|\bssh\.insecureignorehostkey\s*\("
    r"|\bdanger_accept_invalid_hostnames\s*\(\s*true|\bsslverifymode::none\b|\bverifymode::none\b"
    r"|\bverify_server_cert\b[^{}]{0,200}\{\s*ok\s*\(\s*(?:\w+::)*servercertverified::assertion\s*\("
    r"|\bcheckserveridentity\s*[:=]\s*\([^)\n]{0,60}\)\s*=>\s*(?:undefined|null|void\s+0|true|\{\s*\})"
)
_FIFTH = (
    # Haskell, OCaml, F#, Clojure, VB
    r"\btlssettingssimple\s+true\b|\bsettingdisablecertificatevalidation\s*=\s*true"
    r"|\bonservercertificate\s*=\s*\\(?:\s*_\w*){2,4}\s*->\s*(?:return|pure)\s*\[\s*\]"
    r"|\bauthenticator\s*(?:=|:)\s*\(?\s*fun\b[^\n]{0,60}->\s*ok\s+none"
    r"|:insecure\??\s+true\b|\bsslerrorignoreflags\)?\s*=\s*\d|\.setoption\s+2\s*,\s*13056"
    r"|\.option\s*\(\s*4\s*\)\s*=\s*13056|\bskipcertificatecheck\b"
)
_SIXTH = (
    # Settings
    r"\bverification_?mode[\"']?\s*(?:=>|[:=])\s*[\"']?none\b|\bssl\.insecure\s*=\s*true"
    r"|\btrust_?server_?certificate\s*=\s*(?:true|yes)\b|\bverify[\"']?\s*:\s*[\"']?never\b"
    r"|\bssl\.endpoint\.identification\.algorithm\s*[=:]\s*[\"']?\s*$|\bverifyservercertificate\s*=\s*false"
    r"|\btls_reqcert\s+(?:never|allow)\b|\bldap_tls_reqcert\s*=\s*(?:never|allow)\b"
    r"|^\s*check_certificate\s*=\s*off|\btrust_chain_verification[\"']?\s*:\s*[\"']?accept_untrusted"
    r"|^\s*verify(?:chain|peer)\s*=\s*no\s*$|\ballowinsecureprotocol\s*=\s*true"
)
# Handlers that are asked about a certificate or name, and agree.
_AGREES = (
    r"(?:\bhostnameverifier\b\s*(?:=|\(|\{)?|\b(?:on)?badcertificate(?:callback)?\s*[:=]"
    rf"|\bcertificatevalidationcallback\b[^\n]{{0,60}}|\bloadtrustmaterial\s*\(\s*null\s*,)\s*{_TRUE_BODY}"
)
# Several: one automaton of all is too large for RE2.
_UNEXAMINED = tuple(
    [
        lazy_re2(rf"(?im){one}")
        for one in (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH, _AGREES)
    ]
)
# A session of Apple that takes any certificate it is shown.
_TAKEN = lazy_re2(
    r"\bcompletionHandler\s*\(\s*\.useCredential\s*,\s*URLCredential\s*\(\s*trust\s*:"
)
_EVALUATED = ("SecTrustEvaluate", "SecTrustCopyKey", "SecTrustGetCertificate", "pinned")


def unexamined_peer(text: str, low: str) -> str:
    """Return where a connection takes every certificate or host key, "" if nowhere.

    Args:
        text: what runs, without comments.
        low: the same in lower case.
    """
    if not any([hint in low for hint in _HINTS]):
        return ""
    match = next(filter(None, [find.search(text) for find in _UNEXAMINED]), None)
    if match is None and not any([mark in text for mark in _EVALUATED]):
        match = _TAKEN.search(text)
    return str(match.group()).strip() if match is not None else ""
