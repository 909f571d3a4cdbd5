/* SPDX-License-Identifier: MIT */
/*
 * Tasks, one after the other. Hierarchical beliefs are compared with the joint normal distribution of all rewards of
 * all tasks, which is written out and solved in long double. Other tests are about what a posse forgets between tasks,
 * and about environments that draw tasks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "belief/hierarchical.h"
#include "matching.h"
#include "naive.h"
#include "oracle.h"
#include "scenes.h"

#define ARMS 5
#define TASKS 4
#define TASK_REWARDS 24

/* ------------------------------------------- a posterior written out ------------------------------------------- */

typedef struct hierarchy {
    double mean[ARMS], mean_sd[ARMS], noise;
    double spreads[6];
    int count;
} hierarchy;

typedef struct told {
    int task, arm;
    double reward;
} told;

/* The posterior of the mean of each arm in task `now`, given all rewards of all tasks so far and one spread. */
static void write_out(const hierarchy *h, double spread, const told *past, int count, int now, posterior *out) {
    *out = (posterior){.dim = ARMS, .likelihood = 0.0L};
    long double g = (long double)spread * spread, noise = (long double)h->noise * h->noise;
    for (int a = 0; a < ARMS; a++) {
        long double shared = (long double)h->mean_sd[a] * h->mean_sd[a];
        long double *c = calloc((size_t)count * (size_t)count + 1, sizeof *c);
        long double off[TASKS * TASK_REWARDS] = {0}, with[TASKS * TASK_REWARDS] = {0}, solved[TASKS * TASK_REWARDS];
        int task[TASKS * TASK_REWARDS], n = 0;
        for (int i = 0; i < count; i++)
            if (past[i].arm == a) {
                off[n] = (long double)past[i].reward - h->mean[a];
                task[n++] = past[i].task;
            }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                c[i * n + j] = shared + (task[i] == task[j] ? g : 0.0L) + (i == j ? noise : 0.0L);
            solved[i] = off[i];
            with[i] = shared + (task[i] == now ? g : 0.0L);
        }
        factorize(n, c);
        solve(n, c, solved);
        out->mean[a] = h->mean[a];
        out->likelihood -= 0.5L * (long double)n * 1.8378770664093454836L;
        for (int i = 0; i < n; i++) {
            out->mean[a] += with[i] * solved[i];
            out->likelihood -= 0.5L * off[i] * solved[i] + logl(c[i * n + i]);
        }
        memcpy(solved, with, sizeof solved);
        solve(n, c, solved);
        out->covariance[a][a] = shared + g;
        for (int i = 0; i < n; i++) out->covariance[a][a] -= with[i] * solved[i];
        free(c);
    }
}

/* The same, averaged over all spreads, which are equally likely before any reward. */
static void write_out_all(const hierarchy *h, const told *past, int count, int now, posterior *out,
                          long double weights[6]) {
    posterior of[6];
    long double top = -INFINITY, total = 0.0L;
    for (int g = 0; g < h->count; g++) {
        write_out(h, h->spreads[g], past, count, now, &of[g]);
        top = fmaxl(top, of[g].likelihood);
    }
    for (int g = 0; g < h->count; g++) total += weights[g] = expl(of[g].likelihood - top);
    *out = (posterior){.dim = ARMS, .likelihood = top + logl(total / h->count)};
    for (int g = 0; g < h->count; g++) weights[g] /= total;
    for (int a = 0; a < ARMS; a++) {
        for (int g = 0; g < h->count; g++) out->mean[a] += weights[g] * of[g].mean[a];
        for (int g = 0; g < h->count; g++) {
            long double distance = of[g].mean[a] - out->mean[a];
            out->covariance[a][a] += weights[g] * (of[g].covariance[a][a] + distance * distance);
        }
    }
}

