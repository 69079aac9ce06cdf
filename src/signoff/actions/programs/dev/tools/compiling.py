"""Compilers, linkers, binary tools, tracers and debuggers of native code, and embedded boards.

Compilers write what `-o` names. Options that hand work to another program run that program.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, reads, writes
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.dev.deeds import (
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_ACCESS,
    FAR_GONE,
    LOGS_IN,
    LOOK,
    RELEASE,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word

BOARD = Act(Verb.WRITE, Thing.VOLUME, On.NOTHING, reach=Reach.REMOTE, reversible=False, always=True)


def _compiler(call: Call) -> Iterator[Effect]:
    """`gcc -o x x.c`: builds; `-wrapper prog` and plugins are programs of their own."""
    wrapper = call.value("-wrapper")
    if wrapper is not None:
        line = rejoin(Word(text=part) for part in wrapper.text.split(","))
        yield Nested(text=line, language="shell", carrier=f"{call.name} -wrapper")
    for option in call.options:
        if option.name == "-fplugin" and option.value is not None:
            yield call.on_file(Verb.EXECUTE, option.value)
    if call.operands and call.name in LINKERS and not call.has("-o", *UNLINKED):
        yield call.on_file(Verb.WRITE, Word(text="a.out"))
    yield from call.perform(BUILD)


LINKERS = words("gcc g++ cc c++ clang clang++ tcc icc icx gfortran flang ifort nvcc mpicc mpicxx")
UNLINKED = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v")
GCC_VALUES = (
    "-x -I -L -l -D -U -include -isystem -iquote -idirafter -MF -MT -MQ -Xlinker -Xassembler "
    "-Xpreprocessor -T -u -z -target --target -arch -framework -std -march -wrapper -J -aux-info "
    "-Xclang -mllvm --param -isysroot -e --sysroot -fplugin -install_name -rpath -G"
)
NATIVE = (
    program(
        "gcc g++ cc c++ clang clang++ tcc icc icx ifort gfortran flang gdc dmd ldc2 gnatmake "
        "gprbuild nvcc hipcc emcc em++ mpicc mpicxx mpic++ mpif90 mpijavac clang-cl vala valac "
        "ghdl fpc pcc chibicc ccomp gccgo x86_64-w64-mingw32-gcc arm-none-eabi-gcc avr-gcc "
        "aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc i686-w64-mingw32-gcc musl-gcc slangc "
        "glslc glslangValidator dxc solc vyper circom odin c3c hare ponyc ats coqc agda idris2 "
        "lean lake gsc chez mlton fstar dafny spin ispc shc",
        handler=_compiler,
        values=GCC_VALUES,
        writes="-o --output -MF -aux-info",
        harmless="-dumpversion -dumpmachine -print-search-dirs -###",
    ),
    program(
        "ld ld.lld lld gold mold as yasm nasm fasm llc lli llvm-as llvm-dis llvm-link wat2wasm "
        "wasm2wat wasm-opt wasm-ld windres dlltool elfedit patchelf iverilog verilator vvp yosys "
        "nextpnr",
        BUILD,
        values="-f -L -l -m -T -e -z -march -filetype -I -s -P -D",
        writes="-o --output",
    ),
    program(
        "objcopy llvm-strip llvm-objcopy",
        writes(),
        values="-R -K -N -j -I -O -B",
        writes="-o",
    ),
    program(
        "clang-format astyle uncrustify clang-tidy clang-apply-replacements clang-include-fixer",
        reads(),
        acting={"-i --in-place --replace --no-backup -fix --fix": writes()},
        values="--style -style -c -l -f -p -checks --assume-filename",
        writes="-o",
        harmless="-n --dry-run --list-checks --dump-config",
    ),
    program(
        "clangd clang-check clang-query cppcheck cpplint include-what-you-use iwyu splint "
        "flawfinder scan-build infer sparse coverity oclint bear compdb gcov gcovr lcov genhtml "
        "kcov llvm-cov llvm-profdata gprof cachegrind callgrind_annotate cg_annotate ms_print "
        "drmemory heaptrack memray scalene samply flamegraph hotspot pprof cdecl cflow cscope "
        "ctags etags gtags global mkid sourcetrail compiledb ccls pkg-config pkgconf llvm-config",
        BUILD,
        values="-o --output --output-file -p -f -d",
        writes="-o --output --output-file",
    ),
    program("rr", subs={"rm": BUILT_GONE}, handler=lambda call: call.perform(BUILD)),
    program("dlv", BUILD, values="--listen --headless --output -r", writes="--output"),
    program("cutter ida angr", BUILD),
    program(
        "swig sip cython f2py pybind11-stubgen cbindgen bindgen uniffi-bindgen",
        BUILD,
        writes="-o --output",
    ),
)
BOARDS = (
    program(
        "pio platformio",
        subs={
            "run test check debug ci": sub(BUILD, values="-e -t --target -d"),
            "lib pkg package": sub(
                LOOK,
                subs={
                    "install update": sub(
                        handler=package_install(wide="-g --global"), values="-l -p -t -e -d"
                    ),
                    "uninstall": sub(BUILT_GONE, acting={"-g --global": TAKEN_FROM_USER}),
                    "publish": RELEASE,
                    "unpublish": FAR_GONE,
                    "list search show outdated builtin register stats pack exec": LOOK,
                },
            ),
            "platform": sub(
                ADDED_FOR_USER,
                subs={"list show search frameworks": LOOK, "uninstall": TAKEN_FROM_USER},
            ),
            "account": sub(LOGS_IN, subs={"show": LOOK}),
            "org team access": sub(FAR_ACCESS, subs={"list": LOOK, "destroy remove": FAR_GONE}),
            "settings": sub(SETS_GLOBAL, subs={"get": LOOK}),
            "system": sub(LOOK, subs={"prune": CACHE_GONE, "info": LOOK}),
            "upgrade update": ADDED_FOR_USER,
            "project init": CHANGES_PROJECT,
            "remote": SETS_GLOBAL,
            "boards device home": LOOK,
        },
    ),
    program(
        "arduino-cli",
        subs={
            "compile": sub(BUILD, values="-b --fqbn", writes="--output-dir --build-path"),
            "upload burn-bootloader": BOARD,
            "core lib": sub(
                LOOK,
                subs={
                    "install update-index upgrade download update": ADDED_FOR_USER,
                    "uninstall": TAKEN_FROM_USER,
                    "list search examples deps": LOOK,
                },
            ),
            "config": sub(SETS_GLOBAL, subs={"dump get": LOOK}),
            "sketch": CHANGES_PROJECT,
            "cache": CACHE_GONE,
            "board monitor version help debug update outdated": LOOK,
        },
    ),
    program(
        "stm32flash teensy_loader_cli probe-rs espflash nrfjprog",
        BOARD,
        subs={
            "version chip_id chip-id flash_id flash-id read_mac read-mac image_info info": LOOK,
            "read_flash read-flash read": BUILD,
            "chip list ls": LOOK,
        },
        values="-p --port -b --baud --chip -c -P -U -C -f --serial --format",
    ),
    program("circup ampy mpremote rshell", BOARD, subs={"list show freeze ls get version": LOOK}),
    program("idf.py west zephyr mbed", BUILD, subs={"flash erase-flash erase_flash": BOARD}),
)
PROGRAMS: tuple[Program, ...] = (*NATIVE, *BOARDS)
