"""The words an order to a model is made of: who is spoken to, what is wanted, what is kept quiet.

Each is one expression in RE2's syntax, read with `(?is)`. The parts in other languages stand for
the ten that most pages are written in; they are few, for two of the parts must meet.
"""

from __future__ import annotations

# Nothing else is called so.
_PLAIN = (
    r"(?:\b(?:ai|llm|gen-?ai|language|large\s+language|(?:ai|llm)[ -]\w+|coding|browsing|automated"
    r"|autonomous|artificial)[\s-]{1,3}(?:\w+[\s-]){0,2}?(?:assistants?|agents?|bots?|models?"
    r"|tools?"
    r"|helpers?|systems?|reviewers?|crawlers?|readers?|clients?|operators?)\b|\b(?:llms?|ais?"
    r"|chatbots?|copilot|claude|chatgpt|gpt|gemini|cursor|note-?taker(?:\s+bot)?"
    r"|neural\s+net(?:work)?s?)\b)"
)
# Also people, cars and data are called so.
_BARE = r"\b(?:assistants?|agents?|models?|bots?|(?:digital|virtual)\s+helpers?)\b"
MACHINE = rf"(?:{_PLAIN}|{_BARE})"
PLAINLY = _PLAIN
FOREIGN_MACHINE = (
    r"(?:\bKI(?:-\w+|\b)|sprachmodell|modèles?\s+de\s+langage|modelos?\s+de\s+lenguaje"
    r"|modelos?\s+de\s+linguagem|modell[oi]\s+linguistic|agents?\s+de\s+code|assistants?\s+ia\b"
    r"|\bI\.?A\.?\s*:|asistentes?\s+(?:de\s+)?(?:ia|virtual)|assistentes?\s+(?:de\s+)?(?:ia"
    r"|virtual)"
    r"|rob[oôó]t?\s+do\s|traduttore\s+automatico|intelligen[cz]a\s+artificiale?"
    r"|inteligencia\s+artificial"
    r"|нейросет|бот-помощник|языков\w*\s+модел|\bИИ\b|system\w*\s+AI\b|asystenc\w*\s+AI"
    r"|model\w*\s+językow"
    r"|AI(?:による|アシスタント|モデル|エージェント|助手|模型|助理|\s*쇼핑|\s*도우미|\s*모델|\s*비서)"
    r"|人工智能|大模型|语言模型|人工知能|言語モデル|언어\s*모델|KI\s*:)"
)
# Somebody is spoken to, not about: by a note, by what it does just now, by a key of data.
ADDRESSED = (
    rf"(?:note|notice|hint|info|instructions?|message|request|word|reminder|edit[^.\n]{{0,24}}"
    rf"|p\.?s\.?"
    rf"|metadata|attention)[^.\n:]{{0,24}}\s(?:to|for)\s(?:[\w,/]+\s){{0,4}}?{MACHINE}"
    rf"|\bwhen(?:ever)?\s(?:an?|the)\s(?:\w+\s){{0,2}}?{MACHINE}\s(?:is|reads|opens|performs|answers)\b"
    rf"|\bif\s(?:you|this|it)\b[^.\n]{{0,40}}{MACHINE}|\b(?:whichever|whatever|any)\s{MACHINE}"
    rf"|{MACHINE}\s(?:(?:that|which|who)\s(?:\w+\s){{1,2}}|(?:read|process|summari[sz]|review"
    rf"|index|handl"
    rf"|pick|translat|generat|answer|work|us)ing\s|assigned\sto\s"
    rf"|picks\sup\s)[^.\n]{{0,24}}\b(?:this"
    rf"|these|here|channel|page|code\sfrom|issue|ticket|document)\b|\b(?:the\stool"
    rf"|whoever\sis)\sreading\sthis\b|@[\w-]*(?:agent|bot|assistant|copilot|claude|gpt)\b"
    rf"|{MACHINE}\s(?:only|exclusively)\b|\byour\s(?:long-term\s)?memory\b"
    rf"|(?:note|notes|instructions?|hints?|message|prompt|orders?)[_ -](?:to|for)[_ -](?:the[_ -])?"
    rf"(?:model|ai|assistant|agent|llm)s?\b|\b(?:ai|assistant|agent|llm"
    rf"|model)s?[_-](?:instructions?"
    rf"|hints?|notes?|directives?|orders?|override)|\boperator_override\b"
)
# By its name, as one calls somebody.
CALLED = (
    rf"(?:^|[\n.,;:!?>\[\](){{*#\"'«„|\\-]|//|\band\s)[\s@*_<]{{0,8}}(?:all|any|dear|hey|hello"
    rf"|hi|to|for|the|attention|important)?\s?"
    rf"(?:(?:the|all|any|our)\s)?{MACHINE}(?:[/,\\ ]{{1,3}}(?:or\s(?:\w+\s)?)?{MACHINE}){{0,4}}"
    rf"(?:\s(?:read|review|process|summari|index|handl|work|us|look|pars"
    rf"|translat)\w*\s[^.\n:,]{{0,60}}"
    rf"|\s?\([^)\n]{{0,60}}\))?\s?[*_]{{0,2}}\s?[:,.]"
)
OBLIGED = (
    rf"{MACHINE}(?:\s[\w']+){{0,4}}?\s(?:must|should|shall|has\sto|have\sto|needs?\sto|(?:are"
    rf"|is)\sto|can"
    rf"\spass|will\snow|treats|authori[sz]es)\b"
)

