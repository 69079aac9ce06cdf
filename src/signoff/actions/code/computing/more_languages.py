"""More languages whose code is told to compute by what it imports and names.

In each of them files, programs and the network are reached by a module that has to be imported, or
by the names listed here; the rest computes and prints.
"""

from __future__ import annotations

from signoff.actions.code.computing.language import Computing
from signoff.actions.vocabulary import lazy_re

DART = Computing(
    name="dart",
    imports=lazy_re(r"\b(?:import|export|part(?:\s+of)?|library)\s+['\"]?([\w:./-]+)"),
    allowed=lazy_re(
        r"dart:(?:math|core|convert|collection|async|typed_data)"
        r"|package:(?:collection|intl|meta|characters|decimal|vector_math|quiver|equatable|crypto"
        r"|convert|fixnum|rational|string_scanner)/[\w/]+\.dart"
    ),
    reaches=lazy_re(
        r"\b(?:Process\w*|File\w*|Directory|Link|Socket|\w*HttpClient\w*|Platform|Isolate|external"
        r"|Stdin|stdin|exit|noSuchMethod|Uri\s*\.\s*base|fromEnvironment)\b|@pragma|@Native"
        r"|\bdart:(?:io|ffi|isolate|mirrors|html|js\w*|cli|ui|developer)\b|\\u\{?[0-9a-fA-F]{2}"
    ),
)
CRYSTAL = Computing(
    name="crystal",
    imports=lazy_re(r"\brequire\s*\(?\s*[\"']([^\"']*)"),
    allowed=lazy_re(
        r"json|csv|math|big(?:/\w+)?|time|set|digest(?:/\w+)?|bit_array|complex|levenshtein|string_pool"
        r"|base64|benchmark|random(?:/\w+)?|yaml|colorize|deque"
    ),
    reaches=lazy_re(
        r"`|%x|\b(?:system|exec|spawn|fork|gets|read_line|STDIN|ARGF|exit|abort|Process|File\w*|Dir"
        r"|Path|IO|ENV|HTTP|Socket|TCP\w*|UDP\w*|UNIX\w*|OpenSSL|Signal|lib|fun|macro|Pointer|unsafe"
        r"|\w*_unsafe|asm|LibC|Crystal|DB|OAuth2?|Log|Fiber|Channel|Mutex|alias|pointerof)\b|\{[{%]|@\["
    ),
)
NIM = Computing(
    name="nim",
    imports=lazy_re(r"(?m)^\s*(?:import|from)\s+([^\n#]+)|(\binclude\b)"),
    allowed=lazy_re(
        r"(?:(?:std/)?(?:\[\s*)?(?:math|strutils|strformat|sequtils|tables|sets|algorithm|sugar|times"
        r"|random|options|bitops|json|parseutils|unicode|rationals|complex|stats|heapqueue|deques"
        r"|hashes|lists|enumerate|setutils|wordwrap|base64|md5|sha1)\s*\]?\s*,?\s*)+"
        r"(?:import\s+[\w, ]+)?"
    ),
    reaches=lazy_re(
        r"(?i)\{\.|\b(?:os|osproc|httpclient|net|asyncnet|selectors|staticexec|staticread|gorge\w*|slurp"
        r"|readfile|writefile|open|newfilestream|readline|readall|lines|asm|emit|cast|ptr|addr|macro"
        r"|template|nimscript|exec\w*|removefile|parsefile|quit|stdin|dynlib|importc?p*|addquitproc)\b"
        r"|`"
    ),
)
ZIG = Computing(
    name="zig",
    imports=lazy_re(r"@import\s*\(\s*\"([^\"]*)\""),
    allowed=lazy_re(r"std|builtin"),
    reaches=lazy_re(
        r"@c(?:Import|Include|Define)|@embedFile|@extern|@export|@ptrFromInt|\b(?:asm|extern|export)\b"
        r"|\bstd\s*\.\s*(?!(?:debug|math|mem|fmt|sort|ArrayList|ArrayListUnmanaged|AutoHashMap"
        r"|StringHashMap|heap|ascii|unicode|testing|Random|rand|meta|time|json|hash|crypto"
        r"|PriorityQueue|BoundedArray|EnumArray)\b)\w|\busingnamespace\b|@field|[(,={]\s*std\s*[,;)}]"
        r"|(?<!\bstd)\s=\s*@import|@import\s*\([^)]*\)\s*\.|\.\{?\s*@import|[(,]\s*@import"
    ),
)
DLANG = Computing(
    name="dlang",
    imports=lazy_re(r"\bimport\s+([\w.,:= ]+)"),
    allowed=lazy_re(
        r"(?:std\.(?:algorithm|range|array|string|conv|math|numeric|random|typecons|format|bigint"
        r"|container|datetime|regex|json|uni|utf|traits|functional|digest|complex|bitmanip)(?:\.\w+)*"
        r"|std\.stdio\s*:\s*(?:writeln|writef|writefln|write)(?:\s*,\s*(?:writeln|writef|writefln|write))*"
        r")(?:\s*:\s*[\w, ]+)?(?:\s*,\s*std\.\w+)?\s*"
    ),
    reaches=lazy_re(
        r"\b(?:File|mixin|pragma|extern|asm|core|__\w+|std\s*\.\s*(?:file|process|net|socket|path|stdio"
        r"|mmfile|zip|parallelism|concurrency)|readln|stdin|environment|dlopen|system)\b(?!\s*:\s*write)"
        r"|\bimport\s*\(|`"
    ),
)
PASCAL = Computing(
    name="pascal",
    imports=lazy_re(r"(?i)\buses\s+([\w.,\s]+?);"),
    allowed=lazy_re(r"(?is)(?:\s*(?:math|strutils|dateutils|types|sysutils|fgl|matrix)\s*,?\s*)+"),
    reaches=lazy_re(
        r"(?i)\{\$|\(\*\$|\b(?:asm|external|assign\w*|reset|rewrite|append|erase|rename\w*|mkdir|rmdir"
        r"|chdir|\w*file\w*|\w*dir(?:ectory)?|t\w*stream|tprocess|exec\w*|shell\w*|fp\w+|getenv\w*"
        r"|getenvironment\w*|paramstr|loadlibrary|getprocaddress|absolute|disk\w*|findfirst|read"
        r"|readln|halt|blockread|blockwrite|unixutil|createprocess\w*|winexec)\b"
    ),
)
GLEAM = Computing(
    name="gleam",
    imports=lazy_re(r"\bimport\s+([\w/]+)"),
    allowed=lazy_re(
        r"gleam/(?:io|int|float|list|string|dict|result|option|order|bool|set|iterator|function|pair"
        r"|string_builder|string_tree|bit_array|regex|regexp|json|uri|queue|yielder)"
    ),
    reaches=lazy_re(r"@external|\b(?:erlang|simplifile|shellout|envoy|gleam_erlang|httpc)\b"),
)
ELM = Computing(
    name="elm",
    imports=lazy_re(r"\bimport\s+([\w.]+)"),
    allowed=lazy_re(
        r"List(?:\.Extra)?|String|Dict|Set|Array|Maybe|Result|Basics|Tuple|Char|Bitwise|Debug|Regex|Json\.\w+"
    ),
    reaches=lazy_re(r"\bport\b|\bHttp\b|\bTask\b|\bProcess\b|\bCmd\b|\bBrowser\b|\[glsl"),
)
MORE = (DART, CRYSTAL, NIM, ZIG, DLANG, PASCAL, GLEAM, ELM)
