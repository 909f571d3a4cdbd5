#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The first example leaks no memory and reads none before it is written.
. "$(dirname "$0")/scripting.sh"

quietly valgrind --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=1 \
    "$build_dir/examples/hello"
