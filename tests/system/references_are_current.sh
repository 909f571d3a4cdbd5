#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reference pages in docs/ are those that tools/reference.py writes, with any terminal, locale and folder. The tool
# fails at a declaration that it does not understand.
. "$(dirname "$0")/scripting.sh"
rm -rf "$scratch"/*

mkdir "$scratch/one" "$scratch/other"
(cd / && /usr/bin/python3 -B "$source_dir/tools/reference.py" "$build_dir" "$scratch/one") || die "it does not write them"
COLUMNS=40 LC_ALL=C TERM=dumb /usr/bin/python3 -B "$source_dir/tools/reference.py" "$build_dir" "$scratch/other"
diff -r "$scratch/one" "$scratch/other" || die "the pages depend on the terminal or the locale"
for page in "$scratch"/one/*; do
    diff -u "$source_dir/docs/$(basename "$page")" "$page" || die "docs/$(basename "$page") is not current; make reference mends it"
done
[ "$(ls "$scratch/one" | wc -l)" = 5 ] || die "not all pages were written"

# Every call of the header, every kind and every command has its anchor.
for call in $(grep -ohE '^POSSE_API [^(]*\(' "$source_dir"/include/*.h | grep -oE 'posse_[a-z_]+\($' | tr -d '('); do
    grep -qx "### $call" "$source_dir/docs/c-reference.md" || die "docs/c-reference.md has no heading for $call"
done
for family in environment belief learner selector; do
    for kind in $("$build_dir/posse" list $family | sed -n 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p'); do
        grep -qx "### $family $kind" "$source_dir/docs/kinds.md" || die "docs/kinds.md has no heading for $family $kind"
    done
done
for command in $("$build_dir/posse" --help | sed -n 's/^  posse \([a-z]*\) .*/\1/p' | grep -vx help); do
    grep -qx "## posse $command" "$source_dir/docs/commands.md" || die "docs/commands.md has no heading for $command"
done

mkdir "$scratch/strange" && cp -r "$source_dir/include" "$source_dir/tools" "$scratch/strange" && mkdir "$scratch/strange/app" && cp -r "$source_dir/app/serve" "$scratch/strange/app"
sed -i 's/^POSSE_API posse_error posse_learn(/extern posse_error posse_learn(/' "$scratch/strange/include/posse.h"
! /usr/bin/python3 -B "$scratch/strange/tools/reference.py" "$build_dir" "$scratch/other" 2>"$scratch/said" || die "a strange declaration is left out"
grep -q 'not understood: posse_learn$' "$scratch/said" || die "it says: $(cat "$scratch/said")"
