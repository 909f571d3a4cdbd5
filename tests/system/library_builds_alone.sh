#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library alone needs only a C compiler and CMake. It is built and installed while every other tool and package is
# hidden, and examples/hello.c builds against the installed files. It is built without optimisation, with the golden hash.
# A debug build has assertions.
. "$(dirname "$0")/scripting.sh"

rm -rf "$scratch"/*
mkdir "$scratch/hidden"
for tool in pkg-config pkgconf python3 mpicc ninja h5cc gnuplot; do
    printf '#!/bin/sh\necho "$0 $*" >>"%s/asked"\nexit 1\n' "$scratch" >"$scratch/hidden/$tool"
    chmod +x "$scratch/hidden/$tool"
done

alone() { env PATH="$scratch/hidden:$PATH" PKG_CONFIG_LIBDIR=/nonexistent "$@"; }

absent=
for package in PkgConfig Threads MPI HDF5 ZLIB Python3; do absent="$absent -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done
quietly alone cmake -G "Unix Makefiles" -S "$source_dir" -B "$scratch/build" -DPOSSE_PROGRAM=OFF -DPOSSE_WERROR=ON \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 \
    -DDYGRAPHS=/nonexistent $absent
quietly alone cmake --build "$scratch/build" --parallel 2
quietly alone cmake --install "$scratch/build" --prefix "$scratch/prefix"
[ ! -e "$scratch/asked" ] || die "the library alone calls $(cat "$scratch/asked")"

wrong=
quietly alone cmake --build "$scratch/build" --target golden
for set in $sets; do compare_golden "without optimisation" $set "$scratch/build/tests/golden"; done
[ ! "$wrong" ] || die "tests/golden.txt has $(cat "$source_dir/tests/golden.txt")"

for file in bin share/bash-completion share/zsh share/man/man1; do
    [ ! -e "$scratch/prefix/$file" ] || die "$file is installed without the program"
done
for file in include/posse.h include/posse_all.h include/posse_extend.h share/man/man3/posse.3 share/doc/posse/README.md; do
    [ -e "$scratch/prefix/$file" ] || die "$file is not installed"
done

for type in Debug Release; do
    quietly alone cmake -G "Unix Makefiles" -S "$source_dir" -B "$scratch/$type" -DPOSSE_PROGRAM=OFF -DCMAKE_BUILD_TYPE=$type $absent
    asserts=$(grep -q -e -DPOSSE_ASSERTS "$scratch/$type/compile_commands.json" && echo Debug || echo Release)
    [ $asserts = $type ] || die "assertions are not those of a $asserts build with CMAKE_BUILD_TYPE=$type"
done

# With the same settings the whole project must fail, to show that they hide something.
! alone cmake -G "Unix Makefiles" -S "$source_dir" -B "$scratch/whole" $absent >"$scratch/whole.log" 2>&1 ||
    die "the packages of the program were not hidden"

quietly cmake -G "Unix Makefiles" -S "$here/consumer" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DHELLO="$source_dir/examples/hello.c" -DWANTED=
quietly cmake --build "$scratch/consumer"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name posse.pc)")
export PKG_CONFIG_PATH
cc -o "$scratch/consumer/hello_pc" "$source_dir/examples/hello.c" $(pkg-config --cflags --libs posse)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir posse)
export LD_LIBRARY_PATH
for program in hello_shared hello_static hello_pc; do
    "$scratch/consumer/$program" | diff -u "$source_dir/examples/hello.out" - || die "$program does not print hello.out"
done
