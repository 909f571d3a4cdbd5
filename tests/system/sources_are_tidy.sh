#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy, with the checks in .clang-tidy, finds no mistake in the sources. It does find a planted one.
. "$(dirname "$0")/scripting.sh"

echo 'int always(int x) { return x == x; }' >"$scratch/wrong.c"
! clang-tidy --quiet --config-file="$source_dir/.clang-tidy" "$scratch/wrong.c" -- >"$scratch/log" 2>&1 ||
    die "a comparison of a number with itself is not found"
grep -q 'misc-redundant-expression' "$scratch/log" || die "clang-tidy fails, but not for the mistake: $(cat "$scratch/log")"

# A file that is compiled several times, as kernels are for each instruction set, is checked once.
python3 - "$build_dir/compile_commands.json" "$scratch/compile_commands.json" <<'END'
import json, sys
commands = json.load(open(sys.argv[1]))
json.dump(list({command["file"]: command for command in commands}.values()), open(sys.argv[2], "w"))
END

# The folders as a regular expression, with special characters escaped.
folders=$(printf '%s' "$source_dir" | sed 's/[][\.*^$+?(){}|]/\\&/g')
folders="^$folders/(lib|app|bindings)/"
status=0
run-clang-tidy -quiet -j2 -p "$scratch" "$folders" >"$scratch/log" 2>/dev/null || status=$?
if [ $status != 0 ]; then
    sed 's/\x1b\[[0-9;]*m//g' "$scratch/log" | grep -E '(error|warning): ' | sort -u >&2
    die "clang-tidy finds these"
fi
looked=$(grep -c '^clang-tidy' "$scratch/log")
[ "$looked" -ge 100 ] || die "it looked at $looked files only"
