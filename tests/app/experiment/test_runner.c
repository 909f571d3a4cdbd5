/* SPDX-License-Identifier: MIT */
/*
 * Tests of the runner: the same bits however the work is divided, the same numbers as a twin that stores everything,
 * and a clean end whatever happens.
 */
#include "experiment/play/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "common/pool.h"
#include "experiment/record/quantile.h"
#include "experiment/store/csv.h"
#include "helpers.h"
#include "naive.h"
#include "scenes.h"

/* ----------------------------------------- the same as the naive twin -------------------------------------- */

/* Collects one number per run and compares mean and interval. */
typedef struct sample {
    long double *x;
    uint32_t runs;
} sample;

static void compare(const sample *s, estimate got, const char *what) {
    double mean = (double)naive_mean(s->x, s->runs), ci95 = (double)naive_ci95(s->x, s->runs);
    double tolerance = 1e-11 * (1.0 + fabs(mean) + (s->runs > 1 ? fabs(ci95) : 0.0));
    assert_that(fabs(got.mean - mean) <= tolerance, "%s: mean %.17g, not %.17g", what, got.mean, mean);
    if (s->runs == 1)
        assert_that(isnan(got.ci95), "%s: an interval from one run", what);
    else
        assert_that(fabs(got.ci95 - ci95) <= tolerance, "%s: interval %.17g, not %.17g", what, got.ci95, ci95);
}

static void compare_curves(const results *r, const naive *n, sample *s) {
    const agenda *a = r->agenda;
    for (int c = 0; c < a->competitors; c++)
        for (int p = 0; p < a->point_count; p += 1 + a->point_count / 80) {
            int at = c * a->point_count + p;
            for (uint32_t run = 0; run < s->runs; run++) s->x[run] = naive_sum(n, c, run, a->points[p]);
            compare(s, r->regret_curve[at], "regret curve");
            for (uint32_t run = 0; run < s->runs; run++) s->x[run] = naive_at(n, c, run, a->points[p]) == 0.0;
            if (a->arms > 0)
                compare(s, r->optimal_curve[at], "optimal curve");
            else
                assert_true(isnan(r->optimal_curve[at].mean) && isnan(r->optimal_curve[at].ci95));
        }
}

static void compare_finals(const results *r, const naive *n, sample *s) {
    const agenda *a = r->agenda;
    uint64_t rounds = a->experiment->rounds, begin = rounds - a->tail;
    const estimate *pair = r->pairs;
    for (int c = 0; c < a->competitors; c++) {
        const estimate *last = &r->regret_curve[(c + 1) * a->point_count - 1];
        assert_memory_equal(&r->regret[c], last, sizeof *last);
        for (uint32_t run = 0; run < s->runs; run++) {
            s->x[run] = 0.0L;
            for (uint64_t t = begin + 1; t <= rounds; t++) s->x[run] += naive_at(n, c, run, t) == 0.0;
            s->x[run] /= a->tail;
        }
        if (a->arms > 0)
            compare(s, r->optimal[c], "optimal rate");
        else
            assert_true(isnan(r->optimal[c].mean));
        for (int d = c + 1; d < a->competitors; d++, pair++) {
            for (uint32_t run = 0; run < s->runs; run++)
                s->x[run] = naive_sum(n, c, run, rounds) - naive_sum(n, d, run, rounds);
            compare(s, *pair, "pair");
        }
    }
}

static bool plays(const agenda *a, int selector, int learner) {
    selector_team crew = a->experiment->teams[selector];
    for (int k = 0; k < crew.count; k++)
        if (crew.learners[k] == learner) return true;
    return false;
}

/* The results have no values for a selector and a learner that it does not play. */
static void assert_nothing_said(const results *r, int selector, int learner) {
    const agenda *a = r->agenda;
    int at = selector * a->learners + learner;
    assert_true(isnan(r->learner_plays[at]) && isnan(r->learner_regret[at]) && isnan(r->learner_coefficient[at]));
    for (int p = 0; p < a->point_count; p++)
        assert_true(r->share[(selector * a->point_count + p) * a->learners + learner] == 0.0);
    for (int q = 0; q < MATCHING_ROUNDS; q++) {
        int slot = (selector * MATCHING_ROUNDS + q) * a->learners + learner;
        assert_true(isnan(r->matching_chosen[slot]) && isnan(r->matching_best[slot]) && isnan(r->matching_z[slot]));
    }
}

