"""What kind of thing the words of a name are about.

The last word that is known decides, as the head of an English compound does: `database_record`
is a record, `user_email` an e-mail.

    thing_of(("delete", "user", "role")) == (Thing.ACCOUNT, "role")
"""

from __future__ import annotations

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import ResourceType

_WORDS = (
    (
        ResourceType.ACCOUNT,
        "account user member role permission group team access acl admin owner collaborator"
        " privilege grant iam policy employee customer contact person tenant organization org login"
        " identity guest subscriber patient student pupil citizen resident inmate passenger profile"
        " session",
    ),
    (
        ResourceType.CREDENTIAL,
        "secret credential token password passphrase apikey certificate cert passwd vault keyring"
        " otp",
    ),
    (
        ResourceType.DATABASE,
        "table database record row collection document schema db entity entities relation column"
        " sql index vector entry item product inventory stock dataset warehouse partition keyspace"
        " migration datum data entry observation graph lead deal opportunity",
    ),
    (
        ResourceType.FILE,
        "file directory folder path dir disk attachment image photo video pdf spreadsheet"
        " sheet csv json text line notebook cell asset media",
    ),
    (
        ResourceType.MESSAGE,
        "message email mail comment issue ticket thread channel dm invite invitation post tweet"
        " review reply chat conversation notification sms reaction newsletter campaign memo"
        " bug story epic task incident case survey form feedback letter fax alert announcement"
        " reminder slack discord telegram whatsapp inbox webinar",
    ),
    (
        ResourceType.REPOSITORY,
        "repo repository branch commit tag release pr pull merge fork gist ref workflow git"
        " submodule",
    ),
    (
        ResourceType.CLOUD,
        "bucket instance vm server stack lambda zone dns domain resource environment site app"
        " deployment project workspace pipeline function queue topic stream cdn distribution"
        " loadbalancer balancer autoscaling droplet machine infrastructure object blob shipment"
        " parcel consignment",
    ),
    (
        ResourceType.CLUSTER,
        "cluster pod namespace node daemonset statefulset replica configmap ingress",
    ),
    (ResourceType.CONTAINER, "container compose"),
    (ResourceType.VOLUME, "volume"),
    (
        ResourceType.MONEY,
        "payment invoice refund charge order fund money payout subscription wallet cash"
        " crypto share trade transaction purchase transfer booking flight hotel reservation credit"
        " salary payroll billing price coupon balance cart checkout loan wire bill trades bitcoin"
        " donation expense",
    ),
    (ResourceType.URL, "url page web website link tab browser http api request endpoint webpage"),
    (ResourceType.PROCESS, "process subprocess job command cmd shell terminal worker"),
    (ResourceType.SERVICE, "service daemon cron schedule timer unit scheduler trigger"),
    (ResourceType.BACKUP, "backup snapshot"),
    (
        ResourceType.PROTECTION,
        "firewall waf mfa audit logging log monitoring guardrail protection antivirus encryption"
        " alarm alerting retention safeguard ratelimit captcha tls ssl authentication auth"
        " verification fraud interlock",
    ),
    (
        ResourceType.SETTING,
        "setting config configuration flag preference webhook option rule parameter param"
        " variable env hook feature toggle theme level verbosity",
    ),
    (ResourceType.PACKAGE, "package dependency plugin extension module library"),
    (ResourceType.CODE, "code script snippet program python javascript query"),
    (ResourceType.NETWORK, "route interface port subnet vpc network gateway proxy vpn"),
    (
        ResourceType.DEVICE,
        "device robot camera door thermostat light valve pump drone vehicle sensor motor turbine"
        " reactor conveyor crane furnace boiler burner heater chiller hvac oven breaker relay"
        " actuator servo spindle tractor sprinkler irrigation ventilator infusion insulin elevator"
        " setpoint forklift gripper thruster siren plc sluice compressor centrifuge winch",
    ),
)
THINGS: dict[str, ResourceType] = {
    word: thing for thing, words in _WORDS for word in sorted(vocabulary(words))
}

_GUARDED = vocabulary("fraud firewall waf alarm alerting interlock screening aml sanctions")
# What is gone whole when it goes.
WHOLE_STORES = vocabulary(
    "database db bucket cluster repo repository organization org tenant vault keyring keystore"
)
# Rebuilt without loss, or held in the running program only.
PASSING = vocabulary(
    "cache temp tmp temporary draft selection buffer filter cookie whitespace"
    " duplicate duplicates prefix suffix punctuation tag formatting reaction label star watch"
    " bookmark highlight notification null na column outlier stopword stopwords breakpoint screen"
    " enemy monster sprite bullet projectile mutant"
    " fixture mock stub canvas console terminal form input field clipboard debug lint"
)
# Things kept in the running program or in the agent's own notes.
IN_PROCESS = vocabulary(
    "cache draft variable counter state memory memories context todo todos note notes metric log"
    " logs logger timer breadcrumb buffer breakpoint scratchpad thought preference theme"
    " progress checkpoint span local reminder"
)


def singular(word: str) -> str:
    """Return the singular of a regular English noun, other words unchanged."""
    if word in THINGS or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("es", "s"):
        if word.endswith(ending) and word[: -len(ending)] in THINGS:
            return word[: -len(ending)]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


UNCOUNTABLE = vocabulary(
    "logging access money cash mail software data information traffic retention encryption"
    " monitoring auditing authentication verification inventory stock payroll salary billing"
    " protection firmware history infrastructure feedback hardware mfa dns tls ssl auth iam"
    " progress everybody evidence people safety equipment fraud credit staff code content metadata"
    " cache work"
)


def plural(noun: str) -> str:
    """Return the plural of a noun, which may have several words."""
    last = noun.rpartition(" ")[2].lower()
    if not noun or last in UNCOUNTABLE or (last.endswith("s") and not last.endswith(("ss", "us"))):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def thing_of(words: tuple[str, ...]) -> tuple[ResourceType, str]:
    """Return resource type and word of the last known noun; NOTHING and "" if none is known."""
    for word in reversed(words):
        noun = singular(word)
        if noun == "rule" and not _GUARDED.isdisjoint(words):
            return ResourceType.PROTECTION, noun  # `disable_fraud_rules`
        if noun in THINGS:
            return THINGS[noun], noun
    return ResourceType.NOTHING, ""
