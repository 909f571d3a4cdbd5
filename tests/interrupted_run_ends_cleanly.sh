#!/usr/bin/env bash
# Ctrl-C in the middle: a message, exit 3, no temporary file left; the next experiment is not begun.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

sed 's/name: small/name: second/' "$source_dir/tests/experiment.yaml" >second.yaml
for signal in INT TERM; do
    "$build_dir/posse" run "$source_dir/tests/experiment.yaml" second.yaml --runs 2000000 --no-plots -o results \
        >out 2>err &
    pid=$!
    for _ in $(seq 200); do
        [ -z "$(find results -path "*/.small.*/results.h5" -size +0 2>/dev/null)" ] || break
        sleep 0.05
    done
    [ -n "$(find results -path "*/.small.*/results.h5" -size +0)" ] || die "it never began"
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    [ $status = 3 ] || die "$signal: exit $status, not 3"
    grep -q 'small was stopped before its end' err || die "$signal: no message: $(cat err)"
    grep -q 'interrupted before second.yaml' err || die "$signal: not a word of the second file: $(cat err)"
    [ "$(wc -l <err)" = 2 ] || die "$signal: more than a line each: $(cat err)"
    [ ! -e results ] || die "$signal: left behind $(find results)"
done
