"""SQL handed in where a value was expected: what breaks out of quotes, and what only SQL says."""

from __future__ import annotations

from signoff.assess.patterns.pattern import END, START, Pattern

GAP = r"[\s+(),\x60]"  # what may stand between two words of SQL; comments are taken out before
QUOTE = r"['\"]"
TAIL = rf"(?:--|\#|/\*|;|\x00|{END})"

PATTERNS = (
    Pattern("sql.union-select", rf"\bunion{GAP}+(?:(?:all|distinct){GAP}*)?{GAP}*select\b"),
    Pattern(
        "sql.union-broken",
        # Comments and control bytes stand in for the blank: `union/*x*/select`, `union%0bselect`.
        r"\buni(?:on)?(?:/\*[^*]*\*/|%0[0-9a-d]|\W{1,3})+(?:all\W+)?sel(?:ect)?\b",
    ),
    Pattern(
        "sql.quoted-logic",
        rf"{QUOTE}[\s)]*{GAP}*(?:or|and|xor|having|where|\|\||&&|like|rlike|regexp|div|mod|in"
        rf"|is|between){GAP}+{QUOTE}?[\w.%@(]*{QUOTE}?{GAP}*(?:=|<|>|!=|like\b|is\b|in\b"
        r"|regexp\b|between\b)",
    ),
    Pattern(
        "sql.quoted-logic-call",
        rf"{QUOTE}[\s)]*{GAP}*\b(?:or|and|xor|\|\||&&){GAP}+(?:not{GAP}+)?[\w.]{{2,}}\s*\(",
    ),
    Pattern(
        "sql.open-quote-logic",
        rf"{START}[^'\"\n\s]*{QUOTE}[\s)]*(?:or|and|xor|\|\||&&|-|\+|\*|=|like)[\s+(]*{QUOTE}",
    ),
    Pattern(
        "sql.number-logic",
        r"(?:\b|[)'\"])(?:or|and|xor|having|where|when|\|\|"
        r"|&&)[\s+(]+(?:not[\s+(]+)?['\"]?\d{1,9}['\"]?[\s)]*(?:=|<>|!=|<|>|like\b"
        r"|between\b)[\s(]*['\"]?\d",
    ),
    # No back-references in linear expressions, so any two letters stand for the same one:
    # `'a'='a'`.
    Pattern("sql.same-logic", r"\b(?:or|and)[\s+(]+['\"]([a-z])['\"]?\s*=\s*['\"]?[a-z]\b"),
    Pattern(
        "sql.number-logic-bare",
        rf"{START}['\")\s\d-]+(?:\b(?:or|and|xor)\b|\|\||&&)[\s+(]*(?:not\s+)?(?:\d|true|false"
        rf"|null|\(|sleep|exists)[^a-z]*{TAIL}",
    ),
    Pattern(
        "sql.comment-end",
        rf"{START}[^'\"\n]*{QUOTE}[\s);]*(?:--[\s+-]*|\#\s*|/\*[^*]*(?:\*/)?|;\s*--.*){END}",
    ),
    Pattern("sql.number-comment", rf"{START}-?\d{{1,9}}[)\s]*(?:--[\s+-]*|\#|/\*){END}"),
    Pattern(
        "sql.comment-mid",
        rf"{QUOTE}[\s)]*(?:;|\|\|)?[^\n]+(?:--[\s+-]*|\#|/\*){END}",
        certainty=0.8,
    ),
    Pattern(
        "sql.stacked",
        rf"(?:;|{QUOTE}\)?|\d)\s*;?\s*\b(?:drop{GAP}+(?:table|database|user|schema|view|index"
        rf"|column|login)|insert{GAP}+into|delete{GAP}+from|truncate{GAP}+table"
        rf"|alter{GAP}+(?:table|user|login)|create{GAP}+(?:table|user|login|or\s+replace"
        rf"|function)|exec(?:ute)?{GAP}+(?:\w+\.|sp_|xp_|immediate|master|\(|@)|declare\s+@"
        rf"|shutdown\b|waitfor{GAP}+|update{GAP}+\w+{GAP}+set\b|copy\s+\w+\s+(?:from"
        r"|to)\s+program|grant\s+\w+)",
    ),
    Pattern(
        "sql.stacked-select",
        rf"(?:{QUOTE}\)*|\d\)*)\s*;\s*(?:select|call|begin|if|declare|exec|execute|print|set"
        r"|use|backup|desc|show)\b",
    ),
    Pattern(
        "sql.statement",
        rf"{START}\s*(?:drop{GAP}+(?:table|database)\s+(?:if\s+exists\s+)?[\w.]+\s*(?:;|--"
        rf"|cascade|{END})|insert{GAP}+into\s+\w+\s*(?:\(|values"
        rf"|select)|delete{GAP}+from\s+\w+\s*(?:where|;|{END})|update\s+\w+\s+set\s+\w+\s*="
        r"|exec(?:ute)?\s+(?:master|xp_|sp_|\(|@)|create\s+(?:table|user)\s+\w+\s*(?:\("
        r"|identified|with)|grant\s+(?:all|connect|resource|dba|select)\b|alter\s+(?:user"
        r"|table|login)\s)",
        certainty=0.8,
    ),
    Pattern(
        "sql.timing",
        r"\b(?:sleep\s*\(\s*['\"]?[\d_@.]+['\"]?\s*[),]|sleep\([^\s)]|benchmark\s*\(\s*[\d\s]"
        r"|pg_sleep\s*\("
        r"|waitfor{G}(?:delay|time)|dbms_(?:pipe|lock|session)|randomblob\s*\("
        r"|generate_series\s*\(|heavy_query)".replace("{G}", GAP + "+"),
    ),
    Pattern(
        "sql.function",
        r"\b(?:extractvalue|updatexml|load_file|xp_(?:cmdshell|dirtree|regread|regwrite"
        r"|fileexist|servicecontrol|availablemedia|enumdsn|loginconfig|makecab"
        r"|ntsec_enumdomains|terminate_process|sendmail|getfiledetails)|sp_(?:password"
        r"|executesql|addextendedproc|addlogin|addsrvrolemember|oacreate|oamethod|configure"
        r"|makewebtask|adduser|help\w*)|utl_(?:inaddr|http|file|smtp|tcp)|ctxsys\.|dbms_\w+"
        r"|group_concat|json_(?:depth|extract|keys|arrayagg)|openrowset|opendatasource"
        r"|lo_import|pg_read_file|current_setting|query_to_xml|database_to_xml"
        r"|procedure\s+analyse|make_set|elt|char_length|name_const|exp\(~|st_\w+from\w+"
        r"|gtid_subset|row_count|sqlite_\w+|fn_\w+|is_srvrolemember|is_member|has_dbaccess"
        r"|quotename|bulk\s+insert|into\s+(?:out|dump)file)\b\s*[('\"]?",
        certainty=0.8,
    ),
    Pattern(
        "sql.catalog",
        r"\b(?:information_schema|sysobjects|syscolumns|syslogins|sysdatabases|sysprocesses"
        r"|pg_(?:catalog|shadow|user|database|tables|class)|sqlite_(?:master|schema)"
        r"|mysql\.(?:user|db|innodb\w*)|master\.\.?(?:sys|xp|db)\w+|msysobjects|(?:all|user"
        r"|dba)_(?:tables|users|tab_columns|objects|catalog|views|db_links|sys_privs"
        r"|role_privs|procedures|source|constraints)|sys\.(?:all_|user|dba|sys|tables|objects"
        r"|databases|sql_logins|v_|server_principals)\w*|v\$(?:version|session|instance"
        r"|parameter|database)|rdb\$\w+|systables|domain\.tables|syscat\.\w+)\b",
    ),
    Pattern(
        "sql.variable",
        r"@@(?:version|datadir|hostname|basedir|servername|global|spid|language|dbts|rowcount"
        r"|identity|langid|max_connections|innodb\w*|secure_file_priv|\w+\s*(?:=|,|\)|--|$))"
        r"|\bfrom\s+dual\b|\brownum\s*[=<]|\bsqlmap\b",
    ),
    Pattern(
        "sql.select-from",
        rf"\bselect{GAP}+(?:\*|top{GAP}+\d|distinct{GAP}*\(?|count\(|[\w.@]+\s*,|[\w.]+\(|@@"
        rf"|null\b|\d{{1,9}}{GAP}*(?:,|from|where|--|\#|;)|['\"]|0x|case\b|char\(|convert\("
        r"|cast\(|unhex\(|hex\(|concat|chr\(|user\b|password\b|(?:name|table_name|column_name"
        r"|username|login|passwd|pass|email)\b\s*(?:,|from))[^\n]*",
    ),
    Pattern("sql.select-sub", rf"[(=<>!,]{GAP}*select{GAP}+[^\n]+"),
    Pattern(
        "sql.select-after",
        rf"(?:{QUOTE}|\d|\))\s*(?:and|or|\|\||,|=|in|exists|\+|-)?{GAP}*\(?select{GAP}+\w",
    ),
    Pattern(
        "sql.order-by",
        rf"(?:\border|\bgroup){GAP}+by{GAP}+(?:\d{{1,3}}|null|rand\(|sleep|['\"(]|\w+\s*(?:--"
        rf"|\#|/\*|having)|[\w.,\s]+having\b|@)[^\n]*(?:,|--|\#|/\*|;|\)|{END})",
        certainty=0.8,
    ),
    Pattern("sql.having", r"\bhaving[\s+(]+(?:['\"\d(]|count|max|min|sum|not\b)[^\n]*[=<>-]"),
    Pattern(
        "sql.limit",
        r"\blimit\s+\d+\s*(?:,\s*\d+\s*|offset\s+\d+\s*)?(?:--|\#|/\*|;|into|procedure|union)"
        rf"|{QUOTE}\s*limit\s+\d",
    ),
    Pattern("sql.declare", r"\bdeclare\s+@\w+\s+(?:n?(?:var)?char|int|table|xml|cursor)\b"),
    Pattern(
        "sql.whole",
        rf"{START}\s*select\s+[\w.*]+(?:\s+from\s+[\w.]+)?\s*;",
        certainty=0.8,
    ),
    Pattern("sql.where", rf"{START}\s*where{GAP}+[\w'\"(@]+{GAP}*(?:=|like|in|<|>)"),
    Pattern(
        "sql.as-injectx",
        rf"\)?{GAP}+as{GAP}+\w+{GAP}+where{GAP}+|\bif\s*\([^()\n]+(?:=|<|>)[^,\n]+,"
        rf"|\bcase{GAP}+when{GAP}+\S|\b(?:ascii|substr|substring|mid|ord|length|char|chr"
        r"|unicode|bin|hex|lower|upper|left|right|len)\s*\(\s*(?:\(?select|user|database"
        r"|version|@@|current|system_user|password|username|banner|\w+\.\w+|\w+\s*,\s*\d)",
        certainty=0.8,
    ),
    Pattern(
        "sql.probe-function",
        rf"(?:{QUOTE}|=|\b(?:or|and|select)\b)[\s(+]*(?:user|database|version|current_user"
        r"|system_user|session_user|schema|db_name|host_name|connection_id|last_insert_id|pi"
        r"|rand|now|md5|sha1|chr|char|ascii|concat|convert|cast|iif|ifnull|isnull|nullif"
        r"|coalesce|exists|row|bin|power|sign|greatest|least|crc32|crypt_key"
        r"|geometrycollection|polygon|multipoint|linestring)\s*\([^\n]*",
        certainty=0.8,
    ),
    Pattern(
        "sql.concat",
        rf"{START}[^'\"\s]*{QUOTE}\s*(?:\|\||\+|\*|/|\^|&|%|-)\s*(?:{QUOTE}|\(|\d|@|\w+\()"
        rf"|{QUOTE}\s*\|\|\s*{QUOTE}|\bcha?r\(\d+\)\s*(?:\+|\|\|)",
        certainty=0.8,
    ),
    # Every database but MySQL and MariaDB skips these, and so do filters.
    Pattern("sql.version-comment", r"/\*!\d{0,6}\s*\w+"),
    Pattern(
        "sql.comment-split",
        r"\w/\*\*/+\w|\)/\*\*?/|/\*[^*]*\*/(?:or|and|select|union|from|where|=|like)\b",
    ),
    Pattern(
        "sql.only-quotes",
        # A first probe: a lone quote shows by the error whether it reaches a database.
        rf"{START}[\s\d%]{{0,4}}(?:['\"\x60\\;)(,#*<>&+%=|-]|--"
        rf"|\|\|)*['\"][\s'\"\x60\\;)(,#*<>&+%=|.-]*{END}",
        certainty=0.75,
    ),
    Pattern(
        "sql.quote-tail",
        rf"{START}\w*['\"][)\s]*(?:;|--|\#|/\*|%00|\x00|\))[^\x1e]*{END}",
        certainty=0.75,
    ),
    Pattern(
        "sql.quote-operator",
        rf"{START}[\w%*]*['\"]\)*\s*(?:or|and|xor|\|\||&&|union|having|group|order|like|is|not"
        rf"|in)\b[^\x1e]*{END}",
        certainty=0.8,
    ),
    Pattern(
        "sql.bare-operator",
        rf"{START}\s*\)*\s*(?:or|and)\s+(?:(?:not\s+)?['\"(]*[\w.@]+['\")]*\s*(?:=|<|>|!=|like\s+['\"%]"
        r"|is\s+(?:not\s+)?null|r?like\s|regexp\s|between\s+\d)"
        rf"|\(?(?:\d+|true|false|null)['\")]*\s*(?:--|\#|/\*|{END})"
        r"|(?:exists|sleep|benchmark|ascii|isnull)\s*\(|\(\s*select\b)",
        certainty=0.8,
    ),
    Pattern(
        "sql.null-list",
        r"\bnull\s*,\s*null\b|(?:\d+\s*,\s*){4,}\d+\s*(?:--|\#|/\*|;)",
        certainty=0.8,
    ),
    # `1 or 1 rlike 1`: two numbers and an operator that nobody writes between them.
    Pattern("sql.number-like", r"\d\s+(?:or|and|xor)\s+\d+\s+(?:r?like|regexp|sounds\s+like)\s+\d"),
    Pattern("sql.like-percent", rf"{QUOTE}\s*like\s*{QUOTE}", certainty=0.75),
    Pattern(
        "sql.login-words",
        rf"{START}(?:admin|root|user|administrator)\w{{0,10}}['\"]\s*\S",
        certainty=0.75,
    ),
    Pattern(
        "sql.password-probe",
        r"(?:^|['\"\s(])(?:password|username|userid|uname|passwd|email|uid|user_id)\s*(?:="
        r"|like|is\s+null|is\s+not)\s*['\"(%]",
        certainty=0.75,
    ),
)
