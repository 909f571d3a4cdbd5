#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every sh block of docs/serving.md runs, in order and in one shell, on a free port; so do those of docs/personalizer.md
# and docs/operating.md.
# A request that is refused fails, unless the guide asks for its status.
. "$(dirname "$0")/scripting.sh"

needs curl sqlite3

# run_guide PAGE: runs its blocks in a new folder; the output is in $scratch/PAGE/output.
run_guide() {
    local folder=$scratch/$1 port
    rm -rf "$folder" && mkdir "$folder" && cd "$folder"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    {
        echo 'set -eu'
        echo 'trap "kill -9 \$(jobs -p) 2>/dev/null || true" EXIT'
        awk '/^```/ { inside = $0 == "```sh"; next } inside' "$source_dir/docs/$1.md" |
            sed -e '/http_code/! s/curl -sN\? /&--fail-with-body /g' -e "s/127\.0\.0\.1:7677/127.0.0.1:$port/g" -e "s/^posse serve/posse serve --listen 127.0.0.1:$port/"
    } >guide.sh
    PATH=$build_dir:$PATH bash guide.sh >output 2>&1 || { cat output >&2 && die "$1.md fails after: $(tail -n 1 output)"; }
}

run_guide serving
[ "$(grep -c '^curl' guide.sh)" -ge 15 ] || die "serving.md has few requests: are its blocks found?"
grep -q '"decisions":7,"pending":3' output || { cat output >&2 && die "after the kill the state is not that of the guide"; }
run_guide personalizer
grep -q '"shadow":{"rounds":1,"agreed":[01],"agreed_low":' output || { cat output >&2 && die "the apprentice has no report"; }
if grep -qx '```sh' "$source_dir/docs/operating.md" 2>/dev/null; then run_guide operating; fi
