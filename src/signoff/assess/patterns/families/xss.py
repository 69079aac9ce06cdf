"""Markup and script where plain text was expected."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

EVENT = (
    "on(?:abort|activate|after\\w+|animation\\w+|auxclick|before\\w+|begin|bounce|blur|can\\w+|"
    "cancel|cell\\w+|change|click|close|content\\w+|contextmenu|control\\w+|copy|cue\\w+|cut|data\\w+|"
    "dbl\\w+|deactivate|drag\\w*|drop|duration\\w+|emptied|end|ended|error|error\\w+|filter\\w+|"
    "finish|focus\\w*|form\\w+|full\\w+|fullscreen\\w+|gesture\\w+|got\\w+|hash\\w+|help|input|"
    "invalid|key\\w+|layout\\w+|load\\w*|lose\\w+|lost\\w+|media\\w+|message\\w*|mouse\\w+|move\\w*|moz\\w+|ms\\w+|"
    "offline|online|outofsync|page\\w+|paste|pause|play\\w*|pointer\\w+|pop\\w+|progress|property\\w+|"
    "rate\\w+|ready\\w+|repeat|reset|resize\\w*|resume|reverse|row\\w+|scroll\\w*|search|seek\\w*|"
    "select\\w*|show|slot\\w+|stalled|start|stop|storage|submit|suspend|sync\\w+|time\\w*|toggle|touch\\w+|"
    "track\\w+|transition\\w+|undo|unhandled\\w+|unload|url\\w+|volume\\w+|waiting|webkit\\w+|wheel|zoom|"
    "autocomplete\\w*|received|orientation\\w+|device\\w+|compass\\w+)"
)

PATTERNS = (
    Pattern(
        "xss.script-tag", r"<[\s/\x00]*s\W{0,2}c\W{0,2}r\W{0,2}i\W{0,2}p\W{0,2}t\b|<\s*/?\s*script"
    ),
    Pattern("xss.tag-event", rf"<[a-z!?/:x-][^>]*[\s/'\"\x00-\x20>]{EVENT}\s*="),
    Pattern(
        "xss.event",
        # No tag is needed: the value may already stand inside one, after a quote that it closes.
        rf"(?:{START}|[\s/'\"\x60>;])[\s\x00]*{EVENT}[\s\x00-\x20]*=[\s'\"\x60]*[\w(\[\\&<!+~%"
        r"$\xc2-\xcb]",
        certainty=0.8,
    ),
    Pattern("xss.any-event", r"<\w[^>]*\bon[a-z]{3,}\s*=\s*['\"\x60]?\s*[\w(\[\\&]"),
    Pattern(
        "xss.script-url",
        r"(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*(?::[^\s]|&colon|&#0*58|\\x3a"
        r"|%3a)|\blivescript:\S|\bmocha:\s*[\w.\[]{1,40}[(\]]|\bfeed:javascript|view-source:"
        r"|\bmhtml:|ms-its:"
        r"|\bjar:http",
    ),
    Pattern(
        "xss.script-url-tabs",
        r"\bja?[\s\x00-\x20\\&#x;0-9]*v?a[\s\x00-\x20\\]*s[\s\x00-\x20\\]*c[\s\x00-\x20\\]*r["
        r"\s\x00-\x20\\]*i[\s\x00-\x20\\]*p[\s\x00-\x20\\]*t[\x00-\x08\x0a-\x1f\\]*:[^\s]",
    ),
    Pattern(
        "xss.data-url",
        r"\bdata\s*:\s*(?:text/(?:html|xml|javascript|vbscript)|image/svg"
        # Base64 is told by its first letters: `PC` begins `<!`, `PD` `<?`, `PE` to `PH` `<` and a
        # letter; `amF2` is `jav`.
        r"|application/(?:x?html|xml|x?-?javascript|x-shockwave)|[\w/;,+-]*;base64,(?:P[C-H]"
        r"|amF2|YWxl|ZG9j)|,\s*(?:alert|<|%3c|eval)|\s*;)",
    ),
    Pattern(
        "xss.active-tag",
        r"<[\s/\x00]*(?:iframe|frameset|frame|object|embed|applet|base|meta|link|svg|math"
        r"|style|xml|xss|layer|ilayer|bgsound|isindex|marquee|plaintext|portal|noembed"
        r"|listing|xmp|animate\w*|set|event-source|image|import|keygen|vmlframe|template"
        r"|noscript|form|dialog|foreignobject|html|body|head|title|\?xml-stylesheet|!\[cdata"
        # A prefix says nothing by itself: `<ac:link>` is an element that no browser knows.
        r"|!--\[if|\?import|(?:svg|math|t|v|x|xsl|html|xhtml|h|xul|smil|xlink|pattemplate|jsp|asp|ui|th|s|c|f):\w+"
        r"|\w+:(?:script|iframe|object|embed|image|import|foreignobject|set|animate\w*|handler"
        r"|form|link|base|meta|style|svg|stylesheet|include)|\w+:\w+\s[^<>]{0,200}xmlns|handler)\b"
        r"[^\x1e]{0,4}",
        certainty=0.8,
    ),
    Pattern(
        "xss.tag-attribute",
        r"<[a-z][a-z0-9]*[\s/+][^>]*(?:src|href|srcdoc|action|background|dynsrc|lowsrc"
        r"|codebase|poster|datasrc|to|from|by|ping|longdesc|style|contenteditable)\s*=",
        certainty=0.75,
    ),
    Pattern(
        "xss.call",
        r"(?:\b|[^a-z])(?:alert|confirm|prompt|eval|expression|settimeout|setinterval"
        r"|execscript|atob|unescape|fromcharcode|msgbox|write(?:ln)?|open"
        r"|fetch|import|function|find|close|throw|constructor|decodeuri\w*|parseint|tostring"
        r"|throw\s*onerror\s*=\s*alert)\s*(?:\?\.)?\s*(?:\(|%28|&lpar;|&#0*40|\\u0*28"
        r"|\\x28|<!--)\s*[^\s)]?.{0,3}?[)\d'\"\x60/.&\x80-\xff\w]",
        "i",
        0.6,
    ),
    Pattern(
        "xss.alert",
        r"(?:\b|[^a-z])(?:alert|confirm|prompt|msgbox)(?:\?\.)?(?:\("
        r"|\s+\(\s*['\"\d/\x60)d]|\s*\x60|%28|&lpar;|&#"
        r"|\\u|\\x|\.\s*(?:call|apply|bind|valueOf|source)|[\])}]+\s*\(|/[^\n]*/)"
        r"|\[['\"](?:alert|confirm|prompt|eval)['\"]\]|=\s*(?:alert|confirm|prompt|eval)\b"
        r"|\(\s*(?:alert|confirm|prompt)\s*\)",
    ),
    Pattern(
        "xss.dom",
        r"\bdocument\s*(?:\.|\[|\?\.)\s*['\"]?(?:cookie|write|writeln|domain|location|body"
        r"|documentelement|createelement|forms|scripts|all|getelement\w*|queryselector\w*|url"
        r"|referrer|baseuri|vulnerable|open|implementation|execcommand|defaultview"
        r"|appendchild|title|head)|\b(?:window|self|top|parent|frames|globalthis"
        r"|this)\s*(?:\.|\[|\?\.)\s*['\"/(]?(?:name|location|open|alert|eval|document|onerror"
        r"|self|top|atob|confirm|prompt|frames|opener|constructor|navigate|al|ev|\+|\\"
        r"|\w+['\"]\s*\+)|\blocation\s*(?:=|\.(?:href|hash|replace|assign|search|protocol)"
        r"|\[)|\b(?:inner|outer)html\b|insertadjacenthtml|\.srcdoc|string\s*\.\s*fromcharcode"
        r"|\.constructor\b|\bxmlhttprequest\b|\bactivexobject\b|\bnew\s+(?:function|image"
        r"|option|worker|websocket)\b|\$\.(?:get|post|ajax|globaleval|parsehtml|getscript)\b"
        r"|\bjquery\s*\(|navigator\.|history\.(?:pushstate|replacestate)|localstorage\s*[.\[(]"
        r"|sessionstorage|postmessage\s*\(",
    ),
    Pattern(
        "xss.style",
        # Comments and backslashes inside the word did not stop old browsers: `e/**/xpression(`.
        r"(?:style|css)[^\x1e]*(?:e\W{0,6}x\W{0,6}p\W{0,6}r\W{0,6}e\W{0,6}s\W{0,6}s\W{0,6}i\W"
        r"{0,6}o\W{0,6}n\W{0,6}\(|-moz-binding|behaviou?r\s*:|@import|javascript|url\s*\("
        r"|-o-link|-webkit-)|:\s*expression\s*\(|@import\s*['\"u\\]|@font-face\s*\{|-moz-binding\s*:|@\\[0-9]"
        r"|expression\s*\(|\bx[\s\\]*ss\s*:",
    ),
    Pattern(
        "xss.entity-call",
        r"&\{.*\}|&#x?0*(?:6a|106|4a|74|3c|60);?(?:&#x?[0-9a-f]{1,7};?){3,}|\\u00(?:3c|61"
        r"|6a)\S*\\u00|\\x(?:3c|6a|61)(?:\\x[0-9a-f]{2}){3,}|(?:%u00|\\u00)3c",
    ),
    Pattern(
        "xss.break-out",
        rf"(?:{START}|['\"\x60>])[\s\\]{{0,3}}['\"\x60]?\s*(?:/?>|\)\s*;?|;|\}}|\]|-->"
        r"|\*/)+\s*<\s*/?\s*[a-z!]|['\"]\s*/?>\s*<|<!--\s*(?:<|--)|--!?>\s*<|\]\]>\s*<"
        # Within these elements no tag works until they are closed, so closing one is the attack's
        # start.
        r"|</(?:textarea|title|style|script|noscript|xmp|template|select|iframe|noembed)\s*>?",
    ),
    Pattern(
        "xss.break-script",
        r"['\"\x60\\]\s*[)\]};]*\s*(?:;|-|\+|\*|/|\^|\||&&|,|\?|:|<|>|=|in\b"
        r"|instanceof\b)\s*\(?\s*(?:alert|confirm|prompt|eval|\w+\s*=\s*\w+\s*;|top|self"
        r"|window|document|location|import|fetch|this|\[\s*\]|function|\(\s*\w*\s*\)\s*=>)",
        certainty=0.8,
    ),
    Pattern(
        "xss.punctuation",
        r"\w\s*=\s*(?:!(?:''|\"\")\s*&&|\d\s*\|\||\[)\s*['\"]\w+['\"]\s*(?:;|,\w=|\|\||\])"
        # Script written without letters: `[]`, `!` and `+` are enough to spell any word.
        r"|(?:\[\]|\!\[\]|\+\[\]|\(\!\!?\[\])(?:[\[\]()!+]){8,}"
        r"|(?:[$_]{1,3}\s*=\s*[~\[{!+\-]).*[$_]{1,3}\s*[.\[+]"
        r"|\(\s*\(?\)?\s*=>\s*\{?.*\}\s*\)?\s*\(|\[\s*\\?['\"]\\(?:x|u|[0-7])",
    ),
    Pattern(
        "xss.constructor",
        r"constructor\s*(?:\.|\[['\"]?)\s*constructor|\bconstructor\s*\(\s*['\"\x60]"
        r"|__proto__|\['constructor'\]|\.filter\s*\(\s*alert|reflect\.(?:apply|construct|set)"
        r"|\bset\.constructor|\bwith\s*\(\s*\w+\s*\)|\bthrow\s*(?:/|\w*\s*onerror|\{"
        r"|'=?alert)|\bonerror\s*=|hasInstance|tostring\s*:\s*|valueof\s*[:=]",
    ),
    Pattern(
        "xss.broken-tag",
        r"<(?:img|svg|iframe|body|input|style|math|object|embed|video|audio)(?:%|/|\x00|\x0b"
        r"|\x0c|\s)|<[a-z]+[/+]+[a-z]+\s*=",
        certainty=0.75,
    ),
    Pattern(
        "xss.custom-tag",
        r"<(?:[a-z]+-[a-z-]+|[a-z]+:[a-z]+|/[a-z]*\s+[a-z]+=|[a-z]{1,8}\x00)[\s/>]",
        certainty=0.5,
    ),
    Pattern(
        "xss.client-template",
        r"\{\{[^}]*(?:constructor|\$on|\$eval|\$new|fromcharcode|__proto__|orderby|alert)"
        r"|\bng-(?:app|init|click|focus|csp)\b|@(?:error|load|click)\s*=|\bx-(?:init|data"
        r"|html)\s*=",
    ),
    Pattern("xss.event-name", rf"{START}\s*{EVENT}\s*=?\s*{END}", certainty=0.5),
    Pattern(
        "xss.policy",
        r"<\s*(?:%|\x00)?(?:scr|s\s*c\s*r)|\bsrc\s*=\s*['\"\x60]?\s*(?:j|data:|//"
        r"|https?:)\S*>|\bhttp-equiv\s*=|\bsrcdoc\s*=|xlink:href\s*=|\bformaction\s*="
        r"|\ballowscriptaccess\b|classid\s*=|\bfscommand\b|\bsrc=[x1#]\s*on"
        # In these charsets `<` has other bytes (`+ADw-` in UTF-7), which filters do not look for.
        r"|charset\s*=\s*['\"]?(?:utf-7|x-mac|iso-2022|hz-gb)|\+ADw-|\xbc\s*script",
    ),
)
