#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Killed (-9) at ten random moments and started again by the same command: the same bytes as an unbroken run in all but
# what the manifest says of time. Two experiments in one command: of those that are finished nothing is played again.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

# Two seconds or so each.
sed 's/^runs: .*/runs: 20000/; s/^rounds: .*/rounds: 1500/' "$source_dir/tests/experiment.yaml" >one.yaml
sed 's/^name: .*/name: second/; s/^seed: .*/seed: 8/' one.yaml >two.yaml
run=("$build_dir/posse" run one.yaml two.yaml --no-plots -q)
RANDOM=$$
echo "RANDOM=$$"

quietly "${run[@]}" -o whole
continued=0
for round in $(seq 10); do
    "${run[@]}" -o killed >out 2>err &
    pid=$!
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    ! grep -q 'not used' err || die "leftovers of the same command are refused: $(cat err)"
    continued=$((continued + $(grep -c 'continuing after [1-9][0-9]* of 20000 runs' err || true)))
done
[ $continued -gt 0 ] || die "ten times killed, and never continued"
quietly "${run[@]}" -o killed
[ "$(ls -A killed | xargs)" = "second small" ] || die "left behind: $(ls -A killed)"
for name in small second; do same_results whole/$name killed/$name; done
