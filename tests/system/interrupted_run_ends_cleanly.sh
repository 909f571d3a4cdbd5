#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# After Ctrl-C the program prints a message and exits with 3. It leaves only the journal from which the same command
# continues, and does not start the next experiment. If no run is finished, it leaves nothing.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

sed 's/name: small/name: second/' "$source_dir/tests/experiment.yaml" >second.yaml
for signal in INT TERM; do
    "$build_dir/posse" run "$source_dir/tests/experiment.yaml" second.yaml --runs 2000000 --no-plots -o results \
        >out 2>err &
    pid=$!
    await $pid test -e results/.small.unfinished/state
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    [ $status = 3 ] || die "$signal: exit $status, not 3"
    grep -q 'small was stopped before its end; [1-9][0-9]* of 2000000 runs are kept, and the same command' err || die "$signal: no message: $(cat err)"
    grep -q 'interrupted before second.yaml' err || die "$signal: no message about the second file: $(cat err)"
    [ "$(wc -l <err)" = 2 ] || die "$signal: more than one line for each file: $(cat err)"
    [ "$(cd results && find . -type f -not -name safe | sort | xargs)" = \
        "./.small.unfinished/key ./.small.unfinished/runs ./.small.unfinished/state" ] ||
        die "$signal: left behind $(find results)"
    rm -r results
done

"$build_dir/posse" run "$source_dir/tests/experiment.yaml" --rounds 500000000 --no-plots -o results >out 2>err &
pid=$!
await $pid test -e results/.small.unfinished/files/results.h5 # the last that it makes before it plays
kill -INT $pid
wait $pid || status=$?
[ $status = 3 ] && grep -q 'small was stopped before its end; nothing of it was kept' err || die "early: $(cat err)"
[ ! -e results ] || die "early: left behind $(find results)"
