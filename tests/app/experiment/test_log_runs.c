/* SPDX-License-Identifier: MIT */
/*
 * Experiments on a log, and logs of experiments: a run that is written and read again has the same rounds; results are
 * those of the rows, taken one by one; and they do not depend on how the work is divided.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/play/log_run.h"
#include "experiment/play/player.h"
#include "experiment/play/runner.h"
#include "experiment/read/reader.h"
#include "experiment/record/ratio.h"
#include "logs.h"

static experiment *read_experiment(const char *text) {
    problems found;
    experiment *e;
    problems_open(&found, NULL);
    experiment_read_text("/tmp/none.yaml", text, strlen(text), NULL, NULL, &found, &e);
    assert_that(e != NULL, "%s", found.count > 0 ? found.list[0].text : "no memory");
    problems_close(&found);
    return e;
}

static const char *path_of(const char *end) {
    static char path[2][80];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "/tmp/posse-test-log-run-%d%s", (int)getpid(), end);
    return path[next];
}

static void quiet(void *context, const posse_place *place, const char *message) {
    (void)context, (void)place, (void)message;
}

static const posse_logger silent = {quiet, NULL};

/* ---------------------------------------------- written and read again ----------------------------------------- */

static const char *const simulations[] = {
    "{kind: contextual, model: disjoint, context: 3, arms: 4, noise: 0.3}",
    "{kind: contextual, model: joint, dim: 3, arms: 6, present: [2, 6], noise: 0.3}",
    "{kind: bernoulli, arms: 3}",
};

static experiment *simulation(const char *environment) {
    char text[1000];
    snprintf(text, sizeof text,
             "name: sim\nrounds: 500\nruns: 1\nseed: 5\nenvironment: %s\nlearners:\n  - {kind: ucb, name: u}\n"
             "  - {kind: epsilon-greedy, name: g}\nselectors:\n  - {kind: uniform, name: even, floor: 0.3}\n",
             environment);
    return read_experiment(text);
}

/* Plays run 0 of the first selector again, and compares each round with the next row of the log. */
static void expect_rows(const agenda *a, posse_environment *log) {
    const experiment *x = a->experiment;
    posse_environment *e = environment_made(&x->environment, x->seed);
    posse_part team_[2];
    posse *p = NULL;
    assert_int_equal(player_posse(a, e, 0, &x->selectors[0], team_, &p), POSSE_OK);
    posse_def def = posse_environment_def(log);
    bool brings = posse_feature_count(p) > 0;
    for (uint64_t t = 0; t < x->rounds; t++) {
        posse_context c = {0}, row;
        posse_decision d;
        if (brings) assert_int_equal(posse_environment_round(e, &c), POSSE_OK);
        assert_int_equal(posse_decide(p, brings ? &c : NULL, &d), POSSE_OK);
        double reward = posse_environment_reward(e, &d);
        assert_int_equal(posse_environment_round(log, &row), POSSE_OK);
        assert_int_equal(row.count, brings ? c.count : x->arms);
        for (int k = 0; brings && k < c.count; k++) assert_int_equal(row.arms[k], c.arms[k]);
        if (brings && c.shared != NULL) assert_memory_equal(row.shared, c.shared, (size_t)def.context * sizeof(double));
        if (brings && c.points != NULL)
            assert_memory_equal(row.points, c.points, (size_t)c.count * (size_t)def.dim * sizeof(double));
        posse_logged logged = log->ops->logged(log->part.plan, log->instance);
        assert_true(logged.arm == d.arm && logged.reward == reward && logged.probability == d.propensity);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
    }
    posse_free(p);
    posse_environment_free(e);
}

static void expect_round_trip(const agenda *a, const char *end) {
    const char *path = path_of(end);
    log_form form;
    assert_true(log_form_of(path, &form));
    FILE *out = fopen(path, "w");
    const char *refusal = log_run(a, out, form, &silent, NULL);
    assert_that(refusal == NULL, "%s", refusal);
    fclose(out);
    bool has_columns = form == LOG_FORM_CSV && strcmp(a->experiment->environment.kind, "contextual") == 0;
    posse_part described = {.kind = "log", .options = {WORD("file", path)}};
    if (has_columns) described.options[1] = (posse_option)WORD("features", "x*");
    posse_environment *log = environment_made(&described, 1);
    unlink(path);
    expect_rows(a, log);
    posse_environment_free(log);
}

LAW(a_run_written_as_a_log_is_read_as_it_was) {
    for (int i = 0; i < LENGTH(simulations); i++) {
        experiment *e = simulation(simulations[i]);
        agenda *a = agenda_make(e);
        expect_round_trip(a, ".vw");
        if (i != 1) expect_round_trip(a, ".csv");
        agenda_free(a);
        experiment_free(e);
    }
}

