#!/usr/bin/env bash
# .clang-format is kept to; `make format` mends it.
. "$(dirname "$0")/scripting.sh"

if ! "$source_dir/tools/format.sh" --dry-run -Werror 2>"$scratch/log"; then
    sed -n 's/:[0-9]*:[0-9]*: error: .*//p' "$scratch/log" | sort | uniq -c
    die "so many places in these files; make format mends them"
fi
