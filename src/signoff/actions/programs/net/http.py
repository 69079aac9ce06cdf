"""HTTP clients: curl, wget, HTTPie and their like.

A request is judged by its method, its host and what it takes along; a download by where it is
written. Uploaded files are read first, so the data flow sees a secret among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.net.graphql import deletion
from signoff.actions.programs.net.indexes import by_query
from signoff.actions.programs.net.local_deletions import STORE_SEGMENTS, is_passing
from signoff.actions.programs.net.safeguards import blinded
from signoff.actions.programs.options import ProgramOption
from signoff.actions.shell.command import Word
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# RFC 9110, 9.2.1: safe methods; RFC 4918 adds PROPFIND.
READING_METHODS = words("GET HEAD OPTIONS TRACE PROPFIND")
WHOLE_STORES = ("/_all", "/*", "/_all/")
# Searches of Elasticsearch and others are a POST, though they change nothing.
SEARCH_ENDINGS = ("/_search", "/_count", "/_msearch", "/query", "/search", "/_cat")
APPROVAL_SEGMENTS = words("approvals approval approve")
MAX_OPTIONS = 100
MAX_FORM_FILES = 200
HTTPIE = words("http https xh xhs httpie")
HTTPIE_METHODS = READING_METHODS | words("POST PUT PATCH DELETE")


def request(call: ProgramCall, method: str, url: Word, *, takes: bool = False) -> Operation:
    """Build the Operation of one HTTP request, by its method.

    Args:
        takes: the request has a body from a file or input.
    """
    facts = look_at_url(_with_scheme(url.text))
    word = Word(text=_with_scheme(url.text), is_known=url.is_known, sources=url.sources)
    method = method.upper()
    # curl reads local files by `file:`, past every rule for programs that read files.
    if url.text.lower().startswith("file:"):
        return call.on_file(Verb.READ, replace(url, text=_file_path(url.text)))
    near = facts.host_class.value == "loopback"
    if (lost := _lost(call, method, word.text, near=near)) is not None:
        return lost
    if near and method not in READING_METHODS:
        return _on_this_machine(call, method, word)
    # A GET may carry a body or a file as well: then data leaves this machine.
    if method in READING_METHODS and not takes:
        return call.on_url(Verb.NETWORK_IN, word)
    if method == "DELETE":
        return _deletion(call, word)
    return _sent(call, method, url.text, word)


def _lost(call: ProgramCall, method: str, url: str, *, near: bool) -> Operation | None:
    """All documents of an index, or the audit of a service, that a request takes away."""
    if method in READING_METHODS:
        return None
    body = _body(call)
    emptied = by_query(call, url, body) if method == "POST" else None
    return emptied or (None if near else blinded(call, method, url, body))


def _sent(call: ProgramCall, method: str, url: str, word: Word) -> Operation:
    """What is sent to another machine: a search reads, a mutation of GraphQL may delete."""
    lower = url.split("?", 1)[0].rstrip("/").lower()
    if method == "POST" and lower.endswith(SEARCH_ENDINGS):
        return call.on_url(Verb.NETWORK_IN, word)
    if lower.endswith("/graphql"):
        return deletion(call, url, _body(call)) or call.on_url(Verb.NETWORK_OUT, word)
    return call.on_url(Verb.NETWORK_OUT, word)


def _body(call: ProgramCall) -> str:
    """What a request takes along, as far as its words say it."""
    items = call.operands[1:] if call.name in HTTPIE else call.values(*DATA)
    return " ".join([given.text for given in items])


def _file_path(url: str) -> str:
    """`file:///a`, `file://localhost/a`, `file:/a` all name `/a`."""
    rest = unquote(url[len("file:") :])
    return "/" + rest[2:].partition("/")[2] if rest.startswith("//") else rest


def _near(word: Word) -> Word:
    """HTTPie's `:8000/path` is a port of this machine."""
    if not word.text.startswith(":") or word.text.startswith("://"):
        return word
    rest = word.text[1:]
    port = rest if rest[:1].isdecimal() else f"80/{rest.lstrip('/')}"
    return replace(word, text=f"localhost:{port}")


