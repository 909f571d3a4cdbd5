#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every sh block of docs/redis.md runs, in order and in one shell, on free ports.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch"/*
cd "$scratch"
needs redis-server redis-cli
# Six ports in a row, and the ports of the cluster's bus, 10000 above. All are below the ports that the system gives to
# clients.
port=$((10000 + $$ % 1000 * 10))

{
    echo 'set -eu'
    echo 'trap "examples/redis/loopback.sh stop data; examples/redis/loopback.sh stop data2" EXIT'
    awk '/^```/ { inside = $0 == "```sh"; next } inside' "$source_dir/docs/redis.md" |
        sed -e "s/\b6379\b/$port/g" -e "s/\b6380\b/$((port + 1))/g" -e "s/\b6381\b/$((port + 2))/g"
} >guide.sh
ln -s "$source_dir/examples" examples
[ "$(grep -c '^redis-cli' guide.sh)" -ge 15 ] || die "redis.md has few commands: are its blocks found?"
POSSE_MODULE=$build_dir/posse_redis.so bash guide.sh >output 2>&1 ||
    { cat output >&2 && die "redis.md fails after: $(tail -n 1 output)"; }
! grep -v CONFLICT output | grep -E '^(ERR|NOKEY|BADTOKEN|BADREWARD|LOST|MOVED|READONLY)' ||
    { cat output >&2 && die "a command of the guide is refused"; }
