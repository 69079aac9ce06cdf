"""Scripts and local programs that were not read: which are ordinary work of a project.

Where a script's text is at hand it is taken apart and this file has no say. Where it is not, its
place and name are all there is: what is in the folders of a project's own tools, or is called
as build, test and start scripts are, is run every day; a script out of nowhere is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.lexicon.languages.translations import act_of
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.operation import FileKind, Operation, Reach, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import DELETE, SEND, split_name
from signoff.actions.programs.scope.sdk_setups import is_sdk_setup
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

ORDINARY_NAMES = words(
    "test tests testing spec build builder run runner main app server serve dev start lint format "
    "fmt check checks docs doc generate generator gen bench benchmark benchmarks example examples "
    "demo index cli train eval evaluate plot manage configure make compile codegen coverage "
    "typecheck report preprocess analyze analyse analysis process parse convert client worker api "
    "script file program hello debug profile fixtures watch preview bundle webpack vite rollup "
    "gulpfile gruntfile bootstrap setup validate verify changelog translate extract compute sim "
    "simulator simulation mock emulator "
    "simulate solve task tasks job jobs migrate seed import helper tool-versions version stats "
    "metrics gradlew mvnw cmake autogen config transform scrape crawl visualize game bot web"
)
MAX_MACROS = 50
MAX_MACRO = 20_000  # characters
# Options of shells that run nothing by themselves, so `-n` still holds beside them.
HARMLESS_BESIDE = frozenset(
    {"-n", "-u", "-e", "-x", "-v", "-f", "--norc", "--noprofile", "--posix"}
)
OWN_FOLDERS = words(
    "scripts script bin tools tool examples example tests test t spec build dist target out cmd "
    "node_modules .venv venv vendor hack ci dev benchmarks bench docs tasks src lib app apps "
    "packages cmake debug release sim simulation simulator simulators mocks fakes cgi-bin cli R "
    "commands notebooks analysis pipelines experiments"
)
# The same in other languages, without marks: `araçlar`, `narzędzia`.
FOREIGN_FOLDERS = words(
    "strumenti attrezzi herramientas utilidades outils werkzeuge skripte skripty skrypty skriptit"
    " narzedzia nastroje nastroj naradie araclar betikler eines utilitats ferramentas utilitarios"
    " verktyg verktoy verktoj vaerktoj gereedschap hulpmiddelen tyokalut alat skrip eszkozok"
    " szkriptek orodja skripte alati unelte instrumente tooriistad skriptid riki rankiai irankiai"
    " cong_cu congcu zana ergaleia skripti skrypti instrumenty utility"
)
# Folders that CMake, Meson and Bazel build in, by custom: `build-release`, `cmake-build-debug`.
BUILT_IN = lazy_re(r"(?:(?:cmake-)?[._]?build(?:[-_.]\w[\w.-]*|dir)?|bazel-(?:bin|out))\Z")
# Such a name outweighs the folder: `scripts/wipe.sh` is asked about.
SERIOUS_NAMES = DELETE | SEND | words("deploy wipe reset cleanup clean install exploit payload")
CONTAINERS = ("docker ", "docker-compose ", "podman ", "podman-compose ", "nerdctl ", "finch ")
# Variables that say which service a program talks to.
HOST_ENDS = ("_HOST", "_URL", "_SERVER", "_ADDR", "_ADDRESS", "_ENDPOINT")
_URL = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>,]*")
TRIED = words("--dry-run --dryrun --dry_run --what-if --whatif --noop --no-op --simulate")
ORDERED = words(
    "--no-dry-run --no-dryrun --execute --apply --commit --confirm --force -f --yes -y --really"
)
SYSTEM_FOLDERS = (
    "/usr/", "/bin/", "/sbin/", "/opt/", "/lib/", "/snap/", "/nix/", "/Applications/",
    "C:/Program Files/", "C:/Program Files (x86)/", "C:/Windows/System32/",
)  # fmt: skip


def run_unread(call: ProgramCall, word: Word) -> Operation:
    """Build the Operation for running a script whose content is unknown."""
    operation = script_at(call, word)
    texts = [one.text for one in call.command.words]
    # Alone behind the script `-h` asks for help; beside other words it may be anything.
    asks_help = texts[-1] == "--help" or texts[-2:] == [word.text, "-h"]
    is_mild = asks_help or _is_tried(call.command.words)
    if not operation.understood or is_ordinary(operation, call.place.project, is_mild=is_mild):
        return operation
    if operation.reach is Reach.PROJECT and _stays_near(call, word):
        return operation
    if _is_sourced_setup(call, operation):
        return replace(operation, reach=Reach.PROJECT)
    return call.operation(
        Verb.EXECUTE,
        operation.thing,
        operation.target,
        traits=operation.traits | {Trait.NAMED},
        reach=operation.reach,
        path=operation.path,
        file_kind=operation.file_kind,
        reversible=False,
        understood=False,
        why=f"what is in `{word.text[:80]}` is not known",
    )


def script_at(call: ProgramCall, word: Word) -> Operation:
    """Build the Operation for running a file; in a container of the project it is the project's."""
    operation = call.on_file(Verb.EXECUTE, word)
    if not operation.understood or not _is_in_own_container(call, word):
        return operation
    path = f"{call.place.project}/{word.text.removeprefix('./')}"
    return replace(operation, path=path, reach=Reach.PROJECT)


