"""The JVM and .NET: maven, gradle, sbt, their compilers and tools; dotnet, nuget, msbuild."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Verb
from signoff.actions.programs.acts import Effect, On, reads, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    FAR_GONE,
    INERT,
    LOGS_IN,
    LOOK,
    LOST,
    RELEASE,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
    TAKEN_OUT,
    Subs,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub

PUBLISHING_GOALS = words(
    "deploy deploy:deploy deploy:deploy-file release:perform site:deploy "
    "release:prepare site-deploy publish publishPlugins uploadArchives "
    "publishToSonatype closeAndReleaseRepository publishAllPublicationsTo"
)
RUNNING_GOALS = ("exec:exec", "antrun:run", "groovy:execute")


def _build(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _goals(call: Call) -> Iterator[Effect]:
    """`mvn goal...`, `gradle task...`: publishing goes out, the rest is the project's build."""
    for text in call.texts:
        goal = text.rsplit(":", 1)[-1] if text.startswith(":") else text
        if goal in PUBLISHING_GOALS or (goal.startswith("publish") and "Local" not in goal):
            yield from call.perform(RELEASE)
        elif goal in RUNNING_GOALS:
            program_named = next(
                (w for w in call.values("-D", "--define") if w.text.startswith("exec.executable=")),
                None,
            )
            if program_named is not None:
                yield call.opaque("runs the program that -Dexec.executable names")
        elif "liquibase:drop" in goal or "flyway:clean" in goal or goal == "flywayClean":
            yield from call.perform(LOST)
    yield from call.perform(BUILD)


def _java(call: Call) -> Iterator[Effect]:
    """`java -jar file`, `java Main`: a program of the project runs; agents are code as well."""
    jar = call.value("-jar")
    for word in call.values("-javaagent", "-agentpath"):
        yield call.on_file(Verb.EXECUTE, word)
    if jar is not None:
        yield call.on_file(Verb.EXECUTE, jar)
        if jar.text.rsplit("/", 1)[-1].startswith("jenkins-cli"):
            yield from _server_words(call)
        return
    for word in call.operands[:1]:
        if word.text.endswith(".java"):
            yield call.on_file(Verb.EXECUTE, word)
    yield from call.perform(BUILD)


def _server_words(call: Call) -> Iterator[Effect]:
    """`java -jar jenkins-cli.jar verb-noun`: what the verb does on the server."""
    line = " ".join(call.texts)
    reading = any(f"{verb}-" in line for verb in ("get", "list", "show", "who-am"))
    reading = reading or call.texts[-1:] in (("version",), ("help",))
    deleting = any(f"{verb}-" in line for verb in ("delete", "clear", "remove"))
    yield from call.perform(LOOK if reading else FAR_GONE if deleting else FAR_CHANGE)


def _jar(call: Call) -> Iterator[Effect]:
    """`jar cf out in...`, old letters or options: writes the archive it makes."""
    letters = call.texts[0] if call.operands else ""
    made = letters[:1] in {"c", "u"} and len(call.operands) > 1
    if made and "f" in letters:
        yield call.on_file(Verb.WRITE, call.operands[1])
    else:
        yield from call.perform(LOOK)


def _jbang(call: Call) -> Iterator[Effect]:
    yield from package_install()(call) if "://" in " ".join(call.texts) else call.perform(BUILD)


