/* SPDX-License-Identifier: MIT */
/*
 * Logs: the terms that rows add follow their formulas, and a row that is rejected leaves a posse as it was.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/record/ratio.h"
#include "logs.h"

static const posse_part timid = {.kind = "ucb", .name = "timid", .options = {NUMBER("width", 0.1)}};

/* ----------------------------------------------- terms of a row ------------------------------------------------ */

/* The prediction of the ridge regression of an arm on earlier rows, by the normal equations of two features. */
static double regressed(const history *l, int before, int arm, int sign) {
    double a = 1.0, b = 0.0, d = 1.0, y0 = 0.0, y1 = 0.0;
    for (int i = 0; i < before; i++) {
        const log_row *r = &l->row[i];
        double s = r->sign ? 1.0 : -1.0;
        if (r->arm != arm) continue;
        a += 1.0, b += s, d += 1.0, y0 += r->reward, y1 += s * r->reward;
    }
    double determinant = a * d - b * b, x = sign ? 1.0 : -1.0;
    return ((d * y0 - b * y1) + x * (a * y1 - b * y0)) / determinant;
}

LAW(rows_add_what_the_formulas_say) {
    static history l;
    static appraised got;
    draw_history(&l, 600, 3, 0);
    for (int k = 0; k < LENGTH(log_estimates); k++) {
        posse_environment *e = log_made(&l, log_estimates[k]);
        posse_logbook book;
        assert_int_equal(posse_environment_logbook(e, &book), POSSE_OK);
        assert_true(book.rows == 600 && book.least_probability == 0.2 && (int)book.estimate == k);
        posse *p = alone_made(e, &by_sight);
        replay(p, e, 400, &got);
        appraised rest;
        replay(p, e, 200, &rest); /* it continues at row 400 */
        memcpy(got.terms + 400, rest.terms, 200 * sizeof *rest.terms);
        memcpy(got.weights + 400, rest.weights, 200 * sizeof *rest.weights);
        memcpy(got.arms + 400, rest.arms, 200 * sizeof *rest.arms);
        for (int i = 0; i < l.rows; i++) {
            const log_row *r = &l.row[i];
            int arm = r->sign ? 0 : 2;
            double weight = arm == r->arm ? 1.0 / r->probability : 0.0, q = regressed(&l, i, arm, r->sign);
            assert_int_equal(got.arms[i], arm);
            if (k == POSSE_ESTIMATE_REPLAY)
                assert_true(got.weights[i] == 0.0 ? got.terms[i] == 0.0
                                                  : got.weights[i] == 1.0 && weight > 0.0 && got.terms[i] == r->reward);
            if (k == POSSE_ESTIMATE_IPS) assert_true(got.weights[i] == 1.0 && got.terms[i] == weight * r->reward);
            if (k == POSSE_ESTIMATE_SNIPS) assert_true(got.weights[i] == weight && got.terms[i] == weight * r->reward);
            if (k == POSSE_ESTIMATE_DR) assert_close(got.terms[i], q + weight * (r->reward - q), 1e-9);
        }
        assert_int_equal(posse_replay(p, e, 1, NULL), POSSE_ERROR_ARGUMENT);
        posse_free(p);
        posse_environment_free(e);
    }
}

/* ----------------------------------------------- rejecting and accepting --------------------------------------- */

/* The accepted rows become a log of their own, with probability 1. A deterministic learner must accept all of them
 * again, which it does only if the rejected rows have left no trace. */
LAW(rejected_rows_leave_no_trace) {
    static history l, accepted;
    static appraised got, again;
    draw_history(&l, 3000, 5, 1);
    posse_environment *e = log_made(&l, "replay");
    posse *p = alone_made(e, &timid);
    replay(p, e, l.rows, &got);
    for (int i = 0; i < l.rows; i++)
        if (got.weights[i] > 0.0) {
            accepted.row[accepted.rows] = l.row[i];
            accepted.row[accepted.rows++].probability = 1.0;
        }
    assert_true(accepted.rows > 300);
    uint64_t plays;
    assert_int_equal(posse_plays(p, &plays), POSSE_OK);
    assert_int_equal(plays, accepted.rows);
    posse_environment *f = log_made(&accepted, "replay");
    posse *q = alone_made(f, &timid);
    replay(q, f, accepted.rows, &again);
    for (int i = 0; i < accepted.rows; i++) assert_true(again.weights[i] == 1.0);
    posse_free(p), posse_free(q);
    posse_environment_free(e), posse_environment_free(f);
}

