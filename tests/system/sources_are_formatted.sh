#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The sources are formatted by .clang-format (`make format`), and every source names its licence.
. "$(dirname "$0")/scripting.sh"

if ! "$source_dir/tools/format.sh" --dry-run -Werror 2>"$scratch/log"; then
    sed -n 's/:[0-9]*:[0-9]*: error: .*//p' "$scratch/log" | sort | uniq -c
    die "number of wrong places in each file; make format corrects them"
fi

# Examples have no licence line, because they are copied and quoted by the documents.
cd "$source_dir"
without=$(find include lib app bindings tests bench cmake tools -path '*/build' -prune -o \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' \
    -o -name '*.cmake' \) -print | xargs grep -L 'SPDX-License-Identifier: MIT' || true)
[ -z "$without" ] || die "no SPDX line in: $without"
