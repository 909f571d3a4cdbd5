#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The sources are formatted by .clang-format (`make format`), and every source names its licence. What programs make is
# not among the files of git: databases, build products, and what .gitignore lists.
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

needs git
made() { # TREE: the files of git that a program has made
    git -C "$1" ls-files --cached --ignored --exclude-standard
    git -C "$1" ls-files | grep -E '\.(db|db-wal|db-shm|rdb|aof|o|a|so|pyc|whl|deb|gcda|gcno|log|tmp|orig|rej)$' || true
}
found=$(made "$source_dir")
[ -z "$found" ] || die "these are not sources: $found"

# To show that the check can fail, files of both sorts are added to another repository.
mkdir -p "$scratch/tree/results"
cp .gitignore "$scratch/tree"
touch "$scratch/tree/law_7.db-wal" "$scratch/tree/results/summary.csv" "$scratch/tree/main.c"
git -C "$scratch/tree" init -q
git -C "$scratch/tree" add --force .
[ "$(made "$scratch/tree")" = "results/summary.csv
law_7.db-wal" ] || die "of the files that programs make it finds: $(made "$scratch/tree")"
