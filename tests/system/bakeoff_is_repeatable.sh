#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/bakeoff: two sets are exported, played and compared. The second time nothing is played again and the tables are
# the same. The error in standings.csv equals the one that awk computes from posse's results. A rival program that prints
# losses as Vowpal Wabbit does gets its columns, with the rows, the clicks and the number of orders of the others.
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
for rewards in "wrong decisions" "missed clicks" "amounts"; do
    grep -q "^consider, $rewards: on " out || die "nothing is printed about consider with $rewards"
done
found=$(awk -F, '$1 == "sgd-bag" && $2 > 0 { print "yes" }' one/hindsight.csv)
[ "$found" = yes ] || die "there is no best setting of sgd-bag in hindsight"

# A rival that always plays the first class. Its loss is that of VW: the cost of the row minus the least one there.
cat >rival <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec echo "${VERSION:-1}"
awk '{ least = 1; for (i = 1; $i != "|f"; i++) { split($i, cost, ":"); if (cost[2] < least) least = cost[2] }
       split($1, first, ":"); sum += first[2] - least } END { print "average loss = " sum / NR + ENVIRON["VERSION"] }' "$2" >&2
EOF
chmod +x rival
export PYTHONPATH="$build_dir/python"
rival=("${bakeoff[@]}" --vw ./rival -o one)
"${rival[@]}" >/dev/null
for group in "" -clicks; do
    [ "$(grep -c VW one/standings$group.csv)" = 24 ] || die "the rival has other settings than 24 in standings$group.csv"
done
wrong=$(awk -F, 'NR > 1 { wrong += $NF != "setosa" } END { printf "%.4f", wrong / (NR - 1) }' one/tables/iris.csv)
missed=$(awk -F, 'NR > 1 { missed += ($(NF - 2) || $(NF - 1) || $NF) - $(NF - 2) }
    END { printf "%.4f", missed / (NR - 1) }' one/tables/iris-clicks.csv)
check() { # FILE ERROR RUNS: what the rival has on iris
    found=$(awk -F, '$1 == "iris" && $2 == "VW greedy" { printf "%.4f %d", $3, $5 }' "one/$1.csv")
    [ "$found" = "$2 $3" ] || die "$1.csv: the rival has the error and runs $found, not $2 $3"
}
check errors "$wrong" 3
check clicks "$missed" 3

# The rival's results are those of the same rows, orders, seed and program, or they are not shown.
VERSION=2 "${rival[@]}" >/dev/null
check errors "$(awk "BEGIN { printf \"%.4f\", $wrong + 2 }")" 3
"${rival[@]}" --runs 4 >/dev/null
check errors "$wrong" 4
"${bakeoff[@]}" --runs 2 -o one >/dev/null
grep -q VW one/errors.csv && die "there are results of the rival in 4 orders beside those of posse in 2"

"${bakeoff[@]}" -o two --only "consider off,linear-ucb" >/dev/null
[ "$(cut -d, -f1 two/standings.csv | sort | paste -sd, -)" = "consider off,linear-ucb,name,recommended" ] ||
    die "other contenders than the chosen ones: $(cut -d, -f1 two/standings.csv)"

expect_failure() { if "$@" >out 2>err; then die "$* succeeded"; fi; }
expect_failure "${bakeoff[@]}" --sets moons
grep -q 'there is no set "moons"' err || die "a wrong set: $(cat err)"
expect_failure "${bakeoff[@]}" --only moons
grep -q 'there is no contender "moons"' err || die "a wrong contender: $(cat err)"
