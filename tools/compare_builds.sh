#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows that a change has not changed any result: plays the experiments with two builds of the program, and compares
# every CSV file, byte for byte, and the golden hash.
#   tools/compare_builds.sh BEFORE AFTER [FOLDER]
# BEFORE and AFTER are build folders with `posse` and, for the hash, `tests/golden`. Results are written to
# FOLDER/before and FOLDER/after. Experiments that BEFORE has finished are not played again.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
before=$(realpath "$1") after=$(realpath "$2")
out=${3:-$(mktemp -d)}
cd "$(dirname "$0")/.."

play() { # BUILD NAME GROUP: a claim that fails, status 1, is a result
    [ -e "$out/$2/$3/.finished" ] && return
    "$1/posse" run --no-plots -q -o "$out/$2/$3" experiments/"$3"/*.yaml >/dev/null || [ $? -eq 1 ]
    touch "$out/$2/$3/.finished"
}

differ=0
for group in paper rivals readings tuning; do
    play "$before" before $group
    rm -f "$out/after/$group/.finished"
    play "$after" after $group
    count=0
    while read -r file; do
        count=$((count + 1))
        cmp -s "$out/before/$group/$file" "$out/after/$group/$file" || { echo "differs: $group/$file" && differ=1; }
    done < <(cd "$out/before/$group" && find . -name '*.csv' | sort)
    echo "experiments/$group: $count CSV files compared"
done
for build in "$before" "$after"; do
    [ ! -x "$build/tests/golden" ] || echo "golden hash: $("$build/tests/golden" | paste -sd " ")"
done
exit $differ