static const hierarchy usual = {{0}, {1.0, 1.0, 1.0, 1.0, 1.0}, 1.0, {0.1, 0.2, 0.35, 0.6, 1.0, 1.7}, 6};
static const posse_part usual_belief = {.kind = "hierarchical"};
static const hierarchy odd = {{0.5, -1.0, 0.0, 2.0, 0.1}, {0.3, 2.0, 0.5, 1.0, 4.0}, 0.6, {0.15, 0.9}, 2};
static const posse_part odd_belief = {.kind = "hierarchical",
                                      .options = {LIST("mean", odd.mean),
                                                  LIST("mean-sd", odd.mean_sd),
                                                  {.key = "spread", .list = odd.spreads, .count = 2},
                                                  NUMBER("noise", 0.6)}};
static const hierarchy known = {{0}, {1.0, 1.0, 1.0, 1.0, 1.0}, 2.0, {0.25}, 1};
static const posse_part known_belief = {.kind = "hierarchical",
                                        .options = {NUMBER("spread", 0.25), NUMBER("noise", 2.0)}};

static const posse_def five_arms = {.arms = ARMS, .seed = 1};

static void assert_written_out(const twin *t, const hierarchy *h, const told *past, int count, int now) {
    posterior right;
    long double weights[6];
    double mean, variance, means[ARMS] = {0}, believed[6];
    write_out_all(h, past, count, now, &right, weights);
    belief_add_mean(&t->belief, t->state, 1.0, means);
    for (int a = 0; a < ARMS; a++) {
        t->belief.ops->moments(t->belief.part.plan, t->state, a, NULL, &mean, &variance);
        assert_close(mean, (double)right.mean[a], 1e-11);
        assert_close(means[a], (double)right.mean[a], 1e-11);
        assert_close(variance, (double)right.covariance[a][a], 1e-11);
    }
    assert_int_equal(hierarchical_count(t->belief.part.plan), h->count);
    hierarchical_weights(t->belief.part.plan, t->state, believed);
    for (int g = 0; g < h->count; g++) assert_close(believed[g], (double)weights[g], 1e-10);
}

/* Arms are picked at random, and some are not picked in any round of a task. */
static void tell_tasks(const posse_part *part_, const hierarchy *h, uint64_t seed) {
    twin t;
    told past[TASKS * TASK_REWARDS];
    int count = 0;
    double evidence = 0.0;
    twin_open(&t, &five_arms, part_);
    for (int task = 0; task < TASKS; task++) {
        if (task > 0) belief_next_task(&t.belief, t.state, NULL);
        assert_written_out(&t, h, past, count, task);
        for (int n = 0; n < TASK_REWARDS; n++) {
            int arm = (int)random_below(&seed, (uint64_t)(2 + task));
            told now = {task, arm, 0.4 * arm + 3.0 * random_uniform(&seed) - 1.5};
            evidence += belief_evidence(&t.belief, t.state, arm, NULL, now.reward);
            belief_update(&t.belief, t.state, arm, NULL, now.reward);
            past[count++] = now;
            if (n % 8 == 0) assert_written_out(&t, h, past, count, task);
        }
        assert_true(part_state_sane(&t.belief.part, t.state));
    }
    posterior right;
    long double weights[6];
    write_out_all(h, past, count, TASKS - 1, &right, weights);
    assert_close(evidence, (double)right.likelihood, 1e-10);
    twin_close(&t);
}

LAW(tasks_tell_of_what_they_share) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tell_tasks(&usual_belief, &usual, seed);
        tell_tasks(&odd_belief, &odd, seed);
        tell_tasks(&known_belief, &known, seed);
    }
}

/* ------------------------------------------------ a prior that is drawn ---------------------------------------- */

static void learn_task(twin *t, uint64_t seed) {
    for (int n = 0; n < 30; n++) belief_update(&t->belief, t->state, n % ARMS, NULL, 2.0 * random_uniform(&seed));
}

/* Both methods learn the same from earlier tasks. In a new task, `meta` draws a prior mean and takes it for the
 * truth. */
