#!/usr/bin/env bash
# One golden hash under every compiler, optimisation level and kernel set, and on another processor family where a
# cross compiler and qemu are at hand. golden exits with 77 if the processor lacks the set it is asked for.
. "$(dirname "$0")/scripting.sh"

expected=$(cat "$source_dir/tests/golden.txt")
wrong=0

compare() { # WHERE SET COMMAND...
    local where=$1 set=$2 status=0 hash
    shift 2
    hash=$("$@" "$set") || status=$?
    case $set:$status in
    *:0) ;;
    avx*:77) echo "$where, $set: this processor has no $set, skipped" && return ;;
    *) die "$where, $set: golden exits with $status" ;;
    esac
    [ "$hash" = "$expected" ] || { echo "$where, $set: $hash" && wrong=1; }
}

for compiler in gcc clang; do
    for level in -O0 -O3; do
        subbuild "$compiler$level" golden -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=$level
        sets="scalar baseline"
        [ "$(uname -m)" != x86_64 ] || sets="$sets avx2 avx512"
        for set in $sets; do compare "$compiler $level" "$set" "$scratch/$compiler$level/tests/golden"; done
    done
done

if [ "$(uname -m)" != aarch64 ] && command -v aarch64-linux-gnu-gcc qemu-aarch64 >/dev/null; then
    subbuild aarch64 golden -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_EXE_LINKER_FLAGS=-static
    for set in scalar baseline; do compare aarch64 $set qemu-aarch64 "$scratch/aarch64/tests/golden"; done
else
    echo "aarch64: needs aarch64-linux-gnu-gcc and qemu-aarch64 (tools/setup.sh cross), skipped"
fi

[ $wrong = 0 ] || die "tests/golden.txt says $expected"
