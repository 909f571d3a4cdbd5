#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each fuzz target in tests/fuzz runs over its corpus (tests/fuzz/corpus/NAME), and then for FUZZ_SECONDS over inputs
# that the fuzzer makes, with sanitizers. An input that breaks a target is kept in the scratch directory, and its name
# is printed.
. "$(dirname "$0")/scripting.sh"

targets=("$source_dir"/tests/fuzz/*.c)
[ -f "${targets[0]}" ] || { echo "no fuzz targets" && exit 0; }

subbuild build fuzzers -DPOSSE_FUZZ=ON -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"
for source in "${targets[@]}"; do
    name=$(basename "$source" .c)
    [ -x "$scratch/build/fuzz/$name" ] || continue # it needs a library that is not installed
    seeds=$source_dir/tests/fuzz/corpus/$name
    mkdir -p "$scratch/found/$name"
    [ ! -d "$seeds" ] || quietly "$scratch/build/fuzz/$name" "$seeds"/*
    [ ! -d "$seeds" ] || cp "$seeds"/* "$scratch/found/$name"
    quietly "$scratch/build/fuzz/$name" -max_total_time="${FUZZ_SECONDS:-2}" -timeout=600 \
        -artifact_prefix="$scratch/$name-" "$scratch/found/$name"
done
