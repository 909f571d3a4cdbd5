/* SPDX-License-Identifier: MIT */
#include "logs.h"

#include <stdio.h>
#include <unistd.h>

/* ------------------------------------------- a policy that looks at features ----------------------------------- */

static posse_error sees_prepare(const posse_setup *setup, void **plan) {
    *plan = posse_setup_allocate(setup, 8);
    return *plan != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static size_t no_state(const void *plan) {
    (void)plan;
    return 0;
}

static int sees_act(const void *plan, void *state, posse_draw *draw, const posse_round *round) {
    (void)plan, (void)state, (void)draw;
    return round->features[1] > 0.0 ? 0 : 2;
}

static void sees_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

static const posse_learner_ops sees = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                .name = "sees",
                                                .help = "arm 0 where the second feature is above 0, else arm 2",
                                                .prepare = sees_prepare,
                                                .state_size = no_state},
                                       .learn = sees_learn,
                                       .act_in = sees_act};

/* The kind is registered on demand, because other test programs loop over all registered kinds. */
void register_sight(void) {
    if (posse_kind_find(POSSE_FAMILY_LEARNER, sees.kind.name) < 0)
        assert_int_equal(posse_learner_register(&sees), POSSE_OK);
}

/* ------------------------------------------------ the known log ------------------------------------------------ */

/* Features are 1 and a sign. The mean reward of each arm under each sign, and how often it is logged then. */
static const double means[2][LOG_ARMS] = {{0.2, 0.4, 0.7}, {0.8, 0.3, 0.4}};
static const double logging[2][LOG_ARMS] = {{0.5, 0.3, 0.2}, {0.25, 0.25, 0.5}};
static const double noise = 0.5;

double value_by_sight(void) {
    return 0.5 * (means[1][0] + means[0][2]);
}

static posse_draw *draw_made(uint64_t seed, uint32_t run, arena *memory) {
    posse_draw *draw = arena_allocate(memory, sizeof *draw);
    draw_open(draw, seed, run, stream_named(STREAM_INSTANCE, "log"), 0);
    return draw;
}

static double paid(int sign, int arm, posse_draw *draw) {
    return means[sign][arm] + noise * posse_draw_normal(draw);
}

void draw_history(history *l, int rows, uint64_t seed, uint32_t run) {
    arena memory = {0};
    posse_draw *draw = draw_made(seed, run, &memory);
    l->rows = rows;
    for (int i = 0; i < rows; i++) {
        log_row *r = &l->row[i];
        r->sign = posse_draw_uniform(draw) < 0.5;
        r->arm = (int)posse_draw_weighted(draw, logging[r->sign], LOG_ARMS);
        r->probability = logging[r->sign][r->arm];
        r->reward = paid(r->sign, r->arm, draw);
    }
    arena_release(&memory);
}

static const char *path_of(const char *end) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/posse-test-log-%d%s", (int)getpid(), end);
    return path;
}

static const char *write_csv(const history *l) {
    const char *path = path_of(".csv");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("arm,reward,probability,one,sign\n", out);
    for (int i = 0; i < l->rows; i++)
        fprintf(out, "%d,%.17g,%.17g,1,%d\n", l->row[i].arm, l->row[i].reward, l->row[i].probability,
                l->row[i].sign ? 1 : -1);
    fclose(out);
    return path;
}

posse_environment *log_made(const history *l, const char *estimate) {
    const char *path = write_csv(l);
    posse_part described = {.kind = "log",
                            .options = {WORD("file", path), WORD("estimate", estimate), WORD("features", "*")}};
    posse_environment *e = environment_made(&described, 1);
    register_sight();
    unlink(path);
    return e;
}

const posse_part by_sight = {.kind = "sees"};
const char *const log_estimates[4] = {"replay", "ips", "snips", "dr"};

void replay(posse *p, posse_environment *e, int rows, appraised *out) {
    posse_appraisal to = {.learners = out->learners, .arms = out->arms, .terms = out->terms, .weights = out->weights};
    assert_int_equal(posse_replay(p, e, (size_t)rows, &to), POSSE_OK);
}

moments earned(posse *p, uint64_t rounds, uint32_t runs) {
    moments all = {0};
    arena memory = {0};
    for (uint32_t run = 0; run < runs; run++) {
        posse_draw *draw = draw_made(99, run, &memory);
        double sum = 0.0;
        assert_int_equal(posse_restart(p, run), POSSE_OK);
        for (uint64_t t = 0; t < rounds; t++) {
            int sign = posse_draw_uniform(draw) < 0.5;
            const double features[] = {1.0, sign ? 1.0 : -1.0};
            posse_decision d;
            assert_int_equal(posse_decide(p, &(posse_context){.shared = features}, &d), POSSE_OK);
            sum += means[sign][d.arm];
            assert_int_equal(posse_learn(p, d.id, paid(sign, d.arm, draw)), POSSE_OK);
        }
        moments_add(&all, sum / (double)rounds);
        arena_release(&memory);
    }
    return all;
}