def _with_scheme(text: str) -> str:
    # Clients take an address without a scheme for http.
    return text if "://" in text else f"http://{text}"


def _on_this_machine(call: ProgramCall, method: str, word: Word) -> Operation:
    """A change on loopback is the project's own business, but for approvals and whole stores."""
    path = word.text.split("?", 1)[0].lower()
    segments = set(path.split("/"))
    # threats.md T-43: an agent that approves its own request at the daemon's port.
    if segments & APPROVAL_SEGMENTS:
        return call.operation(
            Verb.CONTROL,
            ResourceType.GUARD,
            word.text,
            traits=(Trait.SELF_APPROVAL,),
            reach=Reach.GUARD,
        )
    if method == "DELETE" and not is_passing(path):
        whole = (Trait.WHOLE_STORE,) if path.endswith(WHOLE_STORES) else ()
        return call.operation(
            Verb.DELETE,
            ResourceType.DATABASE if whole else ResourceType.URL,
            word.text,
            traits=whole,
            reach=Reach.LOOPBACK,
            reversible=False,
        )
    return call.on_url(Verb.NETWORK_OUT, word)


def _deletion(call: ProgramCall, word: Word) -> Operation:
    path = word.text.split("?", 1)[0].lower()
    segments = path.rstrip("/").split("/")
    whole = path.endswith(WHOLE_STORES) or (
        # `/repos/owner/name` or `/buckets/name` at the end: the thing itself, not a part of it.
        len(segments) > 2 and not STORE_SEGMENTS.isdisjoint(segments[-3:-1])
    )
    reach = Reach.PRODUCTION if is_production(path) else Reach.REMOTE
    return call.operation(
        Verb.DELETE,
        ResourceType.URL,
        word.text,
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=reach,
        reversible=False,
    )


# Whoever speaks to the engine of containers has the machine.
ENGINE_SOCKETS = frozenset({"docker.sock", "podman.sock", "containerd.sock", "crio.sock"})
DATA = ("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json")
FORMS = ("-F", "--form", "--form-string")


def curl(call: ProgramCall) -> Iterator[Effect]:
    """`curl`: files named by `@` are read, `-o` is written, every address is one request."""
    # curl(1): `-G` moves the data into the query of a GET.
    asks = call.has("-G", "--get")
    takes = call.has(*DATA, *FORMS, "-T", "--upload-file") and not asks
    query = call.values("--url-query", *(DATA if asks else ()))
    asks_with_file = any(["@" in word.text.partition("=")[0] for word in query])
    given = call.value("-X", "--request")
    method = given.text if given else "HEAD" if call.has("-I", "--head") else ""
    upload = call.values("-T", "--upload-file")
    method = method or ("PUT" if upload else "POST" if takes else "GET")
    files = [*_curl_files(call, upload)]
    sends_secret = any([Trait.READS_SECRET in file.traits for file in files])
    yield from files
    yield from _curl_outputs(call)
    for word in call.values("-K", "--config"):
        yield from _configured(call, word)
    for word in call.values("--unix-socket"):
        # A POST can start a privileged container with the whole disk in it; a GET lists.
        if word.text.rpartition("/")[2] in ENGINE_SOCKETS and method not in {"GET", "HEAD"}:
            yield call.operation(
                Verb.PRIVILEGE, ResourceType.CONTAINER, word.text, reach=Reach.SYSTEM
            )
    urls = (*call.operands, *call.values("--url"))
    for url in urls:
        sent = request(call, method, url, takes=takes or bool(upload) or asks_with_file)
        # A POST to a search only reads, but not where a secret is what it looks for.
        is_search = sent.verb is Verb.NETWORK_IN and (takes or asks_with_file)
        yield call.on_url(Verb.NETWORK_OUT, url) if sends_secret and is_search else sent
    if not urls:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _text_of(call: ProgramCall, word: Word) -> str | None:
    """Return the text of a file as far as the line wrote it or it was looked at."""
    path = locate(word.text, replace(call.place, cwd=call.command.cwd), has_glob=False).path
    written = dict(call.command.known_files).get(path)
    fact = call.place.files.get(path)
    return written if written is not None else fact.text if fact is not None else None