static void expect_refusal(const char *text, log_form form, const char *why) {
    experiment *e = read_experiment(text);
    agenda *a = agenda_make(e);
    FILE *out = tmpfile();
    const char *refusal = log_run(a, out, form, &silent, NULL);
    assert_that(refusal != NULL && strstr(refusal, why) != NULL, "%s", refusal != NULL ? refusal : "a log");
    fclose(out);
    agenda_free(a);
    experiment_free(e);
}

LAW(a_log_needs_probabilities_and_a_form_that_fits) {
    expect_refusal("name: a\nrounds: 5\nruns: 1\nseed: 1\nenvironment: {kind: bernoulli, arms: 2}\n"
                   "learners: [{kind: ucb, name: u}]\nselectors: [{kind: uniform, name: s}]\n",
                   LOG_FORM_CSV, "floor");
    expect_refusal("name: a\nrounds: 5\nruns: 1\nseed: 1\nenvironment: {kind: bernoulli, arms: 2}\n"
                   "learners: [{kind: ucb, name: u}]\n",
                   LOG_FORM_VW, "selector");
    expect_refusal("name: a\nrounds: 5\nruns: 1\nseed: 1\nenvironment: {kind: contextual, dim: 2, arms: 2}\n"
                   "learners: [{kind: ucb, name: u}]\nselectors: [{kind: uniform, name: s, floor: 0.1}]\n",
                   LOG_FORM_CSV, ".vw");
}

/* ------------------------------------------------- values of an experiment ------------------------------------- */

#define ROWS 900
#define RUNS 4

static history l;

static const char *write_log(void) {
    const char *path = path_of(".csv");
    FILE *out = fopen(path, "w");
    draw_history(&l, ROWS, 21, 0);
    fputs("a,r,p,one,sign\n", out);
    for (int i = 0; i < l.rows; i++)
        fprintf(out, "arm %d,%.17g,%.17g,1,%d\n", l.row[i].arm, l.row[i].reward, l.row[i].probability,
                l.row[i].sign ? 1 : -1);
    fclose(out);
    return path;
}

static experiment *valued(const char *path, const char *how) {
    char text[2000];
    register_sight();
    snprintf(text, sizeof text,
             "name: valued\nrounds: %d\nruns: %d\nseed: 2\n"
             "environment: {kind: log, file: %s, arm: a, reward: r, probability: p, features: [one, sign], "
             "estimate: %s}\nlearners:\n  - {kind: sees, name: sees}\n  - {kind: ucb, name: u}\nselectors:\n"
             "  - {kind: uniform, name: even}\nclaims:\n"
             "  - {says: a, holds: 'value(\"sees\") > value(\"u\", 500)'}\n"
             "  - {says: b, holds: 'best_learner() > 2 * value(\"even\")'}\n"
             "  - {says: c, holds: 'value(\"sees\") > value(\"log\")'}\n",
             ROWS, RUNS, path, how);
    return read_experiment(text);
}

static results *run(const agenda *a, int threads) {
    results *r = NULL;
    runner_message why;
    runner_options how = {.threads = threads};
    assert_int_equal(experiment_run(a, &how, &r, &why), RUNNER_DONE);
    return r;
}

/* The terms and weights of all rows, for each competitor. */
typedef struct twin_run {
    double terms[3][ROWS], weights[3][ROWS];
} twin_run;

static void replay_again(const agenda *a, posse_environment *e, uint32_t run_, twin_run *out) {
    const experiment *x = a->experiment;
    for (int c = 0; c < 3; c++) {
        posse_part team_[2];
        posse *p = NULL;
        static appraised got;
        assert_int_equal(player_posse(a, e, c, c == 0 ? &x->selectors[0] : NULL, team_, &p), POSSE_OK);
        posse_environment_begin(e, run_);
        assert_int_equal(posse_restart(p, run_), POSSE_OK);
        replay(p, e, ROWS, &got);
        memcpy(out->terms[c], got.terms, sizeof out->terms[c]);
        memcpy(out->weights[c], got.weights, sizeof out->weights[c]);
        posse_free(p);
    }
}

static double sum(const double *x, int count) {
    double all = 0.0;
    for (int i = 0; i < count; i++) all += x[i];
    return all;
}

/* The value from the first rows and the contribution of each row to its error, by the two-pass formulas. */
static double value_from(const twin_run *t, int c, int rows, double *errors) {
    double weights = sum(t->weights[c], rows), value = sum(t->terms[c], rows) / weights, count = 0.0;
    for (int i = 0; i < rows; i++) count += t->weights[c][i] != 0.0;
    for (int i = 0; i < ROWS; i++)
        errors[i] =
            i < rows ? (t->terms[c][i] - value * t->weights[c][i]) / weights * sqrt(count / (count - 1.0)) : 0.0;
    return value;
}

