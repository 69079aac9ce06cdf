"""Languages whose code is told to compute by what it imports and names."""

from __future__ import annotations

from signoff.actions.code.computing.language import (
    DOTNET_REACHES,
    JVM_MODULES,
    JVM_REACHES,
    NOTHING,
    Computing,
)
from signoff.actions.vocabulary import lazy_re, words

HASKELL = Computing(
    name="haskell",
    imports=lazy_re(r"\bimport\s+(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s*)?([\w.']+)"),
    allowed=lazy_re(
        r"Prelude|Data\.(?!(?:Yaml|Aeson|Csv|Acid|Dynamic|Typeable|Pool)\b)[\w.]+|Numeric(?:\.\w+)*"
        r"|Control\.(?:Monad(?:\.(?:State|Reader|Writer|ST|Trans|RWS|Except|Identity)(?:\.\w+)*)?"
        r"|Applicative|Arrow|Category|Exception|DeepSeq)|Text\.(?:Printf|Read(?:\.\w+)*|Show)|GHC\.Generics"
    ),
    reaches=lazy_re(
        r"\w*[fF]ile\w*|\binteract\b|\bgetContents\b|\bgetLine\b|\bforeign\b|\bunsafe\w*|\binline_c\b"
        r"|\{-#\s*(?:OPTIONS\w*|ANN|RULES)|TemplateHaskell|QuasiQuotes|\bCPP\b"
        r"|(?m:^\s*:)|(?m:^\s*#)|\bSystem\.|\bNetwork\.|\bForeign\b"
    ),
)
GO = Computing(
    name="go",
    imports=lazy_re(
        r"(?s)\bimport\s+(?:[\w.]+\s+)?[\"`]([^\"`]*)[\"`]|\bimport\s*\(((?:[^()])*)\)"
    ),
    allowed=lazy_re(
        r"fmt|math(?:/(?:big|bits|cmplx|rand|rand/v2))?|sort|strings|strconv|unicode(?:/utf8|/utf16)?"
        r"|bytes|container/(?:heap|list|ring)|errors|time|regexp|encoding/(?:json|csv|hex|base64"
        r"|base32|binary|xml)|hash(?:/\w+)?|crypto/(?:md5|sha1|sha256|sha512)|slices|maps|cmp|iter"
        r"|sync(?:/atomic)?|context|text/(?:tabwriter|template(?:/parse)?|scanner)|index/suffixarray"
        r"|go/(?:ast|parser|token|format|scanner|printer|constant|types|doc)|io/fs|path(?:/filepath)?"
        r"|encoding/(?:gob|pem|asn1|ascii85)|encoding|compress/\w+|html(?:/template)?|net/(?:url|netip)"
        r"|image(?:/\w+)*|mime|unicode/\w+|unique|testing(?:/quick)?|runtime|log(?:/slog)?|crypto/(?:hmac|rand"
        r"|aes|cipher|ed25519|ecdsa|rsa|subtle|sha3)|structs|weak|flag|archive/(?:tar|zip)"
    ),
    # `unsafe` and `C` have to be imported.
    reaches=lazy_re(
        r"//\s*go:|//export|\bzip\s*\.\s*OpenReader|\blog\s*\.\s*SetOutput"
        r"|\bparser\s*\.\s*ParseDir|\bParse(?:Files|Glob|FS)\b"
    ),
)
RUST = Computing(
    name="rust",
    imports=lazy_re(r"\buse\s+(?:::)?(\w+)|\bextern\s+crate\s+(\w+)|(?<![\w:])([a-z]\w*)\s*::"),
    allowed=lazy_re(
        r"std|core|alloc|self|crate|super|rand|itertools|num\w*|ndarray|nalgebra|rayon|serde\w*|regex"
        r"|chrono|[iu](?:8|16|32|64|128|size)|f32|f64|str|char|bool|collections|iter|cmp|mem|fmt|string"
        r"|vec|thread|time|rng|cell|rc|sync"
    ),
    reaches=lazy_re(
        r"\b(?:fs|process|net|env|os|ffi|path|io|unsafe|extern|libc|asm|global_asm|linkme|proc_macro"
        r"|include|include_str|include_bytes|option_env|File|Command|Path|PathBuf|TcpStream|build"
        r"|OpenOptions|stdin)\b"
    ),
)
JAVA = Computing(
    name="java",
    imports=lazy_re(r"\bimport\s+((?:static\s+)?[\w.*]+)"),
    allowed=lazy_re(JVM_MODULES),
    reaches=lazy_re(JVM_REACHES),
)
KOTLIN = Computing(
    name="kotlin",
    imports=lazy_re(r"\bimport\s+([\w.*]+)"),
    allowed=lazy_re(
        rf"{JVM_MODULES}|kotlin\.(?:math|random|time|collections|text|comparisons|system\.measure\w+)"
        r"(?:\.[\w*]+)*"
    ),
    reaches=lazy_re(
        rf"{JVM_REACHES}|@file\b|\bkotlin\s*\.\s*io\b|\bread(?:ln|Line)\w*|\bexitProcess\b"
    ),
)
SCALA = Computing(
    name="scala",
    imports=lazy_re(r"\bimport\s+([\w.$*{}, ]+)"),
    allowed=lazy_re(
        rf"{JVM_MODULES}|scala\.(?:collection|util\.(?:Random|Try|Success|Failure|matching)|math|annotation)"
        r"(?:\.[\w$*{{}}, ]+)*|scala\.util\.(?:Try|Random)|math\.\w+"
    ),
    reaches=lazy_re(
        rf"{JVM_REACHES}|\bsys\b|\bio\b|\.\s*!|\bStdIn\b|\bSource\b|\$ivy|\$file|(?m:^//>)|\breflect\b|\btools\b"
    ),
)
CSHARP = Computing(
    name="csharp",
    imports=lazy_re(
        r"\busing\s+(?:static\s+)?(?:\w+\s*=\s*)?([A-Z][\w.]*)\s*;|\bopen\s+([A-Z][\w.]*)"
    ),
    allowed=lazy_re(
        r"System(?:\.(?:Linq|Collections(?:\.\w+)*|Text(?:\.RegularExpressions|\.Json)?|Numerics"
        r"|Globalization|Math|Console|Xml(?:\.Linq|\.XPath)?|Buffers|Diagnostics\.CodeAnalysis|Threading\.Tasks))?"
    ),
    # Documents of XML are loaded from addresses as well.
    reaches=lazy_re(
        rf"{DOTNET_REACHES}|\bLoad\w*\b|\bXml(?:Reader|Writer|\w*Resolver|TextReader)\b|\bXsl\w*"
        r"|\.\s*Save\w*\b"
    ),
)
SWIFT = Computing(
    name="swift",
    imports=lazy_re(r"\bimport\s+(?:\w+\s+)?([\w.]+)"),
    allowed=lazy_re(
        r"Foundation|Swift|Numerics|RealModule|ComplexModule|Algorithms|\w*Collections|RegexBuilder"
        r"|Synchronization|Observation|CoreGraphics|simd"
    ),
    reaches=lazy_re(
        r"\b(?:FileManager|FileHandle|Process|ProcessInfo|URL\w*|NSTask|NS\w+|Data|Bundle|UserDefaults"
        r"|contentsOf\w*|contents|write|dlopen|dlsym|system|fopen|open|posix_spawn|exec\w*|unlink"
        r"|remove\w*Item\w*|unsafe\w*|Unsafe\w*|readLine|exit|_silgen_name|Pipe|Host|Port|Stream)\b"
    ),
)
CPP = Computing(
    name="cpp",
    imports=lazy_re(
        r"(?m)#\s*(?:include|import|include_next)\s*([^\n]*)|\bimport\s+([<\"\w][^;\n]*)"
    ),
    allowed=lazy_re(
        r"<(?:iostream|vector|string|string_view|map|set|unordered_map|unordered_set|algorithm|numeric"
        r"|cmath|math\.h|stdio\.h|cstdio|iomanip|sstream|array|deque|queue|stack|list|tuple|utility"
        r"|functional|limits|climits|limits\.h|cstdint|stdint\.h|string\.h|cstring|random|chrono|complex"
        r"|bitset|optional|variant|ranges|span|type_traits|numbers|assert\.h|cassert|ctype\.h|cctype"
        r"|stdbool\.h|regex|format|print|memory|stdlib\.h|cstdlib|time\.h|ctime|cstddef|stddef\.h"
        r"|complex\.h|float\.h|cfloat|inttypes\.h|cinttypes|iterator|concepts|compare|bit)>\s*(?://.*)?"
    ),
    reaches=lazy_re(
        r"\b(?:w?system|popen|exec\w*|v?fork|clone|fopen\w*|freopen|remove\w*|rename|tmp\w+|unlink\w*"
        r"|open\w*|creat|asm|__\w+|dl\w+|syscall|[oi]?fstream|filebuf|filesystem|getenv|setenv|putenv"
        r"|socket|connect|kill|signal|raise|extern|environ|mmap|std\w*buf|quick_exit|atexit|scanf|gets"
        r"|fgets|main_|posix_\w+|spawn\w*|CreateProcess\w*|WinExec|ShellExecute\w*|mkdir|rmdir|chmod)\b"
        r"|##|\\\r?\n|\?\?[/=(]|\(\s*\*\s*(?:\w+\s*)?\)\s*\(|\\u[0-9a-fA-F]{4}|#\s*pragma|%:"
    ),
)
FORTRAN = Computing(
    name="fortran",
    imports=lazy_re(
        r"(?i)(?m)^\s*use\s*(?:,\s*intrinsic\s*)?(?:::)?\s*(\w+)|\binclude\s*['\"]([^'\"]*)"
    ),
    allowed=lazy_re(r"(?i)iso_fortran_env|ieee_\w+"),
    reaches=lazy_re(
        r"(?i)\b(?:execute_command_line|system|open|inquire|unlink|rename|getenv|get_environment_variable"
        r"|external|bind|include|delete|chdir|fork|kill|exec\w*|popen|symlnk|iso_c_binding)\b|&\s*\n|#"
    ),
)
OCAML = Computing(
    name="ocaml",
    imports=lazy_re(r"(?<![\w'\"])([A-Z]\w*)\s*\.(?=\s*[\w(\[{])|\bopen!?\s+([A-Z]\w*)"),
    allowed=lazy_re(
        r"List|Array|String|Printf|Hashtbl|Map|Set|Int|Float|Char|Bytes|Buffer|Option|Result|Seq|Stack"
        r"|Queue|Random|Lazy|Fun|Printexc|Complex|Int32|Int64|Bool|Either|Stdlib|Format|ListLabels|Uchar"
    ),
    reaches=lazy_re(
        r"\b(?:open_\w+|(?:in|out)_channel\w*|with_open\w*|from_file|to_file|external|Obj|Marshal|Sys"
        r"|Unix|Dynlink|input\w*|read_\w+|output\w*|exit|at_exit|include|module|functor)\b|(?m:^\s*#)|\[%"
    ),
)
_CLOJURE = words(
    "-> ->> and or not if if-let if-not when when-let when-not cond condp case let loop recur "
    "fn defn  defn- def do doseq dotimes for range map mapv map-indexed filter filterv remove "
    "reduce reductions  apply comp partial juxt complement constantly identity inc dec + - * "
    "/ quot rem mod max min abs  = == not= < > <= >= zero? pos? neg? even? odd? nil? some? "
    "empty? every? some not-any? first second  rest next last butlast nth get get-in assoc "
    "assoc-in update update-in dissoc merge merge-with  select-keys keys vals zipmap into "
    "conj cons concat mapcat take take-while drop drop-while  partition partition-all "
    "partition-by group-by sort sort-by frequencies distinct reverse interleave  interpose "
    "flatten count vec vector list set hash-map hash-set sorted-map str subs name keyword "
    "symbol println print prn pr pr-str format number? string? int double float long "
    "rationalize bigint  repeat iterate cycle repeatedly rand rand-int rand-nth shuffle seq "
    "lazy-seq doall dorun time  comment contains? find peek pop disj union intersection "
    "difference ns re-find re-matches re-seq  split join trim upper-case lower-case replace "
    "capitalize blank? starts-with? ends-with? includes?  sqrt pow floor ceil round sin cos "
    "tan log exp transduce sequence eduction tree-seq walk postwalk  prewalk pprint "
    "print-table assert atom swap! reset! deref tap> compare array-map boolean max-key "
    "min-key split-at split-with keep keep-indexed remove nfirst fnext ffirst rseq subvec"
)
CLOJURE = Computing(
    name="clojure",
    imports=lazy_re(r"\[\s*([a-z][\w.-]*\.[\w.-]+)|'([a-z][\w.-]*\.[\w.-]+)"),
    allowed=lazy_re(r"clojure\.(?:string|set|walk|math|pprint|edn)"),
    reaches=lazy_re(
        r"\b(?:slurp|spit|eval|load\w*|load-\w+|read-\w+|resolve|sh|import|gen-class|proxy|agent|future"
        r"|java|javax|System|Class|Runtime|Thread|clojure\.(?!string|set|walk|math|pprint|edn)\w+)\b"
        r"|#=|\(\s*\.|\b[A-Z]\w*\.(?:\s|\))|~|`"
    ),
    calls=lazy_re(r"\(\s*([^\s()\[\]{}\"']+)"),
    computes=_CLOJURE,
    defines=lazy_re(r"\(\s*(?:defn-?|def|fn)\s+([^\s()\[\]{}]+)|\[\s*([\w-]+)\s+\(fn\b"),
)
# Wolfram Language, Maxima and calculators in their manner.
_ALGEBRA = words(
    "integrate nintegrate d dt diff solve nsolve dsolve ndsolve reduce findroot fsolve expand "
    "factor  factorinteger simplify fullsimplify ratsimp trigsimp radcan limit series taylor "
    "sum nsum product  table map apply range list plus times power sqrt exp log sin cos tan "
    "arcsin arccos arctan sinh cosh  tanh abs max min mean median variance standarddeviation "
    "total length first last rest take drop  sort join flatten transpose inverse det "
    "determinant dot cross eigenvalues eigenvectors eigensystem  matrixform identitymatrix "
    "diagonalmatrix linearsolve leastsquares fit linearmodelfit n float  numer floor ceiling "
    "round mod gcd lcm primeq prime primes fibonacci binomial factorial gamma beta  erf "
    "besselj zeta re im conjugate arg plot plot3d listplot listlineplot histogram barchart "
    "print column grid row if while for do module block with function select cases count "
    "tally  replaceall rule ratexpand collect coefficient apart together cancel partfrac "
    "logcontract laplace  laplacetransform inverselaplacetransform fouriertransform ilt "
    "matrix ode2 ic1 ic2 bc2 rk assume  assuming declare makelist lambda subst ev at rhs lhs "
    "num denom string tostring stringjoin display  disp random randomreal randominteger "
    "seedrandom interpolation ndsolvevalue dsolvevalue piecewise  unitconvert quantity "
    "minimize maximize nminimize nmaximize findminimum sum_ cot sec csc radians"
)
ALGEBRA = Computing(
    name="algebra",
    imports=NOTHING,
    allowed=NOTHING,
    reaches=lazy_re(
        r"(?i)<<|>>|::|\?|:lisp|`|\b(?:system|load|batch|save|stringout|write|open|appendfile"
        r"|with_stdout|delete_?(?:file|dir|obj)|rename|copy_?(?:file|dir)|create_?(?:file|dir|arch)"
        r"|eval|parse_?string|run|shell|exec|import|export|put|get|install|link|url|send|cloud|file"
        r"|directory|setdirectory|environment|setenv|external|library|needs|process|start|toexpression"
        r"|notebook|dialog|socket|http|symbol|definition|uncompress|read|subprocess|web|service"
        r"|frontend|java|python|compile|database|device|remote|parallel|task|schedul|session)\w*"
    ),
    calls=lazy_re(
        r"([A-Za-z$_]\w*)\s*[(\[]|(?:[@/]{1,3}@?|//)\s*([A-Za-z$]\w*)|@\s*([A-Za-z$]\w*)"
    ),
    computes=_ALGEBRA,
    defines=lazy_re(r"([A-Za-z]\w*)\s*(?:\[[^\]]{0,80}_\]|\([\w, ]{0,80}\))\s*:?="),
)
EVERY = (
    *(HASKELL, GO, RUST, JAVA, KOTLIN, SCALA, CSHARP, SWIFT, CPP, FORTRAN, OCAML, CLOJURE, ALGEBRA),
)
