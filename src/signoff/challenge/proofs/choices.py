"""Wrong answers of the kind and shape of the right one, so that nobody picks it unread.

A name is changed in two places, each changed or not: no answer is the one the others were made
from. What replaces a part is of nearly its length, and from the call itself where it can be: then
the right answer is not the only one that stands on the card. No letter is one that only looks
like another.

    Near(words=("/home/dev/project",), salt="r1").of("/home/dev/data")
        -> ("/home/dev/logs", "/home/dev/project/data", "/home/dev/project/logs", ...)
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

CLOSE = 14  # characters a whole path from the call may be longer or shorter
NEAREST = 5  # of so many of nearly the same length one is taken by chance
NAMES = (
    *("api", "app", "bin", "web", "new", "old", "core", "data", "docs", "logs", "main", "test"),
    *("temp", "work", "build", "cache", "local", "notes", "state", "store", "tests", "tools"),
    *("assets", "backup", "client", "common", "config", "export", "images", "models", "output"),
    *("public", "report", "result", "server", "shared", "source", "worker", "archive", "backups"),
    *("current", "details", "library", "modules", "package", "product", "project", "reports"),
    *("results", "service", "staging", "storage", "summary", "accounts", "customers", "database"),
    *("documents", "generated", "inventory", "migration", "resources", "templates", "production"),
    *("collections", "environment", "integration", "development", "subscriptions"),
)
EFFECTS = (
    *("get", "add", "set", "put", "run", "list", "read", "send", "move", "copy", "drop", "close"),
    *(
        "clear",
        "fetch",
        "merge",
        "write",
        "create",
        "delete",
        "remove",
        "update",
        "search",
        "cancel",
    ),
)
LABELS = ("api", "app", "cdn", "dev", "www", "data", "test", "auth", "beta", "edge", "files")
ENDS = ("com", "net", "org", "dev", "app", "io", "co", "info", "cloud")
REMOTES = ("origin", "upstream", "fork", "mirror", "backup")
BRANCHES = ("main", "master", "develop", "staging", "release", "stable", "next", "feature/login")
ROOTS = ("/", "~", ".", "..")
FOLDERS = ("bin", "dev", "etc", "lib", "mnt", "opt", "srv", "usr", "var", "boot", "home", "root")
METHODS = ("GET", "PUT", "POST", "HEAD", "PATCH", "DELETE", "OPTIONS")
DIGITS = "0123456789"


class Near(Struct, frozen=True, kw_only=True):
    """Makes plausible wrong answers for quiz questions.

    Args:
        words: names and paths in the call that are not the right answer.
        commands: those of them that are programs or subcommands, and stand in no name.
        salt: seeds the random choices, so that a request always gets the same ones.
    """

    words: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()
    salt: str = ""

    def of(self, right: str) -> tuple[str, ...]:
        """Return wrong answers that resemble the right one, most similar first."""
        return tuple(one for one in dict.fromkeys(self._made(right)) if one and one != right)

    def of_branch(self, right: str) -> tuple[str, ...]:
        """Return other remotes, branches or commits that could be meant."""
        # A branch as a wrong answer would show at once which of the choices is the commit.
        if right.startswith(("HEAD", "@")):
            steps = [f"HEAD~{n}" for n in range(1, 9)]
            return tuple(self.mixed([one for one in (*steps, "HEAD") if one != right]))
        remote, _, branch = right.rpartition(" ")
        if not remote:
            return tuple(self.nearest(branch, BRANCHES, 4))
        return self._grid(
            (remote, self._other(remote, REMOTES)),
            (branch, self._other(branch, BRANCHES)),
            lambda first, second: f"{first} {second}",
        )

    def is_chosen(self, text: str, *, one_in: int) -> bool:
        """Return True for one text in `one_in`, chosen by a hash of text and salt."""
        return self._chance(f"chosen {text}")[0] % one_in == 0

    def mixed(self, choices: Iterable[str]) -> list[str]:
        """Return the choices in a random order that the salt fixes."""
        return sorted(choices, key=self._chance)

    def nearest(self, right: str, pool: Iterable[str], count: int) -> list[str]:
        """Return up to `count` items of the pool whose length is close to that of `right`."""
        # `Main` beside `main` would be a trick and no question.
        others = [one for one in dict.fromkeys(pool) if one.casefold() != right.casefold()]
        others = [_cased(one, right) for one in others]
        near = sorted(others, key=lambda one: (abs(len(one) - len(right)), self._chance(one)))
        return self.mixed(near[: max(NEAREST, count)])[:count]

    def _made(self, right: str) -> tuple[str, ...]:
        if "://" in right:
            return self._urls(right)
        if not right.strip("/.~*"):
            ending = right[len(right.rstrip("*")) :]
            return tuple(self.mixed(f"{one}{ending}" for one in ROOTS))
        if right.startswith("/") and right.strip("/") in FOLDERS:
            return tuple(f"/{one}" for one in self.nearest(right[1:], FOLDERS, 3))
        if _is_number(right):
            return self._numbers(right)
        if "/" in right:
            is_one = right[0] == "/" and "/" not in right.strip("/")
            return self._of_one_part(right) if is_one else self._paths(right)
        return self._names(right)

    def _of_one_part(self, right: str) -> tuple[str, ...]:
        """Return paths as `/login` is; one of two parts would tell what they were made from."""
        stem, ending = posixpath.splitext(right.strip("/"))
        own = [f"/{_base(word)}" for word in self.words if "/" in word and _base(word)]
        made = [f"/{one}{ending}" for one in self.nearest(stem, NAMES, 3)]
        return (*self.nearest(right, own, 1), *made)

    def _paths(self, right: str) -> tuple[str, ...]:
        folder, name = posixpath.split(right.rstrip("/"))
        folders = [one for word in self.words for one in _folders(word)]
        alike = [one for one in folders if _kind(one) == _kind(right) and one != folder]
        alike = [one for one in alike if abs(len(one) - len(right)) <= CLOSE]
        if _base(folder) in ("", ".", "~", ".."):
            beside = posixpath.join(folder, self._other(name, NAMES))
        else:
            beside = posixpath.join(
                posixpath.dirname(folder), self._other(_base(folder), (*LABELS, *NAMES))
            )
        other_folder = self.nearest(folder, [*alike, beside], 1)[0]
        grid = self._grid((folder, other_folder), (name, self._other_name(name)), posixpath.join)
        # One that stands on the card as it is takes the place of one that does not.
        return (*self.nearest(right, alike, 1), *grid)

    def _urls(self, right: str) -> tuple[str, ...]:
        scheme, _, rest = right.partition("://")
        host, slash, path = rest.partition("/")
        name, colon, port = host.partition(":")
        *front, last = name.split(".") if "." in name else (name,)
        if last.isascii() and last.isdigit() and front:
            hosts = [".".join([*front[:-1], *pair]) for pair in self._pairs(front[-1], last)]
        elif not front:
            hosts = self.nearest(name, (*LABELS, *NAMES), 3)
        else:
            changed = (front[0], self._other(front[0], (*LABELS, *NAMES)))
            ends = (last, self._other(last, ENDS))
            middle = front[1:]
            hosts = [*self._grid(changed, ends, lambda a, b: ".".join([a, *middle, b]))]
        return tuple(f"{scheme}://{one}{colon}{port}{slash}{path}" for one in hosts)

    def _pairs(self, first: str, second: str) -> list[tuple[str, str]]:
        """Return two numbers of an address, one of them or both changed."""
        others = [str((int(n[-3:] or 0) + 3 + len(n)) % 254 + 1) for n in (first, second)]
        return self.mixed_pairs([(first, others[1]), (others[0], second), (others[0], others[1])])

    def mixed_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the pairs in a random order that the salt fixes."""
        return sorted(pairs, key=lambda pair: self._chance(" ".join(pair)))

    def _numbers(self, right: str) -> tuple[str, ...]:
        places = [at for at, char in enumerate(right) if char in DIGITS]
        # A year far from now is known to be wrong without reading the card.
        is_year = len(right) == 4 and right.startswith(("19", "20"))
        first, last = places[2 if is_year else 0], places[-1]
        if first == last:
            return tuple(self.mixed(f"{right[:first]}{d}{right[first + 1 :]}" for d in DIGITS))
        others = {at: self._digit(right[at], is_first=at == 0) for at in (first, last)}

        def with_digits(a: str, b: str) -> str:
            return f"{right[:first]}{a}{right[first + 1 : last]}{b}{right[last + 1 :]}"

        return self._grid((right[first], others[first]), (right[last], others[last]), with_digits)

    def _digit(self, digit: str, *, is_first: bool) -> str:
        # No number begins with a zero: it would stand out.
        return next(d for d in self.mixed(DIGITS) if d != digit and not (is_first and d == "0"))

    def _names(self, right: str) -> tuple[str, ...]:
        """Return names near a name: of two parts both are changed, of one the whole."""
        if right in METHODS:
            return tuple(self.nearest(right, METHODS, 3))
        if right[0] == "." and right[1:].isalnum():  # a hidden file among others
            return tuple(f".{one}" for one in self.nearest(right[1:], NAMES, 3))
        stem, ending = posixpath.splitext(right)
        # The ending stays: `report.csv` among names without one, or with others, would tell
        # itself.
        if ending[1:].isalnum():
            return tuple(f"{one}{ending}" for one in self.nearest(stem, NAMES, 3))
        for sign in (" ", "_", "-", ":", "@", "="):
            parts = right.split(sign)
            full = [at for at, part in enumerate(parts) if part]
            if len(full) > 1:
                return self._two_parts(parts, full[-2], full[-1], sign)
        named = [word for word in self.words if "/" not in word and " " not in word]
        return (*self.nearest(right, named, 1), *self.nearest(right, NAMES, 3))

    def _two_parts(self, parts: list[str], first: int, second: int, sign: str) -> tuple[str, ...]:
        """Return a name with two of its parts changed, one or the other or both."""

        def joined(a: str, b: str) -> str:
            put = {first: a, second: b}
            return sign.join(put.get(at, part) for at, part in enumerate(parts))

        one = self._other_part(parts[first], but=(parts[second],))
        other = self._other_part(parts[second], but=(parts[first], one))
        return self._grid((parts[first], one), (parts[second], other), joined)

    def _other_part(self, part: str, *, but: tuple[str, ...]) -> str:
        """Return another word for a part; `prod prod` beside `pod web` would show itself."""
        if part in EFFECTS:
            return self._other(part, [one for one in EFFECTS if one not in but])
        return self._other_name(part, but=but)

    def _other_name(self, name: str, *, but: tuple[str, ...] = ()) -> str:
        """Return another name; an ending stays as it is."""
        stem, ending = posixpath.splitext(name)
        if _is_number(stem):
            return f"{self._numbers(stem)[0]}{ending}"
        own = [
            other
            for word in self.words
            for other, end in (posixpath.splitext(_base(word)),)
            if end == ending and other not in ("", *but, *self.commands) and " " not in other
        ]
        names = own or [one for one in NAMES if one not in but]
        return f"{self._other(stem, names)}{ending}"

    def _other(self, right: str, pool: Iterable[str]) -> str:
        return (self.nearest(right, pool, 1) or self.nearest(right, NAMES, 1))[0]

    def _grid(
        self,
        first: tuple[str, str],
        second: tuple[str, str],
        join: Callable[[str, str], str],
    ) -> tuple[str, ...]:
        """Return the three of four combinations that are wrong."""
        (a, b), (x, y) = first, second
        return tuple(self.mixed([join(a, y), join(b, x), join(b, y)]))

    def _chance(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.salt}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _folders(path: str) -> tuple[str, ...]:
    """Return a path and the folder it is in."""
    plain = path.rstrip("/")
    return (plain, posixpath.dirname(plain))


def _base(path: str) -> str:
    return posixpath.basename(path.rstrip("/"))


def _cased(text: str, like: str) -> str:
    """Return a text in small letters or capitals, as another is."""
    if like.isupper():
        return text.upper()
    return text.capitalize() if text.islower() and like[:1].isupper() else text


def _kind(path: str) -> tuple[bool, bool, bool]:
    """Tell how a path begins, and whether it has more than one part."""
    return path.startswith("/"), path.startswith("~"), "/" in path.strip("/")


def _is_number(text: str) -> bool:
    """Tell whether a text is a plain number."""
    return text.isascii() and text.lstrip("-").replace(".", "", 1).isdigit()
