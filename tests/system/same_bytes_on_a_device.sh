#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The files of an experiment that a device plays have the same bytes as those of a processor, however its runs are cut
# into flights; an interrupted run continues on the other one; and an experiment that no device plays is played on the
# processor, with the reason. The device is the source of posse_cuda.so, compiled for the processor. If
# POSSE_CUDA names another device, that one plays: `make test-gpu`.
. "$(dirname "$0")/scripting.sh"
posse=$build_dir/posse
cd "$scratch" && rm -rf ./*
export POSSE_CUDA=${POSSE_CUDA:-$build_dir/tests/device_on_host.so}

# same_on_both NAME FILE [OPTION]...: the experiment of this name has the same files, played on either.
same_on_both() {
    local name=$1 file=$2
    shift 2
    "$posse" run "$file" --no-plots -q --fresh -o cpu "$@" >cpu.txt || test $? -eq 1
    "$posse" run "$file" --no-plots -q --fresh -o gpu --device gpu "$@" >gpu.txt 2>gpu.err || test $? -eq 1
    ! grep -q "played on the CPU" gpu.err || die "$name was not played on the device: $(cat gpu.err)"
    [ -d "cpu/$name" ] || die "$file is not the experiment $name"
    same_results "cpu/$name" "gpu/$name"
}

for name in ucb thompson-mis-mis thompson-well-well fixed-arms information-lock information-lock-3; do
    same_on_both $name "$source_dir/experiments/paper/$name.yaml" --runs 300 --rounds 700
done

# What the library itself plays there: every selector, arms in a linear space, clicks, and means that move.
same_on_both ucb "$source_dir/experiments/rivals/ucb.yaml" --runs 70 --rounds 300
same_on_both plus-clicks-thompson "$source_dir/experiments/plus/clicks-thompson.yaml" --runs 70 --rounds 300
same_on_both drifting "$source_dir/experiments/drift/drifting.yaml" --runs 20 --rounds 600
same_on_both shifting "$source_dir/experiments/drift/shifting.yaml" --runs 20 --rounds 600
same_on_both robust-clicks-low "$source_dir/experiments/robust/clicks-low.yaml" --runs 40 --rounds 300
sed '/^claims/,$d' "$source_dir/experiments/paper/linear-thompson.yaml" >linear-thompson.yaml
same_on_both linear-thompson linear-thompson.yaml --runs 8 --rounds 400

# Patience, several points to a curve, a last block that is short, and no learner alone.
cat >patience.yaml <<END
name: patience
rounds: 1500
runs: 101
seed: 5
environment: {kind: gaussian, arms: 7, prior: {mean: 0.5, sd: 0.3}, noise: 0.7}
solo: false
learners:
  - {name: one, kind: ucb, width: 0.3}
  - {name: two, kind: thompson, belief: {kind: gaussian, mean: 0, sd: [1, 1, 1, 1, 1, 1, 2], noise: 1}}
  - {name: three, kind: fixed, arm: 6}
selectors:
  - {name: patient, kind: bms, patience: 10, commitment: 0.5}
  - {name: shared, kind: bms, share: true, learners: [two, one]}
END
same_on_both patience patience.yaml

# What one began, the other ends: more runs of a finished experiment, and the other way round.
for first in cpu gpu; do
    second=$([ $first = cpu ] && echo gpu || echo cpu)
    "$posse" run patience.yaml --runs 40 --no-plots -q -o $first-first --device $first >/dev/null
    "$posse" run patience.yaml --no-plots -q -o $first-first --device $second >/dev/null
    same_results cpu/patience $first-first/patience
done

# The reasons.
says() {
    local device=$1 file=$2 text=$3
    "$posse" run "$file" --runs 4 --rounds 50 --no-plots -q --fresh -o said --device "$device" >said.txt 2>said.err ||
        test $? -eq 1
    grep -q "$text" said.err || die "--device $device $file says $(cat said.err), not $text"
}
cat >ball.yaml <<END
name: ball
rounds: 50
runs: 4
seed: 1
environment: {kind: linear, dim: 2, arms: {set: ball, count: all}}
learners:
  - {name: one, kind: linear-thompson}
END
says gpu ball.yaml "played on the CPU, because there are no separate arms"
says gpu "$source_dir/experiments/contextual/linear-5-5.yaml" "played on the CPU, because rounds have features"
POSSE_CUDA=/nowhere/posse_cuda.so says gpu patience.yaml "posse_cuda.so cannot be loaded"
! "$posse" run patience.yaml --device tpu -o said 2>said.err || die "--device tpu is accepted"
grep -q "takes cpu, gpu or auto" said.err || die "--device tpu: $(cat said.err)"
