#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every global symbol starts with posse_, and both libraries export exactly the functions that the headers declare.
. "$(dirname "$0")/scripting.sh"

nm --extern-only --defined-only "$build_dir/libposse.a" | awk 'NF == 3 {print $3}' | sort -u >"$scratch/static"
nm --dynamic --defined-only "$build_dir/libposse.so" | awk '{print $3}' | sort -u >"$scratch/shared"
for kind in static shared; do
    [ -s "$scratch/$kind" ] || die "the $kind library has no global symbol at all"
    ! grep -v '^posse_' "$scratch/$kind" >"$scratch/odd" || die "in the $kind library:" $(cat "$scratch/odd")
done

# A declaration may span lines; its name is the word before the first parenthesis.
grep -hv '^#' "$source_dir"/include/*.h | tr '\n' ' ' | grep -o 'POSSE_API [^(;]*(' |
    grep -o '[a-z0-9_]*($' | tr -d '(' | sort -u >"$scratch/declared"
for kind in static shared; do
    diff -u "$scratch/declared" "$scratch/$kind" || die "declared in the headers (-) and exported by the $kind library (+) differ"
done
