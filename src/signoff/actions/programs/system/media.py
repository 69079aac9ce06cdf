"""Sound, pictures, video, documents: files read and written, players, recorders, downloads."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re

# `http` without the slashes also takes `https://` and `httpproxy:`.
MACROS = ("macro:", "vnd.sun.star.script:")
RUNS_FILE = lazy_re(
    r"^(?:\w+:)?\s*(?:(?:sudo|env|nohup|exec)\s+)*(?:\S*/)?"
    r"(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|source|\.)(?:\s+-\w+)*"
    r"\s*(?:[\"']?(?:\{\}|%\((?:filepath|filename)\)\w)|$)"
    r"|(?:^|[;&|])\s*[\"']?(?:\{\}|%\((?:filepath|filename)\)\w)[\"']?\s*(?:$|[;&|])"
)
STREAMS = ("rtmp://", "rtmps://", "rtsp://", "srt://", "udp://", "tcp://", "icecast://", "http")


def encoder(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `ffmpeg -i IN OUT`: inputs are read, other operands are written or streamed."""
    for word in call.values("-i"):
        if "://" in word.text:
            yield call.on_url(Verb.NETWORK_IN, word)
        else:
            yield call.on_file(Verb.READ, word)
    for word in call.operands:
        if word.text.startswith(STREAMS):
            reach = look_at_url(word.text).reach
            # Streaming to this machine is how players and servers are tested; no file leaves it.
            is_near = reach is Reach.LOOPBACK
            yield call.operation(
                Verb.NETWORK_OUT,
                ResourceType.URL,
                word.text,
                traits=() if is_near else (Trait.SENDS_FILES,),
                reach=reach if is_near else Reach.REMOTE,
                reversible=False,
            )
        elif word.text not in {"-", "/dev/null"}:
            yield call.on_file(Verb.WRITE, word)
    if not (call.operands or call.values("-i")):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def document(call: ProgramCall) -> Iterator[Effect]:
    """`pandoc IN...`: documents are read, and printed unless a file is named for them."""
    for word in call.operands:
        yield (
            call.on_url(Verb.NETWORK_IN, word)
            if "://" in word.text
            else call.on_file(Verb.READ, word)
        )
    # Converters run filters, macros and templates of the document.
    yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)


def renderer(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `blender -b SCENE -o //out`: `//` stands for the folder of the scene."""
    scene = call.texts[0] if call.operands else ""
    folder = scene.rpartition("/")[0] or "."
    for word in call.values("-o", "--render-output"):
        if word.text.startswith("//"):
            path = f"{folder}/{word.text[2:]}"
            yield call.on_file(Verb.WRITE, Word(text=path, is_known=word.is_known))
        else:
            yield call.on_file(Verb.WRITE, word)
    yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)


def office(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `soffice --headless FILE`: a macro named on the command line runs."""
    given = [word.text for word in call.command.words[1:]]
    macros = [text for text in given if text.startswith(MACROS)]
    for text in macros:
        yield call.opaque(f"what the macro {text[:80]} does is not known")
    yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)


def downloader(call: ProgramCall) -> Iterator[Effect]:
    """`yt-dlp`: a shell that is given what was downloaded, and the cookies of a browser."""
    for word in call.values("--exec", "--exec-before-download"):
        # Without `{}` the path of the file is put behind the line.
        if RUNS_FILE.search(word.text) is not None:
            yield call.operation(
                Verb.EXECUTE,
                ResourceType.CODE,
                word.text,
                traits=(Trait.REMOTE_CODE,),
                reach=Reach.REMOTE,
                reversible=False,
            )
    if call.has("--cookies-from-browser"):
        yield call.operation(
            Verb.READ,
            ResourceType.CREDENTIAL,
            "cookies of a browser",
            traits=(Trait.READS_SECRET,),
            reach=Reach.HOME,
        )
        # They are written into the file that is named for cookies.
        for word in call.values("--cookies"):
            yield call.on_file(Verb.WRITE, word)


def converter(call: ProgramCall) -> Iterator[Effect]:
    """`magick IN ... OUT`: the last operand is written; prefixes such as `png:` name formats."""
    *sources, target = call.operands or (Word(text="-"),)
    for word in sources:
        if "://" in word.text:
            yield call.on_url(Verb.NETWORK_IN, word)
        elif word.text.startswith("@"):
            # ImageMagick's `@FILE` reads a list of names; other sources may be colours or
            # built-in images.
            yield call.on_file(Verb.READ, Word(text=word.text[1:], is_known=word.is_known))
    if target.text.startswith("-") or not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        # `png:out` writes `out`; format prefixes are short, a later colon belongs to the name.
        name = target.text.partition(":")[2] if target.text[:5].count(":") else target.text
        yield call.on_file(Verb.WRITE, Word(text=name or target.text, is_known=target.is_known))


def in_files(call: ProgramCall) -> Iterator[Effect]:
    """Tag editors and optimisers: the files named are changed, unless told to show."""
    showing = not call.options or call.has(
        "-l", "--list", "--show", "-p", "--print", "--help", "-h", "-v", "--list-frames", "-c"
    )
    for word in call.operands:
        yield call.on_file(Verb.READ if showing else Verb.WRITE, word)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def metadata(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `exiftool`: `-TAG=` and the like write the files back."""
    # exiftool writes only where a tag gets a value (`-Artist=x`, `-all=`); else it shows.
    changing = any(
        "=" in o.name or (o.value is not None and o.name.startswith("-") and "=" in o.value.raw)
        for o in call.options
    ) or any("=" in w.text for w in call.command.words[1:] if w.text.startswith("-"))
    # `-Comment<=notes.txt`: the tag gets what stands in the file.
    given = [word.text.partition("<=")[2] for word in call.command.words[1:] if "<=" in word.text]
    for path in filter(None, given):
        yield call.on_file(Verb.READ, Word(text=path))
    for word in call.operands:
        yield call.on_file(Verb.WRITE if changing else Verb.READ, word)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
