#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/tournament: the same seed gives the same problems. A stopped tournament continues to the same tables, and
# finished problems are not played again. The mean ratio in tournament.csv equals the one that awk computes from the
# result files.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

# Four tiny problems. This is an array and not a function, so that $! is the process itself.
tournament=(python3 "$source_dir/tools/tournament" --posse "$build_dir/posse" --problems 4 --rounds 1000 --runs 160)

"${tournament[@]}" -o one --seed 7 write
"${tournament[@]}" -o two --seed 7 write
diff -r one two || die "one seed gave two sets of problems"
"${tournament[@]}" -o other --seed 8 write
! cmp -s <(grep -h '^environment' one/problems/*) <(grep -h '^environment' other/problems/*) || die "two seeds gave the same problems"
"${tournament[@]}" -o more --seed 7 --problems 6 write
for file in one/problems/*; do cmp "$file" "more/problems/${file##*/}" || die "a problem depends on the number of problems"; done
[ "$(ls more/problems | wc -l)" = 6 ] || die "not six problems: $(ls more/problems)"
"${tournament[@]}" -o more --seed 7 write
diff -r one more || die "problems of an earlier, larger tournament are left"
"$build_dir/posse" check one/problems/*.yaml other/problems/*.yaml >/dev/null || die "posse refuses a problem"

"${tournament[@]}" -o one --seed 7 >out 2>err
[ ! -s err ] || die "not silent on standard error in a pipe: $(cat err)"
[ "$(cat out)" = "4 problems: one/index.html" ] || die "printed: $(cat out)"
[ "$(ls -A one/runs)" = "$(printf 'problem-%03d\n' 0 1 2 3)" ] || die "left behind: $(ls -A one/runs)"

# Stopped after the first problem. On a busy machine it may end before this shell notices; then it begins again.
status=0
while [ $status = 0 ]; do
    rm -rf two
    "${tournament[@]}" -o two --seed 7 >out 2>err &
    pid=$!
    await $pid test -e two/runs/problem-000/manifest.json
    kill -TERM $pid
    wait $pid || status=$?
done
[ $status = 3 ] || die "stopped: exit $status, not 3: $(cat out err)"
[ "$(cat err)" = "tournament: stopped; the same command continues" ] || die "stopped: printed $(cat err)"
[ ! -e two/runs/problem-003/manifest.json ] || die "it was not stopped"
before=$(stat -c %Y.%y two/runs/problem-000/manifest.json)
"${tournament[@]}" -o two --seed 7 >/dev/null
[ "$before" = "$(stat -c %Y.%y two/runs/problem-000/manifest.json)" ] || die "a problem was played again"
[ "$(ls -A two/runs)" = "$(ls -A one/runs)" ] || die "after continuing: $(ls -A two/runs)"
for file in tournament.csv duels.csv splits.csv ratios.csv; do cmp one/$file two/$file || die "after continuing, $file differs"; done

# A problem that has changed is played again.
"${tournament[@]}" -o two --seed 7 --runs 16 write
"${tournament[@]}" -o two play
grep -q '"runs": 16,' two/runs/problem-003/manifest.json || die "a changed problem was not played again"

# The geometric mean of D3RB's ratios, from the result files alone; no problem may be left out for this.
grep -q 'No problem is left out' one/index.html || die "a problem was left out: take another seed"
expected=$(awk -F, '$2 == "selector" { if (!(FILENAME in least) || $6 < least[FILENAME]) least[FILENAME] = $6 }
                    $1 == "D3RB" { regret[FILENAME] = $6 }
                    END { for (f in regret) { sum += log(regret[f] / least[f]); n++ }; printf "%.9f", exp(sum / n) }' \
    one/runs/*/summary.csv)
found=$(awk -F, '$1 == "D3RB" { printf "%.9f", $3 }' one/tournament.csv)
[ "$expected" = "$found" ] || die "the mean ratio of D3RB is $expected, not $found"
for file in tournament duels splits ratios problems; do [ -s one/$file.csv ] || die "no $file.csv"; done
! grep -q '{{' one/index.html || die "a part of the page is missing"

# Each selector has two marks in the standings and a line in the profile, and each other selector one mark in the duels.
# The best learner alone has one mark.
browse one/index.html
selectors=$(($(wc -l <one/tournament.csv) - 2))
[ "$(grep -o '<circle' dom | wc -l)" = $((3 * selectors)) ] || die "the pictures lack marks for $selectors selectors"
[ "$(grep -o '<path class="line' dom | wc -l)" = "$selectors" ] || die "the profile lacks lines"
