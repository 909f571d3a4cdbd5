#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An application is killed (-9) at 50 random moments and restarts from its last save, while rewards for decisions of all
# its lives keep arriving. No reward is credited to another decision than its own. With posse_load_exact, which reuses
# the ids of lost decisions, some are, and both checks of this test detect it.
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
[ $status = 1 ] || die "ids that are used twice are not detected (status $status)"
! grep -q '^0 for another arm$' "$scratch/out" || die "the check of arms does not detect it"
grep -q '^the belief is not that of' "$scratch/out" || die "the check of the belief does not detect it"
