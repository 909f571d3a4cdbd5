#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/bakeoff: two sets are exported, played and compared. The second time nothing is played again and the tables are
# the same. The error in standings.csv equals the one that awk computes from posse's results. A rival program that prints
# losses as Vowpal Wabbit does gets its columns.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*
bakeoff=(/usr/bin/python3 "$source_dir/tools/bakeoff" --posse "$build_dir/posse" --sets iris,wine --rows 120 --runs 3)

"${bakeoff[@]}" -o one >out
cp one/standings.csv before.csv
played=$(stat -c %Y.%Z one/runs/*/manifest.json)
"${bakeoff[@]}" -o one >again
cmp out again || die "the second time another text is printed"
cmp one/standings.csv before.csv || die "the second time the standings differ"
[ "$(stat -c %Y.%Z one/runs/*/manifest.json)" = "$played" ] || die "sets were played twice"

found=$(awk -F, '$1 == "linear-ucb" { printf "%.9f", $2 }' one/standings.csv)
expected=$(awk -F, '$1 == "linear-ucb" { sum += $6 / $5; sets++ } END { printf "%.9f", sum / sets }' one/runs/{iris,wine}/summary.csv)
[ "$found" = "$expected" ] || die "linear-ucb has a mean error of $found, not $expected"
browse one/index.html
contenders=$(($(wc -l <one/standings.csv) - 1))
[ "$(grep -o '<circle' dom | wc -l)" = $((2 * contenders)) ] || die "the picture does not have a mark on each half for $contenders contenders"
for file in standings standings-clicks standings-amounts; do
    row=$(awk -F, '$1 == "linear-ucb" { printf "<tr><td>linear-ucb</td><td>%.4f</td><td>%.4f</td>", $3, $4 }' one/$file.csv)
    grep -q "$row" one/index.html || die "the page does not have $file.csv"
    grep -q "href=\"$file.csv\"" one/index.html || die "the page does not name $file.csv"
done
grep -q "VW" one/standings.csv && die "there is a rival that was not played"

printf '#!/bin/sh\necho "average loss = 0.25" >&2\n' >rival
chmod +x rival
PYTHONPATH="$build_dir/python" "${bakeoff[@]}" --vw ./rival -o one >/dev/null
[ "$(grep VW one/standings.csv | grep -c ',0.25,0.25,')" = 24 ] || die "the rival has another error than it printed"
[ "$(grep -c VW one/standings.csv)" = 24 ] || die "the rival has other settings than 24"

expect_failure() { if "$@" >out 2>err; then die "$* succeeded"; fi; }
expect_failure "${bakeoff[@]}" --sets moons
grep -q 'there is no set "moons"' err || die "a wrong set: $(cat err)"
