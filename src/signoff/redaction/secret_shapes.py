"""How secrets look: by their own shape, or by the name that precedes them. RE2 syntax.

A shape is masked whole. In a named one the first group stays and the second is masked. A variable,
a file or an expression in the place of a secret is none. All patterns run in one pass over a text,
in time that grows with its length only.

    is_reference("${DB_PASSWORD}", "password: ")   -> True
    is_value_name("TOKEN_FILE=")                   -> False
"""

from __future__ import annotations

import re
from functools import lru_cache

import re2

from signoff.actions.vocabulary import words

# Secrets known by their shape: the whole match is masked.
SHAPES = (
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-])*(?:-----END [A-Z0-9 ]*-----)?",
    r"PuTTY-User-Key-File-[0-9]:(?s:.)*",
    r"AGE-SECRET-KEY-1[0-9A-Z]{20,}",
    r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[0-9A-Z]{12,}\b",
    r"\bgh[pousr]_[0-9A-Za-z]{20,}",
    r"\bgithub_pat_[0-9A-Za-z_]{20,}",
    r"\bgl(?:pat|dt|rt|ptt|ft|oas|agent|soat|imt|feed)-[0-9A-Za-z_-]{16,}",
    r"\bxox[abeoprs]-[0-9A-Za-z-]{10,}",
    r"\bxapp-[0-9]-[0-9A-Za-z-]{10,}",
    r"hooks\.slack\.com/(?:services|workflows|triggers)/[0-9A-Za-z/_+-]{20,}",
    r"discord(?:app)?\.com/api/webhooks/[0-9]{10,}/[0-9A-Za-z_-]{20,}",
    # A Discord bot's token begins with its id in base64; a digit there becomes M, N or O.
    r"\b[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6,7}\.[0-9A-Za-z_-]{27,}",
    r"\b(?:sk|rk|pk)_(?:live|test|prod)_[0-9A-Za-z]{10,}",
    r"\bwhsec_[0-9A-Za-z+/=]{20,}",
    r"\bsk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[0-9A-Za-z_-]{20,}",
    r"\bAIza[0-9A-Za-z_-]{30,}",
    r"\bya29\.[0-9A-Za-z_-]{20,}",
    r"\bGOCSPX-[0-9A-Za-z_-]{20,}",
    r"\bnpm_[0-9A-Za-z]{30,}",
    r"\bpypi-[0-9A-Za-z_-]{40,}",
    r"\bdckr_(?:pat|oat)_[0-9A-Za-z_-]{20,}",
    r"\bhf_[0-9A-Za-z]{30,}",
    r"\b(?:dop|doo|dor)_v1_[0-9a-f]{40,}",
    r"\bdapi[0-9a-f]{32}",
    r"\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}",
    r"\b(?:SK|AC)[0-9a-f]{32}\b",
    r"\bkey-[0-9a-f]{32}\b",
    r"\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{24,}",
    r"\bsq0[a-z]{3}-[0-9A-Za-z_-]{20,}",
    r"\bEAAA[0-9A-Za-z_-]{50,}",
    r"\blin_(?:api|oauth)_[0-9A-Za-z]{30,}",
    r"\b(?:ntn|secret)_[0-9A-Za-z]{36,}",
    r"\bATATT3[0-9A-Za-z_=-]{40,}",
    r"\bATCTT3[0-9A-Za-z_=-]{40,}",
    r"\b(?:NRAK|NRII|NRJS)-[0-9A-Za-z-]{20,}",
    r"\bglsa_[0-9A-Za-z]{30,}_[0-9a-f]{8}",
    r"\bglc_[0-9A-Za-z+/=]{30,}",
    r"\b(?:hvs|hvb|hvr)\.[0-9A-Za-z_-]{20,}",
    r"\b[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{40,}",
    r"\b(?:pul|rubygems|sntrys|sntryu|vercel|nfp|fo1|fly|xai|gsk|r8|pat)[-_][0-9A-Za-z._=-]{30,}",
    r"\bpscale_(?:pw|tkn|oauth)_[0-9A-Za-z._=-]{30,}",
    r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[0-9A-Za-z._=-]{30,}",
    r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    r"\b[0-9]{8,10}:A[0-9A-Za-z_-]{34}",
    # A JWT, also without its signature: `eyJ` is base64 for `{"`.
    r"\beyJ[0-9A-Za-z_-]{8,}\.(?:eyJ)?[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*)*",
    # A personal access token of Asana.
    r"\b[1-9][0-9]{0,2}/[0-9]{12,}:[0-9a-f]{32}\b",
    r"\b[0-9a-z]{8,}-us[0-9]{1,2}\b",
)
NAME = (
    r"(?:(?:pg|ssh|db|ftp)?pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|apikey|accesskey|secretkey|"
    r"auth|cookie|signature|sig|otp|pin|"
    r"(?:api|access|auth|account|private|secret|encryption|signing|shared|master|client|license|"
    r"service|session)[ _.-]?(?:key|token|secret|pass(?:word)?))"
)
# Secrets known by what stands before them: the last group is masked, what precedes it stays.
NAMED = (
    r"(?i)(\b(?:proxy-)?authorization['\"]?\s*[:=]\s*['\"]?(?:[a-z0-9-]+\s+)?)([^\s'\"\\]{6,})",
    r"(?i)(\b(?:bearer|basic)\s+)([0-9A-Za-z._~+/=-]{12,})",
    r"(?i)(\b(?:set-)?cookie\s*:\s*)([^'\"\r\n]{6,})",
    # A token in the place of the user: `https://TOKEN:x-oauth-basic@host`, `https://TOKEN@host`.
    r"(\b[A-Za-z][0-9A-Za-z+.-]*://)([^\s/:@'\"]{4,}):(?:x-oauth-basic)?@",
    r"(\b[A-Za-z][0-9A-Za-z+.-]*://[^\s/:@'\"]*:)([^\s/@'\"]+@)",
    r"(\b[A-Za-z][0-9A-Za-z+.-]*://)([^\s/:@'\"]{8,})(?::[^\s/@'\"]*)?@",
    r"(?i)((?:^|[^0-9A-Za-z]|\\[nrt])(?:[0-9A-Za-z]+[_.-])*"
    + NAME
    + r"(?:[_.-][0-9A-Za-z]+)*['\"]?\]?\s*(?:[:?]*=>?|:)\s*\\?['\"]?)([^\s'\"\\&;,)}\]]{4,})",
    r"(?i)((?:^|\s)--?(?:[0-9a-z]+-)*" + NAME + r"(?:\s+|=)['\"]?)([^\s'\"-][^\s'\"]{3,})",
    r"(\s(?:-u|--user|--proxy-user)(?:\s+|=)?['\"]?[^\s:'\"]*:['\"]?)([^\s'\"]{3,})",
    r"(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]*\s-p)([^\s'\"-][^\s'\"]{2,})",
    r"(\bsshpass\s+-p\s*['\"]?)([^\s'\"]{2,})",
    r"(\bAccountKey=)([0-9A-Za-z+/=]{20,})",
    r"(?i)(\bidentified\s+(?:with\s+\S+\s+)?by\s+['\"])([^'\"]+)",
    # name: DB_PASSWORD, and its value on the next line
    r"(?i)(\b(?:name|key)[\"']?\s*:\s*[\"']?[0-9a-z_.-]*(?:password|passwd|secret|token|api_?key|"
    r"access_?key|private_?key)[\"']?\s*,?\s+[\"']?value[\"']?\s*:\s*[\"']?)([^\s\"'{}\[\]]+)",
    # variable "db_password" { default = "..." }
    r"(?i)(\bvariable\s+\"[0-9a-z_]*(?:password|secret|token|key)\"\s*\{[^}]*?\bdefault\s*=\s*\")"
    r"([^\"]+)",
    # <password>...</password>
    r"(?i)(<(?:[a-z]+[:.-])?(?:password|passwd|secret|token|passphrase|apikey|privatekey)>)([^<]+)",
    # machine h login me password ...
    r"(?i)(\blogin\s+\S+\s+password\s+)([^\s'\"]+)",
    # a pair of user and password
    r"(\bauth\s*=\s*\(\s*(?:[a-z]*['\"][^'\"]*['\"]|\w+)\s*,\s*[a-z]*['\"])([^'\"]+)",
    r"(?i)(\bConvertTo-SecureString\s+(?:-String\s+)?[\"'])([^\"']+)",
    # send "...\r" after a prompt for a password
    r"(?i)(expect\s+[^;\n]*assword[^;\n]*[;\n]\s*send\s+(?:--\s+)?\\?[\"']?)([^\"'\\\s]+)",
    r"(?i)(\b(?:set_?password|bcrypt|hash_?password|password_hash|make_password)\(\s*['\"])([^'\"]+)",
    # SQL
    r"(?i)(\b(?:password|identified(?:\s+with\s+[\w-]+)?\s+by)\s*[\s=(]\s*(?:password\s*)?\(?N?')"
    r"([^'\n]+)",
    r"(?i)(\bcreate\s+(?:or\s+replace\s+)?(?:persistent\s+)?secret\b[^;]*\bsecret\s+')([^']+)",
    # a name that another shell sets
    r"(?i)(\bset\s+-\w*x\w*\s+[0-9a-z_]*(?:key|token|secret|password)\s+['\"]?)([^\s'\";]+)",
    r"(?i)(\bnet\s+user\s+(?:/\S+\s+)*[^\s/]+\s+)([^\s/*]\S*)",
    r"(?i)(\bnet\s+use\s+(?:[a-z*]:?\s+)?[\"']?\\\\\S+\s+)([^\s/*]\S*)",
    r"(?i)(/pass(?:word)?:[\"']?)([^\s\"']+)",
    # Functions that take who signs in first, and the password behind it.
    r"(?i)(\b(?:NetworkCredential|PasswordAuthentication|UsernamePasswordCredentials|HTTP(?:Basic|Digest)Auth|"
    r"set_?basic_?auth|basic_?auth|Credentials\.basic|smtp\w*\.login|imap\w*\.login|ftp\w*\.login|oci_p?connect)\s*\(\s*"
    r"\\?['\"][^'\"]*['\"]\s*,\s*\\?['\"])([^'\"\\]+)",
    # The same behind a place or an address.
    r"(?i)(\b(?:PDO|mysqli|mysqli_(?:real_)?connect|mysql_p?connect|DBI->connect|getConnection|ldap_bind|"
    r"ftp_login|imap_open|ssh2_auth_password|create_(?:super)?user)\s*\([^,()]{1,200},\s*"
    r"\\?['\"][^'\"]*['\"]\s*,\s*\\?['\"])([^'\"\\]+)",
    # the input of a descriptor that a passphrase is read from
    r"(?i)((?:pass|pin|secret|token)\w*-fd[ =][3-9]\b[^\n|;&]*\s[3-9]<<<\s*['\"]?)([^\s'\";]+)",
    r"(\bexec\s+[3-9]<<<\s*['\"]?)([^\s'\";]+)",
    # commands of lftp and of kadmin
    r"(\bopen\s[^;\n]*-u\s+[^\s,;]+,)([^\s;'\"]+)",
    r"(\b(?:addprinc|cpw|change_password|add_principal)\s[^;\n'\"]*-pw\s+)([^\s'\"]+)",
    r"(\bENV(?:\[|\{)\s*['\"]?[0-9A-Z_]*(?:TOKEN|SECRET|PASSWORD|KEY)['\"]?\s*(?:\]|\})\s*=\s*[\"'])"
    r"([^\"']+)",
    r"(\bbot)([0-9A-Za-z:_-]{8,}/)(?:get|send|set|edit|answer|delete)[A-Z]\w*",
    r"(\bconda\S*/t/)([^/\s'\"]+)",
    r"(?i)(\b(?:sessionid|sid|session)=)([^\s;'\"]{6,})",
)
# A Kubernetes secret: lines of any name hold secrets in it.
MANIFEST = r"(?:\bkind[\"']?\s*:\s*[\"']?Secret|stringData)"
SECRET_NAME = (
    r"(?i)(?:^|[_.\-\s])" + NAME + r"s?(?:$|[_.\-\s])"
    r"|(?-i:Password|Secret|Token|ApiKey|AccessKey|PrivateKey)s?$"
)
# What may be a secret without a known shape or name: long runs, judged by their mixture.
RUN = r"[0-9A-Za-z_~+=.%-]{20,}"

