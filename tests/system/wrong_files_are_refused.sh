#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each file in tests/wrong is refused with status 2 and exactly the lines of its .expected file. Nothing is printed to
# standard output, no file is written, and no memory leaks. UPDATE=1 writes the .expected files: review the difference.
. "$(dirname "$0")/scripting.sh"

posse=$build_dir/posse
rm -rf "$scratch/empty" && mkdir -p "$scratch/empty"
cd "$scratch/empty"

# Messages have the path as it was given. The test runs in an empty folder, and removes the path of the folder.
refuse() {
    local status=0
    "$posse" "$@" >"$scratch/out" 2>"$scratch/said" || status=$?
    [ "$status" -eq 2 ] || die "posse $*: status $status, not 2"
    [ ! -s "$scratch/out" ] || die "posse $*: it printed" "$(cat "$scratch/out")"
    [ -z "$(ls -A)" ] || die "posse $*: it wrote" "$(ls -A)"
}

wrong=0
for file in "$source_dir"/tests/wrong/*.yaml; do
    refuse check "$file"
    sed -i "s|$source_dir/tests/wrong/||g" "$scratch/said"
    expected=${file%.yaml}.expected
    [ "${UPDATE:-0}" = 0 ] || cp "$scratch/said" "$expected"
    diff -u "$expected" "$scratch/said" || die "$(basename "$file") is refused (+) with other words than expected (-)"
    ! grep -Ev "^$(basename "$file"):[1-9][0-9]*:[1-9][0-9]*: ." "$scratch/said" || die "a problem without a position"
    wrong=$((wrong + 1))
done
[ "$wrong" -ge 25 ] || die "only $wrong wrong files: does this test still find them?"

# All files are checked, and the status is 2 if one of them is wrong.
"$posse" check "$source_dir/tests/fuzz/corpus/read/section-1.yaml" >"$scratch/out" 2>"$scratch/said"
[ "$(sed 's/.*: fine/fine/' "$scratch/out")" = \
    "fine: ucb, 100 runs of 1000 rounds, 2 learners, 2 selectors, 1 claim" ] || die "printed: $(cat "$scratch/out")"
status=0
"$posse" check "$source_dir/tests/wrong/tag.yaml" "$source_dir/tests/fuzz/corpus/read/section-1.yaml" \
    >"$scratch/out" 2>"$scratch/said" || status=$?
[ "$status" -eq 2 ] && [ -s "$scratch/out" ] && [ -s "$scratch/said" ] || die "a wrong file and a fine one: $status"
refuse check no-such-file.yaml
refuse check "$source_dir/tests"
refuse check

# No memory leaks, whether a file is right or wrong.
status=0
valgrind -q --leak-check=full --error-exitcode=9 "$posse" check "$source_dir"/tests/wrong/*.yaml \
    "$source_dir"/tests/fuzz/corpus/read/*.yaml >"$scratch/out" 2>"$scratch/said" || status=$?
[ "$status" -eq 2 ] || die "under valgrind: status $status" "$(grep '^==' "$scratch/said")"

# Running out of memory is not a wrong file: the status is 3. A small file can be read with the same memory.
{
    printf 'name: big\nrounds: 1\nruns: 1\nseed: 1\nlearners: [{name: u, kind: ucb}]\n'
    printf 'environment: {kind: gaussian, arms: 1000000, prior: {mean: [0'
    printf ', 0.5%.0s' $(seq 999999)
    printf ']}}\n'
} >"$scratch/big.yaml"
limited() { (ulimit -v 200000 && "$posse" "$@"); }
status=0
limited check "$scratch/big.yaml" >"$scratch/out" 2>"$scratch/said" || status=$?
[ "$status" -eq 3 ] && grep -q "out of memory" "$scratch/said" || die "without memory: status $status" "$(cat "$scratch/said")"
! grep -q "YAML" "$scratch/said" || die "running out of memory is reported as a wrong file" "$(cat "$scratch/said")"
limited check "$source_dir/tests/fuzz/corpus/read/section-1.yaml" >"$scratch/out" || die "even a small file is too large"
status=0
limited run "$scratch/big.yaml" --no-plots -o "$scratch/none" >"$scratch/out" 2>"$scratch/said" || status=$?
[ "$status" -eq 3 ] && [ ! -e "$scratch/none" ] || die "a run without memory: status $status" "$(cat "$scratch/said")"
quietly "$posse" check "$scratch/big.yaml"
rm "$scratch/big.yaml"
