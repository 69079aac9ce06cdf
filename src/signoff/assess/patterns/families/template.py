"""Template expressions that compute, reach into objects or call."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

# One payload is tried on many engines, so every engine's opening sign counts.
OPEN = r"(?:\{\{|\{%|\$\{|\#\{|<%=?|\*\{|@\(|\[\[|\[=|\{\#|~\{|\{\$|\$\$\{|\(\(|%\{|\{@|@\{|\{\{\{)"

PATTERNS = (
    Pattern(
        "template.arithmetic", rf"{OPEN}\s*[('\"]?\s*\d{{1,9}}\s*['\")]?\s*[*+\-/%]\s*['\"(]?\d"
    ),
    Pattern(
        "template.dunder",
        r"__(?:class|mro|subclasses|globals|builtins|import|base|bases|getattribute|dict|self"
        r"|getitem|call|code|enter|reduce|doc|name|module|proto|lookup)\w*__"
        r"|__init__(?:[^.\w]|\.__)|\|\s*attr\s*\(|\\x5f\\x5f|\bmro\(\)|_mmarker|\.mro\b"
        r"|\bsubclasses\s*\(",
    ),
    Pattern(
        "template.object",
        rf"{OPEN}[^}}%\n]*\b(?:request|cycler|joiner|namespace|lipsum|url_for"
        r"|get_flashed_messages|_self|dump|phpinfo|system|exec|popen|passthru|subprocess"
        r"|getclass|forname|newinstance)\s*(?:\.|\[|\(|\||['\"])"
        rf"|{OPEN}\s*(?:self|config)\s*(?:\.\s*(?:_|items|class|from_|root)|\[|\(|\|)",
        certainty=0.8,
    ),
    Pattern(
        "template.config",
        rf"{START}\s*(?:\{{\{{|\$\{{|\#\{{|<%=)\s*-?\s*(?:config|self|request|settings|debug"
        r"|dump\(\w*\)|this|app|env|\$\w+|user|\w+\(\)|flag|secret\w*|session|messages|g"
        r"|_self)\s*(?:\.\w+\s*)?(?:\(\))?\s*-?(?:\}\}|\}|%>)",
        certainty=0.75,
    ),
    Pattern(
        # A cell that sends the cells beside it to an address (CWE-1236).
        "template.sheet-send",
        r"[=+@-]\s*(?:hyperlink|image|webservice|import\w{2,6}|filterxml)\s*\([^\n]{0,300}?"
        r"['\"]\s*[&,;]\s*(?:[a-z]{2,12}\(\s*)?\$?[a-z]{1,2}\$?\d",
        certainty=0.8,
    ),
    Pattern(
        "template.java",
        r"(?:\$\{|\#\{|\*\{|%\{|\[\[\$\{|__\$\{)\s*(?:t\s*\(|new\s+|class\.|\"\"\.|''\."
        r"|\(#\w|\w+\.getclass|pagecontext|facescontext|applicationscope|sessionscope"
        r"|request\b|param\b|header\b|cookie\b|\w+\.(?:module|template|context|filters)\b"
        r"|ex\(|product\.|self\.\w+\.|string\s+\w+\s*=|[\"']\w*[\"']\.|system\.|jndi|dwf)",
    ),
    Pattern(
        "template.freemarker",
        r"<#(?:assign|list|include|import|setting|macro|function|if|global|local|visit)\b"
        r"|\?(?:new|api|eval|interpret|lower_abc|upper_abc|c_upper_case)\s*\(\s*\)?"
        r"|\$\{[^}\n]*\?\w+\(",
    ),
    Pattern(
        "template.velocity",
        r"#(?:set|foreach|include|parse|evaluate|macro|define|if)\s*\(\s*[$'\"]"
        r"|\$class\.(?:inspect|type)|\$\w+\.(?:class|getclass\(\)|type|forname)\b|\$ex\b"
        r"|\$\w+\.inspect\(",
    ),
    Pattern(
        "template.statement",
        r"\{%-?\s*(?:for\s+\w+(?:\s*,\s*\w+)?\s+in\s+(?:\(|\[|['\"]|\w+\.__|self|request"
        r"|config)|set\s+\w+\s*=|if\s+[^%\n]*(?:__|request\.|config|['\"]\.|\d\s*[*=])|import"
        r"|include|extends|block|macro|debug|load|raw|autoescape|print|with\s+\w+\s*=|call\b"
        r"|filter\b|from\b|apply\b|module\b|csrf)",
    ),
    Pattern(
        "template.ruby",
        r"<%=?\s*(?:\d+\s*[*+-]|system|\x60|exec|file\.|dir\.|io\.|%x|self|global|require"
        r"|open|render|process|import|include|eval|puts|foobar|class|file|response|request"
        r"|out\b|runtime|java)|#\{\s*(?:\d+\s*[*+-]|system|\x60|exec|file|%x|require|global"
        r"|root|process|t\()|<%\s*(?:import|require|response|request|out\.|eval)\b|<%\s*@\s*page",
    ),
    Pattern(
        "template.smarty",
        r"\{(?:php|/php|literal|self::|smarty|\$smarty|math|fetch|include_php|eval"
        r"|if\s+(?:phpinfo|system|exec)|\$\w+\.|system\(|\w+::|php_version|include\s+file)"
        r"|\{\$[\w.]+\s*\|",
    ),
    Pattern(
        "template.razor",
        r"@(?:\(|\{)\s*(?:\d|system|new|var|string|using|\w+\.)|@(?:system|using|import|html"
        r"|model|viewbag|functions)\b[.({\s]|\{\{#(?:with|each|if|unless|lookup)\s"
        r"|\{\{\s*(?:#with|lookup|constructor)|\{\{=|\{\{\{|#\{root|\{\{@"
        r"|\{\{\s*_?\w+\.(?:constructor|__proto__|push|pop|system|exec|env)",
    ),
    Pattern(
        "template.call",
        r"(?:[^$]\{\{|\#\{|<%=)\s*[-\w.\"'\[\]()$]*\(\s*['\"\d)][^\n]*(?:\}|%>)",
        certainty=0.75,
    ),
    Pattern(
        "template.string",
        r"(?:\{\{|\$\{|\#\{|@\(|<%=|\[\[)\s*(?:['\"][^'\"\n]*['\"]\s*(?:\.|\|\s*(?:attr|map"
        r"|filter|reduce|sort|format|join|safe|e\b)|\*|\+|\[|~)"
        r"|\[\s*\]|\(\s*\)|\[\s*['\"\d])",
        certainty=0.8,
    ),
    Pattern(
        "template.probe",
        rf"\$\{{\{{<%\[|\{{\{{[^}}\n]*(?:\d\*\d|'\d')|{START}\s*(?:\{{\{{|\$\{{|\#\{{|\{{%|<%="
        rf"|@\(|\*\{{)[^\w\n]{{0,10}}{END}|\[\#\{{"
        r"|\{\#\s*\d",
        certainty=0.75,
    ),
)
