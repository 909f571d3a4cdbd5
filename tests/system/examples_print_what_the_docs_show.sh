#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each example prints its .out file, and the documents quote the examples as they are. A fenced block after
#     <!-- output of examples/NAME -->    equals examples/NAME.out
#     <!-- source of examples/FILE -->    equals that file
#     <!-- source of examples/FILE in part -->    is a part of that file.
. "$(dirname "$0")/scripting.sh"
cd "$source_dir"
rm -rf "$scratch"/*

for source in examples/*.c; do
    name=$(basename "$source" .c)
    [ -f "examples/$name.out" ] || die "examples/$name.out is missing"
    "$build_dir/examples/$name" >"$scratch/out" || die "$name exits with $?"
    diff -u "examples/$name.out" "$scratch/out" || die "examples/$name does not print its .out file"
done

# Examples in C++, if a compiler was found.
for program in "$build_dir"/examples/*_cpp; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    "$program" >"$scratch/out" || die "$name exits with $?"
    diff -u "examples/$name.out" "$scratch/out" || die "examples/$name does not print its .out file"
done

# Experiments: their standard output.
for file in examples/*.yaml; do
    name=$(basename "$file" .yaml)
    (cd "$scratch" && "$build_dir/posse" run "$source_dir/$file" --no-plots -q) >"$scratch/out" || die "$file: status $?"
    diff -u "examples/$name.out" "$scratch/out" || die "posse run $file does not print its .out file"
done

# Writes each quoted block to a separate file, and lists document:line, the quoted file and the file with the block.
awk -v scratch="$scratch" '
    function unmet() { if (wanted != "") print here, wanted, "none", how; wanted = "" }
    FNR == 1 { unmet(); block = "" }
    block != "" && /^```/ { close(block); block = ""; next }
    block != "" { print > block; next }
    /^<!-- (output|source) of examples\/[^ ]+( in part)? -->$/ {
        unmet()
        here = FILENAME ":" FNR
        wanted = $4 ($2 == "output" ? ".out" : "")
        how = $5 == "in" ? "part" : "whole"
        next
    }
    wanted != "" && /^```/ {
        block = scratch "/block" ++count
        printf "" > block
        print here, wanted, block, how
        wanted = ""
        next
    }
    NF { unmet() }
    END { unmet() }
' README.md docs/*.md >"$scratch/quotes"

[ "$(wc -l <"$scratch/quotes")" -ge 15 ] || die "few quotes are found: the pattern does not find them"
while read -r where file block how; do
    [ -f "$file" ] || die "$where quotes $file, which does not exist"
    [ "$block" != none ] || die "$where: no fenced block follows the comment about $file"
    if [ "$how" = part ]; then
        [ -s "$block" ] && [[ $(<"$file") == *"$(<"$block")"* ]] || die "$where is not a part of $file"
        continue
    fi
    diff -u --label "$file" "$file" --label "$where" "$block" || die "$where differs from $file; tools/quote.py copies it"
done <"$scratch/quotes"
