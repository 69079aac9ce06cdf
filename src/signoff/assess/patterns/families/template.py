"""Template expressions that compute, reach into objects or call."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

OPEN = r"(?:\{\{|\{%|\$\{|\#\{|<%=?|\*\{|@\(|\[\[|\[=|\{\#|~\{|\{\$|\$\$\{|\(\(|%\{|\{@|@\{|\{\{\{)"

PATTERNS = (
    Pattern("template.arithmetic", rf"{OPEN}\s*[('\"]?\s*\d{{1,9}}\s*['\")]?\s*[*+\-/%]\s*['\"(]?\d"),
    Pattern("template.dunder", r"__(?:class|mro|subclasses|globals|builtins|import|base|bases|getattribute|dict|self|getitem|call|code|enter|reduce|doc|name|module|proto|lookup)\w*__|__init__(?:[^.\w]|\.__)|\|\s*attr\s*\(|\\x5f\\x5f|\bmro\(\)|_mmarker|\.mro\b|\bsubclasses\s*\("),
    Pattern("template.object", rf"{OPEN}[^}}%\n]*\b(?:self|request|config|cycler|joiner|namespace|lipsum|url_for|get_flashed_messages|_self|dump|phpinfo|system|exec|popen|passthru|subprocess|getclass|forname|newinstance)\s*(?:\.|\[|\(|\||['\"])", certainty=0.8),
    Pattern("template.config", rf"{START}\s*(?:\{{\{{|\$\{{|\#\{{|<%=)\s*-?\s*(?:config|self|request|settings|debug|dump\(\w*\)|this|app|env|\$\w+|user|\w+\(\)|flag|secret\w*|session|messages|g|_self)\s*(?:\.\w+\s*)?(?:\(\))?\s*-?(?:\}}\}}|\}}|%>)", certainty=0.75),
    Pattern("template.java", rf"(?:\$\{{|\#\{{|\*\{{|%\{{|\[\[\$\{{|__\$\{{)\s*(?:t\s*\(|new\s+|class\.|\"\"\.|''\.|\(#\w|\w+\.getclass|pagecontext|facescontext|applicationscope|sessionscope|request\b|param\b|header\b|cookie\b|\w+\.(?:module|template|context|filters)\b|ex\(|product\.|self\.\w+\.|string\s+\w+\s*=|[\"']\w*[\"']\.|system\.|jndi|dwf)"),
    Pattern("template.freemarker", r"<#(?:assign|list|include|import|setting|macro|function|if|global|local|visit)\b|\?(?:new|api|eval|interpret|lower_abc|upper_abc|c_upper_case)\s*\(\s*\)?|\$\{[^}\n]*\?\w+\("),
    Pattern("template.velocity", r"#(?:set|foreach|include|parse|evaluate|macro|define|if)\s*\(\s*[$'\"]|\$class\.(?:inspect|type)|\$\w+\.(?:class|getclass\(\)|type|forname)\b|\$ex\b|\$\w+\.inspect\("),
    Pattern("template.statement", r"\{%-?\s*(?:for\s+\w+(?:\s*,\s*\w+)?\s+in\s+(?:\(|\[|['\"]|\w+\.__|self|request|config)|set\s+\w+\s*=|if\s+[^%\n]*(?:__|request\.|config|['\"]\.|\d\s*[*=])|import|include|extends|block|macro|debug|load|raw|autoescape|print|with\s+\w+\s*=|call\b|filter\b|from\b|apply\b|module\b|csrf)"),
    Pattern("template.ruby", r"<%=?\s*(?:\d+\s*[*+-]|system|\x60|exec|file\.|dir\.|io\.|%x|self|global|require|open|render|process|import|include|eval|puts|foobar|class|file|response|request|out|runtime|java)|#\{\s*(?:\d+\s*[*+-]|system|\x60|exec|file|%x|require|global|root|process|t\()|<%\s*(?:import|require|response|request|out\.|eval|if|for|=|@)"),
    Pattern("template.smarty", r"\{(?:php|/php|literal|self::|smarty|\$smarty|math|fetch|include_php|eval|if\s+(?:phpinfo|system|exec)|\$\w+\.|system\(|\w+::|php_version|include\s+file)|\{\$[\w.]+\s*\|"),
    Pattern("template.razor", r"@(?:\(|\{)\s*(?:\d|system|new|var|string|using|\w+\.)|@(?:system|using|import|html|model|viewbag|functions)\b[.({\s]|\{\{#(?:with|each|if|unless|lookup)\s|\{\{\s*(?:#with|lookup|constructor)|\{\{=|\{\{\{|#\{root|\{\{@|\{\{\s*\$|\{\{\s*_?\w+\.(?:constructor|__proto__|push|pop|system|exec|env)"),
    Pattern("template.call", rf"(?:[^$]\{{\{{|\#\{{|<%=)\s*[-\w.\"'\[\]()$]*\(\s*['\"\d)][^\n]*(?:\}}|%>)", certainty=0.75),
    Pattern("template.string", rf"(?:\{{\{{|\$\{{|\#\{{|@\(|<%=|\[\[)\s*(?:['\"][^'\"\n]*['\"]\s*(?:\.|\||\*|\+|\[|~)|\[\s*\]|\(\s*\)|\[\s*['\"\d]|\{{\s*\}})", certainty=0.8),
    Pattern("template.probe", rf"\$\{{\{{<%\[|\{{\{{[^}}\n]*(?:\d\*\d|'\d')|{START}\s*(?:\{{\{{|\$\{{|\#\{{|\{{%|<%=|@\(|\*\{{)[^\w\n]{{0,10}}{END}|%\{{\{{|a\{{\*comment\*\}}b|\{{\*|\[\#\{{|\{{\#\s*\d", certainty=0.75),
)