def _configured(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """`-K -` takes options from standard input, one a line: `data = "@file"`."""
    stdin = call.command.stdin
    # An empty file, or no input at all, adds no option.
    if word.text == "/dev/null" or (word.text == "-" and stdin is None):
        return
    text = stdin.text if word.text == "-" and stdin is not None else _text_of(call, word)
    if text is None:
        yield call.opaque("the request stands in a file that was not read")
        return
    given = [Word(text="curl"), *call.operands]
    for line in text.split("\n")[:MAX_OPTIONS]:
        plain = line.strip()
        # curl(1), --config: blank, tab, `=` and `:` all part an option from its value.
        size = next((n for n, char in enumerate(plain) if char in " \t=:"), len(plain))
        name, value = plain[:size], plain[size:].lstrip(" \t=:").strip('"')
        if name and not name.startswith("#"):
            given.append(Word(text=name if name.startswith("-") else f"--{name}"))
            given.extend([Word(text=value)] if value else [])
    if text.count("\n") >= MAX_OPTIONS:
        yield call.opaque("more options than are read")
    yield Nested(text=rejoin(given), language="shell", carrier="curl -K")


def _curl_files(call: ProgramCall, upload: tuple[Word, ...]) -> Iterator[Operation]:
    for word in upload:
        if word.text not in {"-", "."}:
            yield call.on_file(Verb.READ, word)
    for word in call.values(*DATA, "-b", "--cookie", "-H", "--header"):
        yield from _named_by_at(call, word)
    for word in call.values("-F", "--form"):
        for part in _form_files(word):
            yield from _named_by_at(call, part)
    for word in call.values("--url-query", "--data-urlencode"):
        name = word.text.partition("@")[2]
        # `name=a@b` is text; only `@file` and `name@file` read a file.
        if name and "=" not in word.text.partition("@")[0]:
            yield call.on_file(Verb.READ, Word(text=name, is_known=word.is_known))


def _named_by_at(call: ProgramCall, word: Word) -> Iterator[Operation]:
    """`@file`, `name=@file`, `name=<file` in data and forms."""
    # A plain `@` counts at the beginning alone: `mail=me@example.org` is no file.
    for mark in ("@", "=@", "=<"):
        before, found, name = word.text.partition(mark)
        if found and (mark != "@" or not before) and name and name != "-":
            # `file=@a.png;type=image/png`
            path = name.split(";", 1)[0]
            yield call.on_file(Verb.READ, Word(text=path, is_known=word.is_known))
            return


# curl(1), `-F`: `"a,b.txt"` or `a.txt`, and behind it `;type=image/png`, up to the next comma.
_FORM_FILE = re.compile(r'(?:"((?:\\.|[^"\\])*)"|([^,;]*))(?:;[^,]*)?(?:,|$)')


def _form_files(word: Word) -> Iterator[Word]:
    """One word for each file of a field: `f=@a,b` uploads both."""
    name, mark, files = word.text.partition("=@")
    if not mark:
        yield word
        return
    for found in list(_FORM_FILE.finditer(files))[:MAX_FORM_FILES]:
        if file := found[1] or found[2]:
            yield replace(word, text=f"{name}=@{file}")
    if files.count(",") > MAX_FORM_FILES:
        yield replace(word, text=f"{name}=@\ufffd", is_known=False)


def _curl_outputs(call: ProgramCall) -> Iterator[Operation]:
    folder = call.value("--output-dir")
    prefix = folder.text.rstrip("/") + "/" if folder else ""
    for word in call.values("-o", "--output"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, Word(text=prefix + word.text, is_known=word.is_known))
    if call.has("-O", "--remote-name", "--remote-name-all", "-OJ", "-J"):
        for url in call.operands:
            yield call.on_file(Verb.WRITE, Word(text=prefix + _file_name(url.text)))
    for word in call.values("-c", "--cookie-jar", "-D", "--dump-header", "--trace"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, word)


def _file_name(url: str) -> str:
    name = url.split("?", 1)[0].split("#", 1)[0].rstrip("/").rsplit("/", 1)[-1]
    # wget's name for an address that ends in a slash.
    return name if name and name not in {".", ".."} else "index.html"


# wget(1), wgetrc commands: what `-e name=value` sets, by the option that means the same. wget reads
# the names without regard to case, dashes and underscores.
_WGETRC = {
    "bodydata": "--body-data",
    "bodyfile": "--body-file",
    "dirprefix": "--directory-prefix",
    "logfile": "--output-file",
    "method": "--method",
    "outputdocument": "--output-document",
    "postdata": "--post-data",
    "postfile": "--post-file",
    "useaskpass": "--use-askpass",
}


def _with_wgetrc(call: ProgramCall) -> ProgramCall:
    """The call with what `-e` sets as options."""
    more = []
    for word in call.values("-e", "--execute"):
        name, _, value = word.text.partition("=")
        option = _WGETRC.get(name.strip().lower().replace("_", "").replace("-", ""))
        if option is not None:
            more.append(ProgramOption(option, replace(word, text=value.strip())))
    return replace(call, options=(*call.options, *more)) if more else call


def wget(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `wget`: writes into the folder in force unless told otherwise."""
    call = _with_wgetrc(call)
    given = call.value("--method")
    takes = call.has("--post-data", "--post-file", "--body-data", "--body-file")
    method = given.text if given else "POST" if takes else "GET"
    for word in call.values("--post-file", "--body-file"):
        yield call.on_file(Verb.READ, word)
    if call.has("--use-askpass"):
        yield call.opaque("asks another program for the password")
    yield from _wget_outputs(call)
    for url in call.operands:
        yield request(call, method, url, takes=takes)
    if not call.operands:
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, reach=Reach.REMOTE)


def fetch(call: ProgramCall) -> Iterator[Effect]:
    """`fetch` of FreeBSD, `ftp URL` of OpenBSD: download to a file of that name, or to `-`."""
    given = call.value("-o")
    for url in call.operands:
        if given is None or given.text != "-":
            yield call.on_file(Verb.WRITE, given or Word(text=_file_name(url.text)))
        yield request(call, "GET", url, takes=False)
    if not call.operands:
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, reach=Reach.REMOTE)


def _wget_outputs(call: ProgramCall) -> Iterator[Operation]:
    document = call.value("-O", "--output-document")
    folder = call.value("-P", "--directory-prefix")
    if document is not None:
        if document.text != "-":
            yield call.on_file(Verb.WRITE, document)
    elif not call.has("--spider"):
        # `--spider` only asks whether the page is there.
        prefix = folder.text.rstrip("/") + "/" if folder else ""
        for url in call.operands:
            yield call.on_file(Verb.WRITE, Word(text=prefix + _file_name(url.text)))
    for word in call.values("-o", "--output-file", "-a", "--append-output"):
        yield call.on_file(Verb.WRITE, word)


def httpie(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `http METHOD url name=value`: data without a method is a POST."""
    operands = list(call.operands)
    method = ""
    # The method is optional; a host such as `get` would need a dot or a colon.
    if operands and operands[0].text.upper() in HTTPIE_METHODS:
        method = operands.pop(0).text
    url, items = (_near(operands[0]) if operands else None), operands[1:]
    # HTTPie: `a=b` is data, `a==b` a part of the query, `a@file` an upload.
    takes = any(("=" in w.text and "==" not in w.text) or "@" in w.text for w in items)
    for word in items:
        yield from _named_by_at(call, word)
        name, at, path = word.text.partition("@")
        if at and name and path:
            yield call.on_file(Verb.READ, Word(text=path))
    if url is None:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        if call.has("--download", "-d") and call.value("--output", "-o") is None:
            yield call.on_file(Verb.WRITE, Word(text=_file_name(url.text)))
        yield request(call, method or ("POST" if takes else "GET"), url, takes=takes)


def remote_call(call: ProgramCall) -> Iterator[Effect]:
    """`grpcurl ADDRESS SERVICE/METHOD`: `list` and `describe` look, a method may change."""
    given = [word for word in call.operands if word.text not in {"list", "describe"}]
    looks = len(given) < len(call.operands)
    if not given:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    yield call.on_url(Verb.NETWORK_IN if looks else Verb.NETWORK_OUT, given[0])
