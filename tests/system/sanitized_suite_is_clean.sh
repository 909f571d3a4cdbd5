#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The unit tests pass under the sanitizers of addresses and undefined behaviour. With the Python package, so does a
# server that is killed under load and, with Redis, the module for it (`make test-server` does more). Statistical tests,
# which make the same calls many thousand times, are left out, because other tests make these calls too.
. "$(dirname "$0")/scripting.sh"

subbuild build laws -DPOSSE_TESTS=ON -DPOSSE_SANITIZE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"
counting='^(choices_match_|approximations_miss_|draws_of_clicks_|propensities_are_those_|inverse_normal_keeps_|counts_have_|samplers_match_|undivided_rule_|ranks_of_)'
quietly ctest --test-dir "$scratch/build" -L unit -E "$counting" -j2 --output-on-failure --no-tests=error

quietly cmake --build "$scratch/build" --target posse_program posse_redis
quietly env PYTHONPATH="$build_dir/python" POSSE_PROGRAM="$scratch/build/posse" KILLS=5 \
    /usr/bin/python3 -B "$source_dir/tests/python/test_served_crashes.py"

needs redis-server
for test in test_redis test_redis_hostile; do
    quietly env PYTHONPATH="$build_dir/python" POSSE_REDIS="$scratch/build/posse_redis.so" ASAN_OPTIONS=detect_leaks=0 \
        POSSE_REDIS_PRELOAD="$(realpath "$(cc -print-file-name=libasan.so)")" /usr/bin/python3 -B "$source_dir/tests/python/$test.py"
done
