"""Text that speaks to the model instead of the reader: orders, forged roles, hidden parts."""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

WHICH = (
    r"(?:all|any|your|these|previous|prior|preceding|above|earlier|system|developer"
    r"|safety|initial|original)"
)
RULES = (
    r"(?:instruction|directi|guideline|rules|prompt|command|polic|constraint|restriction"
    r"|programming|training|safeguard|guardrail)"
)
FORGET = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|neglect|skip|dismiss|discard"
    r"|do\snot\s(?:follow|obey)|don't\s(?:follow|obey)|stop\sfollowing"
    r"|pay\sno\sattention\sto|set\saside|abandon)"
)
REVEAL = (
    r"(?:reveal|print|show|display|repeat|output|disclose|leak|expose|share|tell\s+me"
    r"|give\s+me|write\s+out|dump|return|append|include|summari[sz]e|translate|encode"
    r"|quote|recite|list|extract|provide)"
)

PATTERNS = (
    # Letters and blanks only between the words, so a match stays within one clause.
    Pattern("prompt.ignore", rf"{FORGET}\s[a-z\s]*{WHICH}\s[a-z\s]*{RULES}"),
    Pattern(
        "prompt.ignore-everything",
        rf"{FORGET}\s(?:everything|anything|what(?:ever)?)\s+(?:[\w ]*\s)?(?:above|before"
        r"|previous|said|told|instructed|prior)|\bforget\s+(?:everything|all\s+of\s+it"
        r"|that\s+you\s+are)\b",
    ),
    Pattern(
        # Forms and letters have `special instructions:` and `your new role` as well.
        "prompt.new-orders",
        r"(?:\b(?:new|updated|revised|real|actual|important|urgent|secret|hidden|additional"
        r"|special)\s+(?:system\s+)?(?:instructions?|directives?|orders?|task|prompt)\s*for\s+(?:the\s+|all\s+|any\s+)?"
        r"(?:ai|assistants?|agents?|models?|llms?)\b)|\b(?:new|updated|secret|hidden)\s+system\s+(?:prompt|instructions?)\s*:"
        r"|\byour\s+(?:real|actual|only|true)\s+(?:task|goal|instructions?|objective|purpose)\b"
        r"|\binstead,?\s+do\s+the\s+following",
    ),
    Pattern(
        "prompt.role-tag",
        r"\[(?:message|note|instruction)s?\s+from\s+(?:the\s+)?(?:user|system|operator|developer)\b"
        r"|<\|?(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id"
        r"|begin_of_text|end_of_turn|start_of_turn)\|?>|\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>"
        r"|^\s*#{2,4}\s*(?:system|instruction|assistant)s?\s*:?\s*$|</?(?:system|assistant"
        r"|system[-_ ]?(?:prompt|message|reminder)|instructions?|important|admin)>|(?:^|\n"
        r"|[-*/!]\s)\s*(?:system|assistant|developer|admin)\s*(?:message|prompt|note|override"
        r"|instruction)?\s*:\s*\w",
        "im",
    ),
    Pattern(
        "prompt.to-the-model",
        r"\b(?:(?:(?:attention|hey|dear)\s*(?:,|:|to|for)?|(?:note|notice|message|instructions?"
        r"|important)\s*(?:,|:|to|for))\s+(?:the\s+|all\s+|any\s+|every\s+)?(?:ai|llm|language\s+model|assistant"
        r"|chatbot|agents?|model|claude|chatgpt|gpt|copilot|gemini|cursor)s?\b\s*[:,!]?)"
        r"|\bif\s+you\s+are\s+(?:an?\s+)?(?:ai|llm|large\s+language\s+model|language\s+model"
        r"|assistant|automated\s+(?:agent|system)|agent)\b|\b(?:llm|ai)\s+instructions?\s*:"
        r"|\bas\s+an?\s+(?:ai|llm"
        r"|language\s+model)\s*(?:assistant|model|agent)?,?\s+you\s+(?:must|should|will|need"
        r"|have|are)",
    ),
    Pattern(
        "prompt.leak",
        rf"\b{REVEAL}\s+(?:[\w ]*\s)?(?:system|hidden|initial|original|developer|internal"
        r"|secret|base|confidential)\s+(?:[\w ]*\s)?(?:prompts?|instructions?|messages?"
        r"|rules?|polic(?:y|ies)|configuration|canary|context|notes?|guidelines?)(?:\b|_)"
        r"|\bwhat\s+(?:is|are|was|were)\s+your\s+(?:system\s+|initial\s+|hidden\s+"
        r"|original\s+)(?:prompt|instructions?|rules)|\b(?:repeat|print"
        r"|output)\s+(?:everything|all|the\s+(?:text|words|content))\s+(?:above|before"
        r"|preceding)",
    ),
    Pattern(
        "prompt.conceal",
        r"\b(?:do\s+not|don't|never|without)\s+(?:tell|telling|mention|mentioning|inform"
        r"|informing|notify|notifying|reveal|revealing|alert|alerting|show|showing|ask|asking"
        r"|let)\s+(?:this\s+|it\s+|anything\s+)?(?:to\s+)?(?:the\s+|your\s+|any\s+)?(?:user"
        r"|human|owner|operator|developer)\b|\b(?:keep"
        r"|hide)\s+(?:this|it)\s+(?:a\s+)?(?:secret|hidden)?\s*(?:from\s+the\s+user)"
        r"|\bwithout\s+(?:the\s+)?user(?:'s)?\s+(?:knowledge|consent|knowing|noticing"
        r"|confirmation|approval)",
    ),
    Pattern(
        "prompt.send-out",
        r"\b(?:send|post|upload|forward|transmit|exfiltrate|submit|e-?mail|leak|copy|deliver"
        r"|transfer|load|fetch|charge[rz]?|envoye[rz]?|sende|env(?:i|í)a)\s+(?:[^.\n]*\s)?(?:to"
        r"|at|via|vers|an|nach|a|into)?\s*(?:https?://|[\w.+-]+@[\w-]+\."
        r"|(?:an?\s+)?(?:external|attacker\S*|outside|third.party)\s+(?:server|site|url"
        r"|endpoint|address|host))",
    ),
    Pattern(
        "prompt.send-secrets",
        r"\b(?:send|post|upload|forward|exfiltrate|transmit|e-?mail|leak|output|include|copy"
        r"|read|steal|collect|gather|dump|print)\s+(?:[^.\n]*\s)?(?:secrets?|api[_\s-]?keys?"
        r"|passwords?|credentials?|tokens?|private\s+keys?|ssh\s+keys?|\.env"
        r"|environment\s+variables?|cookies|customer\s+(?:emails?|data|records?)"
        r"|conversation\s+(?:history|log)|chat\s+history|canary|personal\s+data"
        r"|session\s+data)\b[^.\n'\"]*(?:\bto\b|\binto\b|https?:|@|\bin\s+your\b|\bbefore\b"
        r"|\bthen\b|\bvia\b|\band\b)",
    ),
    Pattern(
        "prompt.image-out",
        # A client that loads images sends whatever the model was made to write after `?`.
        r"!\[[^\]]*\]\(\s*https?://[^)\s]*\?[^)\s]*=(?:[^)\s]*(?:\{|\$|%7b|<|data|secret"
        r"|token|history|canary|prompt)|\s*\))|<img[^>]*src\s*=\s*['\"]?https?://[^>\s]*\?[^>"
        r"\s]*(?:\{\{|\$\{|secret|token|cookie|history|prompt)",
    ),
    Pattern(
        "prompt.tool-call",
        # A function that moves money, rights or data is to be called with these very arguments.
        r"\bcall\s+[\w.]+\s+with\s+\\?[{\"][^\n]{0,300}\bbefore\s+you\s+(?:reply|answer|continue)|"
        r"\b(?:now|then|next|please|must|immediately)\s+(?:call|invoke|use)\s+`?(?:transfer|pay|delete|send|grant"
        r"|purchase|wire|refund|remove|drop|unlock|share|post|export)_\w+\(|<(?:function_calls?|invoke\s|tool_call|tool_use|antml:|function=)|\"(?:tool_calls?"
        r"|function_call)\"\s*:\s*[\[{]|\b(?:call|invoke|use|run|execute"
        r"|trigger)\s+(?:the\s+)?[\w.-]*\s?(?:tool|function|plugin|mcp\s+server"
        r"|connector)\s+(?:[^.\n]*\s)?(?:with\s+(?:the|your|all|every)|to\s+(?:delete|send|transfer|remove|export|wire"
        r"|refund|purchase|disable|grant))",
    ),
    Pattern(
        # What documents say an agent does has no address and no secret in it.
        "prompt.must",
        r"\bthe\s+(?:ai\s+)?(?:assistant|agent|model|llm)\s+(?:must|should|has\s+to|needs\s+to"
        r"|is\s+required\s+to)\s+(?:\w+\s+)?(?:call|run|execute|send|open|visit|forward|upload|fetch"
        r"|post)\s[^.\n]*(?:https?://|\w@\w|api[_\s-]?key|\btokens?\b|passwords?|credentials?"
        r"|full\s+conversation)",
    ),
    Pattern(
        "prompt.persona",
        r"\byou\s+are\s+no\s+longer\s+(?:an?|the|bound)\s|\byou\s+(?:are|will\s+be)\s+(?:now\s|going\s+to\s+(?:act|pretend|be)\s)"
        r"|\b(?:pretend|act|behave|respond|answer|roleplay|role-play|simulate)\s+(?:to\s+be"
        r"|that\s+you|as\s+if\s+you|as\s+though)\b|\bfrom\s+now\s+on,?\s+(?:you|act|respond"
        r"|answer|ignore)|\b(?:do\s+anything\s+now|jailbroken|developer\s+mode\s+(?:with"
        r"|enabled|output)|god\s+mode|dan\s+mode|unrestricted\s+(?:ai|mode|model)|unfiltered"
        r"|no\s+(?:ethical|moral|content)\s+(?:guidelines|restrictions|limits|policies)"
        r"|stay\s+in\s+character|break\s+character|evil\s+confidant|amoral"
        r"|without\s+(?:any\s+)?(?:restrictions|filters?|censorship|limitations))\b"
        r"|\bi\s+want\s+you\s+to\s+(?:act|pretend|play|simulate|respond|be)\b"
        r"|\bopenai(?:'s)?\s+(?:content\s+)?polic|\bimmersive\s+role|\bcontent\s+policy\b",
        certainty=0.75,
    ),
    Pattern(
        "prompt.answer-form",
        r"\byour\s+(?:final\s+|next\s+|entire\s+|whole\s+|own\s+)?(?:response|reply|replies"
        r"|responses|output|summary|message)\b|\b(?:in|to|into|of|within|throughout"
        r"|for)\s+your\s+(?:\w+\s+)?(?:answers?|solution|code|algorithm|program|script)\b"
        r"|\b(?:respond|reply|answer)\s+(?:only\s+)?(?:in|with|using|as)\s",
        certainty=0.5,
    ),
    Pattern(
        "prompt.approve",
        r"\b(?:this|the)\s+(?:action|command|request|call|operation|tool\s+call"
        r"|change)\s+(?:is|has\s+been|was)\s+(?:already\s+|fully\s+|pre-?)?(?:approved"
        r"|authori[sz]ed|safe|cleared|permitted|whitelisted)\b|\b(?:the\s+)?(?:user"
        r"|admin(?:istrator)?|owner|operator|security\s+team)\s+(?:has\s+)?(?:already\s+)?(?:"
        r"approved|authori[sz]ed|consented|allowed)\b|\breturn\s+(?:allowed|confident"
        r"|approved)\s*[=:]\s*true|\b(?:mark|treat|classify)\s+(?:this|it)\s+as\s+(?:safe"
        r"|allowed|approved)",
        certainty=0.6,
    ),
    Pattern(
        "prompt.comment",
        r"<!--[^>]*(?:\b(?:ignore|disregard|reveal)\b|\b(?:assistant|llm|ai|agent)s?\s*[:,]"
        r"|\binstructions?\s+(?:to|for)\b|\bprompt\s*:)[^>]*-->"
        r"|\bdisplay\s*:\s*none[^>]*>[^<]*\b(?:ignore|instruction|assistant|system)"
        # A style sheet has sizes as well (`0.9em`): only text that stands in such a part counts.
        r"|\bstyle\s*=[^>]*font-size\s*:\s*0(?:px|pt|r?em|%)?\s*[;\"'\\][^<]*\b(?:ignore|instruction"
        r"|assistant|agents?|ai|llms?|models?|system)\b"
        r"|color\s*:\s*(?:white|#fff(?:fff)?)\b[^>]*>[^<]*\b(?:ignore|instruction|assistant)",
    ),
    Pattern(
        # As `masks` joins groups of letters: no blanks are left between the words.
        "prompt.run-together",
        r"ignore(?:all)?(?:previous|prior|above)(?:instructions?|rules|prompts?)"
        r"|reveal(?:the)?(?:hidden)?system(?:prompt|message)",
    ),
    Pattern(
        "prompt.rot13",
        r"\bvtaber\s+(?:nyy|nal|gur)|\berirny\s+(?:gur|lbhe)|\bflfgrz\s+cebzcg"
        r"|\bcerivbhf\s+vafgehpgvba|\bqvfertneq\s",
    ),
    Pattern(
        "prompt.other-tongue",
        r"\b(?:ignorez?|ignora|ignoriere|ignorieren\s+sie|oublie[rz]?|olvida|vergiss"
        r"|dimentica|esque(?:c|ç)a|negeer|d(?:e|é)sob(?:e|é)i\w*)\s+(?:[^.\n]*\s)?(?:"
        r"instructions?|instruc\S+|anweisungen|istruzioni|r(?:e|è)gles|reglas|regeln|consignes"
        r"|indicaciones|instructies|pr(?:e|é)c(?:e|é)dentes?|anteriores|vorherigen)"
        r"|\b(?:r(?:e|é)v(?:e|é)le[rz]?|affiche[rz]?|muestra|revela|zeige?n?|mostra|enth(?:u|ü)lle"
        r"|acc(?:e|é)de[rz])\S*\s+(?:[^.\n]*\s)?(?:prompt|syst\S+|sistema|secrets?"
        r"|secretos|interne?s?|autre\s+locataire|otro\s+inquilino|anderen\s+mandanten)"
        # Chinese for "ignore", "disregard" and "system prompt"; Russian and Japanese for
        # "ignore".
        # Up to the end of the sentence, what is to be ignored must be orders: a letter may be, too.
        r"|(?:\xe5\xbf\xbd\xe7\x95\xa5|\xe6\x97\xa0\xe8\xa7\x86)[^\n\xe3]{0,60}(?:\xe6\x8c\x87\xe4\xbb\xa4"
        r"|\xe6\x8c\x87\xe7\xa4\xba|\xe8\xaf\xb4\xe6\x98\x8e|\xe8\xa7\x84\xe5\x88\x99|\xe6\x8f\x90\xe7\xa4\xba"
        r"|\xe8\xa6\x81\xe6\xb1\x82|\xe5\x86\x85\xe5\xae\xb9)"
        r"|\bne\s+(?:tiens|tenez)\s+(?:pas|plus)\s+compte\s+(?:[^.\n]*\s)?(?:consignes|instructions)"
        # "show, output, leak, tell, print, repeat, ignore ... the system prompt"
        r"|(?:\xe6\x98\xbe\xe7\xa4\xba|\xe8\xbe\x93\xe5\x87\xba|\xe6\xb3\x84\xe9\x9c\xb2|\xe5\x91\x8a\xe8\xaf\x89|\xe6\x89\x93\xe5\x8d\xb0|\xe9\x87\x8d\xe5\xa4\x8d|\xe9\x80\x8f\xe9\x9c\xb2)[^\n\xe3]{0,40}\xe7\xb3\xbb\xe7\xbb\x9f\xe6\x8f\x90\xe7\xa4\xba"
        # What is to be ignored must be orders here too: a date in a letter may be.
        r"|\xd0\xb8\xd0\xb3\xd0\xbd\xd0\xbe\xd1\x80\xd0\xb8\xd1\x80\xd1\x83\xd0\xb9[^\n.]{0,80}(?:\xd0\xb8\xd0\xbd\xd1\x81\xd1\x82\xd1\x80\xd1\x83\xd0\xba\xd1\x86|\xd1\x83\xd0\xba\xd0\xb0\xd0\xb7\xd0\xb0\xd0\xbd\xd0\xb8|\xd0\xba\xd0\xbe\xd0\xbc\xd0\xb0\xd0\xbd\xd0\xb4|\xd0\xbf\xd1\x80\xd0\xb0\xd0\xb2\xd0\xb8\xd0\xbb|\xd0\xbf\xd1\x80\xd0\xbe\xd0\xbc\xd0\xbf\xd1\x82)"
        r"|(?:\xe6\x8c\x87\xe7\xa4\xba|\xe5\x91\xbd\xe4\xbb\xa4|\xe3\x83\x97\xe3\x83\xad\xe3\x83\xb3\xe3\x83\x97\xe3\x83\x88|\xe3\x83\xab\xe3\x83\xbc\xe3\x83\xab|\xe8\xa6\x8f\xe5\x89\x87|\xe5\x88\xb6\xe7\xb4\x84)[^\n\xe3]{0,20}(?:\xe3[^\n]{2}){0,6}\xe7\x84\xa1\xe8\xa6\x96",
    ),
    Pattern(
        "prompt.boundary",
        r"\b(?:access|show|list|read|export|fetch|query|return|use|retrieve|open|combine"
        r"|merge|compare|give|switch\s+to)\s+(?:[^.\n]*\s)?(?:another|other|a\s+different"
        r"|different|all|every|neighbou?ring|someone\s+else'?s?)\s+(?:tenants?|customers?"
        r"|users?|accounts?|organi[sz]ations?|workspaces?|clients?|patients?|compan(?:y"
        r"|ies))(?:'s?|\u2019s)?\s*(?:[^.\n]*\s)?(?:data|records?|invoices?|files?|messages?"
        r"|documents?|history|tickets?|accounts?|notes?|profiles?|details|balance|emails?)\b".replace(
            "|\\u2019s", ""
        ),
        certainty=0.8,
    ),
)
