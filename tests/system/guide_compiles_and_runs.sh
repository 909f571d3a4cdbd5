#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C blocks of a guide, one after the other in main, are a program that compiles without warnings and prints the blocks
# without a language right behind them. A block that starts with `static` stands before main. Blocks that quote an example are left out, because examples have another test.
# Blocks of Python are run by tests/python/test_documents.py.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

# split PAGE: writes its C blocks to guide.c, and their output to shown.
split() {
    printf '%s\n' '#include <posse_all.h>' '#include <stdio.h>' '#include <stdlib.h>' '#include <unistd.h>' >above.c
    echo 'int main(void) {' >main.c
    : >shown
    awk '
        /^<!-- source of / { example = FNR }
        /^```c$/ && example != FNR - 1 { inside = "main.c"; first = FNR + 1; next }
        FNR == first && /^static / { inside = "above.c" }
        /^```$/ && inside == "" && behind == FNR - 1 { inside = "shown"; next }
        /^```/ && inside != "" { behind = inside != "shown" ? FNR : 0; inside = ""; next }
        inside != "" { print >> inside }
    ' "$1"
    echo 'return 0; }' >>main.c
    cat above.c main.c >guide.c
}

calls=0
for page in "$source_dir"/docs/*.md; do
    name=$(basename "$page")
    [ "$name" != c-reference.md ] || continue # its blocks are declarations
    split "$page"
    here=$(grep -c posse_ guide.c || true)
    [ "$here" -gt 0 ] || continue
    calls=$((calls + here))
    echo "$name: $here lines call posse, $(wc -l <shown) lines of output"
    cc -std=gnu11 -Wall -Wextra -Werror -Wno-unused-result -I"$source_dir/include" guide.c "$build_dir/libposse.a" -lm -o guide ||
        die "$name: its blocks do not compile"
    ./guide >printed || die "$name: its blocks exit with status $?"
    diff -u shown printed || die "$name does not show what its blocks print"
done
[ $calls -ge 50 ] || die "only $calls lines call posse: are the blocks of the guides found?"
