#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All laws hold with every address and every undefined behaviour checked.
. "$(dirname "$0")/scripting.sh"

subbuild build tests -DPOSSE_TESTS=ON -DPOSSE_SANITIZE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g"
quietly ctest --test-dir "$scratch/build" -L unit -j2 --output-on-failure --no-tests=error
