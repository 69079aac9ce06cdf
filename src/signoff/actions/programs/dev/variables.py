"""Variables that steer development tools: what runs at every build, where packages come from.

steering("RUSTC_WRAPPER", "/tmp/x")              -> Steering.RUNS
steering("PIP_INDEX_URL", "https://m.example/")  -> Steering.SOURCE
steering("GOINSECURE", "*")                      -> Steering.WEAKENS
steering("RUST_LOG", "debug")                    -> None
"""

from __future__ import annotations

from signoff.actions.programs.plain_names import is_plain_value
from signoff.actions.vocabulary import Vocabulary, words

MAX_VALUE = 4096  # a longer value is taken for one that steers


class Steering(Vocabulary):
    """The way an environment variable influences a tool."""

    RUNS = "runs"  # the tool runs a program or loads code the value names
    SOURCE = "source"  # packages come from another place
    WEAKENS = "weakens"  # a check of what comes in is off


WRAPPERS = words(
    "RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC CARGO_BUILD_RUSTC_WRAPPER "
    "CARGO_BUILD_RUSTC CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER PYTEST_PLUGINS "
    "NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_GIT NPM_CONFIG_SHELL GOTOOLDIR "
    "GOCACHEPROG MAVEN_EXT_CLASS_PATH VIMINIT GVIMINIT EXINIT "
    "PYTHONBREAKPOINT"
)
# `0` and `ipdb` are values of PYTHONBREAKPOINT; caches and shells are the usual rest.
PLAIN_WRAPPERS = words(
    "sccache ccache distcc icecc rustc clippy-driver rustdoc bash sh zsh 0 ipdb pdb"
)
SOURCES = words(
    "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX_URL UV_EXTRA_INDEX_URL UV_INDEX "
    "UV_DEFAULT_INDEX UV_FIND_LINKS NPM_CONFIG_REGISTRY YARN_REGISTRY YARN_NPM_REGISTRY_SERVER "
    "BUN_CONFIG_REGISTRY GOPROXY GEM_SOURCE RUBYGEMS_HOST BUNDLE_MIRROR__ALL CONDA_CHANNELS "
    "CONDA_CHANNEL_ALIAS RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT NVM_NODEJS_ORG_MIRROR "
    "HOMEBREW_BOTTLE_DOMAIN HOMEBREW_BREW_GIT_REMOTE COMPOSER_REPO_PACKAGIST HEX_MIRROR_URL "
    "ELECTRON_MIRROR PLAYWRIGHT_DOWNLOAD_HOST PUB_HOSTED_URL CPAN_MIRROR"
)
# "" means any value: for these the variable alone, or the hosts it names, weakens.
WEAKENING = {
    "GOINSECURE": "",
    "GONOSUMDB": "",
    "GONOSUMCHECK": "",
    "GOSUMDB": "off",
    "GONOSUMVERIFY": "",
    "PIP_TRUSTED_HOST": "",
    "UV_INSECURE_HOST": "",
    "NPM_CONFIG_STRICT_SSL": "false",
    "YARN_ENABLE_STRICT_SSL": "false",
    "YARN_ENABLE_IMMUTABLE_INSTALLS": "false",
    "CARGO_HTTP_CHECK_REVOKE": "false",
    "COMPOSER_DISABLE_TLS": "",
    "HEX_UNSAFE_HTTPS": "",
    "CONDA_SSL_VERIFY": "false",
    "HOMEBREW_NO_VERIFY_ATTESTATIONS": "",
}
LOADING = {
    "GOFLAGS": ("-toolexec", "-exec", "-overlay", "-vettool"),
    "MAVEN_OPTS": ("-javaagent", "-agentpath", "-agentlib", "-XX:OnError", "-Xbootclasspath"),
    "GRADLE_OPTS": ("-javaagent", "-agentpath", "-agentlib", "-XX:OnError", "-Xbootclasspath"),
    "JAVA_OPTS": ("-javaagent", "-agentpath", "-agentlib", "-XX:OnError", "-Xbootclasspath"),
    "JDK_JAVA_OPTIONS": ("-javaagent", "-agentpath", "-agentlib", "-XX:OnError", "@"),
    "SBT_OPTS": ("-javaagent", "-agentpath", "-agentlib"),
    "MAKEFLAGS": ("--eval", "-E", "SHELL=", "-f", "--file"),
    "GNUMAKEFLAGS": ("--eval", "-E", "SHELL=", "-f", "--file"),
    "PYTEST_ADDOPTS": ("-p", "--rootdir", "-c", "--confcutdir"),
    "RUSTFLAGS": ("linker=", "-Clinker", "link-arg=-fplugin"),
    "ERL_FLAGS": ("-eval", "-run", "-s"),
    "ELIXIR_ERL_OPTIONS": ("-eval", "-run", "-s"),
}
COMPILERS = words("CC CXX LD AR AS CPP FC HOSTCC CLANG LDSHARED")
# A compiler with plain options (`gcc -m32`) is usual; these marks make a line of it.
RUN_MARKS = (";", "|", "&", "`", "$(", " -c ", "\n", "-wrapper", "-fplugin")


def steering(name: str, text: str) -> Steering | None:
    """Return how setting a variable to this text influences a tool, None if it does not."""
    upper = name.upper()
    # npm reads its variables in lower case, too (`npm_config_registry`).
    if upper in WEAKENING and text and WEAKENING[upper] in ("", text.lower()):
        return Steering.WEAKENS
    if upper in SOURCES:
        # `GOPROXY=direct` and `off` name no other place.
        return Steering.SOURCE if "://" in text or text.startswith(("/", "~", "..")) else None
    return Steering.RUNS if _runs(upper, text) else None


def _runs(name: str, text: str) -> bool:
    if not text:
        return False
    if name in WRAPPERS or (
        name.startswith("CARGO_TARGET_") and name.endswith(("_RUNNER", "_LINKER"))
    ):
        return not is_plain_value(text, PLAIN_WRAPPERS)
    # Too long to split at every change of a variable.
    if len(text) > MAX_VALUE:
        return name in LOADING or name in COMPILERS
    if name in COMPILERS:
        return any(mark in text for mark in RUN_MARKS)
    marks = LOADING.get(name, ())
    return bool(marks) and any(part.strip("\"'").startswith(marks) for part in text.split())
