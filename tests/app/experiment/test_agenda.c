/* SPDX-License-Identifier: MIT */
/* What an experiment records, and when: blocks of runs, recorded rounds, and quantiles over the runs. */
#include "experiment/play/runner.h"
#include "experiment/record/quantile.h"
#include "helpers.h"
#include "naive.h"
#include "scenes.h"

LAW(every_run_is_in_one_block) {
    static const uint32_t runs[] = {1, 2, 63, 64, 65, 100, 1000, 4097, 1000000, UINT32_MAX};
    for (int i = 0; i < LENGTH(runs); i++) {
        experiment e = *scene(0);
        e.runs = runs[i];
        agenda *a = agenda_make(&e);
        uint64_t covered = 0;
        assert_true(a->block_runs >= 1);
        for (uint32_t b = 0; b < a->blocks; b++) {
            if (b > 1000 && b + 2 < a->blocks) b = a->blocks - 2, covered = (uint64_t)b * a->block_runs;
            assert_int_equal(agenda_block_first(a, b), covered);
            assert_true(agenda_block_count(a, b) >= 1 && agenda_block_count(a, b) <= a->block_runs);
            covered += agenda_block_count(a, b);
        }
        assert_int_equal(covered, e.runs);
        assert_true(a->curve_runs <= e.runs && a->curve_runs >= 1);
        assert_true(a->curve_runs == e.runs || a->curve_runs % a->block_runs == 0);
        agenda_free(a);
    }
}

LAW(recorded_rounds_are_even_and_end_with_the_last) {
    static const uint64_t rounds[] = {1, 2, 9, 10, 999, 1000, 1001, 1999, 5003, 10000000, INT64_MAX};
    for (int i = 0; i < LENGTH(rounds); i++) {
        experiment e = *scene(0);
        e.rounds = rounds[i];
        agenda *a = agenda_make(&e);
        assert_int_equal(a->point_count, rounds[i] < 1000 ? rounds[i] : 1000);
        assert_int_equal(a->points[a->point_count - 1], rounds[i]);
        for (int p = 0; p < a->point_count; p++) {
            uint64_t step = a->points[p] - (p > 0 ? a->points[p - 1] : 0), even = rounds[i] / (uint64_t)a->point_count;
            assert_true(step == even || step == even + 1);
        }
        assert_int_equal(a->tail, rounds[i] < 10 ? 1 : rounds[i] / 10);
        agenda_free(a);
    }
}

/* With batches of three, every matching round begins a batch. All matching rounds come after each learner's first
 * batch. */
static void assert_matching_rounds(experiment e) {
    for (e.rounds = 1; e.rounds < 40000; e.rounds += e.rounds / 3 + 1) {
        agenda *a = agenda_make(&e);
        for (int s = 0; s < a->selectors; s++) {
            uint64_t batch = s == 2 ? 3 : 1, before = (uint64_t)e.teams[s].count * batch;
            const uint64_t *rounds = a->matching + s * MATCHING_ROUNDS;
            int count = a->matching_count[s];
            assert_int_equal(count > 0, e.rounds > before);
            if (e.rounds > 500) assert_int_equal(count, MATCHING_ROUNDS);
            for (int q = 0; q < count; q++) {
                assert_true(rounds[q] > before && rounds[q] <= e.rounds && (rounds[q] - 1) % batch == 0);
                before = rounds[q];
            }
            if (count > 0) assert_true(rounds[count - 1] + batch > e.rounds);
        }
        agenda_free(a);
    }
}

LAW(matching_rounds_are_choices_after_the_first_turns) {
    assert_matching_rounds(*scene_named("gaussian"));
    assert_matching_rounds(*scene_named("teams"));
}

LAW(quantile_is_that_of_the_sorted_runs) {
    for (uint32_t runs = 1; runs < 300; runs += 1 + runs / 9) {
        double heap[300];
        long double all[300];
        quantile q;
        quantile_open(&q, runs, heap);
        uint64_t x = runs;
        for (uint32_t r = 0; r < runs; r++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            all[r] = (double)(x >> 56); /* with repetitions */
            quantile_add(&q, (double)all[r]);
        }
        assert_close(quantile_value(&q), (double)naive_quantile(all, runs), 1e-11);
        assert_true(quantile_largest(&q) == (double)all[runs - 1]);
    }
}
