"""How long the shell reader takes: medians for ordinary lines, worst cases for hostile ones.

python bench/shell_reader.py
"""

from __future__ import annotations

import statistics
import time

from signoff.actions.shell.reader import read_shell

CWD = "/home/dev/project"
VARIABLES = {"HOME": "/home/dev", "USER": "dev", "PWD": CWD}
ORDINARY = (
    "git status",
    "ls -la src",
    "npm run build",
    'git commit -m "Fix the parser (again)"',
    "cd src && ls -la | grep test",
    "python -m pytest tests/unit -q 2>&1 | tail -20",
    "rm -rf build dist node_modules",
    "find . -name '*.py' -exec grep -l import {} +",
    'echo "version: $(git describe --tags)"',
    "docker compose up -d && docker compose logs -f web",
    "FOO=1 make test",
    "sudo apt-get install -y jq",
)
UNIT = 20_000


def script(length: int) -> str:
    """A script of ordinary lines."""
    lines = [
        "set -euo pipefail",
        'for f in src tests; do echo "$f"; done',
        'if [ -f "$1" ]; then cp "$1" out/; else mkdir -p out; fi',
        "cat > out/config.yaml <<'EOF'",
        *("  - name: value with (some) 'text' & more" for _ in range(length // 60)),
        "EOF",
        "git add -A && git commit -m 'Update' || true",
    ]
    return "\n".join(lines)


HOSTILE = {
    "20 KB script": script(UNIT),
    "20 KB `$)`": "$)" * (UNIT // 2),
    "20 KB `|`": "|" * UNIT,
    "20 KB `(`": "(" * UNIT,
    "20 KB `$(`": "$(" * (UNIT // 2),
    "20 KB `$((`": "$((" * (UNIT // 3),
    "20 KB `{{`": "{" * UNIT,
    "20 KB `{a,`": "{a," * (UNIT // 3),
    "20 KB backticks": "`" * UNIT,
    "20 KB `a;`": "a;" * (UNIT // 2),
    "20 KB words": "a " * (UNIT // 2),
    "20 KB `$a`": "echo " + "$a" * (UNIT // 2),
    '20 KB `"$(`': '"$(' * (UNIT // 3),
    "20 KB `${a:-`": "${a:-" * (UNIT // 5),
    "20 KB `<<a `": "<<a " * (UNIT // 4),
    "20 KB `if `": "if " * (UNIT // 3),
    "20 KB `a()`": "a()" * (UNIT // 3),
    "20 KB `a=(`": "a=(" * (UNIT // 3),
    "20 KB `[[ `": "[[ " * (UNIT // 3),
    "20 KB `case a in`": "case a in " * (UNIT // 10),
    "20 KB closed `$((`": "echo " + "$((" * 30 + "a" + ") )" * 30,
    "doubling": "a=xxxxxxxx;" + "a=$a$a;" * 60 + "echo $a",
    "exponential functions": "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(20))
    + "f0",
    "exponential loops": "for a in 1 2 3 4; do " * 12 + ":" + "; done" * 12,
    "nested carriers": "sudo " * 3_000 + "ls",
    "2 MB": "a" * 2_000_000,
    "2 MB `;`": "ls;" * 700_000,
}


def measure(line: str, rounds: int) -> float:
    """Median microseconds of one reading."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        read_shell(line, cwd=CWD, variables=VARIABLES)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    """Print the table."""
    medians = []
    for line in ORDINARY:
        medians.append(measure(line, 2_000))
        print(f"{medians[-1]:9.1f} us  {line}")
    print(f"{statistics.median(medians):9.1f} us  median of these")
    for name, line in HOSTILE.items():
        print(f"{measure(line, 5) / 1000:9.2f} ms  {name}")


if __name__ == "__main__":
    main()
