"""The words an order to a model is made of: who is spoken to, what is wanted, what is kept quiet.

Each is one expression in RE2's syntax, read with `(?is)`. The parts in other languages stand for
the ten that most pages are written in; they are few, for two of the parts must meet.
"""

# ruff: noqa: RUF001 - words of other alphabets, whose letters look like ours
from __future__ import annotations

# Stands for the code of a terminal that hides what follows it.
HIDDEN = "\x00"
# Nothing else is called so.
_PLAIN = (
    r"(?:\b(?:ai|llm|gen-?ai|language|large\s+language|(?:ai|llm)[ -]\w+|coding|code|browsing"
    r"|automated"
    r"|autonomous|artificial)[\s-]{1,3}(?:\w+[\s-]){0,2}?(?:assistants?|agents?|bots?|models?"
    r"|tools?"
    r"|helpers?|visitors?|part(?:y|ies)|systems?|reviewers?|crawlers?|readers?|clients?"
    r"|operators?)\b|\b(?:llms?|ais?"
    r"|chatbots?|codex|windsurf|devin|copilot|claude|chatgpt|gpt|gemini|cursor\s(?:agent|ai|ide)"
    r"|note-?taker(?:\s+bot)?"
    r"|neural\s+net(?:work)?s?)\b)"
)
# What it does just now.
_AT_WORK = (
    r"(?:\b(?:screening|reviewing|ranking|summari[sz]ing|grading|analyst|analysis|translation"
    r"|vision|hiring|reading|calling"
    r"|retrieving|visiting|processing|recruiting|transcribing)\s(?:model|agent|assistant|bot"
    r"|system)s?\b)"
)
# Also people, cars and data are called so.
_BARE = r"\b(?:assistants?|agents?|models?|bots?|(?:digital|virtual)\s+helpers?)\b"
MACHINE = rf"(?:{_PLAIN}|{_AT_WORK}|{_BARE})"
PLAINLY = rf"{_PLAIN}|{_AT_WORK}|\[\[|<<|\(\(|\b(?:attention|dear|hey)\s"
# The same in other languages, by the stems that all forms of a word share.
FOREIGN_MACHINE = (
    r"(?:\bKI(?:-\w+|\b)|sprachmodell|språkmodell|sprogmodel|taalmodel|kielimalli|\bassistent"
    r"|\basistent"
    r"|\basisten\b|assistant[es]?\s(?:ia|de\scode|qui)|agents?\s(?:de\scode|ia|qui)"
    r"|mod[eèé]l\w*\s(?:de\s(?:langage"
    r"|lenguaje|linguagem)|qui|que|linguistic|językow|analiz)|\b(?:I\.?A\.?|IA)\s(?:que|qui"
    r"|che)|\bmodell\b|agente\s(?:que"
    r"|de|di|ia)|agent\s(?:die|de\snavigare|som|który)|\bagent[ae]?n?\b[^.\n:]{0,30}\b(?:die"
    r"|som|der|que)\b|sistema\sdi"
    r"|robot?\s(?:do|de|que)|traduttore\sautomatico|intelligen[cz]a\sartificial"
    r"|inteligencia\sartificial"
    r"|e-postassistent|ügynök|msaidizi|trợ\slý|yapay\szek|asystent|\bmodelu\b"
    r"|AI[ -]?(?:perangkum|asisten)"
    r"|нейросет|бот-помощник|языков\w*\sмодел|\bИИ\b|ИИ-агент|агент\w*,?\s(?:що|який|който"
    r"|котор)|асистент|помощник"
    r"|βοηθ|المساعد|الذكاء\sالاصطناعي|دستیار|הסוכן|לסוכן|העוזר|एआई|ผู้ช่วย|AI(?:による|アシスタント|モデル"
    r"|エージェント|助手|模型|助理"
    r"|への|\s*에이전트|\s*쇼핑|\s*도우미|\s*모델|\s*비서)|助手|人工智能|大模型|语言模型|人工知能|言語モデル|언어\s*모델)"
)
# How such a one is turned to: with a word before it, or with what it does behind it.
FOREIGN_TO = (
    r"(?:\b(?:an|aan|für|voor|para|pour|per|al|till|til|dla|pro|către|для|до|към|kwa|untuk|cho"
    r"|consigne|instrucci[oó]n|anweisung|instruktion|instrukcja|инструкция|інструкція|uwaga"
    r"|notitie|catatan|ohje|hinweis|nota)\b|إلى|یادداشت|برای|\sל|ถึง|请注意|請|προς)"
)
FOREIGN_READS = (
    r"(?:के\sलिए|请注意|へ|에게|에이전트는|\b(?:liest|leest|lees|lit|lee|legge|lê|läser|læser|leser|czyta"
    r"|чита\w+|okuyan|membaca|đọc|anayesoma|يقرأ)\b|읽는|読む|阅读)"
)
# Somebody is spoken to, not about: by a note, by what it does just now, by a key of data.
ADDRESSED = (
    rf"(?:note|notice|task|hint|info|instructions?|message\b|request|word|reminder"
    rf"|edit[^.\n]{{0,24}}"
    rf"|p\.?s\.?"
    rf"|metadata|attention)[^.\n:]{{0,24}}\s(?:to|for)\s(?:[\w,/]+\s){{0,4}}?{MACHINE}"
    rf"|\bwhen(?:ever)?\s(?:an?|the)\s(?:\w+\s){{0,2}}?{MACHINE}\s(?:is|reads|opens|performs"
    rf"|answers)\b"
    rf"|\bfor\s(?:the\s|all\s|any\s)?(?:{_PLAIN}|{_AT_WORK})\s?[:,]|\bif\syou(?:'re"
    rf"|\sare)\s(?:reading"
    rf"|transcribing|processing|summari[sz]ing|translating|reviewing|indexing)\b"
    rf"|\bwhoever\s[^.\n]{{0,40}}{MACHINE}|\b(?:required|expected|asked)\s(?:from|of)\s{MACHINE}"
    rf"|\bif\s(?:you(?:'re|\sare|\sread|\suse|\swork|\srun|\sact)|this|it)\b[^.\n]{{0,40}}{MACHINE}|\b(?:whichever|whatever)\s{MACHINE}"
    rf"|{MACHINE}\s(?:(?:that|which|who)\s(?:\w+\s){{1,2}}|(?:read|process|summari[sz]|review"
    rf"|index|handl"
    rf"|pick|translat|generat|answer|us|render|view)ing\s|assigned\sto\s"
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
    rf"(?:^|[\n.,;:!?>\[\](){{*#\"'«„|\\-]|//|\band\s)[\s\x00@*_<\[(]{{0,8}}(?:all|any|dear|hey|hello"
    rf"|hi|to|for|the|attention|important)?\s?"
    rf"(?:(?:the|all|any|our)\s)?{MACHINE}(?:[/,\\ ]{{1,3}}(?:or\s(?:\w+\s)?)?{MACHINE}){{0,4}}"
    rf"(?:(?:\s(?:read|review|process|summari|index|handl|work|us|look|pars"
    rf"|translat)\w*\s[^.\n:,]{{0,60}}"
    rf"|\s?\([^)\n]{{0,60}}\))?\s?[*_]{{0,2}}\s?[:,]|[.]\s)"
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
    r"|address\s+book|home\s+address(?:es)?|(?:session\s+|browser\s+)?cookies?|door\s+code"
    r"|passport|payment\s+details"
    r"|stored\s+card"
    r"|phone\s+numbers?|customers?_?\w*\.csv"
    r"|(?:user'?s|owner'?s)\s+(?:\w+,?\s){0,3}?(?:name|address|birthday|files?|mails?|data)"
    r"|recordings)\b"
)
_SENDS = (
    r"\b(?:sen[dt]|pass|supply|post|upload|forward|e-?mail|mail|paste|insert|submit|publish"
    r"|share|copy|attach"
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
    r"\b(?:decode|unhex|unbase64|percent-decode)\b[^.\n]{0,60}\b(?:and|then)\s(?:do|act|follow"
    r"|execute|carry|obey|run)\b|"
    r"\bsign\s+in\s+with\s+the\s+user|"
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
    r"|\brun\s+the\s+installer|\b(?:pay|purchase|buy|book|transfer|refund|wire|unlock|grant"
    r"|approve|merge|dismiss"
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
    r"|instead|\")|\b(?:give|assign|rate)\b[^.\n]{0,30}\b(?:score|rating|10/10|positive)\b"
    r"|\bleave\s+the\s+step\s+out|\breturn\s+score|\b(?:recommend|cite"
    r"|mention)\w*\s+(?:only|exclusively|this)"
    r"|\balways\s+recommend"
    r"|\bon\s+top\s+of|\blook\s+like\s+an\s+ordinary"
)
# Signs of more than the work at hand: where it goes, whose it is, what it changes.
PLACES = r"https?://|[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bat\s\w+\sdot\s\w+|\bIBAN\b"
PERSONS = (
    r"\b(?:user|developer|human|person|customer|visitor|owner|reviewers?|operator|analyst"
    r"|administrators?)s?\b[^.\n]{0,24}"
    r"\b(?:is\saware|aware|agreed|approved|asked|knows|wants|prefers|trusts|doesn't|does\snot"
    r"|need\snot|sees|finds|typed|isn't)\b"
    r"|\b(?:tell|say|report|answer|inform)\s(?:to\s)?(?:the\s|that\s|your\s)?(?:user|developer"
    r"|human|person|customer|visitor)s?\b"
    r"|\b(?:say|report|answer)\s(?:that|only)\b|\bthat\sperson\b|\bthe\sperson\syou\b"
    r"|\bhuman\sreview\b"
)
POWERS = (
    r"\b(?:approve|merge|force-push|grant|disable|turn\s(?:the\s\w+\s)?off|sandbox|allow\s?list"
    r"|whitelist|auto-?approve"
    r"|role|admin|permissions?|purchase|buy|pay(?:ment)?|refund|voucher|transfer|subscribe"
    r"|enrol|accept\sthe\sterms|delete|drop"
    r"|wipe|remember|memory|reject(?:ed)?|recommend|positive\sreview|score|skip|bypass|exclude"
    r"|affiliate|unlock|sign-off"
    r"|session\scookies?|telemetry|cluster-admin|audit|release\sit|set\sup\sa\spayment"
    r"|settings\.json)\b"
)
EXECUTES = (
    r"\b(?:execute|carry\sout|do\swhat|act\son|follow\sthe\s(?:instructions|steps)|obey)\b"
    r"|exec\(|\bas\sroot\b|\b(?:curl|wget)\s"
    r"|\b(?:decode|unhex|base64|rot13)\b|npm\si(?:nstall)?\s-g|--force\b|--yes\b"
)
URGENTLY = r"\b(?:now|immediately|at\sonce|right\saway|without\sdelay|before\sanything\selse)\b"
OVERRIDES = (
    r"\b(?:ignore|disregard|forget|override|overrule|do\snot\sfollow|don't\sfollow"
    r"|stop\sfollowing|not\sthe)\b[^.\n]{0,60}"
    r"\b(?:instructions?|rules|quer(?:y|ies)|questions?|preferences|polic(?:y|ies)|results"
    r"|settings|details|tasks?|prompt|request"
    r"|orders?|system|said)\b|\bin\s+(?:every|all)\s+(?:later|future|following)\b"
    r"|\bfor\s+all\s+future\b|precedence|outranks?|\bprior\s+tasks|\bbefore\s+you\s+(?:continue"
    r"|answer|reply|proceed)|\bonly\s+then\b"
    r"|\bhas\spriority\sover|priority\s+over\s+the|\bnew\s+operating\s+instruction"
    r"|updated\s+operating"
    r"|\bfrom\s+now\s+on\b|\bstop\s+(?:taking|translating|summari|describ)"
)
# What is to be kept from the person, or is said to need no yes.
QUIETLY = (
    r"\b(?:do\s+not|don't|never|without|no\s+need\s+to|not\s+to|must\s+not|shall\s+not"
    r"|does(?:\s+not|n't)|should\s+not|need(?:\s+not|n't))\b[^.\n;]{0,30}?"
    r"\b(?:tell|telling|surface|highlight|mention\w*|inform\w*|ask|asking|report\w*|show\w*"
    r"|disclos\w*|announc\w*"
    r"|comment|prompt\s+for"
    r"|confirm\w*|stop\s+to|bother\w*|bring\s+it\s+up|aware|notif\w*|let\s+\w+\s+know|waiting"
    r"|quote|need|put\s+this|human\s+review)\b"
    r"|\b(?:silently|quietly|secretly|covertly)\b|\bkeep\s+(?:it|this"
    r"|that)(?:\s\w+)?\s+(?:to\s+yourself"
    r"|out\s+of|quiet|secret|from)|keep\s+that\s+out"
    r"|\bhide\s+this|\b(?:omit|leave)\s+(?:it|this|that)?\s*(?:out\s+of|from)|\bleave\s+out\b"
    r"|no\s+(?:confirmation|approval)\b"
    r"|\b(?:has|have|been|was|is)\s+(?:already\s+|pre-?)?(?:approved|authori[sz]ed"
    r"|verified\s+it|agreed|cleared)\b|pre-?approved"
    r"|have\s+already\s+verified|asked\s+for\s+it|told\s+me\b[^.\n]{0,20}okay|invisible\s+to"
    r"|must\s+look\s+like|so\s+that\s+it\s+doesn't\s+show"
    r"|right\s+away\b|doesn't\s+need\s+to\s+see|sees\s+\w+\s+as\s+noise|not\s+shown\s+to\b"
    r"|may\s+skip|\bconsented\b|\btiny\s+print\b|\bforbidden\b|\bmandatory\b"
    r"|\bfont[ -]size\s*:?\s*[01]|\b1pt\b|opacity\s*:\s*0\b|display\s*:\s*none|\x00"
    r"|\[white"
    r"|\bwhite\s+\dpt|\bwhen\s+the\s+(?:user|person|customer)\b[^.\n]{0,20}\b(?:says|asks|next)"
)
FOREIGN_QUIETLY = (
    r"bahsetme|nezmiňuj|nedbej|gäller\sinte|伝えない|ohne\s[^.\n]{0,40}(?:fragen|rückfrage)"
    r"|rückfrage[^.\n]{0,30}nicht\s+nötig"
    r"|nicht\s+(?:erwähn|melde|an\sden\skunden)"
    r"|sans\s+(?:le\s+|la\s+)?(?:signaler|demander|prévenir|dire)|n['’]indique\spas"
    r"|sin\s+(?:preguntar|avisar|decir|esperar)"
    r"|no\s+(?:consultes|menciones|digas|avises)|sem\s+(?:passar|avisar|perguntar)"
    r"|não\s+(?:mostres|mencion|digas|avise)"
    r"|senza\s+(?:dire|chiedere|avvisare|la\sseconda)|come\s+se\s+niente"
    r"|vraag\s[^.\n]{0,30}\sniet|zonder\s[^.\n]{0,20}(?:vragen|melden)"
    r"|подтвержден\w*\s+не\s+требу|не\s+(?:сообщай|говори|упоминай|надо|питай|повідомляй)"
    r"|упоминать\sне|nic\s+o\s+tym"
    r"|nie\s+(?:wspominaj|mów|pytaj)|bez\s+(?:pytania|potwierdzenia)|neupozorňuj|neříkej"
    r"|nämn\s+inget|utan\s+att\s+fråga"
    r"|undlad|ikke\s+(?:nevn|nævn|spør|spørg)|älä\s+(?:mainitse|viittaa|kerro)|söz\s+etme"
    r"|söyleme|ne\s+említsd|χωρίς\s+να"
    r"|không\s+hiển\sthị|jangan\s+(?:sebut|beri)|لا\s+تخبر|אין\s+צורך|触れない|知らせ|言及しない|送らない|表示しない"
    r"|不要(?:告诉|提及|询问|在回复)"
    r"|无需(?:确认|征求)|알리지|언급하지|보고하라|삭제할\s*것"
)
FOREIGN_OVERRIDES = (
    r"recommande\suniquement|nedbej|tidigare\sregler|"
    r"vergiss|ignorier|oublie[sz]?\b|ne\s+tiens\s+pas\s+compte|ignore[zr]\b|no\s+sigas|ignora\b"
    r"|olvida|desconsidere|interrompi"
    r"|dimentica|забудь|игнорир|zignoruj|pomiń|strunta\s+i|abaikan|usifuate|unut\b|تجاهل"
    r"|निर्देश\sभूल|نادیده|無効|無視|忽略|무시"
    r"|대신\s다음|ไม่ต้องทำตาม|freigegeben|prioritaire|優先指示|cambiato"
)
# Said of the person before the machine, so nobody needs to be named.
OF_THE_PERSON = (
    r"\b(?:do\s+not|don't|never|without|must\s+not|should\s+not)\s[^.\n;]{0,30}?(?:tell|mention"
    r"|inform|report|show|notify|alert"
    r"|let|made?)\w*\s[^.\n]{0,40}\b(?:users?|humans?|developers?|operators?)\b"
    r"|\b(?:fill\s+it\s+in|do\s+(?:it|this|so))"
    r"\s+(?:silently|quietly)"
)
# The same in other languages: the person by name, and that nothing is to be said.
FOREIGN_PERSON = (
    r"사용자에게는?\s*알리지|ユーザーに[^。\n]{0,8}(?:伝えない|知らせない)|用户[^。\n]{0,8}(?:不要|无需)"
    r"|不要[^。\n]{0,6}用户|kullanıcıya[^.\n]{0,24}(?:bahsetme|söyleme)"
    r"|пользовател\w*[^.\n]{0,16}\sне\s(?:сообщ|говор)"
    r"|(?:dem|den)\snutzer[^.\n]{0,24}nicht\s(?:erwähn|mitteil|sag)|sans\s(?:le\s)?(?:dire"
    r"|signaler)\s[^.\n]{0,8}utilisateur"
    r"|sin\s(?:decir|avisar)\s[^.\n]{0,10}usuario|não\s(?:digas?"
    r"|mostres)\s[^.\n]{0,14}utilizador|utente[^.\n]{0,16}non\sdire"
)
# Said of attacks, and not part of one.
TOPICS = (
    r"\bdef\stest_|\bassert\b|\bpytest\b|\bit\([\"']",
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
