#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compute-sanitizer finds nothing in the kernels: no bad access to memory, no race, no wrong barrier. Runs are few and
# short, because the tools watch every access. `make test-gpu` calls it with BUILD, the folder of the build.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed '/^claims/,$d' experiments/paper/linear-thompson.yaml >"$folder/linear.yaml"

# 1: a claim of the experiment does not hold, which so few runs cannot show; the tools have a status of their own.
watch() {
    compute-sanitizer --error-exitcode 9 "$@" >"$folder/log" 2>&1 || [ $? -eq 1 ] || { cat "$folder/log" && exit 1; }
    grep "SUMMARY" "$folder/log"
}
for tool in memcheck racecheck synccheck; do
    watch --tool $tool "$BUILD/bench_gpu" "$BUILD/posse_cuda.so" 256 50
    for file in experiments/paper/thompson-mis-mis.yaml experiments/rivals/ucb.yaml "$folder/linear.yaml"; do
        watch --tool $tool "$BUILD/posse" run "$file" --runs 70 --rounds 40 --device gpu --no-plots -q --fresh \
            -o "$folder"
    done
done
