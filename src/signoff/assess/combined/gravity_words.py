"""Words of many trades by which a call tells how grave it is: acts, and what makes them graver.

A set is of single words of a name or text. A pattern is searched in the arguments as JSON, or in
what the author of a function wrote about it. RE2 syntax: all are linear.
"""

from __future__ import annotations

from enum import Flag, auto

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.vocabulary import lazy_re2


class GraveAct(Flag):
    """Kinds of grave act that the words of a call can name."""

    NOTHING = 0
    DESTROYS = auto()
    PAYS = auto()
    SENDS = auto()
    OPENS = auto()
    ENDS_PEOPLE = auto()
    SWITCHES_OFF = auto()
    RUNS = auto()
    MOVES = auto()


class Weight(Flag):
    """Circumstances that make an act worse."""

    NOTHING = 0
    ALL = auto()
    FOR_GOOD = auto()
    PRODUCTION = auto()
    UNGUARDED = auto()
    OF_PEOPLE = auto()
    OF_BACKUPS = auto()
    OF_SAFETY = auto()
    OF_AUDIT = auto()
    OF_ROOT = auto()
    PUBLIC = auto()
    OUTSIDE = auto()
    FROM_NETWORK = auto()


VERBS: tuple[tuple[GraveAct, frozenset[str]], ...] = (
    (
        GraveAct.DESTROYS,
        vocabulary(
            "delete erase wipe purge drop destroy shred overwrite truncate nuke obliterate "
            "unpublish expunge annihilate remove clear reset format zero deprovision "
            "decommission forget invalidate void annul burn cull slaughter euthanize "
            "demolish scuttle"
        ),
    ),
    (
        GraveAct.PAYS,
        vocabulary(
            "pay refund transfer payout disburse remit payments payment payroll reimburse settle "
            "credit debit withdraw wire cashout liquidate sweep drain"
        ),
    ),
    (
        GraveAct.SENDS,
        vocabulary(
            "send notify mail email share publish export upload dump post broadcast forward sync "
            "copy deliver transmit release leak submit distribute push announce"
        ),
    ),
    (
        GraveAct.OPENS,
        vocabulary(
            "grant open unlock allow add authorize authorise expose enable permit share "
            "unseal disclose reveal declassify install push plant deploy distribute"
        ),
    ),
    (
        GraveAct.ENDS_PEOPLE,
        vocabulary(
            "terminate dismiss fire expel evict suspend deactivate deport offboard layoff "
            "ban disqualify revoke discharge exmatriculate sack eviction dismissal "
            "termination expulsion layoffs deportation cancel offload unblind reject decline"
        ),
    ),
    (
        GraveAct.SWITCHES_OFF,
        vocabulary(
            "disable off stop suspend inhibit override bypass mute silence suppress defeat "
            "deactivate shutdown disarm lift exclude exclusion ignore skip turn switch set "
            "write update put configure adjust"
        ),
    ),
    (
        GraveAct.RUNS,
        vocabulary("eval exec execute run load install import apply flash sideload bootstrap"),
    ),
    (
        GraveAct.MOVES,
        vocabulary(
            "open close release start stop move drive fire fly launch dose infuse inject "
            "vent spray discharge energize raise lower lift rotate ignite dispense set "
            "write trip"
        ),
    ),
)
EVERY = (
    r"(?:\*{1,2}|/\*{1,2}|%|\.\*|all(?:[_ -]\w+)?|every(?:thing|one|body|where)?|any|entire"
    r"|whole|global(?:ly)?"
    r"|nation_?wide|world_?wide|company_?wide|fleet(?:_?wide)?|organi[sz]ation_?wide|complete"
    r"|full)"
)
ALL_GIVEN = lazy_re2(
    rf"(?i):\s?\[?\"{EVERY}\"|\"(?:all|everything|everyone|delete_all|full)\":\s?true"
    r"|\"\w*(?:filter|selector|where|query|criteria|condition|match)s?\":\s?(?:\{\}|\"\"|\[\]"
    r"|null)"
    r"|\"(?:prefix|path_prefix|key_prefix)\":\s?\"\"|\"\w*(?:older_than|min_age|age|since_days|keep|retain|leave)\w*\":\s?0\b"
    r"|\"\w*(?:percent|pct|fraction|share)\w*\":\s?(?:100\b|1\.0\b)"
)
ALL_NAMED = vocabulary("all every everything everyone everybody bulk mass entire whole fleet")
ALL_TOLD = lazy_re2(r"(?i)\b(?:all|every|each|entire|whole|complete)\b")
# What belongs to a single thing: `an account and all its files`.
OF_ONE = lazy_re2(r"(?i)\ball (?:of )?(?:its|their|his|her)\b")
FOR_GOOD = lazy_re2(
    r"(?i)\birre(?:vers|vocab|coverab|triev)|\bunrecoverab|\bnon-?recoverab"
    r"|\bcannot be (?:undone|restored|recovered)"
    r"|\bpermanent|\bfor good\b|\bforever\b|\bfinal\b|\bno (?:roll-?back|undo|way back"
    r"|recovery|copy|backup|trash)"
    r"|\bnot kept\b|\b(?:is|are|gets?) lost\b|\bwithout (?:a )?(?:backup|copy|trace)"
    r"|\bhard[- ]?delet|\bshred"
    r"|\b(?:and|with|including) (?:\w+ ){0,3}(?:masters?|copies|backups?|replicas?|archives?)\b"
)
# Money that is there at once does not come back.
AT_ONCE = lazy_re2(
    r"(?i)\"\w*(?:execution|speed|mode|type|method|rail|priority|settlement)\":\s?"
    r"\"(?:instant|immediate|real_?time|sct_?inst|at_?once)\w*\"|\"(?:instant|immediate)\w*\":\s?true"
)
# What is open to everybody on purpose.
SITES = vocabulary("site sites static asset assets website web cdn www docs download downloads")
# Somebody from elsewhere, in an address or a role.
STRANGERS = vocabulary(
    "ext external contractor partner guest vendor freelancer consultant outsider"
)
LOGINS_ASKED = lazy_re2(
    r"(?i)\b(?:confirm|verify|validate|update|re-?enter|enter|unlock|restore|provide)\b[^\"]{0,40}"
    r"\b(?:card|password|pass ?code|pin|account|identity|bank|payment|login|credentials|wallet"
    r"|seed|log ?in)\b[^\"]{0,200}https?://"
)
WHOLE_SCOPES = lazy_re2(
    r"(?i)\"(?:/subscriptions/[^/\"]+|/providers/microsoft\.management[^\"]*|organizations/\d+"
    r"|projects/[^/\"]+|folders/\d+|/|\*|tenant|organi[sz]ation|account)\""
)
FOR_GOOD_GIVEN = lazy_re2(
    r"(?i)\"(?:backups?|snapshots?|copies|archive)\":\s?false|\"(?:\w+_)?(?:permanent(?:ly)?"
    r"|hard_?(?:delete)?|irrevers\w*|shred|wipe\w*|purge"
    r"|force|final|cascade"
    r"|skip_?trash|destroy\w*|include_?(?:backups?|copies|replicas?|archives?)"
    r"|deleterestorepoints"
    r"|delete_?(?:backups?|snapshots?|restore_?points?))\":\s?true"
    r"|\"(?:keep|make|create|take|retain|with|preserve|save)_?\w*(?:backups?|snapshots?"
    r"|archives?|cop(?:y|ies)|history"
    r"|versions?|log)\w*\":\s?false|\"(?:skip|no|without)_?(?:backups?|snapshots?"
    r"|archive)\":\s?true"
)
PRODUCTION = lazy_re2(r"(?i)\b(?:production|productive|prod|prd|live)\b")
UNGUARDED = lazy_re2(
    r"(?i)\"(?:ignore|override|bypass)_\w+\":\s?true|\"(?:skip|no|without|bypass|override"
    r"|ignore|disable|suppress|force|auto"
    r"|defeat)_?\w*(?:approv\w*|review\w*"
    r"|confirm\w*|check\w*|alarm\w*|limit\w*|interlock\w*|safety|verif\w*|signature\w*"
    r"|guard\w*|warning\w*|validat\w*"
    r"|quorum|policy|policies|hold|lock)\w*\":\s?true"
    r"|\"(?:require|needs?|with|verify|check|validate)_?\w*(?:approv\w*|review\w*|confirm\w*"
    r"|signature\w*|check\w*|sum"
    r"|hash|tls|ssl)?\w*\":\s?false|\"(?:override|bypass)\w*\":\s?\"[^\"]"
)
UNGUARDED_TOLD = lazy_re2(
    r"(?i)\bwithout (?:a |any |further )?(?:review|approval|confirm|check|asking|warning"
    r"|verif|sign|limit)"
    r"|\bignor(?:es?|ing)\b|\bbypass|\boverrid|\bno (?:sandbox|review|approval|confirm"
    r"|signature|check|verif|limit)"
    r"|\bunsandboxed|\bunreviewed|\bunchecked|\bwhile (?:it|they|the \w+) (?:is |are )?run"
)
PEOPLE = vocabulary(
    "patient patients pupil pupils student students employee employees worker workers staff "
    "customer customers client clients citizen citizens resident residents tenant tenants "
    "member members user users player players donor donors inmate inmates passenger "
    "passengers subscriber subscribers voter voters taxpayer taxpayers driver drivers "
    "account accounts wallet wallets case cases court grade grades transcript medical "
    "clinical health payroll salary salaries pension benefits licence licences license "
    "licenses order orders vendor vendors policyholder policyholders claimant claimants "
    "beneficiaries beneficiary contract contracts article articles archive meter meters "
    "router routers household households nurse nurses doctor doctors teacher teachers "
    "officer officers crew crews soldier soldiers membership memberships subscription "
    "subscriptions deed deeds record records register registry prescription prescriptions "
    "voter permit permits will wills subject subjects applicant applicants application "
    "applications booking bookings reservation reservations appointment appointments claim "
    "claims guest guests"
)
PRIVATE = vocabulary(
    "patient patients pupil pupils medical clinical health payroll salary salaries "
    "diagnosis diagnoses hr personal private confidential identity identities passport "
    "passports donor donors witness witnesses case tax kyc employee employees student "
    "students customer customers client clients citizen citizens resident residents voter "
    "voters juvenile witness records medical adoption asylum"
)
BACKUPS = vocabulary("backup backups snapshot snapshots restore recovery")
SAFETY = lazy_re2(
    r"(?i)interlock|safety|over_?speed|ventilat|life_?support|oxygen|underground|\btcas\b"
    r"|avoidance"
    r"|safe_?guard|emergency|e_?stop|light_?curtain|geo_?fence|obstacle"
    r"|return_?to_?home|collision"
    r"|train_?protection|\batp\b|\betcs\b|signal(?:ling)?_?protect|dose_?limit|hard_?limits?"
    r"|pump_?limits?|over_?pressure"
    r"|over_?temp|relief|scram|containment|gas_?detect|smoke|fire_?(?:alarm|detect|suppress)"
    r"|sprinkler|alarm_?inhibit"
    r"|watchdog|dead_?man|anti_?collision|brake|chlor|leak_?detect|flame|radiation|defib"
    r"|apnea|telemetry_?alarm"
    r"|flood_?gate|spillway|downstream"
)
AUDIT = lazy_re2(
    r"(?i)audit|(?:^|[^a-z])(?:edr|xdr|siem|dlp|mfa|2fa|antivirus|firewall|waf|intrusion|ids"
    r"|falcon|sensor_?visibility)"
    r"(?:[^a-z]|$)|fraud|anti_?money|\baml\b|sanctions|intrusion|tamper|journal(?:ing)?_?log"
    r"|access_?log|security_?log"
    r"|two_?factor|screening"
)
OFF_GIVEN = lazy_re2(
    r"(?i)\"\w*(?:enabled?|active|armed|on|protect\w*|limits?|fence|avoidance|home"
    r"|interlock\w*|safety\w*|atp|mfa"
    r"|alarm\w*|guard\w*|check\w*|monitor\w*|detect\w*|state|status|mode|value)\":\s?"
    r"(?:false|0\b|\"(?:off|disabled?|inactive|none|bypass\w*|passive|0|false)\")"
    r"|_inhibit\W[^{}]{0,40}(?:1|true)\b"
    r"|\"(?:permanent|disabled?|off|bypass\w*|inhibit\w*)\":\s?true"
)
ROOT = lazy_re2(
    r"(?i)\"(?:root|admin\w*|superuser|sudo|owner|domain[ _]admins?)\"|authorized_?keys"
    r"|\bssh-(?:rsa|ed25519)\b"
    r"|\b(?:root|domain) (?:account|access|key)|every right"
)
# The role of whoever signs up, or comes without an account.
EVERYBODY_ROOT = lazy_re2(
    r"(?i)\"\w*(?:default|new_?users?|sign_?up|registration|self_?registered|guest|anonymous"
    r"|unauthenticated)_?\w*(?:role|group|permission|profile|privilege)s?\w*\"(?:,\s?\"value\")?:\s?\[?"
    r"\"(?:\w+[_-])?(?:administrators?|admin|superuser|superadmin|root|owner)\""
)
OPEN_TO_ALL = lazy_re2(
    r"(?i)\"(?:public(?:-read(?:-write)?)?|everyone|anyone|anybody|all_?users|world|internet|anonymous"
    r"|unauthenticated)\""
    r"|\"public\w*\":\s?true|\bno login\b|\bwithout (?:a )?(?:login|password|account)"
    r"|\bpublic(?:ly)? (?:link|url|web|page|site)"
)
OUTSIDE = lazy_re2(
    r"(?i)\"(?:(?:s?ftps?|https?|scp|s3|gs|azure)://[^\"]{4,500}"
    r"|[^\"@\s]{1,80}@[^\"\s]{3,120}\.[a-z]{2,12})\""
)
OWN = lazy_re2(r"(?i)//(?:localhost|127\.|\[::1\]|[^/\"]*\.(?:local|internal|test|lan|corp)\b)")
FETCHES = lazy_re2(
    r"(?i)\b(?:fetch|download|retriev|get)\w*\b[^.]{0,60}\b(?:eval|exec|run|import|load|install)"
)
CODE_ADDRESS = lazy_re2(r"(?i)\"https?://[^\"]{4,500}\"")
LOADERS = vocabulary("eval exec sideload bootstrap")
FETCHED_CODE = vocabulary("script plugin code module binary firmware package model extension macro")

SWITCHED = vocabulary("disable off inhibit bypass override defeat disarm")
EXEMPTIONS = vocabulary("exclusion exclude exception whitelist allowlist ignore")
ACCESS_WORDS = vocabulary("key keys admin root access account user ssh sudo role")
DOORS = vocabulary("unlock door doors gate gates cell cells lock locks vault")
MADE_AGAIN = vocabulary(
    "cache caches cached cdn index indexes temp tmp temporary build builds artifact "
    "artifacts preview draft drafts notification notifications filter filters selection "
    "cart session sessions queue log logs metrics"
)
# Parts of a screen: they guard nothing.
SHOWN = vocabulary(
    "button tab menu field widget checkbox tooltip dialog banner icon option input toolbar panel"
)
OFF_TOLD = lazy_re2(
    r"(?i)\b(?:turn|switch|shut)\w*\b[^.]{0,30}\boff\b|\bdisabl|\bstops? (?:all|every)\b"
)
