#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What posse is timed against plays the same game: textbook C, NumPy and plain Python have its mean regrets, within four
# standard errors, at small sizes. Nothing is said of time.
. "$(dirname "$0")/scripting.sh"

/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
/usr/bin/python3 "$source_dir/bench/compare.py" "$build_dir" --small