def _dotnet_file(call: Call) -> Iterator[Effect]:
    """`dotnet app.dll` runs that file."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.EXECUTE, word)
    if not call.operands:
        yield from call.perform(INERT)


JAVA_VALUES = (
    "-cp -classpath --class-path -p --module-path -m --module -jar --add-modules -javaagent "
    "-agentpath --add-opens --add-exports --source --release -s -auth"
)
JVM = (
    program(
        "mvn mvnw mvnd",
        values="-f --file -s --settings -pl --projects -P -D --define -T --threads -l -gs -rf -b "
        "-t",
        handler=_goals,
        harmless="-v -h -dry-run",
    ),
    program(
        "gradle gradlew",
        values="-p --project-dir -b --build-file -I --init-script -g --gradle-user-home -x "
        "--exclude-task --tests -D -P --console --max-workers -c --settings-file",
        handler=_goals,
        harmless="-m --dry-run -v -h -?",
    ),
    program(
        "ant", values="-f -buildfile -file -lib -D", handler=_goals, harmless="-p -projecthelp -h"
    ),
    program("sbt sbtn mill", values="-java-home -sbt-dir -D", handler=_goals),
    program(
        "lein",
        subs={
            "deploy release": RELEASE,
            "clean": BUILT_GONE,
            "install": ADDED_FOR_USER,
            "upgrade downgrade": ADDED_FOR_USER,
            "new change vcs": CHANGES_PROJECT,
            "deps": ADDED,
        },
        handler=_build,
    ),
    program("boot planck", BUILD, values="-Sdeps -A -M -X -T -e --eval"),
    program(
        "scala-cli",
        subs={"publish": RELEASE, "install completions": ADDED_FOR_USER, "clean": BUILT_GONE},
        handler=_build,
        values="-S --scala --dep --jvm",
    ),
    program(
        "kotlinc scalac javac groovyc",
        BUILD,
        values="-cp -classpath --class-path -release -source -target -sourcepath -language "
        "-jvm-target -processor",
        writes="-d -s -h",
    ),
    program("java jre", values=JAVA_VALUES, handler=_java, harmless="-h -?"),
    program(
        "javap jinfo jhat jcmd jdeps jconsole jvisualvm jhsdb jfr",
        LOOK,
        writes="-dump",
    ),
    program(
        "jlink jpackage jmod javadoc",
        BUILD,
        values="--add-modules --module-path -p",
        writes="-d --output --dest",
    ),
    program("jar", handler=_jar),
    program(
        "jarsigner",
        writes(On.FIRST),
        acting={"-verify": LOOK},
        values="-keystore -storepass -keypass -signedjar",
    ),
    program(
        "jbang",
        subs={
            "app": sub(ADDED_FOR_USER, subs={"list": LOOK, "uninstall": TAKEN_FROM_USER}),
            "init edit export build": CHANGES_PROJECT,
            "cache": CACHE_GONE,
            "trust": SETS_GLOBAL,
            "config": SETS_GLOBAL,
            "version info help alias template catalog jdk": LOOK,
            "wrapper": CHANGES_PROJECT,
        },
        handler=_jbang,
    ),
    program(
        "cs coursier",
        subs={
            "install setup update bootstrap": ADDED_FOR_USER,
            "java java-home": sub(
                ADDED_FOR_USER, acting={"--installed --available --env": LOOK}, values="--jvm"
            ),
            "uninstall": TAKEN_FROM_USER,
            "launch": sub(BUILD),
            "publish": RELEASE,
            "resolve complete complete-dep fetch list search channel version": LOOK,
        },
    ),
    program(
        "sdk",
        subs={
            "install i upgrade ug selfupdate update": ADDED_FOR_USER,
            "uninstall rm": TAKEN_FROM_USER,
            "default d config": SETS_GLOBAL,
            "flush": CACHE_GONE,
            "list ls current c version v use u env e home h help offline broadcast": LOOK,
        },
    ),
    program(
        "jenv jabba",
        subs={
            "add install enable-plugin global": SETS_GLOBAL,
            "remove uninstall": TAKEN_FROM_USER,
            "local shell versions version ls which exec rehash doctor": LOOK,
        },
    ),
    program("spring grails micronaut mn quarkus jhipster", handler=_build),
    program(
        "scalafmt ktfmt google-java-format ktlint",
        reads(),
        acting={"-i --replace -F --format": writes()},
        harmless="--test --check --list",
    ),
    program("scalafix detekt checkstyle pmd spotbugs", BUILD),
)


DOTNET_VALUES = (
    "-o --output -c --configuration -f --framework -r --runtime -v -s --source -p --project"
)
NUGET_PUSH = sub(RELEASE, values="-k --api-key -s --source")
NUGET: Subs = {
    "push": NUGET_PUSH,
    "delete": FAR_GONE,
    "locals": CACHE_GONE,
    "list verify why search sources": LOOK,
    "add update remove disable enable trust setapikey setApiKey config": SETS_GLOBAL,
    "pack spec restore": BUILD,
    "install": sub(ADDED, values="-Version -OutputDirectory -Source"),
}


def _dotnet_ef(call: Call) -> Iterator[Effect]:
    """`dotnet ef database drop` loses data; migrations are files."""
    dropping = call.texts[:2] == ("database", "drop")
    yield from call.perform(LOST if dropping else BUILD)


DOTNET = (
    program(
        "dotnet",
        subs={
            "build run test publish pack restore msbuild watch vstest exec": sub(
                BUILD, values=DOTNET_VALUES
            ),
            "clean": BUILT_GONE,
            "add": sub(ADDED, values=DOTNET_VALUES),
            "package": sub(
                LOOK, subs={"add update": ADDED, "remove": TAKEN_OUT, "list search": LOOK}
            ),
            "remove": sub(TAKEN_OUT),
            "reference new sln solution format dev-certs user-secrets project": sub(
                CHANGES_PROJECT,
                values=DOTNET_VALUES,
                harmless="-l --list --dry-run",
                subs={"clear": LOST},
            ),
            "tool": sub(
                LOOK,
                subs={
                    "install update": sub(
                        handler=package_install(
                            wide="-g --global --tool-path", sources="--add-source"
                        ),
                        values="--version --add-source --tool-path --framework",
                    ),
                    "uninstall": sub(TAKEN_OUT, acting={"-g --global": TAKEN_FROM_USER}),
                    "restore": ADDED,
                    "run": BUILD,
                    "list search": LOOK,
                },
            ),
            "workload": sub(
                LOOK,
                subs={
                    "install update restore repair": ADDED_FOR_USER,
                    "uninstall clean": TAKEN_FROM_USER,
                },
            ),
            "nuget": sub(subs=NUGET),
            "ef": sub(handler=_dotnet_ef, values="-p --project -s --startup-project -c --context"),
            "list help sdk": LOOK,
        },
        handler=_dotnet_file,
        acting={"--info --list-sdks --list-runtimes": LOOK},
        harmless="-h",
    ),
    program("nuget", subs=NUGET, harmless="-help -?"),
    program("msbuild xbuild csc vbc mcs fsc dotnet-script paket fake cake", BUILD, writes="-out"),
    program("monodis monop ildasm", LOOK),
    program(
        "vcpkg conan",
        subs={
            "install upgrade update": sub(ADDED, values="--triplet -r --build -s -o --profile"),
            "remove uninstall": sub(TAKEN_OUT, acting={"-r": FAR_GONE}),
            "upload": RELEASE,
            "integrate profile": SETS_GLOBAL,
            "config": sub(SETS_GLOBAL, subs={"home list get show": LOOK}),
            "remote": sub(SETS_GLOBAL, subs={"list": LOOK, "login": LOGS_IN}),
            "create build source export new download lock": BUILD,
            "list search inspect info graph owns version help": LOOK,
            "cache": CACHE_GONE,
        },
    ),
)


PROGRAMS: tuple[Program, ...] = (*JVM, *DOTNET)
