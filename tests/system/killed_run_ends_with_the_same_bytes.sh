#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that is killed (-9) at ten moments, five of them after it has kept some runs, and restarted by the same command ends with the bytes of an unbroken
# run, except for the times in the manifest. One command has two experiments, and a finished one is not played again.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

# About two seconds each.
sed 's/^runs: .*/runs: 20000/; s/^rounds: .*/rounds: 1500/' "$source_dir/tests/experiment.yaml" >one.yaml
sed 's/^name: .*/name: second/; s/^seed: .*/seed: 8/' one.yaml >two.yaml
run=("$build_dir/posse" run one.yaml two.yaml --no-plots -q)
RANDOM=$$
echo "RANDOM=$$"

quietly "${run[@]}" -o whole
continued=0
for round in $(seq 10); do
    touch mark
    "${run[@]}" -o killed >out 2>err &
    pid=$!
    if [ $((round % 2)) = 0 ]; then
        until [ -n "$(find killed/.*.unfinished/state -newer mark 2>/dev/null)" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
    fi
    sleep "0.$((RANDOM % 10))"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    ! grep -q 'not used' err || die "the journal of the same command is not used: $(cat err)"
    continued=$((continued + $(grep -c 'continuing after [1-9][0-9]* of 20000 runs' err || true)))
done
[ $continued -gt 0 ] || die "killed ten times, and never continued"
quietly "${run[@]}" -o killed
[ "$(ls -A killed | xargs)" = "second small" ] || die "left behind: $(ls -A killed)"
for name in small second; do same_results whole/$name killed/$name; done
