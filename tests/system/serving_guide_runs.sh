#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every sh block of docs/serving.md runs, in order and in one shell, with a port of its own. Where the program was built
# without the server there is nothing to run.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch"/*
cd "$scratch"
"$build_dir/posse" serve --help | grep -q -e --listen || exit 77
command -v curl >/dev/null && command -v sqlite3 >/dev/null || exit 77
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

{
    echo 'set -eu'
    echo 'trap "kill -9 \$(jobs -p) 2>/dev/null || true" EXIT'
    awk '/^```/ { inside = $0 == "```sh"; next } inside' "$source_dir/docs/serving.md" |
        sed -e "s/127\.0\.0\.1:7677/127.0.0.1:$port/g" -e "s/^posse serve/posse serve --listen 127.0.0.1:$port/"
} >guide.sh
[ "$(grep -c '^curl' guide.sh)" -ge 20 ] || die "there is little left in the guide"
PATH=$build_dir:$PATH timeout 100 bash guide.sh >said 2>&1 || { cat said >&2 && die "the guide fails after: $(tail -n 1 said)"; }
grep -q '"decisions":7,"pending":3' said || { cat said >&2 && die "after the kill it is not what the guide says"; }
