#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A million runs, and ten million rounds, of the paper's first experiment take at most 100 MB. To save time the million
# runs have two rounds, and the ten million rounds have fewer learners. Memory depends on runs and recorded rounds only.
. "$(dirname "$0")/scripting.sh"
cd "$scratch" && rm -rf ./*

peak() { # COMMAND...: prints its peak memory in kB
    python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if status < 2 else 10**9)' "$@"
}

small() { # WHAT COMMAND...
    local what=$1 kilobytes
    shift
    kilobytes=$(peak "$@")
    echo "$what: $kilobytes kB"
    [ "$kilobytes" -le 100000 ] || die "$what: $kilobytes kB"
}

sed 's/, 500)/, 2)/g' "$source_dir/experiments/paper/ucb.yaml" >runs.yaml
sed '/name: "c=\(0.1\|2\|5\|10\)"/d; /^claims:/,$d' "$source_dir/experiments/paper/ucb.yaml" >rounds.yaml
small "a million runs" "$build_dir/posse" run runs.yaml --runs 1000000 --rounds 2 --no-plots -q
rm -r results
small "ten million rounds" "$build_dir/posse" run rounds.yaml --runs 2 --rounds 10000000 --no-plots -q
