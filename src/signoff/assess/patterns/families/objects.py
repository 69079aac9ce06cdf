"""Packed objects that act when they are unpacked, and names that reach into a program's objects."""

from __future__ import annotations

from signoff.assess.patterns.pattern import START, Pattern

PATTERNS = (
    # CWE-502. `aced0005` opens every Java stream; `rO0AB` is the same in base64.
    Pattern(
        "object.java",
        rf"{START}\s*(?:rO0AB[QXc]|aced0005[0-9a-f]{{4}}"
        # The bytes themselves, as Latin-1 or UTF-8 reads them.
        r"|(?:\xc2\xac\xc3\xad|\xef\xbf\xbd\xef\xbf\xbd)\x00\x05[p-~])",
        "",
    ),
    Pattern(
        "object.php",
        r"(?:^|[\s;{|=\x1e])[OC]:\d{1,4}:\"[\w\\]{1,80}\":\d{1,5}:\{"
        # Base64 of `O:8:"A` and `O:29:"`.
        rf"|{START}(?:Tz|Qz)o[xyz0-5](?:OiJ[A-Za-z0-9+/]|[MNO][DTjz]oi)[A-Za-z0-9+/_-]{{8}}",
        "",
    ),
    Pattern(
        "object.python",
        # Base64 of a pickle of protocol 2 to 5 that begins with a frame, a name or a container.
        rf"{START}gA(?:[JNRV][j9dVQ]|[IMQU]o|[SW][VM])[\w+/-]{{6}}"
        # Base64 of protocol 0: `cos\n`, `cposix\n`, `cnt\n`, `csubprocess\n`, `cbuiltins\n`.
        rf"|{START}Y(?:29zC|3Bvc2l4C|250C|3N1YnByb2Nlc3MK|2J1aWx0aW5zC|19fYnVpbHRpbl9fC)[\w+/-]{{6}}"
        r"|\bc(?:os|posix|nt|subprocess|builtins|__builtin__)\n"
        r"(?:system|popen|Popen|eval|exec|check_output)\n|!!python/(?:object|name|module|tuple)",
        "",
    ),
    # Base64 of a marshalled object, of one that loads itself, and of one with a module.
    Pattern(
        "object.ruby",
        rf"!ruby/(?:object|hash|struct|class|regexp|range):|{START}BAh[vVl]O[g-v][\w+/-]{{8}}",
        "",
    ),
    # Classes that act when they are made: a reader of JSON or XML must not be led to one.
    Pattern(
        "object.class",
        r"\b(?:org\.springframework\.(?:context\.support\.(?:ClassPath|FileSystem)Xml\w+"
        r"|beans\.factory\.config\.PropertyPathFactoryBean|aop\.support\.\w+)"
        r"|com\.sun\.rowset\.JdbcRowSetImpl|com\.sun\.org\.apache\.(?:xalan|bcel)\.\w+"
        r"|javax\.script\.ScriptEngineManager|com\.mchange\.v2\.c3p0\.\w+"
        r"|org\.apache\.commons\.collections4?\.functors\.\w+|ch\.qos\.logback\.core\.db\.\w+"
        r"|org\.apache\.xbean\.propertyeditor\.\w+|org\.apache\.ibatis\.datasource\.jndi\.\w+)",
        "",
    ),
    Pattern(
        "object.dotnet",
        # The header of BinaryFormatter in base64, and type names that Json.NET loads.
        rf"{START}AAEAAAD/////|{START}\$type=System\.|\bObjectDataProvider\b.{{0,80}}MethodName",
        "",
    ),
    Pattern("object.node", r"_\$\$ND_FUNC\$\$_", ""),
    Pattern(
        "object.prototype",
        rf"{START}(?:[\w.\[\]$]{{0,80}}[\[.])?(?:__proto__|constructor[\[.]+prototype)(?:[\].]|=)",
        "",
    ),
    # CVE-2022-22965: Spring bound a parameter's name to the class loader.
    Pattern("object.loader", r"\bclass\.(?:module\.)?classLoader\b", ""),
)
