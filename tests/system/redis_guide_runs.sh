#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every sh block of docs/redis.md runs, in order and in one shell, with ports of its own. Without redis-server there is
# nothing to run.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch"/*
cd "$scratch"
command -v redis-server >/dev/null && command -v redis-cli >/dev/null || exit 77
[ -f "$build_dir/posse_redis.so" ] || exit 77
# Six ports in a row, and those of the cluster's bus, 10000 above: both below those that the system gives to clients.
port=$((10000 + $$ % 1000 * 10))

{
    echo 'set -eu'
    echo 'trap "examples/redis/loopback.sh stop data; examples/redis/loopback.sh stop data2" EXIT'
    awk '/^```/ { inside = $0 == "```sh"; next } inside' "$source_dir/docs/redis.md" |
        sed -e "s/\b6379\b/$port/g" -e "s/\b6380\b/$((port + 1))/g" -e "s/\b6381\b/$((port + 2))/g"
} >guide.sh
ln -s "$source_dir/examples" examples
[ "$(grep -c '^redis-cli' guide.sh)" -ge 15 ] || die "there is little left in the guide"
POSSE_MODULE=$build_dir/posse_redis.so timeout 100 bash guide.sh >said 2>&1 ||
    { cat said >&2 && die "the guide fails after: $(tail -n 1 said)"; }
! grep -v CONFLICT said | grep -E '^(ERR|NOKEY|BADTOKEN|BADREWARD|LOST|MOVED|READONLY)' ||
    { cat said >&2 && die "a command of the guide is refused"; }