# Users of these are people and accounts: a token signs nobody in.
NAMED_USERS = words("ssh git+ssh svn+ssh sftp scp rsync rdp vnc ldap ldaps sip sips xmpp mailto")
WEB = words("http https git+http git+https")
NO_PASSWORDS = (":@", ":x-oauth-basic@")  # what stands behind a token
SHORTEST_TOKEN = 16  # in the place of a user of the web
SHORTEST_BESIDE = 32  # the same, with something in the place of a password
MIXES = 3  # changes between letters and digits: `build2024` has one

MEMORY_BYTES = 64 << 20  # for the automaton of all patterns at once; RE2's default is 8 MB

_VARIABLE = re.compile(
    r"\$(?:\{[^}]*\}?|\([^)]*\)?|[A-Z_][A-Z0-9_]*|env:[A-Za-z_]+)[@/:;,.)}\]]*"
    r"|%[A-Z_][A-Z0-9_]*%|\{\{.*|<[A-Za-z _-]+>|@[./~A-Za-z][^\s]*"
)
# How an expression of a program begins that reads a secret from somewhere.
_READS = re.compile(
    r"(?:os|process|getpass|self|this|config|settings|args|env|req|request|params|ENV|System|"
    r"Environment|secrets|var|local|module|each|data|input|read|get|load|fetch)[.\[(].*"
    r"|(?:getpass|input|getenv|env|prompt)\b.*|[A-Za-z_][0-9A-Za-z_.]*\(.*"
    r"|(?:null|None|nil|undefined|string|str|String|true|false|True|False)\b[;,]?"
)
_NAME = re.compile(r"([0-9A-Za-z_.-]{1,100})['\"]?\]?\s{0,20}[:?=>\s]{1,8}\\?['\"]?$")
_LAST_WORD = re.compile(r"[A-Z]?[a-z]+$|[A-Z]+$")
_OTHER_ENDS = words(
    "file files path dir type types url uri name names id ids env count length len limit "
    "max min expiry expires ttl hash hashed policy reset field fields ref command prompt "
    "store manager stdin source arn index mode format header py js ts go rb java md txt "
    "json yml yaml sh sql html css toml"
)


