#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs that posse is timed against, in textbook C, NumPy and plain Python, do the same work: at small sizes
# their mean regrets are within four standard errors of posse's. Times are not compared here.
. "$(dirname "$0")/scripting.sh"

/usr/bin/python3 "$source_dir/bench/compare.py" "$build_dir" --small
