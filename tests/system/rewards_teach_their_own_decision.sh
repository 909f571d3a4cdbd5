#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An application is killed (-9) at 50 random moments and begins again from its last save, while rewards for decisions of
# all its lives keep coming: none ever teaches another decision than its own. With ids that go on as if nothing had been
# lost (posse_load_exact) some do, and both ways of looking notice it: this test can fail.
. "$(dirname "$0")/scripting.sh"
rm -rf "$scratch"/*
RANDOM=$$
seed=$RANDOM
echo "seed $seed"

"$build_dir/tests/killed_application" "$scratch/state" "${KILLS:-50}" $seed ||
    die "a reward taught another decision, or the trial failed (status $?)"

status=0
"$build_dir/tests/killed_application" "$scratch/exact" 50 $seed exact >"$scratch/out" || status=$?
cat "$scratch/out"
[ $status = 1 ] || die "ids that are given away twice go unnoticed (status $status)"
! grep -q '^0 for another arm$' "$scratch/out" || die "the arm of the decision does not tell"
grep -q '^the belief is not that of' "$scratch/out" || die "the belief does not tell"