LAW(a_drawn_prior_is_taken_for_the_truth) {
    static const posse_part meta = {.kind = "hierarchical", .options = {WORD("method", "meta"), NUMBER("spread", 0.3)}};
    static const posse_part exact = {.kind = "hierarchical", .options = {NUMBER("spread", 0.3)}};
    twin a, b;
    double mean, variance, right, wide;
    moments drawn = {0}, spread = {0};
    twin_open(&a, &five_arms, &meta);
    twin_open(&b, &five_arms, &exact);
    for (int n = 0; n < 3; n++) {
        learn_task(&a, (uint64_t)n), learn_task(&b, (uint64_t)n);
        belief_next_task(&a.belief, a.state, &a.draw);
        belief_next_task(&b.belief, b.state, &b.draw);
    }
    b.belief.ops->moments(b.belief.part.plan, b.state, 2, NULL, &right, &wide);
    for (int n = 0; n < 20000; n++) {
        belief_next_task(&a.belief, a.state, &a.draw);
        a.belief.ops->moments(a.belief.part.plan, a.state, 2, NULL, &mean, &variance);
        assert_close(variance, 0.09, 1e-12);
        moments_add(&drawn, mean);
        moments_add(&spread, (mean - right) * (mean - right));
    }
    assert_mean(&drawn, right);
    assert_mean(&spread, wide - 0.09);
    /* The rewards of the task are then learned as if the drawn mean were known. */
    double before = mean, reward = 1.7;
    assert_close(belief_evidence(&a.belief, a.state, 2, NULL, reward),
                 -0.5 * (log(2.0 * 3.14159265358979323846 * 1.09) + (reward - before) * (reward - before) / 1.09),
                 1e-12);
    belief_update(&a.belief, a.state, 2, NULL, reward);
    a.belief.ops->moments(a.belief.part.plan, a.state, 2, NULL, &mean, &variance);
    assert_close(mean, (before / 0.09 + reward) / (1.0 / 0.09 + 1.0), 1e-12);
    assert_close(variance, 1.0 / (1.0 / 0.09 + 1.0), 1e-12);
    twin_close(&a), twin_close(&b);
}

/* An arm that is added in the middle of a task has the predictive prior. A prior is drawn for it when the next task
 * begins. */
LAW(a_newcomer_has_the_prior_of_the_task) {
    static const posse_part meta = {.kind = "hierarchical",
                                    .options = {WORD("method", "meta"), NUMBER("spread", 0.3), NUMBER("mean", 2.0)}};
    posse *p = two_ucbs(with_option(algorithm_1, (posse_option){.key = "belief", .part = &meta}));
    double before[ARMS], means[ARMS + 1], deviations[ARMS + 1];
    assert_int_equal(posse_means(p, NULL, before), POSSE_OK);
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, deviations), POSSE_OK);
    for (int a = 0; a < ARMS; a++) assert_close(means[a], before[a], 1e-15);
    for (int a = 0; a < ARMS; a++) assert_close(deviations[a], 0.3, 1e-12);
    assert_close(means[ARMS], 2.0, 1e-15);
    assert_close(deviations[ARMS], sqrt(1.09), 1e-12);
    assert_int_equal(posse_next_task(p), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, deviations), POSSE_OK);
    assert_close(deviations[ARMS], 0.3, 1e-12);
    posse_free(p);
}

LAW(watching_a_drawn_prior_changes_no_decision) {
    static const posse_part meta = {.kind = "hierarchical", .options = {WORD("method", "meta")}};
    posse *p[2];
    double surprise;
    for (int i = 0; i < 2; i++) {
        posse_part selector = {.kind = "bms", .options = {{"belief", .part = &meta}, NUMBER("watch", i)}};
        p[i] = two_ucbs(selector);
    }
    for (int n = 0; n < 300; n++) {
        if (n % 60 == 59)
            for (int i = 0; i < 2; i++) assert_int_equal(posse_next_task(p[i]), POSSE_OK);
        posse_decision one = decided(p[0]), other = decided(p[1]);
        assert_int_equal(one.learner, other.learner);
        assert_int_equal(one.arm, other.arm);
        for (int i = 0; i < 2; i++)
            assert_int_equal(posse_learn(p[i], one.id, 0.1 * one.arm + 0.01 * (n % 7)), POSSE_OK);
    }
    assert_int_equal(posse_surprise(p[1], &surprise), POSSE_OK);
    posse_free(p[0]), posse_free(p[1]);
}

