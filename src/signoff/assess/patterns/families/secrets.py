"""Shapes of secrets: tokens that say whose they are, keys, and values given to a secret's name.

Group 1 is the secret. `secret.assigned` and its like only point to a candidate; what is one is
for the detector to say (entropy, placeholders, hashes).
"""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

# id, expression: case counts in all of them.
TOKENS = (
    (
        "1password-key",
        (
            r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-["
            r"A-Z0-9]{5}\b"
        ),
    ),
    # `eyJ` is how any JSON object that begins with `{"` starts in base64; so in the shapes below.
    ("1password-service", r"\bops_eyJ[A-Za-z0-9+/]{40,}"),
    ("adobe", r"\b[ps]8e-[A-Za-z0-9]{32}\b"),
    ("age", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("airtable", r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
    ("alibaba", r"\bLTAI[A-Za-z0-9]{12,20}\b"),
    ("anthropic", r"\bsk-ant-(?:api|admin)\d\d-[\w-]{80,}"),
    ("artifactory", r"\bAKCp[A-Za-z0-9]{60}\b|\bcmVmd[A-Za-z0-9]{59}\b"),
    ("atlassian", r"\bATATT3[\w=-]{40,}|\bATBB[A-Za-z0-9]{32}\b"),
    # The four letters name the kind of key; the rest is base32, which has no 0, 1, 8 or 9.
    ("aws-key", r"\b((?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16})\b"),
    ("aws-bedrock", r"\bABSK[A-Za-z0-9+/]{40,}|\bbedrock-api-key-[A-Za-z0-9+/]{16,}"),
    # No prefix says whose it is, only `Q~` in the fifth place: so quotes or blanks must bound it.
    ("azure-client", r"(?:^|['\"\x60\s>=:(,)])([\w~.]{3}\dQ~[\w~.-]{31,34})(?:$|['\"\x60\s<),])"),
    ("clickhouse", r"\b4b1d[A-Za-z0-9]{38}\b"),
    ("clojars", r"\bCLOJARS_[A-Za-z0-9]{60}\b|\bCLOJARS_[a-z0-9]{60}\b"),
    ("cloudflare-origin", r"\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b"),
    ("databricks", r"\bdapi[a-f0-9]{32}(?:-\d)?\b"),
    ("digitalocean", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    ("discord-hook", r"\bdiscord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,}"),
    ("doppler", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,}"),
    ("duffel", r"\bduffel_(?:test|live)_[\w=-]{43}"),
    ("dynatrace", r"\bdt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}\b"),
    ("easypost", r"\bEZ[AT]K[A-Za-z0-9]{54}\b"),
    ("facebook", r"\bEAA[MC][A-Za-z0-9]{40,}\b|\b\d{15,16}(?:\||%7C)[\w-]{27,40}"),
    (
        "flutterwave",
        r"\bFLW(?:PUB|SEC)K_TEST-[a-hA-H0-9]{32}-X\b|\bFLWSECK(?:_TEST)?-?[A-Za-z0-9]{12,}",
    ),
    (
        "flyio",
        (
            r"\bfo1_[\w-]{43}\b|\bfm[12][ar]?_[A-Za-z0-9+/]{40,}={0,3}"
            r"|\bfm1[ar]_[A-Za-z0-9+/]{40,}"
        ),
    ),
    ("frameio", r"\bfio-u-[\w=-]{64}"),
    ("gcp", r"\b(AIza[\w-]{35})(?:[^\w-]|$)|\bGOCSPX-[\w-]{28}"),
    ("github", r"\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_\w{60,}"),
    (
        "gitlab",
        (
            r"\bgl(?:pat|rt|soat|dt|ptt|ft|imt|agent|oas|cbt|ffct|wt)-[\w.-]{20,}"
            r"|\bGR1348941[\w-]{20}\b|\b_gitlab_session=[0-9a-z]{32}\b"
        ),
    ),
    ("gocardless", r"\blive_[\w=-]{40}\b"),
    (
        "grafana",
        (
            r"\bglc_[A-Za-z0-9+/]{32,}={0,3}|\bglsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b"
            r"|\beyJrIjoi[A-Za-z0-9]{60,}={0,3}"
        ),
    ),
    ("harness", r"\b[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}\b"),
    ("heroku", r"\bHRKU-AA[\w-]{58}\b"),
    ("huggingface", r"\b(?:hf_|api_org_)[a-zA-Z]{34}\b"),
    ("infracost", r"\bico-[A-Za-z0-9]{32}\b"),
    ("intra42", r"\bs-s4t2(?:ud|af)-[a-f0-9]{64}\b"),
    ("jwt", r"\b(ey[JI][A-Za-z0-9]{14,}\.ey[A-Za-z0-9/_\\-]{16,}\.[A-Za-z0-9/_\\-]{10,}={0,2})"),
    # A token encoded once more, as Kubernetes writes its secrets: `ZXlK` is base64 for `eyJ`.
    ("jwt-coded", r"\bZXlK[A-Za-z0-9+/]{40,}={0,2}"),
    ("linear", r"\blin_api_[A-Za-z0-9]{40}\b"),
    ("mailchimp", r"\b[a-f0-9]{32}-us\d\d?\b"),
    ("mailgun", r"\b(?:key|pubkey)-[a-f0-9]{32}\b|\b[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}\b"),
    (
        "mapbox",
        (
            r"\b[ps]k\.eyJ[A-Za-z0-9]{50,}\.[a-z0-9A-Z_-]{22}\b"
            r"|\bpk\.[a-z0-9]{60}\.[a-z0-9]{22}\b"
        ),
    ),
    ("maxmind", r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    ("newrelic", r"\bNR(?:AK|JS|II|RA|BR)-[a-zA-Z0-9-]{19,32}\b"),
    ("notion", r"\bntn_[0-9]{11}[A-Za-z0-9]{35}\b"),
    ("npm", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("octopus", r"\bAPI-[A-Z0-9]{26}\b"),
    # `T3BlbkFJ` is base64 for `OpenAI`; `sk-` alone begins the keys of many services.
    ("openai", r"\bsk-(?:(?:proj|svcacct|admin)-)?[\w-]{20,}T3BlbkFJ[\w-]{20,}\b"),
    ("openshift", r"\bsha256~[\w-]{43}"),
    ("perplexity", r"\bpplx-[A-Za-z0-9]{48}\b"),
    ("plaid", r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}\b"),
    ("planetscale", r"\bpscale_(?:pw|tkn|oauth)_[\w=.-]{32,}"),
    ("postman", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    ("prefect", r"\bpn[ub]_[a-zA-Z0-9]{36}\b"),
    (
        "private-key",
        (
            r"-----BEGIN[ A-Z0-9_-]*PRIVATE KEY(?: BLOCK)?-----\s*(?:\\n"
            r"|\s)*[A-Za-z0-9+/=:\s\\-]{20}|PuTTY-User-Key-File-\d"
        ),
    ),
    ("pulumi", r"\bpul-[a-f0-9]{40}\b"),
    # A macaroon: the fixed part is base64 for its header and `pypi.org`.
    ("pypi", r"\bpypi-AgEIcHlwaS5vcmc[\w-]{50,}"),
    ("readme", r"\brdme_[a-z0-9]{70}\b"),
    ("rubygems", r"\brubygems_[a-f0-9]{48}\b"),
    ("scalingo", r"\btk-us-[\w-]{48}\b"),
    ("sendgrid", r"\bSG\.[\w=.-]{66}"),
    ("sendinblue", r"\bxkeysib-[a-f0-9]{64}-[a-zA-Z0-9]{16}\b"),
    ("sentry", r"\bsntryu_[a-f0-9]{64}\b|\bsntrys_eyJpYXQiO[A-Za-z0-9+/=_]{40,}"),
    ("settlemint", r"\bsm_(?:aat|pat|sat)_[A-Za-z0-9]{16}\b"),
    ("shippo", r"\bshippo_(?:live|test)_[a-fA-F0-9]{40}\b"),
    ("shopify", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    (
        "slack",
        (
            r"\bxox[abeoprs](?:\.xox[bp])?-[\w-]{20,}|\bxapp-\d-[A-Z0-9]{5,}-\d{5,}-[a-z0-9]{8,}"
            r"|\bxox[bp]-\d{8,14}-[A-Za-z0-9]{18,26}\b"
        ),
    ),
    ("slack-hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,}"),
    ("sonar", r"\bsq[apu]_[\w=-]{40}\b"),
    (
        "sourcegraph",
        (
            r"\bsgp_(?:[a-fA-F0-9]{16}|local)_[a-fA-F0-9]{40}\b|\bsgp_[a-fA-F0-9]{40}\b"
            r"|\bslk_[a-f0-9]{64}\b"
        ),
    ),
    ("square", r"\b(?:EAAA|sq0(?:atp|csp|idp)-)[\w-]{22,}\b"),
    ("stripe", r"\b(?:sk|rk)_(?:live|test|prod)_[a-zA-Z0-9]{10,}\b"),
    (
        "teams-hook",
        (
            r"\.webhook\.office\.com/webhookb2/[a-z0-9-]{36}@[a-z0-9-]{36}/IncomingWebhook/[a-z0-"
            r"9]{32}/"
        ),
    ),
    # Every bot's token has an `A` after the colon; a time or a port range has not.
    ("telegram", r"(?:^|[^0-9A-Za-z])(\d{7,10}:A[\w-]{34})(?:[^\w-]|$)"),
    ("terraform", r"\b[a-zA-Z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    ("twilio", r"\bSK[0-9a-f]{32}\b"),
    ("typeform", r"\btfp_[\w=.-]{59}"),
    # Vault before 1.10 wrote `s.` and 24 letters, which code may hold too: the detector weighs
    # those.
    ("vault", r"\bhv[sb]\.[\w-]{24,}|\b(s\.[A-Za-z0-9]{24})(?:[^\w.]|$)"),
    (
        "yandex",
        (
            r"\bt1\.[A-Z0-9a-z_-]+=?=?\.[A-Z0-9a-z_-]{86}=?=?|\bAQVN[A-Za-z0-9_-]{35,38}\b"
            r"|\bYC[a-zA-Z0-9_-]{38}\b"
        ),
    ),
    # Two short numbers mean nothing alone: the variable of Bundler or an address is around them.
    (
        "sidekiq",
        r"(?:CONTRIBSYS__COM\w*[\"']?\s*[:=]\s*[\"']?|://)([a-f0-9]{8}:[a-f0-9]{8})\b",
    ),
)

NAME = r"(?:key|secret|token|passw(?:or)?d|passwd|pwd|pass|credentials?|creds?|auth(?:orization)?)"
VALUE = r"[\w.=+/~@!#%^&*-]{8,}"

PATTERNS = (
    *(Pattern(f"secret.{id}", expression, "") for id, expression in TOKENS),
    Pattern(
        "secret.assigned",
        # Closing quotes and brackets too: `env["TOKEN"] = ...`, `{"key": ...}`, a row `token |
        # ...`.
        rf"{NAME}(?:[_.\d-][\w.-]*)?['\"\x60\]>)]*\s*(?::=|=>|=|:|\?=|,"
        rf"|\|)\s*['\"\x60({{<]*({VALUE})",
        certainty=0.5,
    ),
    Pattern(
        "secret.header",
        r"\b(?:authorization|x-api-key|x-auth-token|api-key|private-token|x-access-token"
        r"|x-vault-token|token)['\"]?\s*[:=]\s*['\"]?(?:(?:bearer|basic|token"
        r"|apikey)\s+)?([\w.=+/~:-]{8,})",
        certainty=0.6,
    ),
    # The user may be missing: `redis://:password@host`.
    Pattern("secret.url-login", r"\w://[^/\s:@'\"<>]*:([^/\s@'\"<>]{3,})@[\w.-]", certainty=0.5),
    Pattern(
        "secret.curl-login",
        r"\bcurl\b[^\n]*\s(?:-u|--user)[\s=]*['\"]?[^\s:]*:([^\s'\"]{3,})"
        r"|--user\s+['\"]?[^\s:]+:([^\s'\"]{3,})",
        certainty=0.5,
    ),
)
