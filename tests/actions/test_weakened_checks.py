"""Checks that a file or an edit weakens openly, in any language."""

from __future__ import annotations

import pytest

from signoff.actions.contents.checks.comments import split_lines
from signoff.actions.contents.checks.tightened import is_tightened, without_strict_forms
from signoff.actions.contents.checks.weakened import many_tests_off, weakened_checks
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind


def weakened(path: str, new: str, old: str | None = None) -> list[str]:
    """Return what is said about new text."""
    text = NewText(new=new, old=old, is_whole=old is None)
    return [says for _, says, _ in weakened_checks(FileKind.SOURCE, path, text)]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("loom.nim", "let c = newContext(verifyMode = CVerifyNone)\n"),
        ("loom.tcl", "tls::init -require 0\n"),
        ("loom.R", "h <- new_handle(ssl_verifypeer = 0L)\n"),
        ("loom.cr", "ctx.verify_mode = OpenSSL::SSL::VerifyMode::NONE\n"),
        ("loom.rs", "b.danger_accept_invalid_hostnames(true)\n"),
        ("loom.ex", "HTTPoison.get(url, [], hackney: [:insecure])\n"),
        ("loom.bas", "http.Option(4) = 13056\n"),
    ],
)
def test_a_peer_nobody_examines_is_found_in_any_language(path: str, new: str) -> None:
    """The word of each library is known."""
    assert weakened(path, new) == ["takes any certificate or host key"]


def test_a_comment_weakens_nothing() -> None:
    """What a line for readers says is not done."""
    assert weakened("loom.pas", "  // SSLOptions.VerifyMode := [];\n") == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("z.abap", "* AUTHORITY-CHECK OBJECT 'Z'"),
        ("z.erl", "% check_role(User)"),
        ("z.clj", ";; (check-role user)"),
        ("z.bas", "' CheckRole user"),
        ("z.f90", "! call check_role(user)"),
        ("z.bat", "rem call check_role"),
    ],
)
def test_each_language_has_its_own_comments(path: str, line: str) -> None:
    """The ending of a file says what opens a comment."""
    assert split_lines(line, path)[0] == []


@pytest.mark.parametrize("line", ["#[test]", "#include <a.h>", "{$IFDEF X}"])
def test_a_directive_is_no_comment(line: str) -> None:
    """It does something, though it begins like one."""
    assert split_lines(line, "z.pas")[0] == [line]


def test_a_check_that_moved_is_still_there() -> None:
    """Its place in the edit does not matter."""
    old = "a = load(id)\nrequire_role(user, 'miller')\ngrind(a)\n"
    new = "require_role(user, 'miller')\na = load(id)\ngrind(a)\n"

    assert weakened("mill.py", new, old) == []


def test_a_check_that_goes_with_its_code_guards_nothing() -> None:
    """Nothing is left that it stood before."""
    assert weakened("mill.py", "", "require_role(user, 'miller')\ngrind(load(id))\n") == []


def test_a_check_that_goes_alone_is_found() -> None:
    """What it stood before still runs."""
    old = "require_role(user, 'miller')\ngrind(load(id))\n"

    assert weakened("mill.py", "grind(load(id))\n", old) == ["takes the check `require_role` away"]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("rule.pl", "my $rule = $dbh->selectrow_array($query);\neval $rule;\n"),
        ("rule.ex", "Code.eval_string(File.read!(path))\n"),
        ("rule.cs", "await CSharpScript.EvaluateAsync<decimal>(row.Formula);\n"),
        (
            "rule.php",
            "<?php\n$rule = $db->query('select rule from kilns')->fetchColumn();\neval($rule);\n",
        ),
    ],
)
def test_a_text_from_outside_that_is_evaluated_is_found(path: str, new: str) -> None:
    """It comes from a table, a file or a form."""
    assert weakened(path, new) == ["evaluates a text from outside"]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("rule.pl", "eval { save($row); 1 } or warn $@;\n"),
        ("rule.js", "load(config.path);\n"),
        ("rule.py", "frame.eval(config.expr)\n"),
        ("rule.py", 'exec("a = 1")\n'),
        ("tools/repl/loop.py", "eval(input('> '))\n"),
    ],
)
def test_a_word_that_evaluates_elsewhere_is_none(path: str, new: str) -> None:
    """Blocks, loaders, methods of other names and texts of the source pass."""
    assert weakened(path, new) == []


def test_a_role_for_an_open_path_tightens() -> None:
    """What stays open is what everybody may see."""
    old = '.requestMatchers("/**").permitAll()'
    open_still = '.requestMatchers("/health").permitAll()'

    assert is_tightened(open_still, old, f'{open_still}\n.anyRequest().hasRole("X")')
    assert not is_tightened(
        '.requestMatchers("/pay").permitAll()', old, '.requestMatchers("/pay").permitAll()'
    )


def test_a_callback_that_refuses_is_strict() -> None:
    """One that agrees is not."""
    refuses = "..badCertificateCallback = (a, b, c) => false"
    agrees = "..badCertificateCallback = (a, b, c) => true"

    assert "badCertificate" not in without_strict_forms(refuses)
    assert without_strict_forms(agrees) == agrees


def test_one_test_that_becomes_a_comment_is_everyday_work() -> None:
    """Three at once are not."""
    tests = [f"  Runner.RegisterTest(T{name});" for name in "ABC"]
    old = "\n".join(tests)
    one = "\n".join([f"  // {tests[0].strip()}", *tests[1:]])
    all_of_them = "\n".join([f"  // {line.strip()}" for line in tests])

    assert many_tests_off(FileKind.TEST, "tests/all.dpr", NewText(new=one, old=old)) == ""
    assert many_tests_off(FileKind.TEST, "tests/all.dpr", NewText(new=all_of_them, old=old))


def test_a_quoted_value_completes_no_line() -> None:
    """Only what a shell could take apart counts."""
    bare = 'def make(name)\n  system("convert #{name} out.png")\nend\n'
    quoted = 'def make(name)\n  system("convert #{name.shellescape} out.png")\nend\n'

    assert weakened("thumb.rb", bare) == ["hands a value to a shell or database as it is"]
    assert weakened("thumb.rb", quoted) == []


def test_a_procedure_may_build_its_own_statement() -> None:
    """A parameter that is run as it is may be any statement."""
    head = "CREATE PROCEDURE run_it @stmt nvarchar(max) AS BEGIN\n"

    assert weakened("run.sql", f"{head}  EXEC sp_executesql @stmt;\nEND\n")
    assert weakened("run.sql", f"{head}  SET @stmt = N'select 1';\n  EXEC (@stmt);\nEND\n") == []


def test_a_check_that_another_of_its_kind_replaces_is_no_loss() -> None:
    """A renamed check is still a check; a weaker one of rights is not the same."""
    old = "verify_sender(m)\nsend(m)\n"

    assert weakened("post.py", "verify_message(m)\nsend(m)\n", old) == []
    assert weakened("post.py", "send(m)\n", old)
    assert weakened("post.py", "require_login(u)\nsend(m)\n", "require_admin(u)\nsend(m)\n")
