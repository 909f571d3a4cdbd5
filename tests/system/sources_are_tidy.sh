#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy, with the checks in .clang-tidy, finds no mistake in the sources. It does find planted ones. The analyzer
# follows paths through functions up to a number of states, because its time grows faster than what it finds. With DEEP=1
# (make tidy) it has its own limits.
. "$(dirname "$0")/scripting.sh"

limits=(-extra-arg=-Xclang -extra-arg=-analyzer-config -extra-arg=-Xclang -extra-arg=max-nodes=22500)
[ -z "${DEEP-}" ] || limits=()

cat >"$scratch/wrong.c" <<'END'
#include <stdlib.h>
int always(int x) { return x == x; }
static int *make(int n) { return malloc(sizeof(int) * (size_t)n); }
int lose(int n) {
    int *numbers = make(n);
    if (n > 3) return 1;
    free(numbers);
    return 0;
}
END
! clang-tidy --quiet --config-file="$source_dir/.clang-tidy" "${limits[@]}" "$scratch/wrong.c" -- >"$scratch/log" 2>&1 ||
    die "planted mistakes are not found"
for mistake in misc-redundant-expression clang-analyzer-unix.Malloc; do
    grep -q $mistake "$scratch/log" || die "a planted mistake is not found, $mistake: $(cat "$scratch/log")"
done

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
run-clang-tidy -quiet -j"$(nproc)" "${limits[@]}" -p "$scratch" "$folders" >"$scratch/log" 2>/dev/null || status=$?
if [ $status != 0 ]; then
    sed 's/\x1b\[[0-9;]*m//g' "$scratch/log" | grep -E '(error|warning): ' | sort -u >&2
    die "clang-tidy finds these"
fi
looked=$(grep -c '^clang-tidy' "$scratch/log")
[ "$looked" -ge 100 ] || die "it looked at $looked files only"
