#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# posse report makes pictures and pages from result files alone, with the same bytes every time. The message about a
# wrong file has its name and line.
. "$(dirname "$0")/scripting.sh"
posse=$build_dir/posse
cd "$scratch" && rm -rf ./*

expect() { # STATUS COMMAND...: standard output in `out`, standard error in `err`
    local wanted=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    [ $status = "$wanted" ] || { cat out err >&2 && die "exit $status, not $wanted: $*"; }
}

expect 0 "$posse" run "$source_dir/tests/experiment.yaml" "$here/hostile.yaml" -q --runs 20 --rounds 400 -o results
pictures="regret.svg regret.png regret.pdf optimal.svg optimal.png optimal.pdf selection.svg selection.png selection.pdf"
for name in small hostile; do
    (cd results/$name && sha256sum $pictures index.html) >before.$name || die "pictures or page of $name are missing"
done
sleep 1 # so that a file with the time of day would differ

expect 0 "$posse" report results
[ ! -s err ] || die "posse report prints: $(cat err)"
[ "$(cat out)" = results/index.html ] || die "posse report does not print the path of the page"
for name in small hostile; do
    (cd results/$name && sha256sum --quiet -c ../../before.$name) || die "the report of $name is not the same again"
done
! find . "$source_dir/tests" -maxdepth 3 -name pwned | grep . || die "a name was run as a command"
! find results -name '*.tmp' | grep . || die "temporary files are left"
marks() { grep -o "<b>" results/$1/index.html | wc -l; } # dygraphs contains some
[ "$(marks hostile)" = "$(marks small)" ] || die "a name is markup in its page"
for picture in results/*/*.svg; do
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture" || die "$picture is no XML"
done
grep -q 'Permission is hereby granted' results/small/index.html || die "the licence of dygraphs is not in the page"

# The page over several experiments, with hostile names, has tables and pictures with the same bytes every time. --front
# makes this page alone, which links only to experiments that have a page.
for size in 1 2 4; do sed "s/^name: hostile/name: hostile-$size/" "$here/hostile.yaml" >hostile-$size.yaml; done
expect 0 "$posse" run hostile-?.yaml -q --runs 10 --rounds 100 --no-plots -o results
expect 0 "$posse" report --front results
[ ! -s err ] || die "posse report --front prints: $(cat err)"
[ ! -e results/hostile-1/index.html ] || die "--front makes more than the page over all"
over="comparison.csv comparison.svg comparison.png comparison.pdf scaling.csv scaling-hostile.svg scaling-hostile.png scaling-hostile.pdf"
(cd results && sha256sum $over index.html) >before.front || die "tables or pictures over all are missing"
sleep 1
expect 0 "$posse" report --front results
(cd results && sha256sum --quiet -c ../before.front) || die "the front page is not the same again"
! find . -name pwned -o -name '*.tmp' | grep . || die "a name was run as a command, or temporary files are left"
grep -q '"about":"Names that would do harm .* or gnuplot."' results/index.html || die "a card lacks the comment of its file"
! grep -q "<b>" results/index.html || die "a name is markup in the front page"
for picture in results/*.svg; do
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture" || die "$picture is no XML"
done
python3 - <<'CHECK' || die "comparison.csv or scaling.csv is not what was promised"
import csv
rows = list(csv.DictReader(open("results/comparison.csv", newline="")))
names = {r["name"]: r["share"] for r in csv.DictReader(open("results/scaling.csv", newline=""))}
assert {r["experiment"] for r in rows} == {"hostile"}, "members of a family are compared"
assert len(rows) == 3 and {r["name"]: r["share"] for r in rows} == names, (rows, names)
summary = {r["name"]: r for r in csv.DictReader(open("results/hostile/summary.csv", newline=""))}
assert all(r["regret"] == summary[r["name"]]["regret"] for r in rows), "numbers do not read back"
assert sorted(r["share"] for r in rows if r["verdict"] == "best") == ["false", "true"], rows
CHECK
rm -r results/hostile-?
expect 0 env PATH=/nowhere "$posse" report --front results
[ "$(grep -c gnuplot err)" = 1 ] || die "a missing gnuplot is not reported once: $(cat err)"

# A missing gnuplot is reported, and the page is made.
rm results/small/regret.* results/small/index.html
mkdir -p empty && expect 0 env PATH="$PWD/empty" "$posse" report results/small
grep -q gnuplot err && [ -s results/small/index.html ] || die "a missing gnuplot is not reported, or prevents the page"

# Wrong files: status 2, and a message with file and line.
wrong() { # FILE LINE SED-SCRIPT: the message names file and line, if the file has one
    cp -r results/small broken
    sed -i "$3" broken/"$1"
    rm -f broken/index.html
    expect 2 "$posse" report broken
    grep -q "^broken/$1:${2:+$2:}" err || die "$1, $3: the message is: $(cat err)"
    [ ! -e broken/index.html ] || die "$1, $3: a page was made"
    rm -r broken
}
wrong summary.csv 3 '3s/[0-9.]*$/many/'
wrong summary.csv 2 '2s/selector/selektor/'
wrong summary.csv 1 '1s/regret/regrets/'
wrong curves.csv 17 '17s/,.*//'
wrong curves.csv 17 '17s/^\([^,]*,[0-9]*\),[^,]*/\1,nan/'
wrong curves.csv 18 '17s/,16,/,18,/'
wrong curves.csv 417 '417s/,16,/,18,/'
wrong selection.csv 9 '9s/,[^,]*$/,1.5/'
wrong selection.csv 11 '9s/^[^,]*/"B-MS/'
wrong learners.csv 2 '2s/$/,x/'
wrong claims.csv 2 '2s/,\(holds\|fails\|undecided\),/,maybe,/'
wrong matching.csv 4 '4s/./\xff/'
wrong pairs.csv '' 'd'
wrong manifest.json 2 '2s/:/;/'
cp -r results/small broken && rm broken/pairs.csv
expect 2 "$posse" report broken
grep -q '^broken/pairs.csv: cannot be read: No such file' err || die "a missing file: $(cat err)"

expect 2 "$posse" report
expect 2 "$posse" report nowhere
expect 2 "$posse" report empty
expect 0 "$posse" report --help
if [ "$(id -u)" != 0 ]; then
    chmod a-w results/small && expect 3 "$posse" report results/small
    chmod u+w results/small
fi
