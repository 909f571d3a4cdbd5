/* SPDX-License-Identifier: MIT */
/*
 * The value of a posse on a log. The posse decides in every row. If it picks the logged arm, it may accept the row and
 * learn from it. If p(a) is the probability with which the log plays arm a, the posse's arm is the logged one and is
 * accepted with probability p(a) (least / p(a)) = least, whatever the arm is. So acceptance does not depend on the
 * posse's preferences, and the accepted rows are rounds that it could have played itself.
 * Reference: Li, Chu, Langford and Wang, Unbiased offline evaluation of contextual-bandit-based news article
 * recommendation algorithms (WSDM 2011); Dudik, Erhan, Langford and Li, Sample-efficient nonstationary policy
 * evaluation for contextual bandits (UAI 2012).
 */
#include "environment/environment.h"
#include "object/before.h"
#include "object/object.h"
#include "object/run.h"

/* What a row adds to the sums of the estimate (posse_appraisal), and its logged reward. */
typedef struct share {
    double term, weight, reward;
} share;

static share share_of(const posse_environment *e, posse_estimate estimate, const posse_logged *row,
                      const posse_decision *d, bool accepted) {
    bool matches = d->arm == row->arm;
    double reward = row->reward, weight = matches ? 1.0 / row->probability : 0.0;
    if (estimate == POSSE_ESTIMATE_REPLAY) return (share){accepted ? reward : 0.0, accepted ? 1.0 : 0.0, reward};
    if (estimate == POSSE_ESTIMATE_SNIPS) return (share){weight * reward, weight, reward};
    if (estimate == POSSE_ESTIMATE_IPS) return (share){weight * reward, 1.0, reward};
    double expected = e->ops->expected(e->part.plan, e->instance, d->arm, d->point);
    return (share){expected + weight * (matches ? reward - expected : 0.0), 1.0, reward};
}

/* The random number for acceptance is drawn in every row, so that all posses get the same ones in a run. */
static posse_error replay_row(posse *p, posse_environment *e, const posse_logbook *log, before *b, posse_decision *d,
                              share *out) {
    const posse_round *round;
    posse_error error = environment_bring(e, &round);
    if (error != POSSE_OK) return error;
    posse_logged row = e->ops->logged(e->part.plan, e->instance);
    double lot = posse_draw_uniform(e->noise);
    if (round_place(round, row.arm) < 0 || !(row.probability > 0.0 && row.probability <= 1.0)) return POSSE_ERROR_ARM;
    if (!object_reward_fits(p, row.reward)) return POSSE_ERROR_REWARD;
    error = before_choose(b, p, round, d);
    bool accepted = error == POSSE_OK && d->arm == row.arm && lot < log->least_probability / row.probability;
    if (error == POSSE_OK) *out = share_of(e, log->estimate, &row, d, accepted);
    if (accepted)
        object_settle(p, d, row.reward);
    else
        before_restore(b, p);
    return error;
}

static void write_row(const posse_appraisal *out, size_t i, const posse_decision *d, share added) {
    if (out->learners != NULL) out->learners[i] = d->learner;
    if (out->arms != NULL) out->arms[i] = d->arm;
    if (out->terms != NULL) out->terms[i] = added.term;
    if (out->weights != NULL) out->weights[i] = added.weight;
    if (out->rewards != NULL) out->rewards[i] = added.reward;
}

posse_error posse_replay(posse *p, posse_environment *e, size_t rows, const posse_appraisal *out) {
    if (p == NULL || e == NULL) return POSSE_ERROR_ARGUMENT;
    if (e->ops->logbook == NULL) return POSSE_ERROR_ABSENT;
    posse_logbook log = e->ops->logbook(e->part.plan);
    if (e->brought > log.rows || rows > log.rows - e->brought) return POSSE_ERROR_ARGUMENT;
    posse_error error = run_prepare(p, e);
    if (error != POSSE_OK) return error;
    before b;
    const posse_appraisal nobody_asks = {0};
    error = before_open(&b, p);
    for (size_t i = 0; i < rows && error == POSSE_OK; i++) {
        posse_decision d;
        share added = {0};
        error = replay_row(p, e, &log, &b, &d, &added);
        if (error == POSSE_OK) write_row(out != NULL ? out : &nobody_asks, i, &d, added);
    }
    before_close(&b);
    return error;
}
