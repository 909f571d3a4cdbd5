#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The blocks of C in a guide, one after the other, are a program without warnings, and it prints what the blocks of no
# language right behind them show. Examples have tests of their own. (Blocks of Python are run by tests/python/test_documents.py.)
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

# A guide, and how many lines of it must at least call posse and be shown as output.
compiles_and_runs() {
    printf '%s\n' '#include <posse.h>' '#include <stdio.h>' '#include <stdlib.h>' '#include <unistd.h>' 'int main(void) {' >guide.c
    : >shown
    awk '
        /^<!-- source of / { example = FNR }
        /^```c$/ && example != FNR - 1 { inside = "guide.c"; next }
        /^```$/ && inside == "" && behind == FNR - 1 { inside = "shown"; next }
        /^```/ && inside != "" { behind = inside == "guide.c" ? FNR : 0; inside = ""; next }
        inside != "" { print >> inside }
    ' "$source_dir/$1"
    echo 'return 0; }' >>guide.c
    [ "$(grep -c posse_ guide.c)" -ge "$2" ] && [ "$(wc -l <shown)" -ge "$3" ] || die "the blocks of $1 are not found"
    cc -std=gnu11 -Wall -Wextra -Werror -Wno-unused-result -I"$source_dir/include" guide.c "$build_dir/libposse.a" -lm -o guide
    ./guide >printed || die "$1: it ends with status $?"
    diff -u shown printed || die "$1 does not show what its blocks print"
}

compiles_and_runs docs/embedding.md 40 10
compiles_and_runs docs/contexts.md 8 1
