#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# More runs of a finished experiment continue after its runs, and the results are those of one long run. Results of
# another experiment are not replaced without --fresh. A file in place of the result folder is reported before any run
# is played.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

sed 's/^rounds: .*/rounds: 300/' "$source_dir/tests/experiment.yaml" >one.yaml
posse=("$build_dir/posse" run one.yaml --no-plots -q)

# Blocks of another size (100 to 333 and on), of the same size (1000 to 1001), and more runs than have curves (5003).
for step in 100: 101:100 333:96 1000:320 1001:992 4999:960 5003:4992; do
    runs=${step%%:*} after=${step#*:}
    "${posse[@]}" -o results --runs $runs >out 2>err || die "$runs runs exit with $?: $(cat err)"
    [ "$(cat err)" = "${after:+posse: small: continuing after $after of $runs runs}" ] || die "$runs runs print: $(cat err)"
    quietly "${posse[@]}" -o "whole-$runs" --runs $runs
    same_results "whole-$runs/small" results/small
    [ "$(ls -A results)" = small ] || die "left behind: $(ls -A results)"
done

# Results of another build of posse are not extended: all runs are played again.
cp -r whole-100 other
sed -i 's/^build .*/build 0123456789abcdef/' other/small/.runs/key
"${posse[@]}" -o other --runs 333 >out 2>err || die "the runs of another build: $(cat err)"
[ ! -s err ] || die "after another build it prints: $(cat err)"
same_results whole-333/small other/small

refuses() { # HOLDS OPTION...
    local holds=$1 status=0
    shift
    cp -r results before
    "${posse[@]}" -o results "$@" >out 2>err || status=$?
    [ $status = 2 ] || die "$* exits with $status: $(cat err)"
    [ "$(cat err)" = "posse: small: results/small holds finished results of $holds; --fresh replaces what is there, -o DIR writes elsewhere" ] ||
        die "not that it holds $holds but: $(cat err)"
    diff -r before results || die "$* touched what it refused"
    rm -r before
}
refuses 'more runs (5003 runs of 300 rounds, seed 7)' --runs 10
refuses 'another seed (5003 runs of 300 rounds, seed 7)' --runs 6000 --seed 8
refuses 'another number of rounds (5003 runs of 300 rounds, seed 7)' --runs 6000 --rounds 301
sed -i 's/width: 10/width: 11/' one.yaml
refuses 'another experiment (5003 runs of 300 rounds, seed 7)' --runs 6000
sed -i 's/width: 11/width: 10/; s/^title: .*/title: Another title/' one.yaml
"${posse[@]}" -o results --runs 10 --fresh >out 2>err || die "--fresh exits with $?: $(cat err)"
grep -q '"runs": 10,' results/small/manifest.json || die "--fresh did not replace the results"
echo '# the same, with a remark' >>one.yaml
"${posse[@]}" -o results --runs 10 >out 2>err || die "the same experiment in other words: $(cat err)"

mkdir blocked && touch blocked/small
status=0
"${posse[@]}" -o blocked --runs 100000000 >out 2>err || status=$?
[ $status = 2 ] || die "a file in the way: status $status: $(cat err)"
grep -q '^posse: small: blocked/small is a file, where a folder of results has to go; ' err || die "a file in the way: $(cat err)"
[ "$(ls -A blocked)" = small ] || die "left behind: $(ls -A blocked)"
