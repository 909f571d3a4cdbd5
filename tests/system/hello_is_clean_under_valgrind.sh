#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Nothing leaked, nothing read before it was written.
. "$(dirname "$0")/scripting.sh"

quietly valgrind --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=1 \
    "$build_dir/examples/hello"
