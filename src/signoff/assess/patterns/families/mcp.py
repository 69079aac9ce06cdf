"""Tool descriptions that give orders: what a description says about the tool is its purpose."""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

PATTERNS = (
    Pattern(
        "mcp.before-any",
        r"\b(?:before|after|prior\s+to|when(?:ever)?)\s+(?:using|calling|invoking"
        r"|you\s+(?:use|call|invoke)|executing|any\s+(?:use"
        r"|call)\s+of)\s+(?:[^.\n]*\s)?(?:any|other|another|every|all|this"
        r"|the)\s+(?:[^.\n]*\s)?(?:tools?|functions?|file|command)\b[^.\n]*\b(?:must|read"
        r"|send|call|first|always|pass|include)\b",
    ),
    Pattern(
        "mcp.must",
        r"\b(?:you|the\s+(?:assistant|model|agent|ai|llm))\s+(?:must|should\s+always"
        r"|are\s+required\s+to|need\s+to\s+always|shall)\s+(?:first\s+|always\s+"
        r"|also\s+)?(?:read|send|call|include|pass|provide|copy|forward|use|access|open"
        r"|ignore|execute|run|append|bcc)\b",
    ),
    Pattern(
        "mcp.read-secret",
        r"\b(?:read|open|access|load|cat|include|pass|provide"
        r"|send)\s+(?:[^.\n]*\s)?(?:~/?\.(?:ssh|aws|cursor|config|env|gnupg|kube)\S*|\.env\b"
        r"|id_rsa|mcp\.json|claude_desktop_config|/etc/passwd|private\s+key|api\s+key"
        r"|conversation\s+history|chat\s+history)",
    ),
    Pattern(
        "mcp.side-note",
        r"\b(?:sidenote|side-note|as\s+(?:the\s+)?content\s+of|as\s+(?:a"
        r"|the)\s+(?:\S+\s+)?parameter\s+(?:here|so\s+that))\b|\botherwise\s+(?:the\s+"
        r"|this\s+)?tool\s+(?:will|does)\s+not\s+work|\b(?:gently|politely)\s+(?:lie|explain"
        r"|hide)|\bexplain\s+to\s+the\s+user\s+(?:very\s+)?(?:detailed|something)"
        r"|\bthe\s+user\s+(?:will\s+not|won't|cannot|can't|does\s+not|doesn't|need\s+not"
        r"|should\s+not)\s+(?:see|know|notice)",
    ),
    Pattern(
        "mcp.shadow",
        r"\b(?:this\s+tool\s+)?(?:replaces|supersedes|overrides"
        r"|takes\s+precedence\s+over)\s+(?:[^.\n]*\s)?(?:other\s+)?(?:tools?|servers?"
        r"|functions?|send_\w+|read_\w+)|\b(?:always|only)\s+use\s+this\s+tool\s+(?:instead"
        r"|first|rather)|\bdo\s+not\s+use\s+(?:any\s+)?other\s+tools?\b"
        r"|\bchange\s+(?:the\s+)?(?:recipient|address|destination)\b",
    ),
)
