# SPDX-License-Identifier: MIT
# Sourced by the system tests, which are called with the source and the build directory. Defines the folder of the
# scripts, a scratch directory, and functions to build the project with other settings and to compare results.
set -euo pipefail

here=$(realpath "$(dirname "$0")")
source_dir=$(realpath "$1")
build_dir=$(realpath "$2")
scratch=$build_dir/scratch/$(basename "$0" .sh)
mkdir -p "$scratch"

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# needs TOOL...: a missing tool is a failure, because tools/setup.sh test installs it.
needs() {
    local tool
    for tool in "$@"; do command -v "$tool" >/dev/null || die "it needs $tool, which \`tools/setup.sh test\` installs"; done
}

# Sets chromium to a browser.
find_chromium() {
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    needs "${chromium:-chromium}"
}

# browse FILE: what the browser makes of a page is in the file dom. The page's script has no error.
browse() {
    find_chromium
    "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$scratch/profile" --enable-logging=stderr \
        --dump-dom "file://$(realpath "$1")" >dom 2>console
    ! grep -E "CONSOLE.*(Error|error)" console || die "$1 writes an error to the console"
}

# await PID COMMAND...: waits until COMMAND succeeds, however slow the machine is, while the process lives.
await() {
    local pid=$1
    shift
    until "$@"; do
        kill -0 "$pid" 2>/dev/null || "$@" || die "process $pid ended before: $*"
        sleep 0.02
    done
}

# Runs a command, and shows its output only if it fails.
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

# same_results ONE OTHER: the folders have the same files and bytes, except for the time and the number of threads.
same_results() {
    local file
    diff <(ls "$1") <(ls "$2") || die "$1 and $2 do not have the same files"
    for file in $(ls "$1" | grep -v manifest.json); do cmp "$1/$file" "$2/$file" || die "$file of $2 differs"; done
    diff <(grep -v -e '"seconds":' -e '"threads":' "$1/manifest.json") \
        <(grep -v -e '"seconds":' -e '"threads":' "$2/manifest.json") || die "manifest.json of $2 differs"
}

# The kernel sets that a processor may have.
sets="scalar baseline"
[ "$(uname -m)" != x86_64 ] || sets="$sets avx2 avx512"

# compare_golden WHERE SET COMMAND...: prints WHERE and sets `wrong` if golden, which COMMAND runs, has another hash than
# tests/golden.txt. golden exits with 77 if the processor has no such kernels.
compare_golden() {
    local where=$1 set=$2 status=0 hash
    shift 2
    hash=$("$@" "$set") || status=$?
    case $set:$status in
    *:0) ;;
    avx*:77) echo "$where, $set: this processor has no $set" && return ;;
    *) die "$where, $set: golden exits with $status" ;;
    esac
    [ "$hash" = "$(cat "$source_dir/tests/golden.txt")" ] || { echo "$where, $set: $hash" && wrong=1; }
}