/* ------------------------------------------------- calibration ------------------------------------------------- */

#define DRAWS 15
#define RANKS (DRAWS + 1)

/* Plays three tasks by Thompson sampling. Returns the rank of one arm's true mean in the last task among worlds
 * drawn. */
static int rank_of_last(twin *t, uint32_t run, bool alike) {
    static posse_draw world;
    double mu[ARMS], theta[ARMS];
    int below = 0;
    draw_open(&world, 5, run, stream_named(STREAM_INSTANCE, NULL), 0);
    twin_begin(t, run, stream_named(STREAM_SELECTOR, NULL));
    double spread = posse_draw_uniform(&world) < 0.5 ? 0.2 : 1.0;
    for (int a = 0; a < ARMS; a++) mu[a] = 0.5 + 0.8 * posse_draw_normal(&world);
    for (int task = 0; task < 3; task++) {
        belief_next_task(&t->belief, t->state, alike ? &t->draw : NULL);
        for (int a = 0; a < ARMS; a++) theta[a] = mu[a] + spread * posse_draw_normal(&world);
        for (int n = 0; n < 12; n++) {
            int arm = twin_draw(t);
            belief_update(&t->belief, t->state, arm, NULL, theta[arm] + 0.7 * posse_draw_normal(&world));
        }
    }
    for (int n = 0; n < DRAWS; n++) {
        twin_draw(t);
        below += t->world[run % ARMS] < theta[run % ARMS];
    }
    return below;
}

static double worst_rank(const posse_part *belief, int replications) {
    twin t;
    double ranks[RANKS] = {0}, chi_square = 0.0, expected = (double)replications / RANKS;
    twin_open(&t, &five_arms, belief);
    for (int run = 0; run < replications; run++) ranks[rank_of_last(&t, (uint32_t)run, true)] += 1.0;
    for (int r = 0; r < RANKS; r++) chi_square += (ranks[r] - expected) * (ranks[r] - expected) / expected;
    twin_close(&t);
    return chi_square_z(chi_square, RANKS - 1);
}