def run_read(call: ProgramCall, operation: Operation) -> Operation:
    """Build the Operation for running a script whose content is read beside it."""
    reach = Reach.PROJECT if _is_sourced_setup(call, operation) else operation.reach
    return replace(operation, reach=reach, traits=operation.traits | {Trait.NAMED})


def _is_sourced_setup(call: ProgramCall, operation: Operation) -> bool:
    return call.name in (".", "source") and is_sdk_setup(operation, call.place)


def _is_in_own_container(call: ProgramCall, word: Word) -> bool:
    """Tell a script in a container of this machine, by a name like one of the project's.

    Its work folder there is made from the project, or is the project: `compose exec web
    python scripts/seed.py`.
    """
    carriers = [one for one in call.command.carriers if one.startswith(CONTAINERS)]
    is_plain = word.is_known and word.text[:1] not in "/~$-" and ".." not in word.text
    return bool(carriers) and is_plain and call.place.project != ""


def _stays_near(call: ProgramCall, script: Word) -> bool:
    """Tell a script that is told to work on a service of this machine, and on no other.

    `python3 seed/rooms.py --url http://127.0.0.1:8008`, `SMTP_HOST=localhost bin/newsletter`.
    """
    given = [word for word in call.command.words if word.text != script.text]
    set_before = call.command.assignments
    if not all([word.is_known for word in (*given, *(value for _, value in set_before))]):
        return False
    if not DELETE.isdisjoint(split_name(script.text.rpartition("/")[2])):
        return False
    hosts = [value.text for name, value in set_before if name.upper().endswith(HOST_ENDS)]
    urls = [text if "://" in text else f"http://{text}" for text in hosts]
    for word in given:
        found = _URL.findall(word.text)
        # `user@host` names a machine as well.
        urls += found or ([word.text] if "@" in word.text else [])
    return bool(urls) and all(map(is_near_url, urls))


def _is_tried(given: tuple[Word, ...]) -> bool:
    """Tell a script that is told to change nothing: `--dry-run`, and no word that orders it."""
    names = [word.text.partition("=")[0].lower() for word in given]
    texts = {word.text.lower() for word in given}
    is_known = all([word.is_known for word in given])
    return is_known and not TRIED.isdisjoint(texts) and ORDERED.isdisjoint(names)


def is_ordinary(operation: Operation, project: str, *, is_mild: bool = False) -> bool:
    """Return whether running this file is everyday work, by its folder and name.

    Args:
        is_mild: it is asked for help or for a dry run: no worse for its name, if it is a tool of
            the project.
    """
    # Installed software; what the session itself put there is dealt with in `identity.py`.
    if operation.path.startswith(SYSTEM_FOLDERS):
        return True
    if operation.reach is not Reach.PROJECT:
        return False
    if operation.file_kind is FileKind.ENV:
        return True  # settings of the project; what the line or the session wrote was read
    *folders, name = operation.path.removeprefix(project.rstrip("/.") + "/").split("/")
    parts = set(split_name(name.rsplit(".", 1)[0] if "." in name[1:] else name))
    # The last three: `packages/web/scripts/x.sh` counts, `src/a/b/c/d/x` does not.
    is_own = any([one in OWN_FOLDERS or BUILT_IN.match(one) for one in folders[-3:]])
    is_foreign = not is_own and any([folded(one) in FOREIGN_FOLDERS for one in folders[-3:]])
    if is_foreign:
        parts |= {act_of(part) for part in parts}
    is_own |= is_foreign
    if parts & SERIOUS_NAMES:
        return is_own and is_mild
    return is_own or bool(parts & ORDINARY_NAMES)


def macro_lines(call: ProgramCall, text: str, start: str, end: str) -> Iterator[Effect]:
    """Yield the shell lines that macros in a text run: `syscmd(`, `\\write18{`."""
    parts = text.split(start)[1:]
    for part in parts[:MAX_MACROS]:
        line = part[:MAX_MACRO].partition(end)[0].strip("`'")
        yield Nested(text=line, language="shell", carrier=f"{call.name} {start.strip('({')}")
    if len(parts) > MAX_MACROS or any([len(part.partition(end)[0]) > MAX_MACRO for part in parts]):
        yield call.opaque("more macros than are read")


def only_checks(words: tuple[Word, ...]) -> bool:
    """Tell whether `-n` makes a shell only parse its script; `-i` and `+n` undo it."""
    given = [word.text for word in words[1:]]
    # Options behind the script are its own: `bash x.sh -n` runs it.
    end = next((at for at, text in enumerate(given) if text[:1] != "-"), len(given))
    options = given[:end]
    return "-n" in options and HARMLESS_BESIDE.issuperset(options) and end < len(given)
