"""Files of development kits that are sourced to set up a shell, in their usual places.

. ~/esp/esp-idf/export.sh; source ~/zephyrproject/zephyr/zephyr-env.sh; . ~/.nvm/nvm.sh

They only put tools on the search path of this shell. What the session wrote, fetched or cloned
under such a name is told by where it came from, as every other script is; a file of this name in
another place is not one of these.
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach
from signoff.actions.place import Place
from signoff.actions.vocabulary import lazy_re

# Behind the home folder: a folder that the installer makes, and the file its manual names.
_IN_HOME = lazy_re(
    r"/(?:(?:esp|espressif|\.espressif|tools|sdk|opt|src|dev|work|projects|git|code)/){0,2}"
    r"(?:esp-(?:idf|adf|matter|iot-solution)[\w.-]*/export\.sh|esp8266[\w-]*/export\.sh"
    r"|zephyr(?:project)?(?:/zephyr)?/zephyr-env\.sh|ncs/(?:v[\d.]+/)?zephyr/zephyr-env\.sh"
    r"|emsdk/emsdk_env\.sh|poky[\w.-]*/(?:oe-init-build-env|environment-setup-[\w.-]+)"
    r"|(?:yocto|oe)[\w.-]*/(?:poky/)?oe-init-build-env|poky[\w.-]*/[\d.]+/environment-setup-[\w.-]+"
    r"|petalinux[\w./-]*/settings\.sh|Xilinx/[\w.-]+/[\d.]+/settings64\.sh"
    r"|intel/oneapi/setvars\.sh|OpenFOAM/OpenFOAM-[\w.-]+/etc/bashrc"
    r"|spack/share/spack/setup-env\.sh|google-cloud-sdk/(?:path|completion)\.(?:bash|zsh)\.inc"
    r"|(?:miniconda|anaconda|miniforge|mambaforge)3?/(?:etc/profile\.d/(?:conda|mamba)\.sh|bin/activate)"
    r"|root[\w.-]*/bin/thisroot\.sh|geant4[\w.-]*/bin/geant4\.sh|pico-sdk/pico_setup\.sh"
    r"|nuttx(?:space)?/nuttx/tools/env\.sh|gdk/[\w.-]+/setup\.sh|ardupilot/Tools/completion/completion\.bash"
    r"|export-esp\.sh|\.cargo/env|\.nvm/nvm\.sh|\.ghcup/env|\.elan/env|\.sdkman/bin/sdkman-init\.sh"
    r"|\.asdf/asdf\.sh|\.opam/opam-init/(?:init|variables)\.sh|\.rvm/scripts/rvm|\.gvm/scripts/gvm"
    r"|\.local/share/swiftly/env\.sh|\.kiex/scripts/kiex|\.jabba/jabba\.sh|\.nix-profile/etc/profile\.d/nix\.sh"
    r"|\.wasmer/wasmer\.sh|\.wasmedge/env|\.foundry/env|\.deno/env|\.bun/env)"
)


def is_sdk_setup(operation: Operation, place: Place) -> bool:
    """Return whether a file to be sourced is the set-up file of a development kit."""
    path, facts = operation.path, place.facts
    is_home = operation.reach is Reach.HOME and path.startswith(f"{place.home}/")
    if not is_home or path in facts.written or path in facts.downloaded:
        return False
    return _IN_HOME.fullmatch(path[len(place.home) :]) is not None