static const double two_spreads[] = {0.2, 1.0};
#define BELIEVED(mean_sd_, ...)                                                                                        \
    {                                                                                                                  \
        .kind = "hierarchical", .options = {                                                                           \
            NUMBER("mean", 0.5),                                                                                       \
            NUMBER("mean-sd", mean_sd_),                                                                               \
            NUMBER("noise", 0.7),                                                                                      \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

LAW(ranks_of_the_truth_are_uniform_in_later_tasks) {
    static const posse_part right = BELIEVED(0.8, LIST("spread", two_spreads));
    static const posse_part narrow = BELIEVED(0.8, NUMBER("spread", 0.2)),
                            sure = BELIEVED(0.2, LIST("spread", two_spreads));
    static const posse_part meta = BELIEVED(0.8, LIST("spread", two_spreads), WORD("method", "meta"));
    int replications = (int)(40000 * law_effort());
    double exact = worst_rank(&right, replications);
    print_message("exact: chi-square at %.1f sigmas\n", exact);
    assert_that(exact < Z_MAX, "%.1f sigmas", exact);
    double wrong[] = {worst_rank(&narrow, replications), worst_rank(&sure, replications),
                      worst_rank(&meta, replications)};
    print_message("a spread too small: %.1f, a mean too sure: %.1f, meta: %.1f\n", wrong[0], wrong[1], wrong[2]);
    for (int i = 0; i < LENGTH(wrong); i++) assert_that(wrong[i] > 8.0, "%d goes unnoticed, %.1f sigmas", i, wrong[i]);
}

LAW(choices_match_truth_in_later_tasks) {
    static const posse_part environment = {
        .kind = "gaussian",
        .options = {NUMBER("arms", 4), NUMBER("prior.mean-sd", 1.0), NUMBER("prior.sd", 0.4), NUMBER("noise", 0.8)}};
    static const posse_part crew[] = {{.kind = "ucb", .options = {NUMBER("width", 0.1)}},
                                      {.kind = "thompson"},
                                      {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}},
                                      {.kind = "fixed", .options = {NUMBER("arm", 2)}}};
    static const posse_part wrong = {.kind = "hierarchical", .options = {NUMBER("spread", 0.1), NUMBER("noise", 0.8)}};
    matching m = {&environment, crew, LENGTH(crew), 2, AT_ONCE};
    uint32_t runs = (uint32_t)(20000 * law_effort());
    double worst = matching_worst(&m, NULL, runs), noticed = matching_worst(&m, &wrong, runs);
    print_message("worst |z| %.2f, of a wrong belief %.2f\n", worst, noticed);
    assert_that(worst < Z_MAX, "worst |z| = %.2f", worst);
    assert_that(noticed > 2.0 * Z_MAX, "a wrong belief goes unnoticed, |z| = %.2f", noticed);
}

/* --------------------------------------------------- posses ---------------------------------------------------- */

static void begin_task(parade *r) {
    for (int i = 0; i < r->count; i++) assert_int_equal(posse_next_task(r->marchers[i]), POSSE_OK);
    r->open_count = 0;
}

/* After a new task begins, the state of a posse is that of a new one, except for its streams and ids. */
static void forgets(const habitat *h, posse_part selector) {
    parade r;
    posse *fresh = habitat_posse(h, selector);
    parade_begin(&r, h, habitat_posse(h, selector), 3);
    posse *p = r.marchers[0];
    parade_march(&r, 70);
    begin_task(&r);
    assert_int_equal(posse_pending_count(p), 0);
    assert_memory_equal(p->selector.state, fresh->selector.state, p->selector.part.state_size);
    for (int i = 0; i < p->count; i++) {
        assert_int_equal(p->members[i].plays, 0);
        assert_memory_equal(p->members[i].state, fresh->members[i].state, p->members[i].part.state_size);
    }
    parade_march(&r, 20);
    parade_leave(&r);
    posse_free(fresh);
}

LAW(a_task_begins_as_if_new) {
    menagerie_add_examples();
    for_every_team(forgets);
}

/* Saved in the middle of a task and between two. */
static void marches_through_tasks(const habitat *h, posse_part selector, uint64_t seed) {
    parade r;
    parade_begin(&r, h, habitat_posse(h, selector), seed);
    for (int task = 0; task < 3; task++) {
        parade_march(&r, 5 + (int)random_below(&r.source, 60));
        if (task == 1) parade_join(&r);
        parade_march(&r, 20);
        begin_task(&r);
        if (task == 1) parade_join(&r);
    }
    parade_march(&r, 60);
    parade_leave(&r);
}

LAW(saved_is_same_through_tasks) {
    int count;
    const specimen *beliefs = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part selector = with_option(algorithm_1, (posse_option){.key = "belief", .part = &beliefs[i].part});
        marches_through_tasks(beliefs[i].home, selector, (uint64_t)i + 1);
    }
}

