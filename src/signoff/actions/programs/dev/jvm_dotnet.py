"""The JVM and .NET: maven, gradle, sbt, their compilers and tools; dotnet, nuget, msbuild."""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.databases import changed_schema
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.effect_presets import (
    BUILD,
    CHANGE_REMOTE,
    DELETE_PROJECT_DATA,
    DELETE_REMOTE,
    INERT,
    INSPECT,
    PUBLISH_PACKAGE,
)
from signoff.actions.vocabulary import words

PUBLISHING_GOALS = words(
    "deploy deploy:deploy deploy:deploy-file release:perform site:deploy "
    "release:prepare site-deploy publish publishPlugins uploadArchives "
    "publishToSonatype closeAndReleaseRepository publishAllPublicationsTo"
)
ON_SERVER = words("groovy groovysh")
RUNNING_GOALS = ("exec:exec", "antrun:run", "groovy:execute")


SCALA_COMMANDS = frozenset({"eval"})  # of sbt: Scala that runs in the build


def goals(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `mvn GOAL...` and `gradle TASK...`: publishing, else the project's build."""
    for text in call.texts:
        command, _, code = text.strip().partition(" ")
        if command in SCALA_COMMANDS and code:
            yield Nested(text=code, language="foreign", carrier=f"{call.name} {command}")
            continue
        goal = _goal(call, text)
        # `publishToMavenLocal` stays on this machine.
        if goal in PUBLISHING_GOALS or (goal.startswith("publish") and "Local" not in goal):
            yield from call.perform(PUBLISH_PACKAGE)
        elif goal in RUNNING_GOALS:
            yield from _executed(call)
        elif "liquibase:drop" in goal or "flyway:clean" in goal or goal == "flywayClean":
            yield from call.perform(DELETE_PROJECT_DATA)
    yield from call.perform(BUILD)


# Maven's plugins are called `maven-NAME-plugin` or `NAME-maven-plugin`.
_PLUGIN = re.compile(r"(?:maven-)?([\w.]+?)(?:-maven)?-plugin")


def _goal(call: ProgramCall, text: str) -> str:
    """The short form of a goal: `group:maven-deploy-plugin:3.1.1:deploy@id` is `deploy:deploy`."""
    text = text.partition("@")[0]
    parts = text.split(":")
    # Gradle names a task by its projects: `:app:publish`.
    if call.name.startswith("gradle") or not parts[0]:
        return parts[-1]
    plugin = _PLUGIN.fullmatch(parts[1]) if len(parts) > 2 else None
    return f"{plugin[1]}:{parts[-1]}" if plugin else text


def _executed(call: ProgramCall) -> Iterator[Effect]:
    """`exec:exec -Dexec.executable=P -Dexec.args='A'` runs `P A`."""
    given = dict(w.text.partition("=")[::2] for w in call.values("-D", "--define"))
    program = given.get("exec.executable", "")
    if program:
        yield call.opaque("runs the program that -Dexec.executable names")
        line = f"{program} {given.get('exec.args', '')}"
        yield Nested(text=line, language="shell", carrier="mvn exec:exec")


def java(call: ProgramCall) -> Iterator[Effect]:
    """`java -jar file`, `java Main`: a program of the project runs; agents are code as well."""
    jar = call.value("-jar")
    # An agent is loaded into the program before its first line runs.
    for word in call.values("-javaagent", "-agentpath"):
        yield call.on_file(Verb.EXECUTE, word)
    if jar is not None:
        yield call.on_file(Verb.EXECUTE, jar)
        # This jar is only a client: what counts is what the words do on the build server.
        if jar.text.rsplit("/", 1)[-1].startswith("jenkins-cli"):
            yield from _server_words(call)
        return
    for word in call.operands[:1]:
        # Since Java 11 `java File.java` compiles and runs a source file (JEP 330).
        if word.text.endswith(".java"):
            yield call.on_file(Verb.EXECUTE, word)
    yield from call.perform(BUILD)


def _server_words(call: ProgramCall) -> Iterator[Effect]:
    """`java -jar jenkins-cli.jar verb-noun`: what the verb does on the server.

    `groovy = < FILE` runs the script on the server, with every right it has.
    """
    line = " ".join(call.texts)
    if not ON_SERVER.isdisjoint(call.texts):
        script = call.command.stdin.text if call.command.stdin is not None else None
        if script:
            yield Nested(text=script, language="groovy", carrier="jenkins groovy")
        yield call.opaque("runs a script on the build server", Trait.ON_REMOTE_HOST)
        return
    reading = any(f"{verb}-" in line for verb in ("get", "list", "show", "who-am"))
    reading = reading or call.texts[-1:] in (("version",), ("help",))
    deleting = any(f"{verb}-" in line for verb in ("delete", "clear", "remove"))
    yield from call.perform(INSPECT if reading else DELETE_REMOTE if deleting else CHANGE_REMOTE)


def jar(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `jar cf out in...`, old letters or options: writes the archive it makes."""
    letters = call.texts[0] if call.operands else ""
    made = letters[:1] in {"c", "u"} and len(call.operands) > 1
    if made and "f" in letters:
        yield call.on_file(Verb.WRITE, call.operands[1])
    else:
        yield from call.perform(INSPECT)


def jbang(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `jbang`: builds, or runs foreign code from a URL."""
    # jbang runs scripts straight from an address.
    yield from package_install()(call) if "://" in " ".join(call.texts) else call.perform(BUILD)


def dotnet_file(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `dotnet app.dll` runs that file."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.EXECUTE, word)
    if not call.operands:
        yield from call.perform(INERT)


def dotnet_ef(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `dotnet ef database drop` loses data; migrations are files."""
    if call.texts[:2] == ("database", "drop") and call.is_dry("--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.DATABASE, traits=(Trait.DRY_RUN,))
    elif call.texts[:2] == ("database", "drop"):
        yield changed_schema(call, "database drop", lossy=True, whole=True)
    elif call.texts[:2] == ("database", "update") and _goes_back(call):
        yield changed_schema(call, "database update", lossy=True)
    else:
        yield from call.perform(BUILD)


def _goes_back(call: ProgramCall) -> bool:
    """Migration 0 takes everything back; a connection nobody can read may lead anywhere."""
    reached = call.values("--connection")
    return call.texts[2:3] == ("0",) or not all([word.is_known for word in reached])
