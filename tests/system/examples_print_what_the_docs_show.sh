#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each example prints its .out file, and what the documents quote is what is there. A fenced block after
#     <!-- output of examples/NAME -->    equals examples/NAME.out, after
#     <!-- source of examples/FILE -->    it equals that file.
. "$(dirname "$0")/scripting.sh"
cd "$source_dir"
rm -rf "$scratch"/*

for source in examples/*.c; do
    name=$(basename "$source" .c)
    [ -f "examples/$name.out" ] || die "examples/$name.out is missing"
    "$build_dir/examples/$name" >"$scratch/out" || die "$name exits with $?"
    diff -u "examples/$name.out" "$scratch/out" || die "examples/$name does not print its .out file"
done

# Those in C++, where there was a compiler for them.
for program in "$build_dir"/examples/*_cpp; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    "$program" >"$scratch/out" || die "$name exits with $?"
    diff -u "examples/$name.out" "$scratch/out" || die "examples/$name does not print its .out file"
done

# Experiments likewise; what they print on standard output.
for file in examples/*.yaml; do
    name=$(basename "$file" .yaml)
    (cd "$scratch" && "$build_dir/posse" run "$source_dir/$file" --no-plots -q) >"$scratch/out" || die "$file: status $?"
    diff -u "examples/$name.out" "$scratch/out" || die "posse run $file does not print its .out file"
done

# Writes each quoted block to a file of its own, and lists: document:line, file quoted, file with the block.
awk -v scratch="$scratch" '
    function unmet() { if (wanted != "") print here, wanted, "none"; wanted = "" }
    FNR == 1 { unmet(); block = "" }
    block != "" && /^```/ { close(block); block = ""; next }
    block != "" { print > block; next }
    /^<!-- (output|source) of examples\/[^ ]+ -->$/ {
        unmet()
        here = FILENAME ":" FNR
        wanted = $4 ($2 == "output" ? ".out" : "")
        next
    }
    wanted != "" && /^```/ {
        block = scratch "/block" ++count
        printf "" > block
        print here, wanted, block
        wanted = ""
        next
    }
    NF { unmet() }
    END { unmet() }
' README.md docs/*.md >"$scratch/quotes"

grep -q '^README.md:[0-9]* examples/hello.out' "$scratch/quotes" || die "README.md does not show the output of hello"
while read -r where file block; do
    [ -f "$file" ] || die "$where quotes $file, which is not there"
    [ "$block" != none ] || die "$where: no fenced block follows the comment about $file"
    diff -u --label "$file" "$file" --label "$where" "$block" || die "$where is not what $file is"
done <"$scratch/quotes"
