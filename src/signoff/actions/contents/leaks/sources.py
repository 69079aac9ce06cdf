"""Words by which code of any language names secrets and private values; RE2 syntax, case-blind.

What is whole counts apart from what is one value: a program takes one key out of a file of
secrets and logs in with it, but it never needs to hand over the file.
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

# A file of secrets, by the name that it has in a program.
_FILE = (
    r"[\"'`/\\](?:secrets?\.(?:ya?ml|json|toml|env|properties)|security\.json"
    r"|[\w-]*credentials?(?:\.(?:json|xml|ya?ml|bin|db|enc|yml\.enc|ini|csv))?|[\w-]*accounts\.json"
    r"|(?:\.storage/)?auth(?:_provider\.\w+)?\.json|\.storage/auth|tokens?\.(?:json|db|dat)"
    r"|config\.idb|wallet\.(?:dat|json)|keystore\.properties|master\.key|service-?account\.json"
    r"|kubeconfig|key[34]\.db|logins\.json|login data|local state|cookies(?:\.sqlite)?|id_(?:rsa"
    r"|ed25519|ecdsa|dsa)|shadow|ntds\.dit|wpa_supplicant\.conf|wp-config\.php|\.env(?:\.(?:local|live|staging|prod\w*))?"
    r"|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|[\w-]+\.(?:kdbx|jks|keystore|p12|pfx))[\"'`]"
)
_READS = r"(?:ifstream|read|open|load|slurp|contents|bytes|\bfile\s*\(|\bcat\b|\bget)"
SECRET_FILE = lazy_re2(rf"(?i){_FILE}")
READS_FILE = lazy_re2(rf"(?i)\w*{_READS}\w*\s*!?[({{. ]")
# A folder that holds nothing but keys, and what lists its files.
KEY_FOLDER = lazy_re2(
    r"(?i)[\"'`](?:(?:/|~/|[a-z]:\\{1,2})[\w./\\-]*[/\\])?"
    r"(?:\.ssh|\.gnupg|\.aws|ssl/private|pki/private|private[_-]?keys|key_?stores?|wallets)"
    r"(?:/\*(?:\.\w+)?)?/?[\"'`]"
    r"|[\"'`](?:/|~/)[\w./-]{1,80}/(?:keys|secrets|private|credentials)(?:/\*(?:\.\w+)?)?/?[\"'`]"
)
LISTS_FILES = lazy_re2(
    r"(?i)directory_iterator|list_?dir|os\.walk|\bi?r?glob\w*[.(]|read_?dir|scan_?dir|walk_?dir"
    r"|walkdir|get_?files|enumerate_?files|\bDir\.(?:each\w*|children|entries|\[)|File\.ls!|list_?files"
    r"|directory_?stream|Files\.(?:walk|list)|contents_?of_?directory|filepath\.Walk|\.iterdir"
    r"|Path\.wildcard|list\.files|\.listSync"
)
# All of a store of secrets as one value.
STORES = lazy_re2(
    r"(?i)\bkey_?store_?prop\w*\.(?:to_?string|store|entries|values)|store_?file!*\.read_?bytes"
    r"|\bEncryptedSharedPreferences\b(?s:.{0,900}?)\.(?:all\b|getAll\(\))"
    r"|\bkey_?chain\w*\.(?:all|get_?all|dump)\w*|\bread_?all\s*\(\s*\)\s*(?:\.then)?[^\n]{0,40}secure"
    r"|\bsecure_?storage\w*\.(?:read_?all|get_?all)\w*\s*\(|\bWiFi\.psk\s*\(\s*\)"
    r"|\bsharedSecrets?\.(?:all|values)\b|\bwifi_config\w*(?:\.|->)sta\.password"
    r"|\bget_?property_?sources\s*\(\s*\)|\bkeyring\.get_(?:all|credential)\w*\s*\("
)
# A secret of the program by the name of its variable, and the words of the hosts it is for.
NAMED = lazy_re2(
    r"(?:(?i:env)\w*(?:\(\))?[\w.]{0,20}[\[(.]{1,2}\s*[\"']?|\$\{?|%)"
    r"(\w*(?:SECRET|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|ACCESS_KEY|API_?KEY|DATABASE_URL|_DSN)\w*)"
)
# What somebody typed to log in or to pay; a code that is sent to a telephone is none.
TYPED = lazy_re2(
    r"(?i)(?:\.|->|\[\s*[:\"'`]|get\(\s*[\"']|[\s({,:=$&|\"'](?:plain_?|raw_?)?)"
    r"(?:\w*passw(?:or)?d|passwd|pwd|pin|pin_?code|passphrase|pan|card_?n(?:o|um|umber)|cvc|cvv2?)"
    r"[\"'`]?\]?\)?\s*(?:[,)}\]\s&|;]|$)"
)
# Logins that a request brings along.
BROUGHT = lazy_re2(
    r"(?i)\b(?:req|request|call|ctx|context|exchange|r|c)\b[\w.()>:-]{0,30}(?:headers?|cookies?)\b"
    r"[^\n;=]{0,30}?(?:authorization|session\w*|cookie|bearer|\bsid\b|jwt)"
)
# The answer to any request, as code that sees all of them has it.
SEES_ALL = lazy_re2(
    r"(?i)\bResponseBodyAdvice\b|\bbeforeBodyWrite\b|@\w+\.after_request|def\s+process_response"
    r"|\baddHook\(\s*[\"']onSend|\bres\.(?:json|send)\s*=|\bafter_action\b|\bOnActionExecuted\b"
    r"|\bIAsyncResultFilter\b|\bContentCachingResponseWrapper\b"
)
ANSWER = lazy_re2(
    r"(?i)[(,:=]\s*(?:[\w.]{1,30}\()?(?:body|entity|chunk|response\.(?:body|data|content|get_data\(\)|text)"
    r"|\w*wrapper\.getContentAsByteArray\(\))\s*[),}]"
)
# The check that a password is typed for, here and not at another machine.
CHECKS_HERE = lazy_re2(
    r"(?i)verify_?password|check_?password|password_verify|bcrypt|argon2|scrypt|\bmatches\s*\("
    r"|authenticate\w*\s*[({!]|compare(?:Sync)?\s*\(|tokeni[sz]e\s*\(|\.bind\s*\(|valid_?password"
    r"|password_?hash|pin_?hash|PasswordSignIn|attempt\s*\(|create_?payment"
)
