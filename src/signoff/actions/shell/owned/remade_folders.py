"""Folders of the project that the same line makes again, by the tool whose output they are.

rm -rf vendor && composer install          what `composer.lock` says is fetched again
rm -rf client && openapi-generator generate -i api.yaml -o client     given as its output
rm -rf src/generated && npm run codegen    generated code, and a task that generates

The tool has to come later in the line, in a folder the deleted one lies in, and what it makes has
to be that folder by its manual. Sources, tests and settings are never told to be output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words
from signoff.values import replace

# What runs a tool of the project.
_RUNNERS = words(
    "npx bunx pnpx npm pnpm yarn bun bundle exec run dlx uv uvx poetry pdm pipenv hatch python"
    " python3 php node ruby dotnet docker compose sail ddev lando task just mise make gmake"
)
_ANY = "*"
# A program with a word of its own (or any), and the ends of the folders that it makes.
_MAKES: Mapping[tuple[str, str], frozenset[str]] = {
    **dict.fromkeys((("composer", one) for one in words("install i update u")), words("vendor")),
    **dict.fromkeys((("bundle", one) for one in words("package cache")), words("vendor/cache")),
    **dict.fromkeys((("go", "vendor"), ("cargo", "vendor")), words("vendor")),
    ("govendor", "sync"): words("vendor"),
    ("jb", "install"): words("vendor"),
    ("mix", "deps.get"): words("deps"),
    **dict.fromkeys((("rebar3", one) for one in words("get-deps compile")), words("deps")),
    **dict.fromkeys((("helm", one) for one in words("dependency dep")), words("charts")),
    ("r10k", "puppetfile"): words("modules"),
    ("librarian-puppet", "install"): words("modules"),
    ("berks", "vendor"): words("berks-cookbooks"),
    ("vcpkg", "install"): words("vcpkg_installed"),
    ("carthage", "bootstrap"): words("carthage"),
    ("ansible-galaxy", "collection"): words("collections ansible_collections"),
    **dict.fromkeys(
        (("rake", "spec_prep"), ("rake", "fixtures:prep"), ("pdk", "test")),
        words("spec/fixtures/modules .resource_types"),
    ),
    **dict.fromkeys((("rake", "build"), ("gem", "build"), ("pdk", "build")), words("pkg")),
    ("wasm-pack", "build"): words("pkg"),
    ("electron-builder", _ANY): words("dist release"),
    ("electron-forge", "make"): words("out"),
    **dict.fromkeys((("yard", ""), ("yardoc", ""), ("rake", "yard"), ("rdoc", "")), words("doc")),
    **dict.fromkeys((("rake", "rdoc"), ("rake", "doc")), words("doc rdoc html")),
    ("quarto", "render"): words("_book docs"),
    ("web-ext", "build"): words("web-ext-artifacts"),
    **dict.fromkeys((("cargo", "doc"), ("mix", "docs"), ("rebar3", "edoc")), words("doc")),
    **dict.fromkeys(
        ((one, "assets:precompile") for one in words("rails rake")),
        words("public/assets public/packs public/vite public/packs-test"),
    ),
    **dict.fromkeys(
        ((one, name) for one in words("rails rake") for name in words("webpacker:compile")),
        words("public/packs"),
    ),
    ("console", "assets:install"): words("public/bundles web/bundles"),
    ("console", "asset-map:compile"): words("public/assets"),
    ("console", "theme:compile"): words("public/theme"),
    ("make", "image"): words("bin/targets build_dir staging_dir"),
    ("make", "world"): words("bin/targets build_dir staging_dir"),
    ("buildout", _ANY): words("parts develop-eggs eggs"),
    ("makepkg", _ANY): words("src pkg"),
    ("abuild", _ANY): words("src pkg"),
    **dict.fromkeys((("west", "update"), ("west", "init")), words("zephyr modules")),
    **dict.fromkeys((("pod", "install"), ("pod", "update")), words("pods")),
    ("terraform", "init"): words(".terraform"),
    ("conan", "install"): words("conan"),
    ("cmake", _ANY): words("cmake-build"),
    ("meson", "setup"): words("builddir"),
    **dict.fromkeys((("shards", "install"), ("shards", "build")), words("bin lib")),
    **dict.fromkeys((("sbt", "doc"), ("mill", "docs")), words("target/api")),
    **dict.fromkeys((("antora", _ANY), ("eleventy", ""), ("vuepress", "build")),
                    words("build/site _site dist")),
    **dict.fromkeys((("forge", "build"), ("hardhat", "compile"), ("truffle", "compile")),
                    words("artifacts out build/contracts")),
    **dict.fromkeys((("doc", "build"), ("sphinx-build", _ANY), ("sphinx-apidoc", _ANY)),
                    words("docs/_build docs/build doc/_build doc/build")),
    ("ns-3", _ANY): words("cmake-cache"),
    ("bitbake", _ANY): words("tmp"),
    ("vlib", "work"): words("work"),
    ("console", "importmap:install"): words("assets/vendor"),
    **dict.fromkeys(
        ((one, "collectstatic") for one in words("manage.py django-admin")),
        words("staticfiles static_root static-root collected_static static_collected assets_root"),
    ),
    ("mkdocs", "build"): words("site"),
    **dict.fromkeys((("hugo", ""), ("hexo", "generate"), ("zola", "build")), words("public")),
    ("gatsby", "build"): words("public"),
    ("hugo", "build"): words("public"),
    ("mdbook", "build"): words("book"),
    ("pelican", ""): words("output"),
    ("doxygen", ""): words("html latex docs/html doc/html doc/latex docs/latex"),
    ("yard", "doc"): words("doc"),
    ("dart", "doc"): words("doc/api"),
    ("jazzy", ""): words("build/docs"),
    **dict.fromkeys(
        (("dotnet", one) for one in words("build restore test publish msbuild")),
        words("bin obj"),
    ),
    **dict.fromkeys((("vite", "build"), ("npm", "build"), ("pnpm", "build"), ("yarn", "build"),
                     ("bun", "build")), words("public/build esm cjs umd www")),
}  # fmt: skip
# Builders that fill these folders beside their recipe, so also where they came before.
_BUILDERS = words("makepkg abuild")
_NOT_BUILDING = words("server serve new mod list config env version help convert deploy import")
# Names that say a folder is generated, whatever stands around it, and words of what generates.
_GENERATED = words(
    "gen generated __generated__ generated-sources generated_sources autogen codegen pb _pb"
    " proto_gen gen-sources openapi-generated"
)
_GENERATES = words(
    "generate gen codegen protoc protogen graphql-codegen sqlc swagger-codegen openapi-generator"
    " openapi-generator-cli datamodel-codegen bufbuild generator regenerate"
)
# Generators that are told where they put all that they make.
_TOLD = words(
    "openapi-generator openapi-generator-cli swagger-codegen openapi-python-client protoc sphinx-"
    " build sphinx-apidoc mkdocs typedoc jsdoc cmake meson hugo zola mdbook jekyll antora pdoc"
    " genhtml allure jazzy datamodel-codegen virtualenv venv orval kiota autorest smithy ng-"
    " openapi-gen swagger-typescript-api openapi-typescript-codegen"
)
_OUTPUTS = words(
    "-o -d --output --out --out-dir --outdir --output-dir --output-directory --outDir --site-dir"
    " --destination -B --output-path --dest --dest-dir --target-directory"
)
_TAKE_FOLDERS = words("sphinx-build meson virtualenv")
_KEPT = words(
    "src lib source sources app apps test tests spec specs docs doc config configs scripts bin db"
    " migrations data internal cmd include packages services modules public assets static .git"
    " .github"
)
# One package of these is fetched again like all of them.
_FETCHED = words("vendor deps charts modules pods node_modules vcpkg_installed parts eggs")
_NEVER = frozenset({Trait.BROAD, Trait.HIDDEN, Trait.AS_ROOT})
_MOST_WORDS = 60


def of_remade_folders(
    operations: tuple[Operation, ...], commands: tuple[Command, ...]
) -> tuple[Operation, ...]:
    """Return the operations; a deletion of what the line makes again is marked rebuildable."""
    if len(commands) < 2 or not any(map(_is_loss, operations)):
        return operations
    paths = frozenset({op.path for op in operations if _is_loss(op)})
    return tuple(
        [
            _remade(op) if _is_remade(op, commands) and _has_pair(op, paths) else op
            for op in operations
        ]
    )


def _has_pair(op: Operation, lost: frozenset[str]) -> bool:
    """Tell the `src` of a package builder, which goes with its `pkg`, from a folder of sources."""
    folder, _, name = op.path.rpartition("/")
    return name != "src" or f"{folder}/pkg" in lost


def _is_loss(op: Operation) -> bool:
    is_tree = op.verb is Verb.DELETE and op.thing is ResourceType.FILE and bool(op.path)
    is_near = op.reach is Reach.PROJECT and _NEVER.isdisjoint(op.traits)
    return is_tree and is_near and op.understood and {*"*?["}.isdisjoint(op.target)


def _remade(op: Operation) -> Operation:
    return replace(op, traits=op.traits | {Trait.REBUILDABLE}, reversible=True)


def _is_remade(op: Operation, commands: tuple[Command, ...]) -> bool:
    if not _is_loss(op) or not 0 <= op.group < len(commands):
        return False
    # From the outside to the inside: `a/b/vendor` may be `vendor` or `b/vendor`.
    parts = op.path.lower().rstrip("/").split("/")
    ends = frozenset({"/".join(parts[-count:]) for count in (1, 2, 3)})
    inner = frozenset({"/".join(parts[-count:-1]) for count in (2, 3)}) & _FETCHED
    return any(
        [
            (one.index > op.group or one.program in _BUILDERS)
            and _is_around(one, op.path)
            and (_makes(one, op.path, ends) or (bool(inner) and _makes(one, op.path, inner)))
            for one in commands
        ]
    )


def _is_around(command: Command, path: str) -> bool:
    return command.cwd != "" and path.startswith(f"{command.cwd.rstrip('/')}/")


def _makes(command: Command, path: str, ends: frozenset[str]) -> bool:
    given = command.words[:_MOST_WORDS]
    if not given or not all([word.is_known for word in given]) or command.input_words:
        return False
    texts = [word.text.rpartition("/")[2] for word in given]
    name = next((text for text in texts if text not in _RUNNERS and text[:1] != "-"), "")
    programs = [command.program, name]
    rest = [text for text in texts[1:] if text[:1] != "-"]
    if any([not _made(program, rest).isdisjoint(ends) for program in programs]):
        return True
    if not _GENERATED.isdisjoint(ends) and _generates(texts):
        return True
    return not _TOLD.isdisjoint(texts[:5]) and _is_told(command, path)


def _made(program: str, rest: list[str]) -> frozenset[str]:
    """What a program makes with the words behind it; alone only where it has no subcommands."""
    found = [_MAKES.get((program, word), frozenset()) for word in (_ANY, *(rest[:4] or [""]))]
    return frozenset().union(*found)


def _generates(texts: list[str]) -> bool:
    parts = {part for text in texts[:5] for part in (text, *text.replace("_", ":").split(":"))}
    return not _GENERATES.isdisjoint(parts)


def _is_told(command: Command, path: str) -> bool:
    """Tell whether a generator's output is just this folder, and its name is not one of sources."""
    name = path.rpartition("/")[2].lower()
    texts = [word.text for word in command.words[1:_MOST_WORDS]]
    is_site = command.program == "hugo" and name == "public" and _NOT_BUILDING.isdisjoint(texts[:1])
    return (is_site or name not in _KEPT) and path in {
        f"{command.cwd.rstrip('/')}/{text.removeprefix('./').rstrip('/')}"
        for text in _told(command)
    }


def _told(command: Command) -> Iterator[str]:
    texts = [word.text for word in command.words[:_MOST_WORDS]]
    for at, text in enumerate(texts):
        option, _, value = text.partition("=")
        if option in _OUTPUTS:
            yield value or "".join(texts[at + 1 : at + 2])
        # `protoc --go_out=DIR`, and programs whose last word is the folder.
        elif option.startswith("--") and option.endswith("_out"):
            yield value.rpartition(":")[2]
    # Their sources are words beside it, but those cannot be the folder that was deleted before.
    if command.program in _TAKE_FOLDERS or texts[1:3] == ["-m", "venv"]:
        yield from (text for text in texts[1:] if text[:1] != "-")
