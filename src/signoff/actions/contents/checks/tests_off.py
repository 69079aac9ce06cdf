"""Tests that are switched off together: their registrations, their runner, their words.

TDUnitX.RegisterTestFixture(..), five times     -> the same lines as comments
test_that <- function(desc, code) invisible()   the word of a test does nothing
main = exitSuccess   with the suites as comments
"""

from __future__ import annotations

from signoff.actions.contents.checks.comments import split_lines
from signoff.actions.contents.text import NewText
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters of each text
_MANY = 3  # registrations that become comments at once
_REGISTERS = lazy_re2(
    r"(?i)register_?test|registertestfixture|\badd_?test(?:s|_?suite|_?case)?\b|\benable_testing\b|add_subdirectory\s*\(\s*\"?tests?\b"
    r"|\b(?:describe|context|specify|it|test|suite|testset|deftest|test_that|testcase)\b\s*[(\"'{:]|@(?:test|testset|it)\b|#\[(?:\w+::)?test\]"
    r"|\[(?:test|fact|theory|testmethod)\w*\]|\bfunc\s+test|\bdef\s+test_|\bvoid\s+test|\brun_?(?:all_?)?tests?\b|\bcu_add_test\b|\btcase_add|\bsuite_add"
    r"|\bcatch_discover_tests\b|\bgtest_discover_tests\b|\bmeson\.test\b|^\s*test\s*\(|^\s*import\s+(?:qualified\s+)?[\w.]*(?:spec|tests?)\b"
    r"|\brequire(?:_relative)?\b[^\n]*(?:spec|test)|\b\w+(?:Spec|Tests?|Suite)\.(?:spec|tests?|run|suite)\b|\bmod\s+\w*tests?\b"
)
_WHOLE_SUITE = lazy_re2(
    r"(?i)\benable_testing\b|add_subdirectory\s*\(\s*\"?tests?\b|\brun_?all_?tests\b|\bunittest\.main\b"
)
_TO_NOTHING = lazy_re2(
    r"(?im)^[^\n#;]{0,40}\b(?:test_that|describe|it|test|specify|context|deftest|suite|testset|expect(?:_\w+)?)\s*(?:<-|=|:=)\s*"
    r"(?:(?:global\w*\.)?\w+\s*=\s*)?(?:function|fn|fun|lambda|proc|\()[^\n]{0,60}?"
    r"(?:invisible\s*\(|\bnull\b|\{\s*\}|\bnil\b|\bundefined\b|\)\s*end\b|->\s*(?:\(\)|ok|:ok)|\bnone\b)"
    r"|@(?:select_?(?:packages|classes)|suite_?classes)\s*\(\s*(?:\{\s*\}|\[\s*\])\s*\)"
    r"|\bexclude:\s*\[?\s*:test\s*[\],)]"
    r"|^\s*\(\s*defmacro\s+(?:deftest|testing|is|are)\s+\[[^\]\n]*\]\s*(?:nil)?\s*\)"
)
_SUCCEEDS = lazy_re2(
    r"(?im)\bexitsuccess\b|\bexit\s*\(?\s*0\b|\bsystem\.halt\s*\(?\s*0|\bos\._?exit\s*\(\s*0|\bprocess\.exit\s*\(\s*0|^\s*return\s+0\s*;|\bexitcode\s*:?=\s*0\b|^\s*exit\s+0\b"
)


def tests_off(text: NewText, path: str) -> str:
    """Return how a text switches many tests off at once, "" if it does not."""
    new = text.new[:_READ]
    running, comments = split_lines(new, path)
    body = "\n".join(running)
    hollow = _TO_NOTHING.search(body)
    if hollow is not None and hollow.group() not in (text.old or ""):
        return str(hollow.group()).strip()
    if text.old:
        return _taken_out(text.old[:_READ], running, comments, path)
    return _hollow_runner(body, comments)


def _taken_out(old: str, running: list[str], comments: list[str], path: str) -> str:
    """Return the first test registration an edit turned into a comment, "" if only a few are."""
    was, _ = split_lines(old, path)
    said = {"".join(line.split()) for line in comments}
    runs = {"".join(line.split()) for line in running}
    gone = [
        line
        for line in was
        if _REGISTERS.search(line) is not None
        and (bare := "".join(line.split())) in said
        and bare not in runs
    ]
    left = [line for line in running if _REGISTERS.search(line) is not None]
    if len(gone) >= _MANY or (gone and not left and _WHOLE_SUITE.search("\n".join(gone))):
        return gone[0].strip()
    return ""


def _hollow_runner(body: str, comments: list[str]) -> str:
    """Return where a runner succeeds while the tests it ran are comments, "" if it does not."""
    named = [line for line in comments if _REGISTERS.search(line) is not None]
    match = _SUCCEEDS.search(body)
    if match is None or len(named) < _MANY or _REGISTERS.search(body) is not None:
        return ""
    return named[0].strip()
