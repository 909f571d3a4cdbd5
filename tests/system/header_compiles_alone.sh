#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles alone, in C17 and in C++17, without warnings.
. "$(dirname "$0")/scripting.sh"

flags=(-fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$source_dir/include")

for header in $(cd "$source_dir/include" && ls); do
    echo "#include <$header>" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cpp"
    for cc in gcc clang; do quietly $cc -std=c17 -Wstrict-prototypes "${flags[@]}" "$scratch/alone.c"; done
    for cxx in g++ clang++; do quietly $cxx -std=c++17 "${flags[@]}" "$scratch/alone.cpp"; done
    [ $header = posse_all.h ] || grep -q "\"$header\"" "$source_dir/include/posse_all.h" || die "posse_all.h does not include $header"
done

# A newcomer reads posse.h to its end, and finds posse_create soon.
[ "$(wc -l <"$source_dir/include/posse.h")" -le 350 ] || die "posse.h has more than 350 lines"
[ "$(grep -n '^POSSE_API.* posse_create(' "$source_dir/include/posse.h" | cut -d: -f1)" -le 100 ] || die "posse_create comes late in posse.h"
