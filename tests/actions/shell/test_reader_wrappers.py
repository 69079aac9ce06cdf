"""Programs that run other programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading
from signoff.actions.shell.wrappers.table import CARRIERS

Read = Callable[[str], Reading]
Ran = Callable[[str], list[str]]


@pytest.mark.parametrize(
    "line",
    [
        "sudo rm x",
        "sudo -n -u web -- rm x",
        "sudo --user=web A=1 rm x",
        "sudo -u web -s rm x",
        "doas -u web rm x",
        "su -c 'rm x'",
        "su - web -c 'rm x'",
        "su web --command='rm x'",
        "runuser -u web -- rm x",
        "runuser web -c 'rm x'",
        "pkexec --user web rm x",
        "env rm x",
        "env -i A=1 rm x",
        "env -u A -C /t rm x",
        "env -S 'rm x'",
        "env -S 'A=1 rm' x",
        "env --spl='rm x'",
        "env -iS 'rm x'",
        "nohup rm x",
        "nice -n 5 rm x",
        "nice -5 rm x",
        "ionice -c 3 -n 1 rm x",
        "timeout -s KILL -k 5 30 rm x",
        "timeout --signal=KILL 30 rm x",
        "stdbuf -oL -e 0 rm x",
        "time -p rm x",
        "setsid -f rm x",
        "chroot --userspec=a /r rm x",
        "unshare -r -n rm x",
        "nsenter -t 1 -m rm x",
        "flock -w 5 /l rm x",
        "flock /l -c 'rm x'",
        "strace -f -e trace=file -o o rm x",
        "script -qc 'rm x' /dev/null",
        "watch -n 5 rm x",
        "watch -x rm x",
        "prlimit --nproc=9 rm x",
        "setarch x86_64 -R rm x",
        "taskset 0x1 rm x",
        "exec -a ls rm x",
        "command rm x",
        "builtin command rm x",
        "busybox rm x",
        "bash -c 'rm x'",
        "sh -ec 'rm x'",
        "bash --norc -o pipefail -c 'rm x'",
        "bash +x -c 'rm x'",
        "/bin/sh -c 'rm x'",
        "bash -c 'rm \"$1\"' _ x",
        "bash -c 'rm \"$@\"' _ x",
        "bash -c \"bash -c 'rm x'\"",
        "eval 'rm' x",
        'eval "rm x"',
        "trap -- 'rm x' EXIT",
        "echo x | xargs rm",
        "xargs -n1 rm <<< x",
        "printf 'x\\0' | xargs -0 -P 2 rm",
        "echo x | xargs -I% rm %",
        "echo x | xargs -i rm {}",
        "echo x | xargs --replace=R rm R",
        "parallel rm ::: x",
        "parallel -j 2 'rm {}' ::: x",
        "ssh -p 22 -o A=b h rm x",
        "ssh h 'rm x'",
        "ssh -o ProxyCommand='rm x' h",
        "docker run --rm -v /:/h -e A=1 img rm x",
        "docker run --entrypoint rm img x",
        "docker exec -it -u 0 c rm x",
        "docker container exec c rm x",
        "podman exec c sh -c 'rm x'",
        "docker compose -f f.yml exec -T web rm x",
        "docker-compose run --rm web rm x",
        "kubectl -n a exec -it p -c c -- rm x",
        "kubectl exec p -- sh -c 'rm x'",
        "kubectl exec -i p rm x",
        "sshpass -p a ssh h rm x",
        "ip netns exec n rm x",
        "bear -- rm x",
        "systemd-run --user --unit=u rm x",
        "tmux new -d 'rm x'",
        "tmux new-session -d -s a rm x",
        "tmux send-keys -t a 'rm x' Enter",
        "screen -dmS a rm x",
        "npx -c 'rm x'",
        "npx -y rm x",
        "npm exec -- rm x",
        "uv run --with p rm x",
        "poetry run rm x",
        "pipenv run rm x",
        "bundle exec rm x",
        "conda run -n e rm x",
        "nix-shell -p hello --run 'rm x'",
        "git -c alias.z='!rm x' z",
        "git rebase --exec 'rm x' m",
        "git rebase -x 'rm x' m",
        "git bisect run rm x",
        "git submodule foreach --recursive 'rm x'",
        "git filter-branch --tree-filter 'rm x' HEAD",
        "hyperfine --prepare a 'rm x'",
        "nodemon --exec 'rm x'",
        "direnv exec . rm x",
        "sudo env A=1 nohup nice timeout 5 bash -c 'rm x'",
        "find a -exec sh -c 'rm x' \\;",
        "perf stat -e c rm x",
        "vagrant ssh -c 'rm x'",
    ],
)
def test_inner_command(line: str, ran: Ran) -> None:
    """What a carrier runs stands in the reading as a command of its own."""
    assert ran(line)[-1] == "rm x"


@pytest.mark.parametrize(
    "line",
    [
        "sudo -l",
        "sudo -e f",
        "env",
        "env A=1",
        "timeout 5",
        "docker run img",
        "docker ps -a",
        "docker compose up -d",
        "kubectl get pods",
        "npm run build",
        "npm install x",
        "uv sync",
        "git status",
        "git -c a.b=c log",
        "find . -name x -print",
        "command -v ls",
        "ssh h",
        "tmux ls",
        "trap - EXIT",
        "bash script.sh",
        "poetry add x",
        "ip netns list",
        "ip addr show",
    ],
)
def test_nothing_inside(line: str, read: Read) -> None:
    """A carrier that runs nothing this time is one command."""
    assert (len(read(line).commands), read(line).opaque) == (1, ())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sudo rm x", ("sudo",)),
        ("sudo bash -c 'rm x'", ("sudo", "bash -c")),
        ("ssh h rm x", ("ssh",)),
        ("docker run i rm x", ("docker run",)),
        ("kubectl exec p -- rm x", ("kubectl exec",)),
        ("find . -execdir rm x +", ("find -execdir",)),
        ("eval rm x", ("eval",)),
        ("echo x | xargs rm", ("xargs",)),
    ],
)
def test_carriers_are_named(line: str, expected: tuple[str, ...], read: Read) -> None:
    """The inner command names its wrappers, outermost first."""
    assert expected == read(line).commands[-1].carriers


def test_parent_of_an_inner_command(read: Read) -> None:
    """The inner command points at the carrier that runs it."""
    assert [c.parent for c in read("sudo env rm x").commands] == [-1, 0, 1]


@pytest.mark.parametrize("line", ["ssh h rm x", "docker run i rm x", "kubectl exec p -- rm x"])
def test_elsewhere_has_no_folder(line: str, read: Read) -> None:
    """On another machine or in a container our folder says nothing."""
    assert read(line).commands[-1].cwd == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("find src -exec rm {} \\;", "rm src/\ufffd"),
        ("find / -name '*.o' -exec rm -f {} +", "rm -f /\ufffd"),
        ("find . \\( -name a -o -name b \\) -exec rm {} \\;", "rm ./\ufffd"),
        ("ls | xargs rm -f", "rm -f \ufffd"),
        ("ls | xargs -I{} mv {} /t", "mv \ufffd /t"),
        ("ls | parallel rm {}", "rm \ufffd"),
        ("fd -e o -x rm", "rm ./\ufffd"),
    ],
)
def test_words_from_a_list(line: str, expected: str, read: Read) -> None:
    """Items nobody knows are unknown words, below the root they were searched in."""
    last = read(line).commands[-1]
    assert (expected, True) == (" ".join(word.text for word in last.words), last.input_words)


def test_each_root_of_find(ran: Ran) -> None:
    """Every root gives its own command."""
    assert ran("find a /etc -exec rm {} \\;") == ["rm a/\ufffd", "rm /etc/\ufffd"]


def test_partly_unknown_script(read: Read) -> None:
    """A script with an unknown part is read as far as it goes, and said to be unsure."""
    reading = read('bash -c "cd $X && rm -rf b"')
    assert (reading.commands[-1].program, len(reading.opaque)) == ("rm", 1)


def test_unknown_script(read: Read) -> None:
    """Of a script nobody knows only the carrier is left, with the source of its text."""
    reading = read('eval "$(curl u)"')
    assert ([c.program for c in reading.commands], len(reading.opaque)) == (["curl", "eval"], 1)


def test_assignments_of_env(read: Read) -> None:
    """What `env` sets stands on the inner command."""
    assert [(n, w.text) for n, w in read("env A=1 rm x").commands[-1].assignments] == [("A", "1")]


@pytest.mark.parametrize("name", sorted(CARRIERS))
def test_every_carrier_takes_anything(name: str, read: Read) -> None:
    """No carrier fails on missing, unknown or odd operands."""
    for rest in ("", "-", "--", "-x", "--long", "$X", "a", "a -- b", "-c", "run", "exec x", "< f"):
        assert read(f"{name} {rest}").commands