/* Whatever a posse plays, the share of rows that it accepts is the least probability in the log. Here the
 * probabilities of arms differ much. */
LAW(rows_are_accepted_evenly) {
    static history l;
    static appraised got;
    const posse_part pair[] = {timid, {.kind = "fixed", .name = "fixed", .options = {NUMBER("arm", 1)}}};
    moments sees_rate = {0}, team_rate = {0};
    for (uint32_t run = 0; run < 40; run++) {
        draw_history(&l, LOG_ROWS_MAX, 7, run);
        posse_environment *e = log_made(&l, "replay");
        posse *p = alone_made(e, &by_sight);
        replay(p, e, l.rows, &got);
        for (int i = 0; i < l.rows; i++) moments_add(&sees_rate, got.weights[i]);
        posse_free(p);
        posse_def def = posse_environment_def(e);
        def.selector = (posse_part){.kind = "uniform"};
        def.learners = pair;
        def.learner_count = 2;
        p = posse_made(&def);
        posse_environment_begin(e, run);
        replay(p, e, l.rows, &got);
        double accepted = 0.0;
        uint64_t plays[2];
        for (int i = 0; i < l.rows; i++) moments_add(&team_rate, got.weights[i]), accepted += got.weights[i];
        assert_int_equal(posse_plays(p, plays), POSSE_OK);
        assert_true(accepted == (double)(plays[0] + plays[1]));
        posse_free(p);
        posse_environment_free(e);
    }
    assert_true(fabs(moments_z(&sees_rate, 0.2)) < 4.5);
    assert_true(fabs(moments_z(&team_rate, 0.2)) < 4.5);
}

/* The states of selector and learners, which all draw, have the same bytes before and after a rejected row. */
static void check_rejected_rows(const posse_part *belief, const posse_part *chooses) {
    static const posse_part pair[] = {{.kind = "ucb", .name = "bold"}, {.kind = "thompson", .name = "drawing"}};
    static history l;
    draw_history(&l, 400, 9, 2);
    posse_environment *e = log_made(&l, "replay");
    posse_def def = posse_environment_def(e);
    def.prior = *belief;
    def.selector = *chooses;
    def.learners = pair;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    void *selector = malloc(p->selector.part.state_size);
    void *learner[2] = {malloc(p->members[0].part.state_size), malloc(p->members[1].part.state_size)};
    int rejected = 0;
    for (int i = 0; i < l.rows; i++) {
        double term, weight;
        posse_appraisal to = {.terms = &term, .weights = &weight};
        memcpy(selector, p->selector.state, p->selector.part.state_size);
        for (int m = 0; m < 2; m++) memcpy(learner[m], p->members[m].state, p->members[m].part.state_size);
        uint64_t left = p->batch_left;
        assert_int_equal(posse_replay(p, e, 1, &to), POSSE_OK);
        if (weight > 0.0) continue;
        rejected++;
        assert_memory_equal(selector, p->selector.state, p->selector.part.state_size);
        for (int m = 0; m < 2; m++) assert_memory_equal(learner[m], p->members[m].state, p->members[m].part.state_size);
        assert_int_equal(p->batch_left, left);
    }
    assert_true(rejected > 200 && rejected < 380);
    free(selector), free(learner[0]), free(learner[1]);
    posse_free(p);
    posse_environment_free(e);
}

LAW(rejected_rows_leave_every_state) {
    const posse_part gaussian = {.kind = "gaussian"}, own = {.kind = "bms", .options = {NUMBER("batch", 3)}};
    const posse_part asks = {.kind = "bms", .options = {NUMBER("batch", 3), NUMBER("share", 1), NUMBER("consider", 1)}};
    check_rejected_rows(&gaussian, &own);
    check_rejected_rows(&gaussian, &asks);
}
