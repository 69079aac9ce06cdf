"""maven, gradle, dotnet and their like."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
mvn -q -DskipTests package
./mvnw verify
gradle test --tests '*Api*'
./gradlew assemble
gradle publishToMavenLocal
ant compile
sbt test
java -jar build/libs/app.jar
javac -d out src/A.java
jar cf out.jar classes
dotnet build -c Release
dotnet test
dotnet add package Serilog
dotnet ef migrations add Init
dotnet ef database update
dotnet tool restore
sdk list java
nuget restore
scala-cli run a.scala
"""
ASKED = """\
mvn deploy
mvn release:perform
mvn exec:exec -Dexec.executable=./x.sh
gradle publish
./gradlew publishPlugins
dotnet nuget push a.nupkg
dotnet tool install -g dotnet-ef
dotnet ef database drop
dotnet workload install maui
nuget push a.nupkg
sdk install java 21-tem
cs install scalafmt
jbang app install x.java
"""
DOES = {
    "mvn deploy": "publish package remote",
    "dotnet add package Serilog": "install package project",
    "jar cf out.jar classes": "write file project",
    "javac -d out src/A.java": "write file project",
    "sdk install java 21-tem": "install package home",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