static void compare_learner(const results *r, const naive *n, int selector, int learner, sample *s) {
    const agenda *a = r->agenda;
    int at = selector * a->learners + learner;
    uint64_t end = a->experiment->rounds + 1, plays;
    for (uint32_t run = 0; run < s->runs; run++) {
        naive_inside(n, selector, run, learner, end, &plays);
        s->x[run] = plays;
    }
    assert_close(r->learner_plays[at], (double)naive_mean(s->x, s->runs), 1e-9);
    for (uint32_t run = 0; run < s->runs; run++) s->x[run] = naive_inside(n, selector, run, learner, end, &plays);
    assert_close(r->learner_regret[at], (double)naive_mean(s->x, s->runs), 1e-9);
    for (uint32_t run = 0; run < s->runs; run++) s->x[run] = naive_coefficient(n, selector, run, learner);
    assert_close(r->learner_coefficient[at], (double)naive_quantile(s->x, s->runs), 1e-9);
    for (int p = 0; p < a->point_count; p++) {
        uint32_t chosen = 0;
        for (uint32_t run = 0; run < s->runs; run++) chosen += naive_choice(n, selector, run, a->points[p]) == learner;
        assert_true(r->share[(selector * a->point_count + p) * a->learners + learner] == (double)chosen / s->runs);
    }
}

static void compare_d_star(const results *r, const naive *n, int selector, sample *s) {
    const agenda *a = r->agenda;
    uint64_t plays;
    for (uint32_t run = 0; run < s->runs; run++) {
        s->x[run] = INFINITY;
        for (int m = 0; m < a->learners; m++) {
            naive_inside(n, selector, run, m, a->experiment->rounds + 1, &plays);
            if (plays > 0) s->x[run] = fminl(s->x[run], naive_coefficient(n, selector, run, m));
        }
    }
    assert_close(r->d_star_95[selector], (double)naive_quantile(s->x, s->runs), 1e-9);
    assert_close(r->d_star_largest[selector], (double)s->x[s->runs - 1], 1e-9);
}

/* 1/k if the learner is one of the k that did best before this round. */
static long double best_share(const agenda *a, const naive *n, int selector, uint32_t run, int learner,
                              uint64_t round) {
    long double own = naive_charge(n, selector, run, learner, round);
    int ties = 0;
    for (int k = 0; k < a->experiment->teams[selector].count; k++) {
        int m = a->experiment->teams[selector].learners[k];
        long double other = naive_charge(n, selector, run, m, round);
        if (other < own) return 0.0L;
        ties += other == own;
    }
    return 1.0L / ties;
}

static void compare_matching(const results *r, const naive *n, int selector, int learner, sample *s) {
    const agenda *a = r->agenda;
    for (int q = 0; q < a->matching_count[selector]; q++) {
        int slot = selector * MATCHING_ROUNDS + q, at = slot * a->learners + learner;
        uint64_t round = a->matching[slot];
        uint32_t chosen = 0;
        long double best = 0.0L;
        for (uint32_t run = 0; run < s->runs; run++) {
            bool is = naive_choice(n, selector, run, round) == learner;
            long double share = best_share(a, n, selector, run, learner, round);
            chosen += is, best += share;
            s->x[run] = is - share;
        }
        assert_true(r->matching_chosen[at] == (double)chosen / s->runs);
        assert_close(r->matching_best[at], (double)(best / s->runs), 1e-12);
        long double mean = naive_mean(s->x, s->runs), error = naive_ci95(s->x, s->runs) / 1.96L;
        if (error > 1e-15L)
            assert_close(r->matching_z[at], (double)(mean / error), 1e-8 * (1.0 + fabs((double)(mean / error))));
        else
            assert_true(isnan(r->matching_z[at]) || r->matching_z[at] == 0.0);
    }
}