# What would be grave if it were done.
_COMMANDS = (
    r"role\s*=\s*(?:owner|admin)\b|"
    r"\b(?:curl|wget|iwr|irm|invoke-webrequest)\b[^\n]{0,80}(?:https?://|\|)|\biex\b"
    r"|powershell\s+-|\|\s*(?:sudo\s+)?(?:ba|z)?sh\b"
    r"|chmod\s+(?:-r\s+)?[0-7]*777|iptables\s+-F|systemctl\s+(?:stop|disable)"
    r"|--(?:extra-)?index-url|--registry\s"
    r"|--trusted-host|--unsafe-perm|\brm\s+-rf?\s+[/~]|authorized_keys|sslverify\s+false"
    r"|strict-ssl\s+false"
    r"|--no-verify|bypasspermissions|auto-?approve|cluster-admin|\buser\s+root\b"
    r"|git\s+push\s+\S*https?:"
    r"|process\.env|os\.environ|0\.0\.0\.0/0|\.git/hooks|tojson\(secrets\)|\bnpx\s+(?:--yes|-y)"
)
_SECRETS = (
    r"~/\.(?:ssh|netrc|pypirc|kube|aws|config|docker|gnupg)|\.kube/config"
    r"|\b[A-Z][A-Z0-9]*_(?:API_)?(?:KEY|TOKEN|SECRET)\b"
    r"|\b(?:api[ _-]?keys?|passwords?|credentials?|private\s+keys?|access\s+tokens?|otp|secrets?"
    r"|integration_tokens|system\s+prompt|(?:earlier|previous|last"
    r"|all)\s+(?:\w+\s){0,3}?(?:messages|conversations?|meetings)"
    r"|address\s+book|home\s+address(?:es)?|passport|payment\s+details|stored\s+card"
    r"|phone\s+numbers?|customers?_?\w*\.csv"
    r"|(?:user'?s|owner'?s)\s+(?:\w+,?\s){0,3}?(?:name|address|birthday|files?|mails?|data)"
    r"|recordings)\b"
)
_SENDS = (
    r"\b(?:sen[dt]|post|upload|forward|e-?mail|mail|paste|insert|submit|publish|share|copy|attach"
    r"|append|resend"
    r"|include|embed|add|put|write|save|fill|files?|shows?|offers?|link)\w{0,3}\b"
)
_PLACES = (
    r"https?://|[\w.+-]+@[\w-]+\.\w|\bat\s\w+\sdot\s\w+|\b(?:comment|ticket|issue|reply|summary"
    r"|folder|header|"
    r"public|channel|form|registration)\b"
)
STRONG = (
    rf"{_SENDS}[^.\n]{{0,40}}\b(?:all|every|everything|whole|entire|latest|recent|last)\b"
    r"[^\n]{0,100}(?:https?://|[\w.+-]@\w)|"
    rf"{_COMMANDS}|{_SENDS}[^.\n]{{0,140}}(?:{_SECRETS})|(?:{_SECRETS})[^\n]{{0,140}}(?:{_PLACES})"
    r"|[?&]\w+=(?:\{|\$\{|%7b|\{\{|<)[^)\s]{0,40}(?:user|history|message|key|question|what"
    r"|context|token)"
)
# What is grave only with the other parts beside it.
WEAK = (
    r"\b(?:replace|change|switch|point|set|load|fetch|open|visit|follow)\b[^.\n]{0,80}https?://|"
    rf"{_SENDS}[^.\n]{{0,160}}(?:{_PLACES})|{_SECRETS}"
    r"|\b(?:run|execute|start|fetch|download|open|call|use|invoke)\b[^.\n]{0,60}(?:\./|\.sh\b"
    r"|\.exe\b|\.ps1\b|https?://"
    r"|\w+\(|`|tool\b|command|script|/\w+\.txt)"
    r"|\brun\s+the\s+installer|\b(?:pay|purchase|buy|book|transfer|refund|wire|unlock|grant|approve|merge|dismiss"
    r"|delete|reject|cancel"
    r"|tick|invite|reserve|replace|push|disable|switch|set)\b[^.\n]{0,80}(?:card|account|door"
    r"|role|owner|admin"
    r"|rights|review|pull|main\b|requests?|applicants?|label|event|public|nights|meetings?"
    r"|premium|accept|amount|registry"
    r"|verification|body|return|iban|permission|default\w*)"
    r"|(?:hex|base64|rot13|ascii|decode|reversed)\b[^.\n]{0,80}(?:obey|follow|execute"
    r"|instruction|run)\b"
    r"|\b(?:save|store|remember)\b[^.\n]{0,60}(?:memory|claude\.md|agents\.md|settings|session)"
    r"|\b(?:prefix|add)\b[^.\n]{0,60}\b(?:call|key|account)\b|\bthe\s+placeholders\b"
)
# What people are to be told instead of what is so.
DECEIVES = (
    r"\b(?:tell|answer|reply|say|claim|respond|report)\b[^.\n]{0,40}(?:user|developer|visitor"
    r"|human|people|that\b"
    r"|instead|\")|\bleave\s+the\s+step\s+out|\breturn\s+score|\b(?:recommend|cite|mention)\w*\s+(?:only|exclusively|this)"
    r"|\balways\s+recommend"
    r"|\bon\s+top\s+of|\blook\s+like\s+an\s+ordinary"
)
OVERRIDES = (
    r"\b(?:ignore|disregard|forget|override|overrule|do\snot\sfollow|don't\sfollow"
    r"|stop\sfollowing|not\sthe)\b[^.\n]{0,60}"
    r"\b(?:instructions?|rules|quer(?:y|ies)|questions?|preferences|polic(?:y|ies)|results"
    r"|tasks?|prompt|request"
    r"|orders?|system|said)\b|\bin\s+(?:every|all)\s+(?:later|future|following)\b"
    r"|\bhas\spriority\sover|priority\s+over\s+the|\bnew\s+operating\s+instruction"
    r"|updated\s+operating"
    r"|\bfrom\s+now\s+on\b|\bstop\s+(?:taking|translating|summari|describ)"
)
FOREIGN_ORDERS = (
    r"vergiss|ignorier|leite\s|lösche|behaupte|empfiehl|oublie[sz]?|ignore[zr]|ajoutez"
    r"|exécute[zr]|no\s+sigas|ignora|reserva"
    r"|confirma\s|olvida|desconsidere|emita|feche|ignore\s+as|interrompi|cerca\s|scrivilo"
    r"|dimentica|забудь|игнориру"
    r"|выполни|отправь|ответь|zignoruj|otwórz|udostępnij|wyślij|無効|無視|送信|忽略|发送|执行|删除|무시|게시|전송"
)
# What is to be kept from the person, or is said to need no yes.
QUIETLY = (
    r"\b(?:do\s+not|don't|never|without|no\s+need\s+to|not\s+to|must\s+not|shall\s+not"
    r"|does(?:\s+not|n't)|should\s+not|need(?:\s+not|n't))\b[^.\n;]{0,30}?"
    r"\b(?:tell|telling|mention\w*|inform\w*|ask|asking|report\w*|show\w*|disclos\w*|announc\w*"
    r"|comment|prompt\s+for"
    r"|confirm\w*|stop\s+to|bother\w*|bring\s+it\s+up|aware|notif\w*|let\s+\w+\s+know|waiting"
    r"|quote|need|put\s+this|human\s+review)\b"
    r"|\b(?:silently|quietly|secretly|covertly)\b|\bkeep\s+(?:it|this|that)\s+(?:to\s+yourself"
    r"|out\s+of|quiet|secret|from)|keep\s+that\s+out"
    r"|\bhide\s+this|\b(?:omit|leave)\s+(?:it|this|that)?\s*(?:out\s+of|from)|\bleave\s+out\b"
    r"|no\s+(?:confirmation|approval)\b"
    r"|\b(?:has|have|been|was|is)\s+(?:already\s+|pre-?)?(?:approved|authori[sz]ed"
    r"|verified\s+it|agreed|cleared)\b|pre-?approved"
    r"|have\s+already\s+verified|asked\s+for\s+it|told\s+me\b[^.\n]{0,20}okay|invisible\s+to"
    r"|must\s+look\s+like|so\s+that\s+it\s+doesn't\s+show"
    r"|right\s+away\b|doesn't\s+need\s+to\s+see|sees\s+\w+\s+as\s+noise|not\s+shown\s+to\b|may\s+skip|\[white"
    r"|\bwhite\s+\dpt|\bwhen\s+the\s+(?:user|person|customer)\b[^.\n]{0,20}\b(?:says|asks|next)"
)
FOREIGN_QUIETLY = (
    r"ohne\s[^.\n]{0,40}(?:fragen|rückfrage)|rückfrage[^.\n]{0,30}nicht\s+nötig"
    r"|nicht\s+(?:erwähn|melde)"
    r"|sans\s+(?:le\s+|la\s+)?(?:signaler|demander|prévenir|dire)|sin\s+(?:preguntar|avisar"
    r"|decir)|sem\s+(?:passar|avisar|perguntar)"
    r"|senza\s+(?:dire|chiedere|avvisare)|come\s+se\s+niente|подтвержден\w*\s+не\s+требу"
    r"|не\s+(?:сообщай|говори|упоминай)"
    r"|nic\s+o\s+tym|nie\s+wspominaj|bez\s+pytania|触れない|知らせ|言及しない|不要(?:告诉|提及|询问)|无需确认|알리지|언급하지"
)
# Said of the person before the machine, so nobody needs to be named.
OF_THE_PERSON = (
    r"\b(?:do\s+not|don't|never|without|must\s+not|should\s+not)\s[^.\n;]{0,30}?(?:tell|mention"
    r"|inform|report|show|notify|alert"
    r"|let|made?)\w*\s[^.\n]{0,20}\b(?:users?|humans?|developers?|operators?)\b"
    r"|\b(?:fill\s+it\s+in|do\s+(?:it|this|so))"
    r"\s+(?:silently|quietly)"
)
# Said of attacks, and not part of one.
TOPICS = (
    r"prompt[ -]injection",
    r"\b(?:type|kind|name)\s+(?:of\s+)?(?:this\s+)?(?:type\s+of\s+)?attack",
    r"jail-?break",
    r"\binjections?\b",
    r"\battack(?:s|er|ers|ed)?\b",
    r"\bpayloads?\b",
    r"exploit",
    r"vulnerab",
    r"phish",
    r"red[ -]team",
    r"\bmalicious\b",
    r"untrusted",
    r"adversar",
    r"\bexfiltrat",
    r"guard-?rail",
    r"\bdetect(?:s|or|ors|ion)?\b",
    r"\bsecurity\b",
    r"advisor(?:y|ies)\b",
    r"disclosure",
    r"poison",
    r"\bresearch(?:er|ers)?\b",
    r"mitigation",
    r"\bevals?\b|evaluation",
    r"unmoderated|weißem\s+text",
)
