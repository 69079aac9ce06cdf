"""Code that will come from another host, and notes that tell an agent to be careless.

foreign_sources("go.mod", NewText(new="replace a.example/x => b.example/y v1.0.0"))
built_sources("Puppetfile", FileKind.BUILD, NewText(new="mod 'x', :git => 'https://b.example/x'"))
loosened(FileKind.AGENT_NOTES, NewText(new="allowed-tools: Bash(*)"))
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Trait
from signoff.actions.vocabulary import lazy_re2, words

Meaning = tuple[frozenset[Trait], str, str]

_LONGEST = 200_000
_NAMES = frozenset({"go.mod", ".gitmodules"})
_LOOSENED = frozenset({FileKind.CONTAINER, FileKind.AGENT_NOTES})
_REPLACE = lazy_re2(
    r"(?m)^\s*(?:replace\s+)?([a-z0-9.-]+\.[a-z]{2,}/\S+)(?:\s+v\S+)?\s+=>\s+([a-z0-9.-]+\.[a-z]{2,}/\S+)"
)
# A git repository as the source of a package, as the files of build tools write it.
_GIT = lazy_re2(
    r"(?im)\bgit_repository\s+[\"']?(?P<a>\w+://[^\s\"')]+)"
    r"|:git(?:/url)?\s*(?:=>)?\s*[\"'](?P<b>(?:https?|git|ssh)://[^\"'\s]+)"
    r"|\bgit[\"']?\s*[:=]\s*[\"']?(?P<c>(?:https?|git|ssh)://[^\s\"',}]+)"
    r"|[\"'](?P<key>[\w.@/-]{2,80})[\"']\s*:\s*[\"'](?P<d>(?:git\+)?(?:https?|ssh)://[^\"'\s]+\.git(?:[#?][^\"'\s]*)?)[\"']"
    r"|^\s*(?:-\s+)?(?:src|url|repo|remote|source)\s*[:=]\s*[\"']?(?P<e>(?:git\+)?(?:https?|git|ssh)://[^\s\"']+\.git)\b"
    r"|\bgit\+(?P<f>(?:https?|ssh|file)://[^\s\"']+)"
)
_IS_ABOUT_ITSELF = words("repository url homepage bugs type source_url git")
_LISTS = lazy_re2(
    r"(?i)^(?:requirements\.ya?ml|west\.ya?ml|puppetfile|deps\.edn|pubspec\.ya?ml|shard\.yml|rebar\.config"
    r"|mix\.exs|manifest\.json|galaxy\.yml|berksfile|cartfile|conanfile\.\w+|build\.zig\.zon|\w*\.opam"
    r"|project\.clj|cpanfile|\.fixtures\.yml|\.pre-commit-config\.ya?ml|dub\.json|elm\.json|packages\.dhall)$"
)
_BUILT = frozenset({FileKind.BUILD, FileKind.MANIFEST, FileKind.CONTAINER})
_ARTIFACTS = lazy_re2(
    r"(?i)\bmaven\w*\s*[({]\s*(?:(?:set)?url\s*[=(]?\s*)?(?:uri\s*\(\s*)?(?:url\s*=\s*)?[\"'](https?://[^\"'\s]+)"
    r"|\bresolvers\s*\+?\+=[^\n]*\bat\s+[\"'](https?://[^\"'\s]+)"
    r"|<(?:plugin)?repository>(?s:.{0,300}?)<url>\s*(https?://[^<\s]+)"
)
_USUAL = words(
    "repo1.maven.org repo.maven.apache.org repo.maven.org plugins.gradle.org dl.google.com "
    "maven.google.com oss.sonatype.org s01.oss.sonatype.org central.sonatype.com repo.spring.io "
    "packages.confluent.io packages.jetbrains.team maven.pkg.jetbrains.space repo.grails.org "
    "maven.fabricmc.net maven.minecraftforge.net maven.neoforged.net repo.papermc.io "
    "repo.clojars.org clojars.org repo.eclipse.org repository.apache.org"
)
_SCRIPT = lazy_re2(r"(?i)\bapply\s*\(?\s*from\s*[:=]\s*(?:uri\s*\(\s*)?[\"'](https?://[^\"'\s]+)")
_USER = lazy_re2(r"(?im)^\s*user\s+(\w+)")
_SUBMODULE = lazy_re2(r"(?m)^\s*url\s*=\s*(\S+)")
_HOST = lazy_re2(r"^(?:[a-z+]+://)?(?:[^@/]+@)?([a-z0-9.-]+)")
_LOOSENS = lazy_re2(
    r"(?im)^[^\n]*(?:dangerously-skip-permissions|dangerously-bypass|bypasspermissions"
    r"|^\s*allowed-tools\s*:[^\n]*(?:\bbash\(\*\)|\bbash\s*(?:,|$)|[\"']\*[\"'])|--yolo\b"
    r"|!`[^`\n]*\b(?:curl|wget)\b[^`\n]*\|\s*(?:ba|z)?sh\b)[^\n]*$"
)
# The whole disk or home only: `rm -rf build` stands in many notes for agents.
_DESTROYS = lazy_re2(
    r"(?im)^[^\n]*\brm\s+-[a-z]*r[a-z]*\s+(?:-\S+\s+)*(?:/|~|\$home)(?:[\s`\"'/*]|$)[^\n]*$"
)
# "Never run `rm -rf /`" is advice against it.
_WARNS = lazy_re2(
    r"(?i)\bnever\b|\bnot\b|n't\b|\bavoid\b|\bno\b|\bwithout\b|\bforbid|\bblock|\brefuse|\bdeny\b|\bdanger"
    r"ous\b|\bwarn|\bexample\b|\be\.g\."
)


def foreign_sources(name: str, text: NewText) -> Iterator[Meaning]:
    """Yield new package sources on hosts that the old text does not name."""
    traits = frozenset({Trait.UNTRUSTED_SOURCE})
    if name in _NAMES and len(text.new) > _LONGEST:
        yield traits, "names more sources than are read", name
        return
    if name == "go.mod":
        for match in _REPLACE.finditer(text.new):
            module, other = match.group(1), match.group(2)
            is_new = str(match.group()).strip() not in (text.old or "")
            # A fork below the same owner is the project's own business.
            if is_new and _owner(module) != _owner(other):
                yield traits, "takes a module from elsewhere", str(match.group())
    if name == ".gitmodules" and text.old:
        before = {_host(match.group(1)) for match in _SUBMODULE.finditer(text.old)}
        for match in _SUBMODULE.finditer(text.new):
            # Only where others were there before: a first submodule is an ordinary beginning.
            if before and _host(match.group(1)) not in before:
                yield traits, "takes a submodule from another host", str(match.group())


def built_sources(name: str, kind: FileKind, text: NewText) -> Iterator[Meaning]:
    """Yield new git repositories and package sources that a build will take code from."""
    if len(text.new) > _LONGEST or (kind not in _BUILT and _LISTS.match(name) is None):
        return
    old = text.old or ""
    for match in _SCRIPT.finditer(text.new):
        if str(match.group(1)) not in old:
            traits = frozenset({Trait.REMOTE_CODE, Trait.RUNS_LATER})
            yield traits, "runs a build script of another host", str(match.group())
    traits = frozenset({Trait.UNTRUSTED_SOURCE})
    for match in _GIT.finditer(text.new):
        found = match.groupdict()
        address = next(filter(None, (found[one] for one in "abcdef")), "")
        is_about_itself = str(found["key"] or "").lower() in _IS_ABOUT_ITSELF
        if not is_about_itself and address not in old and not _is_named(address, old):
            yield traits, "takes code from a git repository", str(match.group()).strip()
    for match in _ARTIFACTS.finditer(text.new):
        address = next(filter(None, match.groups()), "")
        host = _host(address)
        if host not in _USUAL and host not in old:
            yield traits, "takes packages from another place", address


def _is_named(address: str, old: str) -> bool:
    """Whether the old text takes code from the same owner already."""
    return _owner(address.partition("://")[2]) in old.lower()


def loosened(kind: FileKind, text: NewText) -> Iterator[Meaning]:
    """Yield what lets a container run as root, or an agent act unasked."""
    if kind in _LOOSENED and len(text.new) > _LONGEST:
        yield frozenset({Trait.WEAKENS}), "is too long to be read", ""
        return
    if kind is FileKind.CONTAINER and text.old and _runs_as_root(text.new, text.old):
        yield frozenset({Trait.WEAKENS}), "runs the container as root again", "USER root"
    if kind is not FileKind.AGENT_NOTES:
        return
    traits = frozenset({Trait.WEAKENS, Trait.RUNS_LATER})
    readers = ((_LOOSENS, "lets the agent act unasked"), (_DESTROYS, "has the agent destroy files"))
    for pattern, says in readers:
        for match in pattern.finditer(text.new):
            line = str(match.group()).strip()
            if line not in (text.old or "") and not _WARNS.search(_spaced(line)):
                yield traits, says, line
                break


def _runs_as_root(new: str, old: str) -> bool:
    """Whether the user that a container's program runs as was somebody, and is root."""
    before, after = (_USER.findall(text)[-1:] for text in (old, new))
    # Without a USER line, a container runs as root (Dockerfile reference).
    is_root = after in (["root"], ["0"]) or (not after and bool(before))
    return is_root and before not in ([], ["root"], ["0"])


def _spaced(line: str) -> str:
    """The line with its flags apart from its words: `--no-x` does not warn."""
    return " ".join(word for word in line.split() if not word.strip("`\"'").startswith("-"))


def _host(url: str) -> str:
    match = _HOST.search(url.lower())
    return str(match.group(1)) if match else ""


def _owner(module: str) -> str:
    """The host of a module, with the owner where a host has many: `github.com/acme`."""
    parts = module.lower().split("/")
    is_shared = parts[0] in ("github.com", "gitlab.com", "bitbucket.org")
    return "/".join(parts[:2]) if is_shared else parts[0]