LAW(statistics_match_a_twin_that_keeps_everything) {
    for (int i = 0; i < scene_count(); i++) {
        agenda *a;
        results *r = scene_run(scene(i), 2, &a);
        naive n = naive_run(a);
        sample s = {calloc(scene(i)->runs, sizeof(long double)), scene(i)->runs};
        compare_curves(r, &n, &s);
        compare_finals(r, &n, &s);
        for (int k = 0; k < a->selectors; k++) {
            compare_d_star(r, &n, k, &s);
            for (int m = 0; m < a->learners; m++) {
                if (!plays(a, k, m)) {
                    assert_nothing_said(r, k, m);
                    continue;
                }
                compare_learner(r, &n, k, m, &s);
                compare_matching(r, &n, k, m, &s);
            }
        }
        free(s.x);
        naive_free(&n);
        results_free(r);
        agenda_free(a);
    }
}

/* ------------------------------------------------ the same bits -------------------------------------------- */

/* A learner that waits now and then, differently in every execution, so that blocks finish in another order. */
static posse_error dawdler_prepare(const posse_setup *setup, void **plan) {
    int *arms = *plan = posse_setup_allocate(setup, sizeof *arms);
    *arms = posse_space_arms(setup->space);
    return POSSE_OK;
}

static size_t dawdler_size(const void *plan) {
    return (void)plan, 0;
}

static int dawdler_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)state, (void)point;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_nsec / 128 % 64 == 0) nanosleep(&(struct timespec){.tv_nsec = now.tv_nsec / 8192 % 8 * 100000}, NULL);
    return (int)posse_draw_index(draw, (uint64_t) * (const int *)plan);
}

static void dawdler_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

static const posse_learner_ops dawdler = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                   .name = "dawdler",
                                                   .help = "takes its time",
                                                   .prepare = dawdler_prepare,
                                                   .state_size = dawdler_size},
                                          .act = dawdler_act,
                                          .learn = dawdler_learn};

/* The content of every CSV file, in one text. */
static char *csv_text(const results *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (table_id table = 0; table < TABLE_COUNT; table++) csv_write(out, table, r);
    fclose(out);
    return text;
}

static void assert_same_on_any_thread_count(const experiment *e) {
    static const int threads[] = {1, 2, 3, 7};
    char *first = NULL;
    uint64_t hash = 0;
    for (int t = 0; t < LENGTH(threads); t++) {
        agenda *a;
        results *r = scene_run(e, threads[t], &a);
        char *text = csv_text(r);
        if (t > 0) {
            assert_true(r->hash == hash);
            assert_string_equal(text, first);
        }
        free(first);
        first = text;
        hash = r->hash;
        results_free(r);
        agenda_free(a);
    }
    free(first);
}

LAW(same_bits_on_any_thread_count) {
    for (int i = 0; i < scene_count(); i++) assert_same_on_any_thread_count(scene(i));
}

LAW(same_bits_whoever_finishes_first) {
    assert_int_equal(posse_learner_register(&dawdler), POSSE_OK);
    posse_part learners[] = {{.kind = "dawdler", .name = "dawdler"}, {.kind = "ucb", .name = "ucb"}};
    experiment e = *scene_named("gaussian");
    e.learners = learners;
    e.learner_count = 2;
    e.teams = scene_teams(2);
    scene_settle(&e);
    assert_same_on_any_thread_count(&e);
}

static bool take_slowly(void *context, const block *b) {
    (void)b;
    *(int *)context += 1;
    return nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL) == 0;
}

/* While a block is taken, others get ready, so that the next ones are taken together by several threads. */
LAW(same_bits_when_blocks_are_taken_together) {
    for (int i = 0; i < scene_count(); i++) {
        agenda *a, *b;
        int taken = 0;
        results *expected = scene_run(scene(i), 1, &a), *r = NULL;
        b = agenda_make(scene(i));
        runner_options how = {.threads = 7, .take = take_slowly, .context = &taken};
        assert_int_equal(experiment_run(b, &how, &r, NULL), RUNNER_DONE);
        char *text = csv_text(r), *first = csv_text(expected);
        assert_int_equal(taken, b->blocks);
        assert_true(r->hash == expected->hash);
        assert_string_equal(text, first);
        free(text), free(first), results_free(r), results_free(expected), agenda_free(a), agenda_free(b);
    }
}

