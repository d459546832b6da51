# Sourced by scripts/start and scripts/test: makes .venv in the checkout, once, and again only when
# pyproject.toml has changed. Sets `bin`, the folder of the environment's programs.
# Usage: prepare_environment [EXTRA]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin="$root/.venv/bin"

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3 python; do
        if [ -n "$candidate" ] && "$candidate" -c \
            'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "rag-assistant needs Python 3.11 or newer with venv." \
        "Install it (Debian: apt install python3 python3-venv), or set PYTHON=/path/to/python." >&2
    return 1
}

prepare_environment() {
    local extra=${1:-} wanted stamp target python log
    stamp="$root/.venv/installed"
    wanted="$(cksum <"$root/pyproject.toml") $root"
    # The test environment holds all that the plain one does.
    if grep -qxF "$wanted ${extra}" "$stamp" 2>/dev/null; then
        return
    fi
    if [ -z "$extra" ] && grep -qxF "$wanted test" "$stamp" 2>/dev/null; then
        return
    fi
    python=$(find_python) || return 1
    echo "Making the environment in .venv (once; about a minute)..." >&2
    rm -f "$stamp"
    [ -x "$bin/python" ] && "$bin/python" -c 'import pip' 2>/dev/null || "$python" -m venv --clear "$root/.venv" || return 1
    # What the distribution was called before: it would own the same command and the same package.
    "$bin/python" -m pip uninstall --disable-pip-version-check --quiet --yes rag-assistant >/dev/null 2>&1 || true
    target="$root${extra:+[$extra]}"
    log="$root/.venv/install.log"
    if ! "$bin/python" -m pip install --disable-pip-version-check --quiet -e "$target" >"$log" 2>&1; then
        cat "$log" >&2
        echo "The environment could not be made; see above. Check the network and run again." >&2
        return 1
    fi
    # Compiled now, so that the first start is as fast as the next, whatever the environment says.
    "$bin/python" -m compileall -q "$root/rag_assistant" || true
    echo "$wanted ${extra}" >"$stamp"
}
