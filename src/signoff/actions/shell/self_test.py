"""Known shell lines and how they must be read: the self-test of the shell reader.

`re` has matched wrongly on some patch versions of Python, and a line that is split in the wrong
place is judged wrongly. So the first judgement of a process reads these lines first.

    check_shell()  ->  None, or BrokenReader
"""

from __future__ import annotations

from signoff.actions.shell.reader import read_shell
from signoff.errors import BrokenReader

Readings = tuple[tuple[str, tuple[str, ...]], ...]

CWD = "/self-test"
# Each line with the commands it runs, in order, each as its words joined by `|`.
LINES: Readings = (
    # words
    ("cp f{,.bak}", ("cp|f|f.bak",)),
    ("touch a{1..3}.x", ("touch|a1.x|a2.x|a3.x",)),
    ("rm {a,b}{c,d}", ("rm|ac|ad|bc|bd",)),
    ("rm -rf a\\ b 'c d'", ("rm|-rf|a b|c d",)),
    ("echo \"a\"'b'c\\\nd", ("echo|abcd",)),
    ("a=1; echo ${a}b $((a+1))", ("", "echo|1b|2")),
    ("arr=(a 'b c'); rm \"${arr[@]}\"", ("", "rm|a|b c")),
    ("x=$'\\x72m'; $x f", ("", "rm|f")),
    ("rm ~root/b", ("rm|/root/b",)),
    # comments, here-documents
    ("echo a#b #c", ("echo|a#b",)),
    ("ls # rm x", ("ls",)),
    ("cat <<'E' | sh\nrm x\nE", ("cat", "sh", "rm|x")),
    ("cat <<-E\n\tx $(rm y)\n\tE", ("rm|y", "cat")),
    # structure
    ("if true; then rm a; fi", ("true", "rm|a")),
    ("for i in 1 2; do rm $i; done", ("rm|1", "rm|2")),
    ("case a in a|b) rm x;; esac", ("rm|x",)),
    ("f() { rm x; }; f", ("rm|x",)),
    ("ls && rm x || echo y", ("ls", "rm|x", "echo|y")),
    ("[[ -f a ]] && rm a", ("", "rm|a")),
    ("((x++)); rm a", ("", "rm|a")),
    ("! rm x &", ("rm|x",)),
    # substitutions
    ("echo $(rm x) `rm y`", ("rm|x", "rm|y", "echo")),
    ("echo \"a $(rm 'x y') b\"", ("rm|x y", "echo|a  b")),
    # wrapper commands
    ("ssh -o ProxyCommand='rm x' h", ("ssh|-o|ProxyCommand=rm x|h", "rm|x")),
    ("env A='b c' nice rm x", ("env|A=b c|nice|rm|x", "nice|rm|x", "rm|x")),
    ("bash -c 'rm x; ls'", ("bash|-c|rm x; ls", "rm|x", "ls")),
    ("sudo -u root rm x 2>&1 >/dev/null", ("sudo|-u|root|rm|x", "rm|x")),
    ("time -p rm x", ("time|-p|rm|x", "rm|x")),
)


def check_shell() -> None:
    """Run the shell parser on its test lines.

    Raises:
        BrokenReader: a result is wrong.
    """
    for line, expected in LINES:
        reading = read_shell(line, cwd=CWD)
        found = tuple("|".join(word.text for word in one.words) for one in reading.commands)
        if found != expected or reading.opaque:
            raise BrokenReader("shell", line, found=found, expected=expected)
