#!/bin/sh
# Installs the signoff this plugin brings, once, and again after the plugin was updated. A signoff
# that somebody installed by another way stays as it is. Claude Code starts it with each session
# and shows what it prints. Whether it works or not, the hook of the calls refuses without signoff.
set -u
PATH="$PATH:$HOME/.local/bin"
root=${CLAUDE_PLUGIN_ROOT:-$(CDPATH='' cd "$(dirname "$0")" && pwd)}
kept="$HOME/.local/share/signoff"
mark="$kept/plugin-brought"

say() {
    printf '{"systemMessage": "signoff: %s"}\n' "$1"
    exit 0
}

# What to install: a wheel in this folder, or the repository that this folder is a part of. Claude
# Code copies a plugin to cache/MARKET/NAME/VERSION and leaves its repository in marketplaces/MARKET.
source=
market=$(basename "$(dirname "$(dirname "$root")")")
for one in "$root"/signoff-*.whl; do
    [ -f "$one" ] && source=$one
done
for one in "$root/../.." "$root/../../../../marketplaces/$market"; do
    if [ -z "$source" ] && grep -q '^name = "signoff"$' "$one/pyproject.toml" 2>/dev/null; then
        source=$(CDPATH='' cd "$one" && pwd)
    fi
done
stamp="$source $(cksum <"$root/.claude-plugin/plugin.json")"
[ -f "$source" ] && stamp="$source $(cksum <"$source")"

if command -v signoff >/dev/null; then
    [ -f "$mark" ] || exit 0
    [ -n "$source" ] || exit 0
    [ "$(cat "$mark")" = "$stamp" ] && exit 0
fi
[ -n "$source" ] || say "it is not installed, so every call is refused. Install it with uv or pipx, then run: signoff init"

mkdir -p "$kept" || say "it cannot write to $kept, so every call is refused"
log="$kept/plugin-install.log"
if command -v uv >/dev/null; then
    uv tool install --force --quiet "$source" >"$log" 2>&1
elif command -v pipx >/dev/null; then
    pipx install --force "$source" >"$log" 2>&1
else
    python3 -m venv "$kept/venv" >"$log" 2>&1 &&
        "$kept/venv/bin/python" -m pip install --quiet --upgrade "$source" >>"$log" 2>&1 &&
        mkdir -p "$HOME/.local/bin" &&
        ln -sf "$kept/venv/bin/signoff" "$HOME/.local/bin/signoff"
fi || say "its installation failed, so every call is refused: see $log"
command -v signoff >/dev/null || say "its installation left no program, so every call is refused: see $log"
printf '%s' "$stamp" >"$mark"
signoff down >>"$log" 2>&1 # a daemon of an older version; the next call starts the new one
say "installed by its plugin. Run in a terminal: signoff init"
