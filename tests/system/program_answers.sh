#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program's own voice: versions, help, lists, and what it says of wrong usage, with its exit status.
. "$(dirname "$0")/scripting.sh"

posse=$build_dir/posse
version=$(sed -n 's/^#define POSSE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$source_dir/include/posse.h" | paste -sd.)

expect() { # STATUS COMMAND...: runs it, its output in $out
    local status=$1 got=0
    shift
    out=$("$@" 2>&1) || got=$?
    [ $got = "$status" ] || die "$* exits with $got instead of $status: $out"
}

says() { # TEXT: the last output has it
    case $out in *"$1"*) ;; *) die "no \"$1\" in: $out" ;; esac
}

expect 0 "$posse" --version && [ "$out" = "posse $version" ] || die "--version says $out"
expect 0 "$posse" --help && says "posse list [KIND]"
expect 2 "$posse" && says "posse list [KIND]"
expect 2 "$posse" lsit && says 'there is no command "lsit"'
expect 0 "$posse" list --help && says "Usage: posse list"
expect 2 "$posse" list ucb fixed
expect 2 "$posse" list no-such-kind && says 'no kind or family "no-such-kind"'
expect 2 "$posse" list lerner && says 'there is no kind or family "lerner"; did you mean "learner"?'
expect 2 "$posse" list beleifs && says 'did you mean "belief"?'

# What a number may be is told with the number.
file=$source_dir/tests/experiment.yaml
expect 2 "$posse" run "$file" --runs -5 && says '--runs takes a whole number from 1 to 100000000, not "-5"'
expect 2 "$posse" run "$file" --runs 100000001 && says '--runs takes a whole number from 1 to 100000000, not "100000001"'
expect 2 "$posse" run "$file" --rounds 0 && says '--rounds takes a whole number from 1 to 1000000000, not "0"'
expect 2 "$posse" run "$file" --seed 18446744073709551616 &&
    says '--seed takes a whole number from 0 to 18446744073709551615, not "18446744073709551616"'

# Help is the same however it is asked for.
usual=$("$posse" --help)
for way in -h '-?' help; do expect 0 "$posse" "$way" && [ "$out" = "$usual" ] || die "posse $way is not posse --help"; done
for command in run paper check list report serve export; do
    usual=$("$posse" $command --help)
    for way in -h '-?'; do expect 0 "$posse" $command "$way" && [ "$out" = "$usual" ] || die "posse $command $way is other help"; done
    expect 0 "$posse" help $command && [ "$out" = "$usual" ] || die "posse help $command is other help"
    expect 0 "$posse" $command --usage && says "Usage: posse $command"
done
expect 0 "$posse" help --help && [ "$out" = "$("$posse" --help)" ] || die "posse help --help is not posse --help"
expect 2 "$posse" help lsit && says 'there is no command "lsit"'

# Every kind with its keys, each line from its one declaration.
expect 0 "$posse" list
for kind in gaussian bernoulli linear information-lock beta hypotheses mixture \
    fixed ucb thompson linear-thompson linear-ucb epsilon-greedy \
    bms d3rb ed2rb balancing dynamic-balancing corral stochastic-corral exp3p greedy uniform; do says "  $kind "; done
expect 0 "$posse" list selectors && says "corral"
expect 2 "$posse" list corall && says 'did you mean "corral"?'

# A kernel set that is asked for runs, or the program does not.
expect 0 env POSSE_ISA=baseline "$posse" list ucb
expect 0 env POSSE_ISA= "$posse" list ucb
expect 2 env POSSE_ISA=sse9 "$posse" list ucb && says 'POSSE_ISA is "sse9", which this processor cannot run'
expect 0 "$posse" list ucb
says "width            number                   1                    [0, 1e+50]"
says "delta            number                   0.05                 [1e-100, 1]"
expect 0 "$posse" list learner && says "  fixed " && case $out in *"  bms "*) die "a learner called bms" ;; esac
expect 0 "$posse" list selector && says "share            true or false            false"
