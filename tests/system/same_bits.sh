#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The golden hash is the same under every compiler, optimisation level and kernel set that the processor has. The test
# library_builds_alone compares the one without optimisation. With EVERY=1 (make test-bits) -O2 and -O0 are tried too, and
# another processor family, aarch64 under qemu; and the program of every build: experiments have the same bytes with every kernel set, 1, 2,
# 3 and 7 threads and, with MPI, 1 and 3 processes. They have enough runs to be played abreast.
. "$(dirname "$0")/scripting.sh"

wrong=0
compared=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
first=
levels=-O3
[ -z "${EVERY-}" ] || levels="-O0 -O2 -O3"

compare_bytes() { # WHERE THREADS PROGRAM... (with its launcher)
    local where=$1 threads=$2 digest
    shift 2
    rm -rf "$scratch/results"
    quietly "$@" run "$source_dir/tests/experiment.yaml" "$scratch/thompson.yaml" --runs 520 --rounds 200 --no-plots -q \
        --threads "$threads" -o "$scratch/results"
    digest=$(cd "$scratch/results" && sha256sum $(ls -d */* | grep -v manifest.json) | sha256sum | cut -c1-16)
    : "${first:=$digest}"
    [ "$digest" = "$first" ] || { echo "$where: other bytes" && wrong=1; }
    compared=$((compared + 1))
}

# Whether mpirun can start several processes of a program.
spreads() { # PROGRAM
    command -v mpirun >/dev/null && ldd "$1" >"$scratch/libraries" && grep -q libmpi "$scratch/libraries"
}

compare_programs() { # WHERE PROGRAM
    local where=$1 program=$2 set threads
    for set in $sets; do
        export POSSE_ISA=$set
        "$program" list >/dev/null 2>&1 || continue # reported above
        for threads in 1 2 3 7; do compare_bytes "$where, $set, $threads threads" $threads "$program"; done
        ! spreads "$program" || compare_bytes "$where, $set, 3 processes" 1 mpirun --oversubscribe -n 3 "$program"
    done
    unset POSSE_ISA
}

sed '/^claims:/,$d' "$source_dir/experiments/paper/thompson-well-mis.yaml" >"$scratch/thompson.yaml"
# The build that the tests run in is one of these, so it is not built again.
compiler_id=$(sed -n 's/^set(CMAKE_C_COMPILER_ID "\(.*\)")$/\1/p' "$build_dir"/CMakeFiles/*/CMakeCCompiler.cmake)
release=$(grep -qx 'CMAKE_BUILD_TYPE:.*=Release' "$build_dir/CMakeCache.txt" && echo yes || true)
for compiler in gcc clang; do
    for level in $levels; do
        name=$compiler$level
        case ${EVERY-}:$release:$compiler:$compiler_id$level in
        :yes:gcc:GNU-O3 | :yes:clang:Clang-O3)
            for set in $sets; do compare_golden "this build" "$set" "$build_dir/tests/golden"; done
            continue
            ;;
        esac
        subbuild "$name" golden -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=$level
        for set in $sets; do compare_golden "$compiler $level" "$set" "$scratch/$name/tests/golden"; done
        [ -n "${EVERY-}" ] || continue
        subbuild "$name" posse_program
        compare_programs "$compiler $level" "$scratch/$name/posse"
    done
done
[ $compared = 0 ] || echo "the same bytes from $compared ways to run an experiment: $first"

if [ -n "${EVERY-}" ] && [ "$(uname -m)" != aarch64 ]; then
    needs aarch64-linux-gnu-gcc qemu-aarch64
    subbuild aarch64 golden -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_EXE_LINKER_FLAGS=-static
    for set in scalar baseline; do compare_golden aarch64 $set qemu-aarch64 "$scratch/aarch64/tests/golden"; done
fi

[ $wrong = 0 ] || die "tests/golden.txt has $(cat "$source_dir/tests/golden.txt")"
