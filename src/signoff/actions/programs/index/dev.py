"""Which family describes which program: the part `dev`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "dev.building": (
        "aclocal argc astro autoconf autogen autoheader automake autoreconf babel bazel bazelisk "
        "bison bjam bmake broccoli browserify brunch buck buck2 cargo-make ccmake checkinstall "
        "chokidar cmake cmake-gui cmake3 colormake concurrently configure cpack ctest dagger "
        "distcc distccd doit earthly entr esbuild flex forever gatsby gmake gn gnumake go-task "
        "gperf grunt gulp husky icecc inv invoke jake jam just kbuild lefthook lerna lex "
        "libtoolize lint-staged mage maid make makers meson microbundle mingw32-make moon muon "
        "next ng ninja nmake nodemon npm-run-all nuxi nuxt nx overcommit pants parcel plz pm2 "
        "pm2-dev poe pre-commit prek premake5 qmake qmake6 ragel re2c react-scripts redo remake "
        "remix rollup rsbuild rslib rspack run-p run-s runme rush samu scons snowpack "
        "start-server-and-test svelte-kit swc taskipy ts-node tsc tsup tsx tup turbo vite vue "
        "vue-cli-service vue-tsc waf wait-on watchman webpack wireit xmake yacc "
    ),
    "dev.bun_deno": ("bun deno "),
    "dev.conda": ("conda mamba micromamba "),
    "dev.databases": (
        "aerich airflow alembic atlas-migrate celery daphne db-migrate dbmate diesel django-admin "
        "django-admin.py dramatiq drizzle-kit ember flask flyway granian graphile-migrate "
        "gunicorn huey hypercorn knex liquibase manage.py migrate mikro-orm node-pg-migrate phinx "
        "prisma quart rambler refinery rq sea-orm-cli sequelize sequelize-cli soda sqitch "
        "sql-migrate sqlx tern typeorm umzug uvicorn uwsgi waitress-serve yoyo "
    ),
    "dev.forges": (
        "appveyor auto berg bk changeset codeberg codecov-cli codefresh fj forgejo-cli "
        "git-codereview gitea github-label-sync gitlab gitlab-runner glab goreleaser hut jcli "
        "jenkins-cli lab moz-phab np phab rbt release-it repo-sync reviewboard semantic-release "
        "snyk sonar-scanner tea woodpecker-cli "
    ),
    "dev.functional": (
        "brittany cabal carton cpan cpanm cpm dialyzer dub dune elixirc elm elm-format elm-review "
        "elm-test erlc esy fourmolu ghc ghcid ghcup gleam hakyll-init haxelib hindent hlint "
        "juliaup kerl kerl_deactivate kiex luac luacheck luarocks mix ocamlc ocamlfind "
        "ocamlformat ocamlopt opam ormolu perlbrew perlcritic perldoc plenv pod2html pod2man "
        "podchecker prove purs quicklisp raco rebar rebar3 roswell shards spago stack "
        "stylish-haskell stylua "
    ),
    "dev.github": ("act gh hub "),
    "dev.javascript": (
        "bower bunx cnpm corepack fnm n nodenv npm npx nvm nvs pnpm pnpx volta yarn yarnpkg "
    ),
    "dev.jvm_dotnet": (
        "ant boot cake checkstyle conan coursier cs csc detekt dotnet dotnet-script fake fsc "
        "google-java-format gradle gradlew grails groovyc ildasm jabba jar jarsigner java javac "
        "javadoc javap jbang jcmd jconsole jdeps jenv jfr jhat jhipster jhsdb jinfo jlink jmod "
        "jpackage jre jvisualvm kotlinc ktfmt ktlint lein mcs micronaut mill mn monodis monop "
        "msbuild mvn mvnd mvnw nuget paket planck pmd quarkus sbt sbtn scala-cli scalac scalafix "
        "scalafmt sdk spotbugs spring vbc vcpkg xbuild "
    ),
    "dev.mobile": (
        "aapt aapt2 adb agvtool apkanalyzer apksigner avdmanager bundletool capacitor carthage "
        "cordova d8 dart dart2js dartfmt dexdump eas electron-builder emulator expo fastboot "
        "fastlane flutter flutterfire fvm genstrings godot ionic love lsregister mason melos mint "
        "ns pod react-native renpy retrace sdkmanager sourcekit-lsp swift swift-format swiftc "
        "swiftformat swiftlint tauri tns tuist u3d very_good xcbeautify xcode-select xcodebuild "
        "xcodegen xcodes xcpretty xcresulttool xcrun zipalign "
    ),
    "dev.php": (
        "ace artisan atoum behat blackfire codecept composer composer.phar console craft dep "
        "deployer-lint deptrac doctum grumphp infection kahlan laravel lumen paratest pear pecl "
        "pest phan phar phing php-cs-fixer phpbench phpbu phpcbf phpcpd phpcs phpdbg phpdoc "
        "phpdox phpize phploc phpmd phpmetrics phpspec phpstan phpunit pint psalm psysh rector "
        "robo sail symfony yii yiic "
    ),
    "dev.python": (
        "2to3 cdvirtualenv cookiecutter copier cruft easy_install flit hatch lssitepackages "
        "lsvirtualenv mkproject mktmpenv mkvirtualenv nox pdm pip pip-audit pip-compile pip-sync "
        "pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13 pipdeptree pipenv pipx pixi poetry pyenv "
        "pyinstaller pyvenv rmvirtualenv rye safety showvirtualenv tox twine uv uvx virtualenv "
        "wipeenv workon "
    ),
    "dev.ruby": (
        "brakeman bridgetown bundle bundler cap chruby cucumber erb foreman frum gem hanami "
        "hivemind irb jekyll middleman mina minitest nanoc overmind pry racc rails rake rbenv "
        "rdoc reek ri rspec rubocop rvm solargraph srb standardrb steep tapioca thor yard yardoc "
    ),
    "dev.rust_go": (
        "cargo ccache cross errcheck evcxr g go goenv gofmt gofumpt goimports golangci-lint "
        "golines gopls gore gotests gotip govulncheck gvm ko mockgen nim nimble revive "
        "rust-analyzer rustc rustdoc rustfmt rustup sccache staticcheck stringer trunk wasm-pack "
        "wire yaegi zig zls "
    ),
    "dev.systems": (
        "aqua asdf brew cachix darwin-rebuild devbox devenv eget flox ghq guix-shell gup hermit "
        "home-manager mise nh nix nix-build nix-channel nix-collect-garbage nix-env nix-eval "
        "nix-hash nix-instantiate nix-prefetch-git nix-prefetch-url nix-shell nix-store "
        "nixos-rebuild pkgx rtx tea-cli ubi webi "
    ),
    "dev.tools.checking": (
        "actionlint add-trailing-comma alejandra alex ameba appium artillery asmfmt ast-grep attw "
        "autoflake autopep8 ava backstop bandit basedpyright bats beautysh behave biome black "
        "blue build-storybook buildifier bundlesize busted buttercup c8 check-manifest checkmake "
        "chromatic cljfmt cmake-format code2prompt codeceptjs codeclimate codemod comby "
        "core-validate-commit cosmic-ray coverage credo cspell csslint cucumber-js cypress darker "
        "dead-code deepsource depcheck depcruise dependency-cruiser deptry dialyxir djlint "
        "docformatter dockerfile_lint doctest dodgy dprint ec editorconfig-checker erb_lint "
        "ert-runner eslint eslint_d fastmod fixjson flake8 fprettify gatling gci gersemi ginkgo "
        "gocov google-java-format-diff googletest gosec gotestsum govet green haml-lint "
        "html-validate htmlbeautifier htmlhint hurl hypothesis import-linter interrogate isort "
        "jasmine jest jmeter joker js-beautify jscodeshift jscs jshint json5 jsonlint k6 karate "
        "karma knip kube-linter lebab lettuce lhci license-checker licensee lighthouse linkcheck "
        "linkchecker lint-imports locust ls-lint lychee madge maestro markdownlint "
        "markdownlint-cli2 mdformat mdl mega-linter misspell mocha mutmut mypy ncu newman "
        "nightwatch nilaway nixfmt nixpkgs-fmt nose2 nosetests npm-check npm-check-updates "
        "npm-home npm-name npm-why nyc opengrep osv-scanner oxlint pa11y pabot percy pg_format "
        "pgformatter pip-licenses playwright prettier prettierd prettydiff proselint prospector "
        "publint py.test pycln pycodestyle pydocstyle pyflakes pylama pylint pyre pyright pytest "
        "pytype pyupgrade qunit radish radon rails_best_practices redocly remark "
        "reorder-python-imports repomix reuse richgo robot rome roundup rubyfmt ruff sb "
        "schemathesis semgrep shed shellcheck shellspec shfmt shunit2 size-limit slim-lint "
        "smalltalkci sonar-scanner-cli sort-package-json spectral sqlfluff sqlfmt squawk ssort "
        "standard start-storybook stestr storybook stryker stylelint svgr tap tape taplo tavern "
        "test262 testcafe testem testr textlint tidy-html5 tidyall tldr-lint topiary treefmt "
        "trial ts-prune tslint ty typos unify unimport unittest usort vale validate-pyproject "
        "vint vitest vnu vulture ward wdio web-test-runner wemake write-good wtr xctest xenon xo "
        "yaml-lint yamlfmt yamllint yapf yarn-why zizmor zprint "
    ),
    "dev.tools.compiling": (
        "aarch64-linux-gnu-gcc agda ampy angr arduino-cli arm-linux-gnueabihf-gcc "
        "arm-none-eabi-gcc as astyle ats avr-gcc bear bindgen c++ c3c cachegrind "
        "callgrind_annotate cbindgen cc ccls ccomp cdecl cflow cg_annotate chez chibicc circom "
        "circup clang clang++ clang-apply-replacements clang-check clang-cl clang-format "
        "clang-include-fixer clang-query clang-tidy clangd compdb compiledb coqc coverity "
        "cppcheck cpplint cscope ctags cutter cython dafny dlltool dlv dmd drmemory dxc elfedit "
        "em++ emcc espflash etags f2py fasm flamegraph flang flawfinder fpc fstar g++ gcc gccgo "
        "gcov gcovr gdc genhtml gfortran ghdl global glslangValidator glslc gnatmake gold "
        "gprbuild gprof gsc gtags hare heaptrack hipcc hotspot i686-w64-mingw32-gcc icc icx ida "
        "idf.py idris2 ifort include-what-you-use infer ispc iverilog iwyu kcov lake lcov ld "
        "ld.lld ldc2 lean llc lld lli llvm-as llvm-config llvm-cov llvm-dis llvm-link "
        "llvm-objcopy llvm-profdata llvm-strip mbed memray mkid mlton mold mpic++ mpicc mpicxx "
        "mpif90 mpijavac mpremote ms_print musl-gcc nasm nextpnr nrfjprog nvcc objcopy oclint "
        "odin patchelf pcc pio pkg-config pkgconf platformio ponyc pprof probe-rs "
        "pybind11-stubgen rr rshell samply scalene scan-build shc sip slangc solc sourcetrail "
        "sparse spin splint stm32flash swig tcc teensy_loader_cli uncrustify uniffi-bindgen vala "
        "valac verilator vvp vyper wasm-ld wasm-opt wasm2wat wat2wasm west windres "
        "x86_64-w64-mingw32-gcc yasm yosys zephyr "
    ),
    "dev.tools.data_science": (
        "accelerate aim bentoml bokeh clearml comet cwltool dagster datalab dbt deepspeed dvc "
        "feast gp gradio great_expectations hf huggingface-cli jupyter jupyter-lab "
        "jupyter-notebook jupytext kaggle kedro lms luigi mathematica metaflow mlflow "
        "nbautoexport nbdiff nbdime nbqa nbstripout neptune nextflow ollama panel papermill "
        "prefect pyspark ray sage scilab snakemake spark-shell spark-submit streamlit tensorboard "
        "torchrun voila wandb wolframscript yolo zenml "
    ),
    "dev.tools.documents": (
        "a2x acyclic antlr antlr4 antora arara asn1c astro-docs avro-tools babel-node beego biber "
        "bibtex blockdiag bookdown bower-installer browser-sync buf buffalo capnp ccomps chktex "
        "civet cleancss cobalt context controller-gen critique csso darkhttpd darkslide "
        "datamodel-codegen deepcopy-gen degit devd dijkstra docfx docsify documentation "
        "docusaurus docutils dokka doxygen doxywizard drawio dvipdfmx dvips dvisvgm easyjson "
        "edgepaint ejs eleventy elm-make esdoc eta flatc fmtutil gf ghost gibo gitbook gitignore "
        "gitignore.io gqlgen graphql-codegen grip groovydoc grpc_tools gutenberg gv2gml gv2gxl "
        "gvedit gvgen gvpr haddock hakyll haml handlebars harp help2man hexo honkit html-minifier "
        "html-minifier-terser html2text http-server hugo hygen javasphinx jison jooq jsdoc "
        "json2ts kitex kpsewhich kramdown kratos kubebuilder lacheck landslide latex latexdiff "
        "latexindent latexmk ldoc lektor lemon lessc license light-server live-server "
        "local-web-server lookatme lout lsc lualatex luatex makeglossaries makeindex man2html "
        "mandoc markdown marp marp-cli mdbook mdp mermaid metalsmith mike minify miniserve mkdocs "
        "mktexfmt mktexpk mockery msgattrib msgcat msgfmt msginit msgmerge msgp multimarkdown "
        "mustache naturaldocs nearley nikola node-sass nop nunjucks nwdiag oapi-codegen ogen "
        "openapi-generator openapi-generator-cli operator-sdk patat pdflatex pdftex pdoc pdoc3 "
        "pegjs pelican pikchr plop po4a po4a-gettextize po4a-translate po4a-updatepo postcss "
        "presenterm projen protoc pug purgecss pybabel pydoc pydoc3 quarto quicktype re2js "
        "redcarpet redoc-cli retype reveal-md revel ronn rst2html rst2pdf sails sass sassc sccmap "
        "schemaspy scss sent seqdiag serve simple-http-server sirv slides slidev slimrb soelim "
        "soupault spack sphinx-apidoc sphinx-autogen sphinx-build sphinx-quickstart sqlc "
        "static-web-server structurizr stylus svgbob svgcleaner swagger swagger-codegen "
        "tailwindcss tbls tectonic terser tex texdoc texfot thrift tiged tldraw tlmgr tpp tred "
        "tree-sitter treesitter treetime txt2man txt2tags tyegoctl typedoc typst uglifyjs "
        "unflatten updmap vitepress vmd vuepress widdershins wintersmith ws wsimport xelatex "
        "xetex xgettext xjc xml2man yeoman yo zola "
    ),
    "dev.tools.editing": (
        "atom bbedit clion code code-insiders code-server codelite codium cursor datagrip "
        "diakonos dte e3 eclipse edit editor emacs emacsclient evim featherpad fleet geany gedit "
        "gnome-text-editor goland gvim gvimdiff helix hx idea jed jmacs joe jove jstar kak kate "
        "kdevelop kwrite lapce leafpad lite-xl mate mg micro monodevelop mousepad mvim nano ne "
        "neovide netbeans notepad++ nvim nvim-qt phpstorm pico pluma positron pycharm qtcreator "
        "rider rubymine rview rvim sensible-editor studio subl sublime_text texstudio tilde vi "
        "view vim vimdiff vis vscodium webstorm windsurf xed xedit xemacs zed zile "
    ),
    "dev.tools.special": (
        "ajv all-contributors alr anvil aoc ape apollo auditwheel auto-changelog b4 blitz bob "
        "brownie bru bump-my-version bump2version bumpversion bundle-audit bundler-audit bvm "
        "cargo-release cast caxa changie check-jsonschema check-wheel-contents choosenim "
        "chromedriver cibuildwheel codechef codecrafters codegen coder codespaces "
        "conventional-changelog cppclean crenv cue dapp datasette daytona ddev delocate denv "
        "devcontainer dhall dhall-to-json dhall-to-yaml docksal doctoc dredd drupal-check dvm "
        "elan electron-packager embark envoy evm exenv exercism fdroid fin forge ganache "
        "ganache-cli geckodriver get-graphql-schema git-chglog git-lfs-transfer gitpod gitversion "
        "gitwatch goreload graphql hardhat hasura homestead httpyac in-toto-record in-toto-run "
        "in-toto-sign in-toto-verify inso insomnia jb jetbrains-toolbox jib jscpd json-server "
        "json2yaml jsonnet jsonschema jwt kattis kitchen kool lando laradock leetcode "
        "lerna-changelog localstack luaenv luaver maturin meteor mockoon-cli moro moto_server "
        "nativefier ncc nest nexe ng-packagr nixpacks nodebrew npm-windows-upgrade nrm oas ovsx "
        "pack pact pact-broker pake payload phpbrew phpenv postman prism proto railpack redwood "
        "release-please reno renv rig rover rv rw s2i scalaenv scikit-build sinopia slsa-verifier "
        "speccy stepci stoplight swagger-cli swiftenv takeout talisman tbump tfenv tfswitch tgenv "
        "towncrier truffle unity valet verdaccio versionize vf vfox vmr vsce warden wasp web-ext "
        "wiremock xcode-build-server xctool yaml2json yrm zigup zvm "
    ),
}
