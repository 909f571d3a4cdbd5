#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No picture and no measured table of the documents is older than what it shows (tools/figures.py), and numbers and
# examples that are quoted are those of their files (tools/quote.py). Then one thing at a time is made wrong in a copy
# of the documents, and both must report it.
. "$(dirname "$0")/scripting.sh"
cd "$source_dir"

failed=0
python3 -B tools/figures.py check || failed=1
python3 -B tools/quote.py --check || failed=1

copy=$scratch/copy
fresh_copy() {
    rm -rf "$copy" && mkdir -p "$copy/tests" "$copy/bench"
    cp -r README.md docs examples experiments tools "$copy"
    cp bench/*.csv bench/*.c "$copy/bench"
    cp tests/golden.txt "$copy/tests"
    python3 -B tools/quote.py --root "$copy"
    python3 -B tools/figures.py --root "$copy" stamp --all
}

# finds TEXT TOOL VERB: the tool fails on the copy, and its report has the text.
finds() {
    local text=$1
    shift
    ! python3 -B "tools/$1" --root "$copy" "${@:2}" >"$scratch/report" || die "$* does not find: $text"
    grep -qF "$text" "$scratch/report" || die "$* does not report \"$text\", but: $(cat "$scratch/report")"
}

fresh_copy
python3 -B tools/quote.py --root "$copy" --check || die "quote.py does not accept what it has written"
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" ||
    die "figures.py does not accept what it has stamped: $(cat "$scratch/report")"

for file in "$copy"/experiments/rivals/ucb.yaml "$copy"/examples/python/contexts.py; do
    sed -i '1s/^/# A comment does not make a figure older.\n/' "$file"
done
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" || die "a comment counts: $(cat "$scratch/report")"
sed -i 's/^rounds: .*/rounds: 7/' "$copy/experiments/rivals/ucb.yaml"
finds "comparison.png is older than its inputs" figures.py check
grep -qF "make rivals" "$scratch/report" || die "the command is missing: $(cat "$scratch/report")"
python3 -B tools/figures.py --root "$copy" stamp comparison.png rivals
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" || die "stamped, and yet: $(cat "$scratch/report")"
echo 0123456789abcdef >>"$copy/tests/golden.txt"
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" || die "a hash of new kinds counts: $(cat "$scratch/report")"
sed -i '2s/./x/' "$copy/tests/golden.txt"
finds "drift.png is older than its inputs" figures.py check

fresh_copy
touch "$copy/docs/pictures/unknown.png"
finds "docs/pictures/unknown.png has no entry" figures.py check
python3 -B tools/figures.py --root "$copy" add unknown.png "touch docs/pictures/unknown.png" examples/hello.c
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" || die "added, and yet: $(cat "$scratch/report")"
sed -i 's/int main/int  main/' "$copy/examples/hello.c"
python3 -B tools/figures.py --root "$copy" check >"$scratch/report" || die "spaces of C count: $(cat "$scratch/report")"
sed -i 's/10000/20000/' "$copy/examples/hello.c"
finds "unknown.png is older than its inputs, examples/hello.c" figures.py check
fresh_copy
rm "$copy/docs/pictures/surprise.png"
finds "there is no docs/pictures/surprise.png" figures.py check

fresh_copy
echo '<!-- figures of nothing -->' >>"$copy/docs/drift.md"
finds "the table nothing has no entry" figures.py check

fresh_copy
sed -i "s/1/2/" "$copy/examples/inside.out"
finds "docs/algorithm.md" quote.py --check

# A table of a benchmark: a number that differs is found and corrected, a rounded one stays.
fresh_copy
cat >"$copy/docs/page.md" <<'END'
# Page

<!-- figures of load -->
| | rounds a second, CPU | times |
| --- | --- | --- |
| one | 5,900, 68 µs | |
| two | **97,000**, 10.1 µs | 16.0 |
END
cat >"$copy/bench/load.csv" <<'END'
way,rounds,cpu
one,5917,68.16
two,96947,10.07
END
python3 - "$copy/docs/figures.json" <<'END'
import json, sys
figures = json.load(open(sys.argv[1]))
figures["load"] = {
    "command": "none", "csv": "bench/load.csv", "rows": [{"way": "one"}, {"way": "two"}],
    "columns": [None, [{"value": "rounds"}, {"value": "cpu"}], {"value": "rounds", "over": {"way": "one"}}],
}
json.dump(figures, open(sys.argv[1], "w"))
END
finds "docs/page.md:7" quote.py --check
python3 -B tools/quote.py --root "$copy"
grep -qxF '| one | 5,900, 68 µs | |' "$copy/docs/page.md" && grep -qxF '| two | **97,000**, 10.1 µs | 16.4 |' "$copy/docs/page.md" ||
    die "quote.py writes: $(cat "$copy/docs/page.md")"

[ $failed = 0 ] || die "see above"
