#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sanitizers find no undefined behaviour, no wrong address, no leak and no data race in the server, under requests,
# attacks, load, and kills under load (KILLS times, 20 by default). `make test-server` runs this, which takes some
# minutes.
. "$(dirname "$0")/scripting.sh"
[ -d "$build_dir/python/posse" ] || die "the package for Python is needed: cmake --build $build_dir --target python"

# Sanitizers write to files, because the tests kill most servers.
watched() {
    local name=$1 test
    shift
    subbuild "$name" posse_program -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" "$@"
    rm -f "$scratch/$name".found.*
    export ASAN_OPTIONS="log_path=$scratch/$name.found" UBSAN_OPTIONS="log_path=$scratch/$name.found" \
        TSAN_OPTIONS="log_path=$scratch/$name.found"
    for test in served served_attacks served_crashes served_large served_export served_rounds personalizer http_client; do
        echo "$name: $test"
        quietly env PYTHONPATH="$build_dir/python" POSSE_PROGRAM="$scratch/$name/posse" POSSE_SANITIZED=1 \
            POSSE_SOURCE="$source_dir" /usr/bin/python3 -B "$source_dir/tests/python/test_$test.py"
    done
    cat "$scratch/$name".found.* 2>/dev/null && die "$name: see above"
    true
}

watched addresses -DPOSSE_SANITIZE=ON
watched threads -DPOSSE_SANITIZE_THREADS=ON -DCMAKE_C_COMPILER=clang -DPOSSE_MPI=OFF
