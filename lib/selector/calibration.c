/* SPDX-License-Identifier: MIT */
#include "selector/calibration.h"

#include <math.h>

#include "numeric/elementary.h"

#define TWO_PI 6.283185307179586
#define TERM_MAX 1e100 /* so that sums are finite, whatever a belief computes */

/* Chosen on simulations with seed 1 (docs/bakeoff.md). With 64 rewards of a right belief, 2% of means are that small.
 */
#define MISFIT_SMALL (2.0 / 3.0)
#define MISFIT_LARGE 1.5
#define SPREAD_OF_NOISE 10.0 /* in units of the signal: the noise has three times its standard deviation */

static double calibration_term(double x) {
    return x >= 0.0 && x <= TERM_MAX ? x : TERM_MAX;
}

void calibration_add(calibration *c, const posse_belief *b, const void *state, int arm, const double *point,
                     double reward) {
    double mean, variance;
    b->ops->moments(b->part.plan, state, arm, point, &mean, &variance);
    double most = belief_evidence(b, state, arm, point, mean), own = belief_evidence(b, state, arm, point, reward);
    c->rewards += 1.0;
    c->misfit += calibration_term(2.0 * (most - own));
    c->spread += calibration_term(posse_exp(-2.0 * most) / TWO_PI);
    c->signal += calibration_term(variance);
}

bool calibration_favours_asking(const calibration *c) {
    if (c->misfit < MISFIT_SMALL * c->rewards) return true;
    return c->misfit <= MISFIT_LARGE * c->rewards && c->spread >= SPREAD_OF_NOISE * c->signal;
}

static bool sum_sane(double sum, double terms) {
    return sum >= 0.0 && sum <= TERM_MAX * terms;
}

bool calibration_sane(const calibration *c, double most) {
    return c->rewards >= 0.0 && c->rewards <= most && c->rewards == floor(c->rewards) &&
           sum_sane(c->misfit, c->rewards) && sum_sane(c->spread, c->rewards) && sum_sane(c->signal, c->rewards);
}
