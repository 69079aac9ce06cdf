"""Carriers whose words run on another machine or in a container; folders there are not ours.

ssh -p 22 web 'rm -rf /srv'           ->  the text `rm -rf /srv`
docker run --rm -v /:/h alpine rm x   ->  rm x, carriers=("docker run",)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from signoff.actions.programs.infra.mounts import Mount, read_mount
from signoff.actions.programs.option_values import ssh_line
from signoff.actions.shell.choices.composed import composed_mounts
from signoff.actions.shell.command import Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import Options, OptionTable
from signoff.actions.shell.wrappers.shells import SHELLS
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

_SSH = OptionTable.of("BbcDEeFIiJLlmOopQRSWw")
_CONTAINER = OptionTable.of(
    "aceHlhmnpuvw",
    "add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent "
    "cgroupns cidfile cpu-count cpu-percent cpu-period cpu-quota cpu-shares cpus cpuset-cpus "
    "cpuset-mems detach-keys device device-cgroup-rule device-read-bps device-write-bps dns "
    "dns-option dns-search domainname entrypoint env env-file expose gpus group-add health-cmd "
    "health-interval health-retries health-timeout hostname ip ip6 ipc isolation kernel-memory "
    "label label-file link log-driver log-opt mac-address memory memory-reservation memory-swap "
    "memory-swappiness mount name network network-alias oom-score-adj pid pids-limit platform "
    "publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt "
    "sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from workdir index "
    "arch os secret pod requires authfile net net-alias cpu-rt-period cpu-rt-runtime creds "
    "health-start-period health-start-interval health-on-failure tz umask uidmap gidmap systemd "
    "image-volume hostuser variant",
)
_DOCKER = OptionTable.of("cHlf", "config context host log-level connection url")
_COMPOSE = OptionTable.of(
    "fp", "file project-name profile env-file project-directory ansi parallel"
)
_KUBECTL = OptionTable.of(
    "ncflso",
    "namespace container filename context cluster kubeconfig user server token as image "
    "pod-running-timeout request-timeout",
)
_VAGRANT = OptionTable.of("c", "command")

# Paths at the start of a word only: in `a/b` and `http://x` the slash begins none.
_ABSOLUTE = lazy_re(r"(?<![^\s;&|'\"=<>(])/[^\s;&|'\"<>)]*")


def unfold_ssh(call: WrapperCall) -> tuple[Inner, ...]:
    """The words behind the host, joined and read by the shell there; proxy commands run here."""
    options = _SSH.read(call.words, 1)
    rest = call.words[options.start + 1 :]
    # OpenSSH takes options behind the host too, before the words to run.
    again = _SSH.read(rest)
    given = [word for name, word in (*options.values, *again.values) if name == "o"]
    made = [Inner(carrier="ssh -o", text=line) for word in given if (line := ssh_line(word))]
    rest = rest[again.start :]
    if rest:
        made.append(Inner(carrier="ssh", text=joined(rest), folder=""))
    elif call.stdin is not None and call.stdin.text is not None and len(call.words) > 1:
        made.append(Inner(carrier="ssh", text=Word(text=call.stdin.text), folder=""))
    return tuple(made)


def unfold_container(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the program that `docker run` or `exec` starts, also through compose."""
    options = _DOCKER.read(call.words, 1)
    rest = call.words[options.start :]
    if not rest:
        return ()
    name = call.name
    if rest[0].text == "container" and len(rest) > 1:
        rest = rest[1:]
    if rest[0].text == "compose" or name in ("docker-compose", "podman-compose"):
        return _compose(call, rest if name.endswith("-compose") else rest[1:])
    if rest[0].text in ("run", "exec", "create"):
        options = _CONTAINER.read(rest, 1)
        rest = rest if rest[0].text == "exec" else _with_entry(rest, options)
        return _in_container(f"{name} {rest[0].text}", rest, options, _mounts(options))
    return ()


def _with_entry(rest: tuple[Word, ...], options: Options) -> tuple[Word, ...]:
    """Put the image's own program before options for it: `prom/prometheus:v3 --web.port=1`.

    Images of one program are named after it, and hand it what begins with a dash.
    """
    at = options.start
    is_option = len(rest) > at + 1 and rest[at + 1].text[:1] == "-"
    if not is_option or options.value("entrypoint") is not None or not rest[at].is_known:
        return rest
    name = rest[at].text.partition("@")[0].rpartition("/")[2].partition(":")[0]
    return (*rest[: at + 1], Word(text=name), *rest[at + 1 :])


def _compose(call: WrapperCall, rest: tuple[Word, ...]) -> tuple[Inner, ...]:
    given = _COMPOSE.read(rest)
    rest = rest[given.start :]
    if not rest or rest[0].text not in ("run", "exec"):
        return ()
    options = _CONTAINER.read(rest, 1)
    service = rest[options.start :]
    composed = composed_mounts(service, given.values, call.assignments, call.file_text)
    mounts = _mounts(options, composed)
    name = call.name if call.name.endswith("-compose") else f"{call.name} compose"
    return _in_container(f"{name} {rest[0].text}", rest, options, mounts)


