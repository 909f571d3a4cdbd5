# Sourced by the script tests, which are called with the source and the build directory: a scratch directory to work
# in, and how to build the project once more with other settings.
set -euo pipefail

source_dir=$(realpath "$1")
build_dir=$(realpath "$2")
scratch=$build_dir/scratch/$(basename "$0" .sh)
mkdir -p "$scratch"

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# Runs a command and shows what it said only if it fails.
quietly() {
    local log
    log=$(mktemp "$scratch/log.XXXXXX")
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm "$log"
        die "failed: $*"
    fi
    rm "$log"
}

# subbuild NAME TARGET [cmake arguments]: builds TARGET in $scratch/NAME.
subbuild() {
    local dir=$scratch/$1 target=$2
    shift 2
    quietly cmake -G Ninja -S "$source_dir" -B "$dir" "$@"
    quietly cmake --build "$dir" --target "$target"
}
