"""What a server says that it should keep to itself."""

from __future__ import annotations

from signoff.assess.patterns.pattern import Pattern

PATTERNS = (
    Pattern(
        "leak.mysql",
        r"You have an error in your SQL syntax|Warning:?\s*(?:</b>:?\s*)?mysqli?_\w+\("
        r"|check the manual that (?:corresponds to|fits) your (?:MySQL|MariaDB)"
        r"|MySqlException|com\.mysql\.(?:cj\.)?jdbc|Unknown column '[^'\n]+' in '"
        r"|mysql_fetch_\w+\(\)|ER_PARSE_ERROR|SQLSTATE\[\w{5}\]|pymysql\.err|MySQLdb\.\w*Error",
    ),
    Pattern(
        "leak.postgres",
        r"PostgreSQL\b.*\bERROR|Warning:?\s*(?:</b>:?\s*)?pg_\w+\("
        r"|unterminated quoted string at or near|ERROR:\s+syntax error at or near"
        r"|org\.postgresql\.util\.PSQLException|psycopg[23]?\.errors|asyncpg\.exceptions"
        r"|(?:relation|column) \"[^\"\n]+\" does not exist\s+(?:LINE \d|at character|Position)"
        r"|Npgsql\.\w*Exception"
        r"|PG::\w*Error",
    ),
    Pattern(
        "leak.sqlserver",
        r"Unclosed quotation mark after the character string|Driver.*SQL[\s-]*Server"
        r"|OLE DB.*SQL Server|\bSQL Server\b.*(?:error|Driver)|Microsoft SQL Native Client"
        r"|System\.Data\.SqlClient\.|Incorrect syntax near (?:'|the keyword)"
        r"|OLE DB Provider for (?:ODBC|SQL)|ODBC SQL Server Driver"
        r"|com\.microsoft\.sqlserver\.jdbc|Conversion failed when converting the n?varchar va"
        r"lue",
    ),
    Pattern(
        "leak.oracle",
        r"\bORA-\d{5}\b|Oracle error|\b(?:cx_Oracle|oracledb)\.\w*Error"
        r"|quoted string not properly terminated|oracle\.jdbc\."
        r"|SQL command not properly ended|Warning:?\s*(?:</b>:?\s*)?oci_\w+\(",
    ),
    Pattern(
        "leak.other-sql",
        r"SQLite/JDBCDriver|SQLite\.Exception|sqlite3\.OperationalError"
        r"|System\.Data\.SQLite\.SQLiteException|near \"[^\"\n]+\": syntax error"
        r"|unrecognized token: \"|DB2 SQL error|com\.ibm\.db2\.jcc|Sybase message"
        r"|Dynamic SQL Error|Microsoft JET Database|Access Database Engine"
        r"|Syntax error \(missing operator\) in query|org\.hibernate\.\w*Exception"
        r"|com\.informix\.jdbc|CLI Driver.*DB2|ActiveRecord::StatementInvalid"
        r"|sqlalchemy\.exc\.|django\.db\.utils\.\w*Error|java\.sql\.SQL\w*Exception|PDOException"
        r"|Doctrine\\DBAL\\|System\.Data\.OleDb\.|SequelizeDatabaseError|QueryFailedError:"
        r"|PrismaClient\w*Error|\[ODBC [\w ]*Driver\]|MongoServerError|MongoError: ",
    ),
    Pattern(
        "leak.passwd-file", r"\broot:[x*!]?:0:0:[^\n:]*:/|\bdaemon:[x*]:1:1:|\bnobody:[x*]:\d+:\d+:"
    ),
    # crypt(5): what stands between the dollar signs names the method.
    Pattern("leak.shadow-file", r"\b[a-z_][\w-]*:\$(?:1|2[aby]|5|6|y|gy|7)\$[^:\s]{8,}:\d{4,6}:"),
    Pattern(
        "leak.windows-file",
        # The first lines of boot.ini, system.ini and win.ini.
        r"\[boot loader\]\s{1,10}timeout=|\[operating systems\]|; for 16-bit app support"
        r"|\[fonts\]\s{1,10}\[extensions\]|multi\(0\)disk\(0\)rdisk\(0\)",
    ),
    Pattern(
        "leak.private-key",
        r"-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|PGP|ENCRYPTED) )?PRIVATE KEY(?: BLOCK)?-----",
    ),
    Pattern(
        "leak.source",
        # A value behind the name: `${DB_PASSWORD:?set it}` and an empty one say nothing.
        r"<\?php\s|DB_PASSWORD['\"]?\s*(?:=>|[,=:])\s*['\"]?[\w!@#%^&*+]{4}|define\(\s*['\"](?:DB|AUTH|SECURE_AUTH"
        r"|NONCE)_\w+['\"]|\[core\]\s{1,10}repositoryformatversion|<connectionStrings>"
        r"|aws_secret_access_key\s*="
        r"|(?:\x1e|\n)[A-Z][A-Z0-9_]*(?:PASSWORD|SECRET|SECRET_KEY|APP_KEY|_TOKEN)=[^\s$]{6,}"
        r"|BEGIN CERTIFICATE-----.{0,10}PRIVATE",
    ),
    Pattern(
        "leak.host-file",
        r"\b127\.0\.0\.1\s+localhost\b[^\x1e]*\b::1\s|\buid=\d+\([\w-]+\)\s+gid=\d+\("
        r"|\bLinux version \d+\.\d+\.\d+",
    ),
)