LAW(decisions_end_with_their_task) {
    posse *p = two_ucbs(algorithm_1);
    posse_decision open = decided(p), settled = decided(p);
    assert_int_equal(posse_learn(p, settled.id, 0.5), POSSE_OK);
    assert_int_equal(posse_next_task(p), POSSE_OK);
    assert_int_equal(posse_pending_count(p), 0);
    assert_refused(p, posse_learn(p, open.id, 0.5), POSSE_ERROR_SETTLED);
    assert_int_equal(decided(p).id, settled.id + 1);
    assert_int_equal(posse_next_task(NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

static void weights_after_task(const posse_part *components, double weights[2]) {
    static const double even[] = {1.0, 1.0};
    posse_part mixture = {.kind = "mixture",
                          .options = {{.key = "components", .part = components, .list = even, .count = 2}}};
    posse *p = two_ucbs(with_option(algorithm_1, (posse_option){.key = "belief", .part = &mixture}));
    for (int n = 0; n < 40; n++)
        assert_int_equal(posse_teach(p, &(posse_action){.arm = n % ARMS}, 5.0 * (n % ARMS)), POSSE_OK);
    assert_int_equal(posse_next_task(p), POSSE_OK);
    assert_int_equal(posse_weights(p, weights), POSSE_OK);
    posse_free(p);
}

/* Evidence between priors of an instance holds for its task only. Evidence that involves a hierarchical component
 * holds for all tasks. */
LAW(mixtures_carry_on_with_a_hierarchy) {
    static const posse_part plain[] = {{.kind = "gaussian", .options = {NUMBER("sd", 0.1)}}, {.kind = "gaussian"}};
    static const posse_part alike[] = {{.kind = "gaussian", .options = {NUMBER("sd", 0.1)}}, {.kind = "hierarchical"}};
    double weights[2];
    weights_after_task(plain, weights);
    assert_close(weights[0], 0.5, 0.0);
    weights_after_task(alike, weights);
    assert_true(weights[1] > 0.999);
}

/* posse_weights returns the weights of the spreads, and posse_means the means that were learned from earlier tasks. */
LAW(what_tasks_share_can_be_looked_at) {
    static const posse_part belief = {.kind = "hierarchical"};
    posse *p = two_ucbs(with_option(algorithm_1, (posse_option){.key = "belief", .part = &belief}));
    double weights[6], means[ARMS];
    assert_int_equal(posse_component_count(p), 6);
    for (int task = 0; task < 6; task++) {
        for (int n = 0; n < 200; n++)
            assert_int_equal(posse_teach(p, &(posse_action){.arm = n % ARMS}, n % ARMS), POSSE_OK);
        assert_int_equal(posse_next_task(p), POSSE_OK);
    }
    assert_int_equal(posse_weights(p, weights), POSSE_OK);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    assert_true(weights[0] + weights[1] > 0.9 && weights[5] < 0.001);
    for (int a = 0; a < ARMS; a++) assert_close(means[a], a, 0.05);
    posse_free(p);
}

/* ------------------------------------------------- environments ------------------------------------------------ */

LAW(tasks_of_a_run_are_alike) {
    static const posse_part alike = {.kind = "gaussian",
                                     .options = {NUMBER("arms", 3), NUMBER("prior.mean", 2.0),
                                                 NUMBER("prior.mean-sd", 1.5), NUMBER("prior.sd", 0.5)}};
    static const posse_part strange = {.kind = "gaussian", .options = {NUMBER("arms", 3), NUMBER("prior.mean", 2.0)}};
    posse_environment *e = environment_made(&alike, 9), *other = environment_made(&strange, 9);
    moments mean = {0}, variance = {0}, common = {0}, nothing = {0};
    for (uint32_t run = 0; run < 20000; run++) {
        double first[3], second[3];
        posse_environment_begin(e, run), posse_environment_begin(other, run);
        posse_environment_means(e, first);
        assert_int_equal(posse_environment_next_task(e), POSSE_OK);
        posse_environment_means(e, second);
        moments_add(&mean, second[1]);
        moments_add(&variance, (second[1] - 2.0) * (second[1] - 2.0));
        moments_add(&common, (first[1] - 2.0) * (second[1] - 2.0));
        posse_environment_means(other, first);
        assert_int_equal(posse_environment_next_task(other), POSSE_OK);
        posse_environment_means(other, second);
        moments_add(&nothing, (first[1] - 2.0) * (second[1] - 2.0));
    }
    assert_mean(&mean, 2.0);
    assert_mean(&variance, 1.5 * 1.5 + 0.5 * 0.5);
    assert_mean(&common, 1.5 * 1.5);
    assert_mean(&nothing, 0.0);
    posse_environment_free(e), posse_environment_free(other);
}

/* The n-th reward of a run has the n-th noise, whatever the tasks are. */
LAW(noise_goes_on_through_tasks) {
    static const posse_part alike = {.kind = "gaussian", .options = {NUMBER("arms", 3), NUMBER("prior.mean-sd", 1.0)}};
    posse_environment *e = environment_made(&alike, 9), *one = environment_made(&alike, 9);
    double means[3], single[3];
    posse_environment_means(one, single);
    for (int n = 0; n < 500; n++) {
        posse_decision d = {.arm = n % 3};
        if (n % 7 == 6) assert_int_equal(posse_environment_next_task(e), POSSE_OK);
        posse_environment_means(e, means);
        assert_close(posse_environment_reward(e, &d) - means[d.arm], posse_environment_reward(one, &d) - single[d.arm],
                     1e-14);
    }
    assert_int_equal(posse_environment_next_task(NULL), POSSE_ERROR_ARGUMENT);
    posse_environment_free(e), posse_environment_free(one);
}

/* ------------------------------------------------- experiments ------------------------------------------------- */

LAW(regret_of_tasks_adds_up) {
    agenda *a;
    const experiment *e = scene_named("tasks");
    results *r = scene_run(e, 2, &a);
    naive n = naive_run(a);
    long double *x = calloc(e->runs, sizeof *x);
    assert_int_equal(a->tasks, 4);
    for (int c = 0; c < a->competitors; c++) {
        double sum = 0.0;
        for (int task = 0; task < a->tasks; task++) {
            uint64_t end = (uint64_t)(task + 1) * a->task_rounds;
            estimate regret = r->task_regret[c * a->tasks + task];
            for (uint32_t run = 0; run < e->runs; run++)
                x[run] = naive_sum(&n, c, run, end) - naive_sum(&n, c, run, end - a->task_rounds);
            assert_close(regret.mean, (double)naive_mean(x, e->runs), 1e-9);
            assert_close(regret.ci95, (double)naive_ci95(x, e->runs), 1e-9);
            sum += regret.mean;
            assert_close(r->regret_curve[(size_t)c * (size_t)a->point_count + end - 1].mean, sum, 1e-9);
        }
        assert_close(r->regret[c].mean, sum, 1e-9);
    }
    for (int s = 0; s < a->selectors; s++)
        for (int q = 0; q < a->matching_count[s]; q++)
            assert_true(a->matching[s * MATCHING_ROUNDS + q] > e->rounds - a->task_rounds);
    free(x);
    naive_free(&n);
    results_free(r);
    agenda_free(a);
}

/* The number of rewards, over all runs and tasks, outside of a range. */
static double count_outside(const experiment *e, double low, double high) {
    posse_environment *environment = environment_made(&e->environment, e->seed);
    double count = 0.0;
    for (uint32_t run = 0; run < e->runs; run++) {
        posse_def def = posse_environment_def(environment);
        def.run = run;
        def.rounds = e->rounds / e->tasks;
        def.selector = e->selectors[0];
        def.learners = e->learners;
        def.learner_count = e->learner_count;
        posse *p = posse_made(&def);
        posse_environment_begin(environment, run);
        for (uint64_t n = 0; n < e->rounds; n++) {
            if (n > 0 && n % (e->rounds / e->tasks) == 0) {
                assert_int_equal(posse_environment_next_task(environment), POSSE_OK);
                assert_int_equal(posse_next_task(p), POSSE_OK);
            }
            posse_decision d = decided(p);
            double reward = posse_environment_reward(environment, &d);
            count += reward < low || reward > high;
            assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        }
        posse_free(p);
    }
    posse_environment_free(environment);
    return count;
}

LAW(clipped_rewards_of_all_tasks_are_counted) {
    static const double narrow[] = {-0.5, 0.8};
    posse_part corral = {.kind = "exp3p", .name = "narrow", .options = {LIST("range", narrow)}};
    experiment e = *scene_named("tasks");
    e.selectors = &corral, e.selector_count = 1, e.solo = false, e.runs = 5;
    scene_settle(&e);
    agenda *a;
    results *r = scene_run(&e, 1, &a);
    assert_close(r->clipped[0], count_outside(&e, narrow[0], narrow[1]), 0.0);
    results_free(r);
    agenda_free(a);
}
