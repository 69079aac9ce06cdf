"""File endings and folder names that mean something, as tables: data for `known/file_kinds.py`.

ENDINGS[".pem"] is FileKind.CREDENTIALS
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.operation import FileKind
from signoff.actions.vocabulary import words

K = FileKind


def _endings(rows: tuple[tuple[FileKind, str], ...]) -> Mapping[str, FileKind]:
    return {name: kind for kind, names in rows for name in names.split()}


ENDINGS: Mapping[str, FileKind] = _endings(
    (
        (
            K.CREDENTIALS,
            "pem key p12 pfx p8 jks keystore kdbx kdb keychain keychain-db ppk ovpn agekey "
            "mobileprovision kwallet keytab wallet",
        ),
        (
            K.SOURCE,
            "py pyi pyx js mjs cjs jsx ts mts cts tsx vue svelte go rs c h cc cpp cxx hpp hh java "
            "kt kts scala rb php cs fs swift m mm lua pl pm r jl ex exs erl hs ml mli clj cljs "
            "dart zig nim v sol sql sh bash zsh fish ps1 psm1 bat cmd html htm css scss sass less "
            "graphql gql proto thrift asm s wat groovy vb f90 ipynb astro elm tcl awk "
            "phtml jsp jspx aspx ashx",
        ),
        (K.DOC, "md mdx rst adoc txt org tex rtf pdf doc docx odt epub"),
        (
            K.DATA,
            "json jsonl ndjson yaml yml toml ini cfg csv tsv xml parquet sqlite sqlite3 db png "
            "jpg jpeg gif svg webp ico mp4 mp3 wav zip gz tar tgz bz2 xz zst 7z woff woff2 ttf "
            "avro npy xls xlsx ods "
            # Pictures, sound, film, drawings and models that somebody made.
            "psd ai xcf kra blend fbx stl step stp iges 3mf dwg dxf skp f3d glb gltf usd usdz exr "
            "hdr tif tiff cr2 cr3 nef arw dng heic mov mkv avi webm m4v mxf braw flac ogg opus m4a "
            "aac aiff mid midi flp als logicx aep prproj drp kdenlive "
            # What was measured, recorded or trained.
            "fastq fq fasta bam cram vcf bcf bed h5 hdf5 nc nii dcm mat rds rdata pkl pickle pt "
            "pth safetensors onnx gguf ckpt tfrecord mcap pcap pcapng las laz shp geojson gpkg "
            "mdb accdb dbf sav dta feather orc rar edf root fits sgy czi nd2 raw fcs mzml",
        ),
        (
            K.GENERATED,
            "pyc pyo pyd o obj a so dylib dll class jar war whl egg min.js map tsbuildinfo "
            "coverage lcov gcda gcno rlib rmeta d tmp temp swp swo bak~ pid cache part",
        ),
        (K.LOG, "log out err trace"),
        (K.LOCK, "lock"),
        (K.INFRA, "tf tfvars tfstate hcl bicep nomad"),
        (K.BUILD, "mk cmake gradle gyp gypi bzl bazel nimble just"),
        (K.SCHEDULE, "crontab"),
        (K.BACKUP, "backup dump bkp"),
        (K.CONTAINER, "dockerfile containerfile"),
        (K.MANIFEST, "gemspec csproj fsproj vbproj sln podspec cabal rockspec"),
    )
)

# Endings of the weak kind: a certificate or key in a test or build folder is data there.
REBUILT_ENDINGS: frozenset[str] = words(
    "pyc pyo o obj a class log tmp temp swp swo tsbuildinfo gcda gcno lcov cache pid map "
    "out coverage rlib rmeta orig rej old ppu jou beam"
)

# Public halves and chains: no secret in them.
PUBLIC_STEMS: frozenset[str] = words(
    "cert certificate fullchain chain ca cacert ca-cert ca-bundle ca_bundle "
    "ca-certificates public pubkey public_key publickey pub root-ca rootca dhparam "
    "dhparams isrgrootx1 server-cert client-cert cert-chain tls-ca public-key"
)

# Folders whose content a command makes again.
REBUILT_FOLDERS: frozenset[str] = words(
    "dist node_modules __pycache__ .venv venv .virtualenv .coverage htmlcov .pytest_cache "
    ".mypy_cache .ruff_cache .tox .nox .cache .parcel-cache .next .nuxt .output .turbo "
    ".svelte-kit .vite .gradle .eggs .hypothesis .nyc_output .sass-cache bazel-out "
    "bazel-bin bazel-testlogs cmake-build-debug cmake-build-release _build deriveddata "
    ".tmp .ipynb_checkpoints .angular .expo .serverless .aws-sam .stack-work dist-newstyle "
    "elm-stuff bower_components jspm_packages .docusaurus storybook-static _site "
    ".jekyll-cache .benchmarks .dart_tool __pypackages__ .pdm-build .import_linter_cache "
    "test-results testresults playwright-report allure-results allure-report .swc .pnpm-store "
    ".yarn-cache dist-ssr .terraform .terragrunt-cache .pixi pods .pub-cache .astro .wxt .plasmo "
    "cmakefiles cmake-build-relwithdebinfo bazel-* "
    "dbt_packages dbt_modules managed_components .pio .godot .elixir_ls .shards .snakemake .quarto "
    ".nextflow .nextflow.log* .import cacheclip spark-warehouse metastore_db "
    ".sphinx-build .kedro-cache deriveddatacache .ccls-cache .clangd .mojo "
    ".metals .bloop .scala-build .zig-cache zig-cache zig-out .lake .cxx .contentlayer .vinxi "
    ".kotlin .yardoc .shadow-cljs .rcheck web-ext-artifacts .react-router .tanstack "
    ".externalnativebuild .flatpak-builder blob-report mochawesome-report "
    # Build servers, languages
    ".bsp .eunit .lexical nimcache .build .pytype .pyre .spago .psci_modules .dub _opam _esy "
    "typechain-types .solargraph .ammonite .fable benchmarkdotnet.artifacts .temp .stryker-tmp "
    ".mutmut-cache .scannerwork .infracost .scrapy typo3temp buck-out plz-out .pants.d "
    # Simulation and synthesis of hardware, images of devices
    ".xil xsim.dir obj_dir sim_build simv.daidir csrc work-obj93 work-obj08 incremental_db m5out "
    "twister-out twister-out.* sstate-cache staging_dir"
)
# The same, but also usual names of source folders: these count only outside of SOURCE_FOLDERS.
REBUILT_OFTEN: frozenset[str] = words(
    "build target coverage cache caches out output obj tmp temp logs log"
)
# Folders that a command makes again only where they stand in this one: `vendor/bundle`.
REBUILT_INSIDE: frozenset[tuple[str, str]] = frozenset(
    {
        ("vendor", "bundle"),
        ("carthage", "build"),
        ("carthage", "checkouts"),
        (".yarn", "unplugged"),
        ("framework", "views"),
        ("framework", "cache"),
        *(("library", one) for one in words("bee scriptassemblies shadercache packagecache")),
        *(("flutter", one) for one in words("ephemeral flutter.framework app.framework")),
        ("ios", ".symlinks"),
        ("macos", ".symlinks"),
        *(("cypress", one) for one in words("videos screenshots downloads")),
        ("resources", "_gen"),
        ("var", "view_preprocessed"),
        *(("generated", one) for one in words("code metadata")),
        *(("static", one) for one in words("frontend adminhtml _requirejs")),
    }
)
REBUILT_PATHS: tuple[str, ...] = ("/priv/static/assets/",)
# Where programs keep what is theirs while they run: `var/page_cache`.
RUNTIME_FOLDERS: frozenset[str] = words("var tmp temp storage runtime writable")
CACHE_ENDS = ("cache", "caches")
# How names of left-over files and folders begin: `tmp_upload`, `tests/tmp-*`.
LEFT_OVER_STARTS = ("tmp_", "tmp-", "tmp.", "_minted-")
# Output of a check of a package is called after it: `meteo.Rcheck`.
REBUILT_ENDS = (".egg-info", ".dist-info", ".dsym", ".rcheck")
SOURCE_FOLDERS: frozenset[str] = words("src lib internal pkg cmd include source")
REBUILT_NAMES: frozenset[str] = words(
    ".coverage coverage.xml coverage.out .ds_store thumbs.db npm-debug.log nohup.out "
    "cmakecache.txt cmake_install.cmake ctesttestfile.cmake .ninja_deps .ninja_log "
    ".eslintcache .stylelintcache .dmypy.json junit.xml a.out"
)
# Files of a version control folder that hold neither history nor work.
SCRATCH_NAMES: frozenset[str] = words(
    "gc.log gc.pid commit_editmsg tag_editmsg fetch_head lock wlock .ds_store"
)
DEPENDENCY_FOLDERS: frozenset[str] = words(
    "node_modules site-packages dist-packages .venv venv vendor bower_components .tox .nox "
    "__pypackages__ .eggs"
)

TEST_FOLDERS: frozenset[str] = words(
    "test tests __tests__ spec specs testdata test-data test_data fixtures fixture "
    "__fixtures__ __snapshots__ __mocks__ mocks e2e testing integration-tests unit-tests "
    "cypress benches benchmarks testsuite"
)
DOC_FOLDERS: frozenset[str] = words("doc docs documentation man wiki examples example")

# (beginning, end, kind) of the last component.
AFFIXED: tuple[tuple[str, str, FileKind], ...] = (
    (".env.", "", K.ENV),
    (".env-", "", K.ENV),
    (".env_", "", K.ENV),
    ("id_rsa", "", K.CREDENTIALS),
    ("id_ed25519", "", K.CREDENTIALS),
    ("id_ecdsa", "", K.CREDENTIALS),
    ("service-account", ".json", K.CREDENTIALS),
    ("service_account", ".json", K.CREDENTIALS),
    ("serviceaccount", ".json", K.CREDENTIALS),
    ("client_secret", ".json", K.CREDENTIALS),
    ("authorized_keys", "", K.AUTHORIZED_KEYS),
    ("dockerfile.", "", K.CONTAINER),
    ("containerfile.", "", K.CONTAINER),
    ("docker-compose", ".yml", K.CONTAINER),
    ("docker-compose", ".yaml", K.CONTAINER),
    ("compose.", ".yml", K.CONTAINER),
    ("compose.", ".yaml", K.CONTAINER),
    *((f"jenkinsfile{mark}", "", K.CI) for mark in ".-_"),
    ("makefile.", "", K.BUILD),
    ("requirements", ".txt", K.MANIFEST),
    ("requirements", ".in", K.MANIFEST),
    ("values", ".yaml", K.INFRA),
    ("values", ".yml", K.INFRA),
    ("vite.config.", "", K.BUILD),
    ("webpack.config.", "", K.BUILD),
    ("zcompdump", "", K.GENERATED),
    (".bashrc.", "", K.SHELL_STARTUP),
    ("readme", "", K.DOC),
    ("changelog", "", K.DOC),
    ("signoff-", ".sock", K.GUARD),
    ("test_", ".py", K.TEST),
)
# Endings that make a secret's name a public example of it.
EXAMPLE_ENDINGS: tuple[str, ...] = (
    ".example",
    ".sample",
    ".template",
    ".tmpl",
    ".tpl",
    ".dist",
    ".defaults",
    ".default",
    ".schema",
    ".md",
    ".pub",
    ".example.json",
    ".d.ts",
)
