"""What tells code that only computes in one language from code that reaches outside.

A compiled language reaches files, programs and the network by modules it imports and by a few
names that need none. A text that imports nothing but what computes, and holds none of these names,
computes and prints. Names within texts and comments count as well: texts may hold code
(`"${exit()}"`), and a question too many costs less than one too few.
"""

from __future__ import annotations

import re

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re


class Computing(Struct, frozen=True, kw_only=True):
    """One language.

    Args:
        imports: finds what a text imports; the first group that matched is the module.
        allowed: modules that only compute, matched as a whole.
        reaches: names and signs that reach outside, or that make names at run time.
        calls: finds each name that is called; None where every other name only computes.
        computes: names of calls that only compute, in lower case.
        defines: finds names that the text itself defines.
    """

    name: str
    imports: re.Pattern[str]
    allowed: re.Pattern[str]
    reaches: re.Pattern[str]
    calls: re.Pattern[str] | None = None
    computes: frozenset[str] = frozenset()
    defines: re.Pattern[str] | None = None


NOTHING = lazy_re(r"(?!)")
# What the Java library reaches from the names that need no import.
JVM_REACHES = (
    r"\bRuntime\b|\bProcess\w*\b|\w*ClassLoader\b|\bforName\b|\bnewInstance\b|\bSystem\s*\.\s*(?:load\w*|getenv"
    r"|setProperty|setSecurityManager|getProperty|console|exit|in)\b|\binvoke\w*\b|\bgetMethod\w*"
    r"|\bgetDeclared\w*|\bMethodHandles?\b|\bModuleLayer\b|\bnative\b|\\u+[0-9a-fA-F]{4}"
    r"|\b(?:javax|com|org|sun|jdk|net|io|kotlinx|android|okhttp3)\s*\.\s*\w|\bjava\s*\.\s*"
    r"(?!util\b(?!\s*\.\s*(?:logging|prefs|jar|zip|spi)\b)|math\b|time\b|text\b|lang\s*\.\s*(?:Math|String|Integer|Long|Double)\b)\w"
    r"|\b(?:FileHandler|SocketHandler|Scanner|Formatter|ServiceLoader|ResourceBundle|Desktop|Files?"
    r"|Paths?|URL|URI|Socket|ServerSocket|HttpClient)\b"
)
JVM_MODULES = (
    r"(?:static\s+)?java\.(?:util(?:\.(?:function|stream|regex|concurrent))?|math|time(?:\.\w+)?|text)"
    r"(?:\.[A-Z]\w*|\.\*)*(?:\.\w+)?"
)
DOTNET_REACHES = (
    r"\b(?:File\w*|Directory\w*|Drive\w*|Path|Stream(?:Reader|Writer)|Process\w*|Environment|Assembly"
    r"|Activator|AppDomain|Marshal|DllImport\w*|LibraryImport|Registry\w*|Http\w*|WebClient|WebRequest"
    r"|Socket\w*|Tcp\w*|Udp\w*|Dns|Smtp\w*|Ping|Type\.GetType|Invoke\w*|GetMethod\w*|CSharpScript"
    r"|Reflection|Runtime|Microsoft|Windows|unsafe|extern|stackalloc|Pipe\w*|MemoryMapped\w*|Mutex"
    r"|DynamicMethod|Expression\.\w+|Net|IO|Diagnostics|Security|ServiceController|SqlConnection)\b"
    r"|(?m:^\s*#)|\\u[0-9a-fA-F]{4}|\bSystem\s*\.\s*(?!(?:Linq|Collections|Text|Numerics|Xml|Buffers"
    r"|Globalization|Math|Console|String|Int\d+|Double|Random|DateTime|TimeSpan|Array|Func|Action"
    r"|Tuple|Exception|Convert|Char|Decimal)\b)\w"
)