/* The CSV files of an experiment with these learners only, in this order. */
static char *said_without_the_others(experiment e, const selector_team *crew, estimate *regret) {
    posse_part learners[3];
    for (int k = 0; k < crew->count; k++) learners[k] = e.learners[crew->learners[k]];
    e.learners = learners;
    e.learner_count = crew->count;
    e.teams = scene_teams(crew->count);
    agenda *a;
    results *r = scene_run(&e, 2, &a);
    char *text = csv_text(r);
    *regret = r->regret[0];
    results_free(r);
    agenda_free(a);
    return text;
}

static void assert_others_do_not_matter(experiment e, selector_team *crew) {
    estimate expected, with_solos;
    char *without = said_without_the_others(e, crew, &expected);
    e.teams = crew;
    agenda *a;
    results *r = scene_run(&e, 2, &a);
    char *text = csv_text(r);
    assert_string_equal(text, without);
    free(text), free(without), results_free(r), agenda_free(a);
    e.solo = true;
    r = scene_run(&e, 2, &a);
    with_solos = r->regret[0];
    assert_memory_equal(&with_solos, &expected, sizeof expected);
    results_free(r), agenda_free(a);
}

/* A selector over some learners of a file has the results of a file with only these learners, to the last bit. */
LAW(a_selector_over_some_learners_knows_nothing_of_the_others) {
    static const int places[][3] = {{0}, {1}, {2}, {0, 1}, {1, 0}, {2, 0}, {1, 2}, {2, 0, 1}};
    static const int counts[] = {1, 1, 1, 2, 2, 2, 2, 3};
    for (int i = 0; i < scene_count(); i++) {
        experiment e = *scene(i);
        e.runs = e.runs < 20 ? e.runs : 20;
        e.rounds = e.rounds < 300 ? e.rounds : 300;
        e.solo = false;
        for (int s = 0; s < scene(i)->selector_count; s++)
            for (int t = 0; t < LENGTH(counts); t++) {
                selector_team crew = {places[t], counts[t]};
                bool there = true;
                for (int k = 0; k < crew.count; k++) there = there && crew.learners[k] < e.learner_count;
                e.selectors = &scene(i)->selectors[s];
                e.selector_count = 1;
                if (there) assert_others_do_not_matter(e, &crew);
            }
    }
}

/* Nor do the teams of one experiment influence each other. */
LAW(a_selector_knows_nothing_of_other_teams) {
    const experiment *all = scene_named("teams");
    agenda *a, *b;
    results *together = scene_run(all, 3, &a);
    for (int s = 0; s < all->selector_count; s++) {
        experiment e = *all;
        e.selectors = &all->selectors[s];
        e.teams = &all->teams[s];
        e.selector_count = 1;
        results *apart = scene_run(&e, 3, &b);
        size_t points = (size_t)a->point_count, shares = points * (size_t)a->learners;
        assert_memory_equal(together->regret_curve + (size_t)s * points, apart->regret_curve,
                            points * sizeof(estimate));
        assert_memory_equal(together->share + (size_t)s * shares, apart->share, shares * sizeof(double));
        assert_true(together->d_star_95[s] == apart->d_star_95[0]);
        results_free(apart);
        agenda_free(b);
    }
    results_free(together);
    agenda_free(a);
}

LAW(another_seed_gives_another_hash) {
    experiment e = *scene_named("gaussian");
    agenda *a, *b;
    results *r = scene_run(&e, 1, &a);
    e.seed++;
    results *q = scene_run(&e, 1, &b);
    assert_true(r->hash != q->hash);
    results_free(r), results_free(q);
    agenda_free(a), agenda_free(b);
}

/* -------------------------------------------------- claims ------------------------------------------------- */

static claim claimed(pool *memory, const char *holds) {
    claim c = {.says = holds, .holds = holds};
    size_t column;
    const char *message;
    assert_true(claim_parse(&c, memory, &column, &message));
    return c;
}

