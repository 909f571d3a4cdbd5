#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles alone, in C17 and in C++17, without warnings.
. "$(dirname "$0")/scripting.sh"

flags=(-fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$source_dir/include")

for header in posse.h posse_abreast.h; do
    echo "#include <$header>" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cpp"
    for cc in gcc clang; do quietly $cc -std=c17 -Wstrict-prototypes "${flags[@]}" "$scratch/alone.c"; done
    for cxx in g++ clang++; do quietly $cxx -std=c++17 "${flags[@]}" "$scratch/alone.cpp"; done
done
