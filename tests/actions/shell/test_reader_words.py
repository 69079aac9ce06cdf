"""Words: quotes, variables, substitutions, braces, globs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading

Read = Callable[[str], Reading]
Ran = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("''rm '-r'\"f\" x", "rm -rf x"),
        (r"r\m \-rf x", "rm -rf x"),
        ("r\\\nm -rf \\\n x", "rm -rf x"),
        (r"$'\x72\155' $'\u002drf' x", "rm -rf x"),
        ('$"rm" x', "rm x"),
        ('echo "a \\"b\\" \\$c \\d"', 'echo a "b" $c \\d'),
        ("rm ~", "rm /home/dev"),
        ("rm ~/x ~root ~ann/y", "rm /home/dev/x /root /home/ann/y"),
        ("rm '~' \"~\" \\~", "rm ~ ~ ~"),
        ("rm $HOME ${PWD}/x $TMPDIR", "rm /home/dev /home/dev/project/x /tmp"),
        ("echo $USER", "echo dev"),
        ("{rm,-rf,x}", "rm -rf x"),
        ("touch a{1..3}.{x,y}", "touch a1.x a1.y a2.x a2.y a3.x a3.y"),
        ("touch {08..10} {c..a}", "touch 08 09 10 c b a"),
        ("cp f{,.bak}", "cp f f.bak"),
        ("echo {} {a} '{a,b}'", "echo {} {a} {a,b}"),
        ("r$@m x", "rm x"),
        ("echo a#b # c", "echo a#b"),
    ],
)
def test_literal_words(line: str, expected: str, ran: Ran) -> None:
    """Quotes, escapes, tilde and braces come out as the shell writes them."""
    assert [expected] == ran(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a=r; b=m; $a$b x", "rm x"),
        ("x='rm -rf y'; $x", "rm -rf y"),
        ("x='a b'; rm \"$x\"", "rm a b"),
        ("x=a; x+=b; rm $x", "rm ab"),
        ("export D=/data; rm $D/x", "rm /data/x"),
        ("x=RM; ${x,,} y", "rm y"),
        ("x=ab; echo ${x^^} ${x^}", "echo AB Ab"),
        ("p=/a/b.c.d; echo ${p##*/} ${p%.*} ${p%%.*} ${p#/a}", "echo b.c.d /a/b.c /a/b /b.c.d"),
        ("x=rZm; ${x/Z/} y", "rm y"),
        ("x=a-b-c; echo ${x//-/_} ${x/#a/z} ${x/%c/z}", "echo a_b_c z-b-c a-b-z"),
        ("x=abcdef; echo ${x:2} ${x:1:2} ${x: -2}", "echo cdef bc ef"),
        ("x=; echo ${x:-d} ${x:+s}e", "echo d e"),
        ("x=v; echo ${x:-d} ${x:+s} ${#x}", "echo v s 1"),
        ("x=; : ${x:=/data}; rm $x", "rm /data"),
        ("v=c; c=rm; ${!v} x", "rm x"),
        ('a=(rm -rf x); "${a[@]}"', "rm -rf x"),
        ("a=(b rm c); ${a[1]} x", "rm x"),
        ('set -- rm x; "$@"', "rm x"),
        ("set -- a b c; shift; rm $1 $#", "rm b 2"),
        ("IFS=,; x=rm,y; $x", "rm y"),
        ("rm${IFS}-rf${IFS}x", "rm -rf x"),
        ("read a b <<< 'rm x y'; $a $b", "rm x y"),
        ("IFS=: read a b <<< 'x:y'; rm $b", "rm y"),
        ("mapfile -t l <<< 'rm x'; eval \"${l[0]}\"", "rm x"),
        ("printf -v c '%s%s' r m; $c x", "rm x"),
        ("n=2; rm f$((n * 3 + 1))", "rm f7"),
        ("unset x; rm a${x}b", "rm ab"),
    ],
)
def test_variables_of_the_line(line: str, expected: str, ran: Ran) -> None:
    """What the line itself sets is known later in it."""
    assert expected == ran(line)[-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$(echo rm) x", "rm x"),
        ("`echo rm` x", "rm x"),
        ("$(printf '%s%s' r m) x", "rm x"),
        ("rm $(pwd)/x", "rm /home/dev/project/x"),
        ("echo \"$(cat <<'E'\na ) b\nE\n)\"", "echo a ) b"),
        ("$(echo mr | rev) x", "rm x"),
        ("$(echo cm0gLXJm | base64 -d) x", "rm -rf x"),
        ("$(echo 726d | xxd -r -p) x", "rm x"),
        ("$(echo sn | tr s-t r-s | tr n m) x", "rm x"),
        ("rm $(basename /a/b.c .c) $(dirname /a/b)", "rm b /a"),
        ("rm $(echo a b)", "rm a b"),
        ('rm "$(echo a b)"', "rm a b"),
        ("rm $(seq 3)", "rm 1 2 3"),
        ("rm `echo \\`echo x\\``", "rm x"),
    ],
)
def test_known_substitutions(line: str, expected: str, ran: Ran) -> None:
    """The output of simple programs is followed where it is certain."""
    assert expected == ran(line)[-1]


@pytest.mark.parametrize(
    "line",
    [
        "rm $UNSET",
        "rm ${UNSET:-x}",
        'rm "a$1b$(date)"',
        "rm $(<list)",
        "rm ${!x}",
        "rm ${x@P}",
        "rm $$ ",
        "rm $?",
        "rm $((RANDOM % 3))",
        "rm $(false && echo safe)",
        '[ -n "$A" ] && x=/tmp; rm $x',
        "if a; then x=1; else x=2; fi; rm $x",
        "for f in $(ls); do rm $f; done",
        "while read -r f; do rm $f; done < list",
        "x=1; a || x=2; rm $x",
        "/b?n/r? x",
    ],
)
def test_what_is_not_known(line: str, read: Read) -> None:
    """What the line does not settle is marked, never guessed."""
    assert any(not word.is_known for word in read(line).commands[-1].words)


def test_unknown_part_keeps_the_rest(read: Read) -> None:
    """The known parts of a word stand around the mark for the unknown one."""
    assert read("rm /srv/$A/x").commands[0].words[1].text == "/srv/\ufffd/x"


def test_sources_of_a_word(read: Read) -> None:
    """A word names the commands whose output is part of it."""
    assert read('echo "$(curl a | head)"').commands[2].words[1].sources == (0, 1)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls *.py", True),
        ("ls '*.py'", False),
        ("ls \\*", False),
        ("ls a[0-9]", True),
        ("ls a[", False),
    ],
)
def test_glob_needs_no_quotes(line: str, expected: bool, read: Read) -> None:  # noqa: FBT001
    """Only an unquoted pattern is one."""
    assert expected is read(line).commands[0].words[1].has_glob


def test_program_by_glob_is_unknown(read: Read) -> None:
    """A pattern in program position names nobody knows what."""
    assert read("/???/[r]m -rf /").commands[0].program == ""


def test_decoded_text_is_marked(read: Read) -> None:
    """What came out of a decoder says so."""
    assert read("rm $(echo eA== | base64 -d)").commands[-1].words[1].is_decoded


def test_loop_over_a_glob_keeps_the_glob(read: Read) -> None:
    """The loop variable stands for what the pattern matches."""
    word = read('for f in *.o; do rm "$f"; done').commands[0].words[1]
    assert (word.text, word.has_glob) == ("*.o", True)


@pytest.mark.parametrize(
    "line",
    [
        "echo $(( a[$(rm x)] ))",
        "echo $[ v='a[$(rm x)]', v ]",
        "v='a[$(rm x)]'; echo $((v))",
        "((a[$(rm x)]))",
        "printf -v 'a[$(rm x)]' y",
        "read 'a[$(rm x)]' <<< y",
        "test -v 'a[$(rm x)]'",
        "[[ 'a[$(rm x)]' -eq 0 ]]",
        "unset 'a[$(rm x)]'",
        ": ${a[$(rm x)]}",
        ": ${a:-$(rm x)}",
        ": ${a:-`rm x`}",
        ": ${a#$(rm x)}",
        ": ${a^^`rm x`}",
        ": ${a/$(rm x)/}",
        "a[$(rm x)]=1",
        "a=($(rm x))",
        "PS4='$(rm x)'; set -x; :",
        "p='$(rm x)'; : ${p@P}",
        "cat <<E\n$(rm x)\nE",
        "cat <<-E\n\t`rm x`\n\tE",
        "cat <<< $(rm x)",
        "ls > $(rm x)",
        "case $(rm x) in y) ;; esac",
        "case y in $(rm x)) ;; esac",
        "for i in $(rm x); do :; done",
        "for ((i=$(rm x);;)); do :; done",
        "[[ -n $(rm x) ]]",
        'echo "`rm x`"',
        'echo "${a:-"$(rm x)"}"',
        "diff <(rm x) y",
        "tee >(rm x)",
        "let 'a[$(rm x)]=1'",
    ],
)
def test_hidden_substitutions_are_found(line: str, ran: Ran) -> None:
    """A command inside any kind of expansion is a command."""
    assert "rm x" in ran(line)


@pytest.mark.parametrize(
    "line",
    [
        "git commit -m 'rm -rf /'",
        'git commit -m "rm -rf / \\$(rm x)"',
        "grep '$(rm x)' f",
        "echo hi # ; rm x",
        "cat > f <<'E'\nrm x\n$(rm x)\nE",
        "cat <<\\E\n`rm x`\nE",
        "echo \\`rm x\\`",
    ],
)
def test_data_is_data(line: str, read: Read) -> None:
    """Text in quotes, comments and quoted here-documents runs nothing."""
    assert len(read(line).commands) == 1
