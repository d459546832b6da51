# Sourced by scripts/start and scripts/test: finds a Python that is new enough, which does the rest.
# Usage: run_python FILE [ARGS]

run_python() {
    local candidate folder
    folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    for candidate in "${PYTHON:-}" "$folder/../.venv/bin/python" \
        python3.11 python3.12 python3.13 python3.14 python3 python; do
        if [ -n "$candidate" ] && "$candidate" -c \
            'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            exec "$candidate" "$folder/$1" "${@:2}"
        fi
    done
    echo "rag-assistant needs Python 3.11 or newer with venv." \
        "Install it (Debian: apt install python3 python3-venv), or set PYTHON=/path/to/python." >&2
    return 1
}
