"""Modules of configuration managers as the shell lines they stand for.

What a module is told to make of a machine is what a program would do there: the line is judged as
that, on the machines it goes to. A module nobody described gives no line.

    line_of("file", {"path": "/var", "state": "absent"}) == "rm -rf /var"
    line_of("service", {"name": "auditd", "state": "stopped"}) == "systemctl stop auditd"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, takewhile
from shlex import quote, split

from signoff.actions.vocabulary import lazy_re

GONE = frozenset({"absent", "purged", "removed"})
OFF = frozenset({"no", "false", "n", "0", "disabled"})
MOST_RESOURCES = 20
MOST_ARGUMENTS = 12
Given = Mapping[str, str]
# One resource without resources inside it: `file { '/x': ensure => absent }`.
_RESOURCE = lazy_re(r"\b([a-z][\w:]*)\s*\{\s*['\"]?([^'\":{}]+)['\"]?\s*:([^{}]*)\}")
_LOOP = lazy_re(r"\s*(?:loop|with_items|with_list):\s*(?:\[([^\]]*)\])?\s*$")
_ITEM = lazy_re(r"\{\{\s*item\s*\}\}")
_ATTRIBUTE = lazy_re(r"([a-z_]+)\s*=>\s*(?:'([^']*)'|\"([^\"]*)\"|([\w./:-]+))")


def arguments_of(text: str) -> dict[str, str]:
    """Parse the `key=value` arguments of an Ansible module."""
    try:
        words = split(text)
    except ValueError:
        # An open quote; the pairs that can be told are still worth judging.
        words = text.split()
    return {name: value for name, sign, value in (w.partition("=") for w in words) if sign}


def line_of(module: str, given: Given) -> str:
    """Return the shell line equivalent to a module call, "" if the module is not described."""
    # Ansible writes `ansible.builtin.file`, Puppet `::file`.
    make = _LINES.get(module.rpartition(".")[2].rpartition("::")[2])
    return make(given) if make is not None else ""


def declared_lines(text: str) -> Iterator[str]:
    """Yield the shell lines equivalent to the resources in a Puppet text."""
    for count, match in enumerate(_RESOURCE.finditer(text)):
        if count >= MOST_RESOURCES:
            return
        given = {"name": match[2].strip(), "path": match[2].strip()}
        for name, *values in _ATTRIBUTE.findall(match[3]):
            value = next(filter(None, values), "")
            given["state" if name == "ensure" else _ALSO.get(name, name)] = value
        if line := line_of(match[1], given):
            yield line


def playbook_lines(text: str) -> Iterator[str]:
    """Yield the shell lines equivalent to the tasks in an Ansible playbook."""
    for match in islice(_TASK.finditer(text), MOST_RESOURCES):
        rest = text[match.end() + 1 :]
        beside = (match[3] or "").strip()
        # Plain scalars and quoted ones; what a `|` begins stands on the lines below.
        is_block = beside[:1] in {"|", ">"}
        given = arguments_of(beside) if beside and not is_block else {}
        if beside and not given and not is_block:
            given = {"cmd": beside.strip("\"'|> ")}
        given |= {"cmd": _block(rest, len(match[1]))} if is_block else _below(rest, len(match[1]))
        for one in _repeated(given, _items(rest, len(match[1]))):
            # What a template fills in is known only where it is run.
            if "{{" not in one.get("key", "") and (line := line_of(match[2], one)):
                yield line


def _block(text: str, indent: int) -> str:
    """The lines below that stand further in, as one text."""
    kept: list[str] = []
    for line in text.split("\n", MOST_ARGUMENTS)[:MOST_ARGUMENTS]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        kept.append(line.strip())
    return "\n".join(kept).strip()


def _below(text: str, indent: int) -> dict[str, str]:
    """The arguments on the lines below a module that stand further in than it does."""
    found: dict[str, str] = {}
    lines = text.split("\n", MOST_ARGUMENTS)[:MOST_ARGUMENTS]
    for number, line in enumerate(lines):
        plain = line.strip()
        if plain and len(line) - len(line.lstrip()) <= indent:
            break
        name, sign, value = plain.partition(":")
        if sign and value.strip() in {"|", "|-", ">", ">-"}:
            found[name] = _block("\n".join(lines[number + 1 :]), len(line) - len(line.lstrip()))
        elif plain:
            found.setdefault(name if sign else "cmd", value.strip().strip("\"'") if sign else plain)
    return found


def _items(text: str, indent: int) -> tuple[str, ...]:
    """What a task is repeated for: the plain items of its `loop`."""
    lines = text.split("\n", 2 * MOST_ARGUMENTS)[: 2 * MOST_ARGUMENTS]
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        if line.strip() and (depth < indent or line.lstrip().startswith("- name")):
            return ()
        match = _LOOP.match(line)
        if match is None or depth > indent:
            continue
        if match[1]:
            return tuple([one.strip().strip("\"'") for one in match[1].split(",")])
        below = [one.strip() for one in lines[number + 1 :]]
        kept = list(takewhile(lambda one: one.startswith("- "), below))
        return tuple([one[2:].strip().strip("\"'") for one in kept])
    return ()


def _repeated(given: Given, items: tuple[str, ...]) -> Iterator[Given]:
    """The arguments for each item of a loop, or as they are."""
    if not items or not any(["item" in value for value in given.values()]):
        yield given
        return
    for item in items[:MOST_RESOURCES]:
        yield {name: item.join(_ITEM.split(value)) for name, value in given.items()}


# Puppet's names for what Ansible's modules call otherwise.
_ALSO = {"enable": "enabled", "key": "key", "command": "cmd", "source": "src"}


def _name(given: Given) -> str:
    return quote(given.get("name") or given.get("pkg") or given.get("package") or "")


def _file(given: Given) -> str:
    path = quote(given.get("path") or given.get("dest") or given.get("name") or "")
    if given.get("state") in GONE:
        return f"rm -rf {path}"
    deep = "-R " if given.get("recurse", "").lower() in {"yes", "true"} else ""
    if mode := given.get("mode"):
        return f"chmod {deep}{quote(mode)} {path}"
    if owner := given.get("owner"):
        return f"chown {deep}{quote(owner)} {path}"
    return f"touch {path}"


def _service(given: Given) -> str:
    verb = {"stopped": "stop", "started": "start", "running": "start", "restarted": "restart"}.get(
        given.get("state", ""), ""
    )
    if given.get("enabled", "").lower() in OFF:
        # With `state=stopped` both happen; switching off is the stronger part.
        return f"systemctl disable --now {_name(given)}"
    return f"systemctl {verb or 'restart'} {_name(given)}"


def _user(given: Given) -> str:
    if given.get("state") in GONE:
        deep = "-r " if given.get("remove", "").lower() in {"yes", "true"} else ""
        return f"userdel {deep}{_name(given)}"
    groups = f"-G {quote(given['groups'])} " if given.get("groups") else ""
    # `-o` lets useradd take a number twice, so `uid=0` is not lost as an error.
    number = f"-o -u {quote(given['uid'])} " if given.get("uid") else ""
    return f"useradd {groups}{number}{_name(given)}"


def _key(given: Given) -> str:
    if given.get("state") in GONE:
        return "true"
    user = given.get("user") or "root"
    home = "/root" if user == "root" else f"/home/{user}"
    return f"echo {quote(given.get('key', 'key'))} >> {quote(home)}/.ssh/authorized_keys"


def _line_in_file(given: Given) -> str:
    path = quote(given.get("path") or given.get("dest") or "")
    return f"echo {quote(given.get('line') or given.get('block') or '')} >> {path}"


def _copied(given: Given) -> str:
    target = quote(given.get("dest") or given.get("path") or "")
    if "content" in given:
        return f"echo {quote(given['content'])} > {target}"
    return f"cp {quote(given.get('src', 'file'))} {target}"


def _fetched(given: Given) -> str:
    return f"curl -fsSL -o {quote(given.get('dest', ''))} {quote(given.get('url', ''))}"


def _scheduled(given: Given) -> str:
    if given.get("state") in GONE:
        return "crontab -l"
    # When it runs does not matter here; what runs does.
    return f"echo {quote('* * * * * ' + (given.get('job') or given.get('cmd') or ''))} | crontab -"


def _package(given: Given) -> str:
    verb = "purge" if given.get("state") in GONE else "install"
    return f"apt-get {verb} -y {_name(given)}"


def _executed(given: Given) -> str:
    return given.get("cmd") or given.get("_raw_params") or given.get("name", "")


def _firewall(given: Given) -> str:
    is_off = given.get("state") in {"disabled", "reset", "stopped"}
    # Any other state is one rule more or less.
    return "ufw disable" if is_off else "ufw allow 1"


def _selinux(given: Given) -> str:
    is_off = given.get("state") in {"disabled", "permissive"}
    return "setenforce 0" if is_off else "getenforce"


_RAW: Mapping[str, Callable[[Given], str]] = dict.fromkeys(
    ("shell", "command", "raw", "script"), _executed
)
_LINES: Mapping[str, Callable[[Given], str]] = {
    "file": _file,
    **dict.fromkeys(("service", "systemd", "systemd_service", "sysvinit"), _service),
    "user": _user,
    **dict.fromkeys(("authorized_key", "ssh_authorized_key"), _key),
    **dict.fromkeys(("lineinfile", "blockinfile", "file_line"), _line_in_file),
    **dict.fromkeys(("copy", "template"), _copied),
    "get_url": _fetched,
    "cron": _scheduled,
    **dict.fromkeys(("apt", "yum", "dnf", "package", "apk", "zypper", "pacman"), _package),
    "exec": _executed,
    **dict.fromkeys(("reboot", "win_reboot"), lambda _: "reboot"),
    **dict.fromkeys(("ufw", "firewalld"), _firewall),
    "selinux": _selinux,
    **_RAW,
}
# A module of a task: `ansible.builtin.systemd:` or `shell: line`, a dash before it or not.
_TASK = lazy_re(
    r"(?m)^([ \t]*(?:-[ \t]+)?)((?:[a-z_]+\.){0,2}(?:" + "|".join(_LINES) + r")):(?:[ \t]+(.*))?$"
)