def gate_of(patterns: tuple[str, ...]) -> re2.Set:
    """Compile patterns into one set that tells in a single pass which of them match."""
    options = re2.Options()
    options.max_mem = MEMORY_BYTES
    gate = re2.Set.SearchSet(options)
    for pattern in patterns:
        gate.Add(pattern)
    gate.Compile()
    return gate


@lru_cache(maxsize=1_024)
def is_reference(text: str, before: str) -> bool:
    """Return whether a value only names where a secret comes from, as `$TOKEN`.

    Args:
        before: the text before it; an expression is one only outside of quotes.
    """
    if _VARIABLE.fullmatch(text[:200]):
        return text[0] != "@" or before[-1:] == "="
    return before[-1:] not in {"'", '"'} and _READS.fullmatch(text[:200]) is not None


@lru_cache(maxsize=1_024)
def is_value_name(before: str) -> bool:
    """Return whether the name before a value can be that of a secret.

    `token` can, `token_type` cannot.

    Args:
        before: the text before the value.
    """
    name = _NAME.search(before[-140:])
    last = _LAST_WORD.search(name[1].rstrip("0123456789_.-")) if name else None
    return last is None or last[0].lower() not in _OTHER_ENDS


_MIX = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")


@lru_cache(maxsize=1_024)
def is_token_user(before: str, user: str, after: str) -> bool:
    """Return whether the user part of a URL is a token, by its length or its characters.

    Args:
        before: the text before the user, with the scheme and `://`.
        after: what follows up to the host: `@`, or `:` and a password before it.
    """
    scheme = re.split(r"[^0-9A-Za-z+.-]", before[:-3])[-1].lower()
    if scheme in NAMED_USERS or not user.isascii():
        return False
    if scheme in WEB and after in NO_PASSWORDS:
        return True
    least = SHORTEST_BESIDE if after.startswith(":") else SHORTEST_TOKEN
    if scheme in WEB and len(user) >= least and "%40" not in user:
        return True
    return len(_MIX.findall(user)) >= MIXES
