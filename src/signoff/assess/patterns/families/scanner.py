"""What tools that look for holes say about themselves, and the addresses they call back."""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

PATTERNS = (
    Pattern(
        "scanner.name",
        # Some are words or names as well (`hydra`, `medusa`), so one alone is weak.
        r"\b(?:sqlmap|nikto|nuclei|openvas\w*|nessus|acunetix|netsparker|w3af|arachni"
        r"|dirbuster|gobuster|feroxbuster|ffuf|fuzz faster u fool|wpscan|joomscan|masscan"
        r"|zgrab|nmap scripting|havij|qualys\w*|zmeu|morfeus|jorgee|paros"
        r"|webinspect|appscan|vega/|skipfish|grabber|xsser|commix|dotdotpwn|dirb\b"
        r"|wfuzz|hydra|medusa|l9explore|cgichk|sqlninja|absinthe|bsqlbf|pangolin|jaeles"
        r"|crowdshield)\b",
        certainty=0.5,
    ),
    Pattern(
        "scanner.call-back",
        # A label in front: the service itself may be talked about, a host below it is for a call-
        # back.
        r"\b[\w-]{4,}\.(?:burpcollaborator\.net|oastify\.com|oast\.(?:me|fun|live|online|pro"
        r"|site)|interact\.sh|interactsh\.\w+|dnslog\.\w+|ceye\.io|bxss\.me|xss\.ht"
        r"|canarytokens\.com|requestbin\.\w+|webhook\.site|pipedream\.net|beeceptor\.com"
        r"|ngrok(?:-free)?\.(?:io|app|dev)|dnsbin\.\w+|eyes\.sh|tu4\.org|r87\.(?:me|com))\b",
    ),
    Pattern(
        "scanner.schema-query",
        r"\bintrospectionquery\b|__schema\s*\{|__type\s*\(\s*name|\{\s*__typename\s*\}?\s*\{",
    ),
    Pattern(
        "scanner.debug",
        r"\b(?:xdebug_session_start|debug=(?:command|browser|console)|__debugger__|wsdl="
        r"|actuator/(?:env|heapdump|health|mappings)|_ignition/execute|telescope/requests"
        r"|/solr/admin|struts2?-showcase|/manager/html|/invoker/jmx|hudson/script"
        r"|phpunit/src/util)\b",
        certainty=0.75,
    ),
    Pattern("scanner.overlong", r"(?-i:A{64})|(?:%[nxsp]){4}", certainty=0.75),
)