def _in_container(
    carrier: str, rest: tuple[Word, ...], options: Options, mounts: Mapping[str, str]
) -> tuple[Inner, ...]:
    words = rest[options.start + 1 :]
    entry = options.value("entrypoint")
    if entry is not None and entry.text:
        # The entry point is the program there; the words behind the image are its arguments.
        words = (entry, *words)
    if not words:
        return ()
    on_host = _on_host(words, mounts) if mounts else ()
    if on_host:
        # `./src` of a mount lies in the folder that is in force here.
        here = all(source[:1] == "." for source in mounts.values())
        folder = None if here else ""
        return (Inner(carrier=f"host folders of {carrier}", words=on_host, folder=folder),)
    return (Inner(carrier=carrier, words=words, folder=""),)


def _mounts(options: Options, more: Iterable[Mount] = ()) -> dict[str, str]:
    """Where folders of this machine that can be written to lie in the container."""
    read = [*more] + [
        read_mount(word.text)
        for name, word in options.values
        if name in ("v", "volume", "mount") and word.is_known
    ]
    return {
        mount.target.rstrip("/"): mount.source.rstrip("/")
        for mount in read
        if mount.is_folder and not mount.is_read_only and len(mount.target) > 1
    }


def _on_host(words: tuple[Word, ...], mounts: Mapping[str, str]) -> tuple[Word, ...]:
    """The words with the paths that they are on this machine, if all lie in folders of it.

    `-v /:/h ... rm -rf /h/home` deletes `/home` of this machine.
    """
    program = words[0].text.rpartition("/")[2]
    if program == "chroot" and len(words) > 2 and words[1].text.rstrip("/") in mounts:
        root = mounts[words[1].text.rstrip("/")]
        # `chroot` into the mounted `/` is this machine itself.
        return words[2:] if not root else _on_root(words[2:], root)
    if program in SHELLS and len(words) > 2:
        return _script_on_host(words, mounts)
    paths = [word for word in words[1:] if word.text[:1] == "/"]
    if not paths:
        return ()
    made = {id(word): _relocated(word, mounts) for word in paths}
    # One path that is not on this machine: the command works in the container as well.
    if None in made.values():
        return ()
    return tuple([made.get(id(word)) or word for word in words])


def _on_root(words: tuple[Word, ...], root: str) -> tuple[Word, ...]:
    """The words of a command whose root folder is a folder of this machine."""
    return tuple(
        [replace(word, text=root + word.text) if word.text[:1] == "/" else word for word in words]
    )


def _script_on_host(words: tuple[Word, ...], mounts: Mapping[str, str]) -> tuple[Word, ...]:
    """`sh -c 'rm -rf /h/home'` with its paths on this machine, if all of them lie there."""
    text = words[-1].text
    paths = _ABSOLUTE.findall(text)
    made = {path: _relocated(Word(text=path), mounts) for path in paths}
    if not paths or None in made.values():
        return ()
    moved = _ABSOLUTE.sub(lambda path: (made[path[0]] or Word(text=path[0])).text, text)
    return (*words[:-1], replace(words[-1], text=moved))


def _relocated(word: Word, mounts: Mapping[str, str]) -> Word | None:
    for target, source in mounts.items():
        if word.text == target or word.text.startswith(f"{target}/"):
            return replace(word, text=(source + word.text[len(target) :]) or "/")
    return None


def unfold_cluster(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `kubectl exec pod -- words`, `run` and `debug` alike."""
    options = _KUBECTL.read(call.words, 1)
    rest = call.words[options.start :]
    if not rest or rest[0].text not in ("exec", "run", "debug", "rsh"):
        return ()
    carrier = f"{call.name} {rest[0].text}"
    cut = next((n for n, word in enumerate(rest) if word.text == "--"), 0)
    if cut:
        words = rest[cut + 1 :]
    elif rest[0].text in ("exec", "rsh"):
        words = rest[_KUBECTL.read(rest, 1).start + 1 :]
        words = words[_KUBECTL.read(words).start :]
    else:
        words = ()
    return (Inner(carrier=carrier, words=words, folder=""),) if words else ()


def unfold_vagrant(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the remote line of `vagrant ssh -c TEXT`, `gcloud compute ssh` and the like."""
    if not any(word.text == "ssh" for word in call.words):
        return ()
    options = _VAGRANT.read(tuple(w for w in call.words[1:] if w.text[:1] == "-" or w.is_quoted))
    text = options.value("c", "command")
    return (Inner(carrier=f"{call.name} ssh", text=text, folder=""),) if text is not None else ()


def unfold_boxes(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the program that `lxc exec`, `distrobox enter` and the like start."""
    cut = next((n for n, word in enumerate(call.words) if word.text == "--"), 0)
    words = call.words[cut + 1 :] if cut else ()
    return (Inner(carrier=call.name, words=words, folder=""),) if words else ()