LAW(claims_speak_of_the_runs) {
    pool *memory = pool_create(NULL);
    claim claims[] = {claimed(memory, "regret(\"timid\", 7) < regret(\"B-MS\", 40)"),
                      claimed(memory, "regret(\"bold\") > regret(\"B-MS\")"), claimed(memory, "best_learner() < 1000"),
                      claimed(memory, "optimal(\"oracle\") <= optimal(\"timid\")")};
    experiment e = *scene_named("gaussian");
    e.claims = claims;
    e.claim_count = LENGTH(claims);
    agenda *a;
    results *r = scene_run(&e, 2, &a);
    int timid = agenda_find(a, "timid"), bold = agenda_find(a, "bold"), points = a->point_count;
    assert_int_equal(a->watched_count, 2);
    assert_close(r->claims[0].margin, r->regret_curve[39].mean - r->regret_curve[timid * points + 6].mean, 1e-9);
    assert_close(r->claims[1].margin, r->regret[bold].mean - r->regret[0].mean, 1e-9);
    assert_close(r->claims[1].ci95, r->pairs[bold - 1].ci95, 1e-9);
    double least = INFINITY;
    for (int c = a->selectors; c < a->oracle; c++) least = fmin(least, r->regret[c].mean);
    assert_close(r->claims[2].margin, 1000.0 - least, 1e-9);
    assert_int_equal(r->claims[2].verdict, CLAIM_HOLDS);
    assert_close(r->claims[3].margin, r->optimal[timid].mean - r->optimal[a->oracle].mean, 1e-9);
    results_free(r);
    agenda_free(a);
    pool_free(memory);
}

/* ------------------------------------------------- matching ------------------------------------------------ */

/* The largest |z| over all selectors, learners and rounds. */
static double worst_z(const experiment *e) {
    agenda *a;
    results *r = scene_run(e, 2, &a);
    double worst = 0.0;
    for (int s = 0; s < a->selectors; s++)
        for (int i = 0; i < a->matching_count[s] * a->learners; i++)
            worst = fmax(worst, fabs(r->matching_z[s * MATCHING_ROUNDS * a->learners + i]));
    results_free(r);
    agenda_free(a);
    return worst;
}

LAW(choices_match_the_truth_where_the_belief_is_true) {
    for (int i = 0; i < scene_count(); i++) {
        experiment e = *scene(i);
        if (e.selector_count == 0 || e.rounds < 20 || strcmp(e.name, "moving") == 0) continue; /* no belief moves */
        e.solo = false;
        e.runs = (uint32_t)(20000 * law_effort());
        e.rounds = strcmp(e.name, "linear") == 0 || strcmp(e.name, "ball") == 0 ? 60 : 200;
        double worst = worst_z(&e);
        assert_that(worst < Z_MAX, "%s: |z| = %.2f", e.name, worst);
    }
}

LAW(choices_do_not_match_where_the_belief_is_wrong) {
    static const double wrong[] = {0.0, 0.0, 2.0};
    const posse_part prior = {.kind = "gaussian", .options = {LIST("mean", wrong), NUMBER("sd", 0.2)}};
    posse_part selector = {.kind = "bms", .name = "misled", .options = {{.key = "belief", .part = &prior}}};
    experiment e = *scene_named("gaussian");
    e.solo = false;
    e.runs = 20000;
    e.rounds = 200;
    e.selectors = &selector;
    e.selector_count = 1;
    scene_settle(&e);
    double worst = worst_z(&e);
    assert_that(worst > 20.0, "|z| = %.2f", worst);
}

/* Every learner of a team is best in some share of the runs, so the shares of all add up to 1. */
static void assert_shares_add_up(const agenda *a, const results *r) {
    for (int s = 0; s < a->selectors; s++)
        for (int q = 0; q < a->matching_count[s]; q++) {
            double best = 0.0;
            for (int m = 0; m < a->learners; m++) {
                double share = r->matching_best[(s * MATCHING_ROUNDS + q) * a->learners + m];
                best += isnan(share) ? 0.0 : share;
            }
            assert_that(fabs(best - 1.0) < 1e-9, "%s, %s: shares of the best add up to %g", a->experiment->name,
                        a->experiment->selectors[s].name, best);
        }
}

