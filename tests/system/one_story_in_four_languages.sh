#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# C, Python, curl and redis-cli print the same story to the byte: examples/story.out, with a digest of all decisions.
. "$(dirname "$0")/scripting.sh"
needs curl redis-server redis-cli
cd "$source_dir"
rm -rf "$scratch"/*
mkdir "$scratch/http" "$scratch/redis"
# Below the ports that the system gives to clients, and apart from those of redis_guide_runs.
port=$((20000 + $$ % 1000 * 10))

PATH=$build_dir:$PATH examples/shell/curl.sh "$scratch/http" $port >"$scratch/curl.out" 2>"$scratch/curl.err" &
over_http=$!
POSSE_MODULE=$build_dir/posse_redis.so examples/shell/redis-cli.sh "$scratch/redis" $((port + 1)) \
    >"$scratch/redis-cli.out" 2>"$scratch/redis-cli.err" &
in_redis=$!
"$build_dir/examples/story" >"$scratch/c.out" || die "story.c exits with $?"
PYTHONPATH=$build_dir/python /usr/bin/python3 -B examples/python/story.py >"$scratch/python.out" || die "story.py exits with $?"
wait $over_http || { cat "$scratch/curl.err" >&2 && die "curl.sh exits with an error"; }
wait $in_redis || { cat "$scratch/redis-cli.err" >&2 && die "redis-cli.sh exits with an error"; }

for language in c python curl redis-cli; do
    diff -u examples/story.out "$scratch/$language.out" || die "$language.out differs from examples/story.out"
done
grep -q '^decided: personal is the best' examples/story.out || die "the story does not end with a decision"
