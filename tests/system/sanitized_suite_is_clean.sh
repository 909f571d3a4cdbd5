#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The unit tests pass under the sanitizers of addresses and undefined behaviour. With the Python package, so does a
# server that is killed under load and, with Redis, the module for it (`make test-server` does more). Tests of statistics
# and of accuracy, which make the same calls many thousand times, are left out, because other tests make these calls too.
# With EVERY=1 (make test-sanitized) they are there.
. "$(dirname "$0")/scripting.sh"

subbuild build laws -DPOSSE_TESTS=ON -DPOSSE_SANITIZE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"
statistics='choices_|approximations_miss_|draws_have_|draws_of_clicks_|propensities_are_those_|propensities_pass_|counts_have_|samplers_match_|undivided_rule_|ranks_of_|intervals_|recency_|matching_holds_|environments_are_well_|sketches_|candidates_keep_|the_better_learner_|late_rewards_cost_|a_learner_alone_improves|healthy_posses_raise_few_|bms_over_fixed_arms_is|charges_and_choices_|a_budget_is_|verdicts_hold_if_visitors_'
accuracy='inverse_normal_keeps_|log_(gamma_|one_plus_)?keeps_|log_rise_|exp_keeps_|numbers_read_back_|posterior_stays_exact_|logistic_integrals_|evidence_sums_'
left_out="^($statistics|$accuracy)"
[ -z "${EVERY-}" ] || left_out=none
quietly ctest --test-dir "$scratch/build" -L unit -E "$left_out" -j2 --output-on-failure --no-tests=error

quietly cmake --build "$scratch/build" --target posse_program posse_redis
quietly env PYTHONPATH="$build_dir/python" POSSE_PROGRAM="$scratch/build/posse" KILLS=5 \
    /usr/bin/python3 -B "$source_dir/tests/python/test_served_crashes.py"

needs redis-server
for test in test_redis test_redis_hostile; do
    quietly env PYTHONPATH="$build_dir/python" POSSE_REDIS="$scratch/build/posse_redis.so" ASAN_OPTIONS=detect_leaks=0 \
        POSSE_REDIS_PRELOAD="$(realpath "$(cc -print-file-name=libasan.so)")" /usr/bin/python3 -B "$source_dir/tests/python/$test.py"
done
