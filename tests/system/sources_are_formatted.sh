#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# .clang-format is kept to; `make format` mends it. Every source names its licence.
. "$(dirname "$0")/scripting.sh"

if ! "$source_dir/tools/format.sh" --dry-run -Werror 2>"$scratch/log"; then
    sed -n 's/:[0-9]*:[0-9]*: error: .*//p' "$scratch/log" | sort | uniq -c
    die "so many places in these files; make format mends them"
fi

# Examples are to be copied, and quoted by the documents.
cd "$source_dir"
without=$(find include src cli report python tests bench cmake tools -path '*/build' -prune -o \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' \
    -o -name '*.cmake' \) -print | xargs grep -L 'SPDX-License-Identifier: MIT' || true)
[ -z "$without" ] || die "no SPDX line in: $without"