static double half_width(double rows_leave_open, const moments *over_runs) {
    return 1.96 * sqrt(rows_leave_open + pow(moments_error(over_runs), 2.0) * RUNS / (RUNS - 1.0));
}

static void expect_results(const agenda *a, const results *r) {
    static twin_run t;
    moments value[3] = {{0}}, difference = {0}, early = {0}, claimed = {0};
    double open[3] = {0}, open_difference = 0.0, open_claim = 0.0, effective = 0.0;
    posse_environment *e = environment_made(&a->experiment->environment, a->experiment->seed);
    for (uint32_t k = 0; k < RUNS; k++) {
        static double errors[4][ROWS];
        double v[4];
        replay_again(a, e, k, &t);
        for (int c = 0; c < 3; c++) v[c] = value_from(&t, c, ROWS, errors[c]);
        v[3] = value_from(&t, 2, 500, errors[3]);
        for (int c = 0; c < 3; c++) moments_add(&value[c], v[c]);
        moments_add(&difference, v[1] - v[2]);
        moments_add(&early, v[3]);
        moments_add(&claimed, v[1] - v[3]);
        for (int i = 0; i < ROWS; i++) {
            for (int c = 0; c < 3; c++) open[c] += errors[c][i] * errors[c][i] / RUNS;
            open_difference += pow(errors[1][i] - errors[2][i], 2.0) / RUNS;
            open_claim += pow(errors[1][i] - errors[3][i], 2.0) / RUNS;
        }
        double squares = 0.0;
        for (int i = 0; i < ROWS; i++) squares += t.weights[0][i] * t.weights[0][i] / RUNS;
        effective += pow(sum(t.weights[0], ROWS), 2.0) / (squares * RUNS) / RUNS;
    }
    for (int c = 0; c < 3; c++) {
        assert_close(r->regret[c].mean, moments_mean(&value[c]), 1e-9);
        assert_close(r->regret[c].ci95, half_width(open[c], &value[c]), 1e-9);
        const estimate *last = &r->regret_curve[(c + 1) * a->point_count - 1];
        assert_close(last->mean, r->regret[c].mean, 1e-12);
        assert_close(last->ci95, r->regret[c].ci95, 1e-9);
    }
    assert_close(r->effective[0], effective, 1e-6);
    assert_close(r->pairs[3].mean, moments_mean(&difference), 1e-9);
    assert_close(r->pairs[3].ci95, half_width(open_difference, &difference), 1e-9);
    assert_close(r->regret_curve[2 * a->point_count + 499].mean, moments_mean(&early), 1e-9);
    assert_close(r->claims[0].margin, moments_mean(&claimed), 1e-9);
    assert_close(r->claims[0].ci95, half_width(open_claim, &claimed), 1e-9);
    assert_close(r->claims[1].margin, fmax(r->regret[1].mean, r->regret[2].mean) - 2.0 * r->regret[0].mean, 1e-9);
    posse_environment_free(e);
}

/* The policy that made the log has the mean of the rewards, whatever the estimate. */
static void expect_value_of_the_log(const agenda *a, const results *r) {
    double mean = 0.0, squares = 0.0;
    for (int i = 0; i < ROWS; i++) mean += l.row[i].reward / ROWS;
    for (int i = 0; i < ROWS; i++) squares += pow(l.row[i].reward - mean, 2.0);
    assert_string_equal(a->competitor[3].name, "log");
    assert_close(r->regret[3].mean, mean, 1e-12);
    assert_close(r->regret[3].ci95, 1.96 * sqrt(squares / (ROWS - 1.0) / ROWS), 1e-9);
    assert_close(r->effective[3], ROWS, 1e-9);
    assert_close(r->claims[2].margin, r->regret[1].mean - mean, 1e-12);
    assert_close(r->claims[2].ci95, r->pairs[4].ci95, 1e-12);
}

LAW(values_of_an_experiment_are_those_of_its_rows) {
    for (int k = 0; k < LENGTH(log_estimates); k++) {
        const char *path = write_log();
        experiment *e = valued(path, log_estimates[k]);
        agenda *a = agenda_make(e);
        assert_true(a->logged && a->competitors == 4 && a->oracle < 0 && a->log == 3 && a->value_count == 5);
        results *one = run(a, 1), *three = run(a, 3);
        assert_true(one->hash == three->hash);
        expect_results(a, one);
        expect_value_of_the_log(a, one);
        results_free(one), results_free(three);
        agenda_free(a);
        experiment_free(e);
        unlink(path);
    }
}