LAW(some_learner_is_best_in_every_run) {
    for (int i = 0; i < scene_count(); i++) {
        agenda *a;
        results *r = scene_run(scene(i), 1, &a);
        assert_shares_add_up(a, r);
        results_free(r);
        agenda_free(a);
    }
}

/* With its whole history a selector chooses by the lemma, which is about the regret of plays. */
LAW(choices_match_the_truth_in_contexts) {
    static posse_part learners[] = {{.kind = "linear-ucb", .name = "ucb"},
                                    {.kind = "epsilon-greedy", .name = "greedy"},
                                    {.kind = "fixed", .name = "first", .options = {NUMBER("arm", 0)}}};
    static posse_part selectors[] = {
        {.kind = "bms",
         .name = "all of history",
         .options = {WORD("memory", "all"), NUMBER("recency", 1), NUMBER("hold", 0)}},
        {.kind = "bms-plus", .name = "bounded", .options = {NUMBER("memory", 4)}},
    };
    static const char *const models[] = {"joint", "disjoint"}, *const features[] = {"dim", "context"};
    for (int i = 0; i < LENGTH(models); i++) {
        experiment e = *scene_named("gaussian");
        e.name = e.title = models[i];
        e.environment = (posse_part){.kind = "contextual",
                                     .options = {WORD("model", models[i]), NUMBER(features[i], 3), NUMBER("arms", 4)}};
        e.learners = learners, e.learner_count = LENGTH(learners);
        e.selectors = selectors, e.selector_count = LENGTH(selectors), e.teams = scene_teams(3);
        e.solo = false, e.claim_count = 0, e.rounds = 60, e.runs = (uint32_t)(2000 * law_effort());
        scene_settle(&e);
        agenda *a;
        results *r = scene_run(&e, 2, &a);
        assert_true(a->matching_count[0] > 5);
        assert_int_equal(a->matching_count[1], 0); /* its charges are estimates */
        assert_shares_add_up(a, r);
        for (int k = 0; k < a->matching_count[0] * a->learners; k++)
            assert_that(fabs(r->matching_z[k]) < Z_MAX, "%s: z = %.2f", e.name, r->matching_z[k]);
        results_free(r);
        agenda_free(a);
    }
}

/* A learner is not charged for arms that the floor draws. Charged for all its arms, it would not match. */
LAW(choices_match_the_truth_with_a_floor) {
    static posse_part learners[] = {{.kind = "ucb", .name = "shy", .options = {NUMBER("width", 0.05)}},
                                    {.kind = "ucb", .name = "bold"},
                                    {.kind = "epsilon-greedy", .name = "noisy", .options = {NUMBER("epsilon", 0.5)}}};
    static posse_part selectors[] = {
        {.kind = "bms", .name = "floor", .options = {NUMBER("floor", 0.4)}},
        {.kind = "bms", .name = "batches", .options = {NUMBER("floor", 0.2), NUMBER("batch", 3)}}};
    experiment e = *scene_named("gaussian");
    e.learners = learners, e.learner_count = LENGTH(learners);
    e.selectors = selectors, e.selector_count = LENGTH(selectors), e.teams = scene_teams(3);
    e.solo = false, e.claim_count = 0, e.rounds = 90, e.runs = (uint32_t)(4000 * law_effort());
    scene_settle(&e);
    agenda *a;
    results *r = scene_run(&e, 2, &a);
    assert_true(a->matching_count[0] > 5 && a->matching_count[1] > 5);
    assert_shares_add_up(a, r);
    for (int s = 0; s < a->selectors; s++)
        for (int k = 0; k < a->matching_count[s] * a->learners; k++) {
            double z = r->matching_z[s * MATCHING_ROUNDS * a->learners + k];
            assert_that(!(fabs(z) >= Z_MAX), "%s: z = %.2f", selectors[s].name, z);
        }
    results_free(r);
    agenda_free(a);
}

/* ---------------------------------------- complete and stopped runs ---------------------------------------- */

/* Peak memory cannot shrink, so the short experiment comes first. A sanitizer keeps freed memory, so the test is
 * skipped there. */
