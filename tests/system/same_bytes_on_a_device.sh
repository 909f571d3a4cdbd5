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
papers="ucb thompson-mis-mis thompson-well-well fixed-arms"

for name in $papers; do
    file=$source_dir/experiments/paper/$name.yaml
    "$posse" run "$file" --runs 300 --rounds 700 --no-plots -q -o cpu >cpu.txt || test $? -eq 1
    "$posse" run "$file" --runs 300 --rounds 700 --no-plots -q -o gpu --device gpu >gpu.txt 2>gpu.err || test $? -eq 1
    ! grep -q "played on the CPU" gpu.err || die "$name was not played on the device: $(cat gpu.err)"
    same_results "cpu/$name" "gpu/$name"
done

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
"$posse" run patience.yaml --no-plots -q -o cpu >cpu.txt
"$posse" run patience.yaml --no-plots -q -o gpu --device gpu >gpu.txt 2>gpu.err
! grep -q "played on the CPU" gpu.err || die "patience was not played on the device: $(cat gpu.err)"
same_results cpu/patience gpu/patience

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
says gpu "$source_dir/experiments/paper/information-lock.yaml" "played on the CPU, because the environment is of the kind information-lock, which has no form"
cat >linear.yaml <<END
name: linear
rounds: 50
runs: 4
seed: 1
environment: {kind: linear, dim: 2, arms: {set: ball, count: 4}}
learners:
  - {name: one, kind: linear-ucb}
END
says gpu linear.yaml "played on the CPU, because the environment is of the kind linear"
sed 's/patience: 10, commitment: 0.5/batch: 3/' patience.yaml >batch.yaml
says gpu batch.yaml "the selector chooses for batches of rounds"
sed 's/kind: fixed, arm: 6/kind: epsilon-greedy/' patience.yaml >greedy.yaml
says gpu greedy.yaml 'the learner "three" is of the kind epsilon-greedy, which has no form for a device'
POSSE_CUDA=/nowhere/posse_cuda.so says gpu patience.yaml "posse_cuda.so cannot be loaded"
! "$posse" run patience.yaml --device tpu -o said 2>said.err || die "--device tpu is accepted"
grep -q "takes cpu, gpu or auto" said.err || die "--device tpu: $(cat said.err)"
