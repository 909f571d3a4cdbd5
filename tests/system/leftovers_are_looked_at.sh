#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The journal of a stopped run is used only if it is undamaged and belongs to this command, or to one with fewer runs.
# Without --fresh the journal of another command is not touched. Damage is reported, and the results are still those of
# an unbroken run. A second process on the same folder is refused.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

sed 's/^runs: .*/runs: 4000/; s/^rounds: .*/rounds: 3000/' "$source_dir/tests/experiment.yaml" >one.yaml
posse=("$build_dir/posse" run one.yaml --no-plots -q)
quietly "${posse[@]}" -o whole
quietly "${posse[@]}" -o whole-8 --seed 8

# begin OPTION...: starts a run into results, and stops it when some runs are kept. On a busy machine the run may end
# before this shell notices; then it begins again.
begin() {
    "${posse[@]}" -o results "$@" >out 2>err &
    local pid=$!
    await $pid test -e results/.small.unfinished/state
    kill -INT $pid
    ! wait $pid || { rm -r results && begin "$@" && return; }
    grep -Eq 'small was stopped .*; [1-9][0-9]* of 4000 runs are kept, and the same command continues after them$' err ||
        die "stopped, it prints: $(cat err)"
    [ "$(ls -A results)" = .small.unfinished ] || die "stopped, it leaves $(ls -A results)"
    [ "$(ls -A results/.small.unfinished | grep -v -e key -e runs -e state -e safe)" = "" ] || die "more than a journal"
}

ends() { # WHOLE MESSAGE OPTION...: runs to the end, prints the message on standard error, and has the results of WHOLE
    local whole=$1 message=$2
    shift 2
    "${posse[@]}" -o results "$@" >out 2>err || die "$* exits with $?: $(cat err)"
    grep -Eqx "$message" err || die "not \"$message\" but: $(cat err)"
    [ "$(wc -l <err)" = 1 ] || die "more than a line: $(cat err)"
    same_results $whole/small results/small
    [ "$(ls -A results)" = small ] || die "left behind: $(ls -A results)"
    rm -r results
}

refuses() { # HOLDS OPTION...: the program reports that the folder holds this, and changes nothing
    local holds=$1 status=0
    shift
    cp -r results/.small.unfinished before
    "${posse[@]}" -o results "$@" >out 2>err || status=$?
    [ $status = 2 ] || die "$* exits with $status: $(cat err)"
    [ "$(cat err)" = "posse: small: results/.small.unfinished holds unfinished runs of $holds; --fresh replaces what is there, -o DIR writes elsewhere" ] ||
        die "not that it holds $holds but: $(cat err)"
    diff -r before results/.small.unfinished || die "$* touched what it refused"
    [ "$(ls -A results)" = .small.unfinished ] || die "left behind: $(ls -A results)"
    rm -r before
}

begin
ends whole 'posse: small: continuing after [1-9][0-9]* of 4000 runs'
begin
refuses 'another seed' --seed 8
"${posse[@]}" -o results --seed 8 --fresh >out 2>err && same_results whole-8/small results/small && rm -r results
begin --seed 8
refuses 'another seed'
refuses 'another number of rounds' --seed 8 --rounds 3001
refuses 'this experiment with --runs 4000, which has to finish first' --seed 8 --runs 3999
refuses 'this experiment with --runs 4000, which has to finish first' --seed 8 --runs 40000
rm -r results
begin
sed -i 's/width: 10/width: 11/' one.yaml
refuses 'another experiment'
sed -i 's/width: 11/width: 10/' one.yaml
sed -i 's/^version .*/version 0.0.1/' results/.small.unfinished/key
refuses 'another version of posse' && rm -r results

# A few more runs, in blocks of the same size, continue from the journal.
begin
quietly "${posse[@]}" -o more --runs 4001
"${posse[@]}" -o results --runs 4001 >out 2>err || die "more runs exit with $?: $(cat err)"
grep -Eqx 'posse: small: continuing after [1-9][0-9]* of 4001 runs' err || die "with more runs it prints: $(cat err)"
same_results more/small results/small && rm -r results

begin
rm -f results/.small.unfinished/safe && truncate -s -1 results/.small.unfinished/runs
ends whole 'posse: small: leftovers that are damaged are not used'

begin
"${posse[@]}" -o results --fresh >out 2>err || die "--fresh exits with $?: $(cat err)"
[ ! -s err ] || die "--fresh prints: $(cat err)"
same_results whole/small results/small
rm -r results

# A second process on the same folder.
"${posse[@]}" -o results --runs 1000000 >out 2>err &
first=$!
await $first test -e results/.small.unfinished/state
status=0
"${posse[@]}" -o results >out 2>second || status=$?
kill -INT $first
wait $first || true
[ $status = 3 ] || die "a second process exits with $status: $(cat second)"
grep -qx 'posse: small: another posse is at work on results/small' second ||
    die "a second process prints: $(cat second)"