LAW(memory_does_not_grow_with_runs) {
    static const uint32_t runs[] = {5000, 400000};
    if (law_effort() < 1.0) skip();
    struct rusage peak[LENGTH(runs)];
    experiment e = *scene_named("gaussian");
    e.rounds = 5;
    agenda *a;
    for (int i = 0; i < LENGTH(runs); i++) {
        e.runs = runs[i];
        results_free(scene_run(&e, 2, &a));
        agenda_free(a);
        getrusage(RUSAGE_SELF, &peak[i]);
    }
    /* Storing 2 x 7 final values per run would take 45 MB. The heaps of 12 quantiles take 2 MB. */
    long grown = peak[1].ru_maxrss - peak[0].ru_maxrss;
    assert_that(grown < 8000, "400,000 runs take %ld kB more than 5,000", grown);
}

typedef struct watch {
    volatile sig_atomic_t stop;
    uint32_t next;   /* the run that is expected next */
    uint32_t refuse; /* `take` refuses from this run on; 0: it sets `stop` instead */
    uint64_t rounds, total;
} watch;

static bool take(void *context, const block *b) {
    watch *w = context;
    assert_int_equal(b->first, w->next);
    w->next += b->count;
    if (w->next > 60) w->stop = w->refuse == 0;
    return w->refuse == 0 || w->next < w->refuse;
}

static void progress(void *context, uint64_t rounds, uint64_t total) {
    watch *w = context;
    assert_true(rounds >= w->rounds && rounds <= total);
    w->rounds = rounds;
    w->total = total;
}

static runner_status run_watched(watch *w, const experiment *e, runner_message *why) {
    agenda *a = agenda_make(e);
    results *r = NULL;
    runner_options how = {.threads = 3, .take = take, .progress = progress, .context = w, .stop = &w->stop};
    runner_status status = experiment_run(a, &how, &r, why);
    assert_int_equal(r != NULL, status == RUNNER_DONE);
    results_free(r);
    agenda_free(a);
    return status;
}

LAW(stops_when_told_to) {
    watch w = {0};
    runner_message why;
    assert_int_equal(run_watched(&w, scene_named("gaussian"), &why), RUNNER_STOPPED);
    assert_true(w.next > 60 && w.next < scene_named("gaussian")->runs);
    w = (watch){.stop = 1};
    assert_int_equal(run_watched(&w, scene_named("gaussian"), &why), RUNNER_STOPPED);
}

LAW(stops_when_blocks_are_refused) {
    watch w = {.refuse = 50};
    runner_message why;
    assert_int_equal(run_watched(&w, scene_named("gaussian"), &why), RUNNER_REFUSED);
    assert_true(w.next >= 50 && w.next < 60);
}

LAW(progress_ends_with_every_round) {
    watch w = {.refuse = UINT32_MAX};
    runner_message why;
    const experiment *e = scene_named("gaussian");
    assert_int_equal(run_watched(&w, e, &why), RUNNER_DONE);
    assert_int_equal(w.next, e->runs);
    assert_int_equal(w.rounds, w.total);
    assert_int_equal(w.total, 6ull * e->runs * e->rounds);
}

/* Picks an arm that does not exist once in 1000 rounds, so that a few of the 141 runs fail. */
static int stray_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)state, (void)point;
    return posse_draw_uniform(draw) < 0.001 ? *(const int *)plan : 0;
}

LAW(what_goes_wrong_in_a_run_is_told_with_its_name) {
    posse_learner_ops stray = dawdler;
    stray.kind.name = "stray";
    stray.act = stray_act;
    assert_int_equal(posse_learner_register(&stray), POSSE_OK);
    posse_part learners[] = {{.kind = "ucb", .name = "ucb"}, {.kind = "stray", .name = "astray"}};
    experiment e = *scene_named("gaussian");
    e.selector_count = 0;
    e.learners = learners;
    e.learner_count = 2;
    scene_settle(&e);
    watch w = {.refuse = UINT32_MAX};
    runner_message why;
    assert_int_equal(run_watched(&w, &e, &why), RUNNER_FAILED);
    assert_non_null(strstr(why.text, "astray, run "));
    assert_non_null(strstr(why.text, "\"astray\" (stray) picked arm "));
    assert_non_null(strstr(why.text, ", and there are only arms 0 to "));
}
