/* SPDX-License-Identifier: MIT */
/*
 * Tests of evidence: the prediction of the next reward is a probability distribution, and the predictions of a whole
 * history multiply to its marginal likelihood.
 */
#include <math.h>
#include <stdlib.h>

#include "oracle.h"

/* The trapezoid rule is exact to rounding for densities much wider than its step: the narrowest here is 0.5. The
 * substitution reward = sinh(x) / 2 covers the tails of Student's t, which fall by powers. */
static void density_of_rewards(const twin *t, const habitat *h, event e, double *mass, double *mean) {
    const double step = 0.005;
    *mass = *mean = 0.0;
    for (int i = -6000; i <= 6000; i++) {
        e.reward = sinh(i * step) / 2.0;
        double density = exp(foretell(t, h, &e)) * step * cosh(i * step) / 2.0;
        *mass += density;
        *mean += density * e.reward;
    }
}

static void chances_of_counts(const twin *t, const habitat *h, event e, double *mass, double *mean) {
    *mass = *mean = 0.0;
    for (int k = 0; k < 1000; k++) {
        e.reward = k;
        double chance = exp(foretell(t, h, &e));
        *mass += chance;
        *mean += chance * k;
    }
}

static void chances_of_success(const twin *t, const habitat *h, event e, double *mass, double *mean) {
    e.reward = 0.0;
    *mass = exp(foretell(t, h, &e));
    e.reward = 1.0;
    *mean = exp(foretell(t, h, &e));
    *mass += *mean;
}

/* The predictive distribution of the next reward sums to 1, and its mean is the belief's mean of the arm. */
static void predicts_one(const specimen *s) {
    const habitat *h = s->home;
    history past = history_make(h, 25, 55);
    twin t;
    open_after(&t, s, &past);
    double expected[COORDINATES_MAX];
    mean_of(&t, expected);
    for (int n = 0; n < 6; n++) {
        const event *e = &past.events[n];
        double mass, mean, value = 0.0, x[COORDINATES_MAX] = {0.0};
        int numbers = t.belief.model.disjoint ? t.belief.space->features : t.belief.shape.dim;
        memcpy(x + (t.belief.model.disjoint ? e->arm * numbers : 0), e->point, (size_t)numbers * sizeof *x);
        for (int j = 0; j < t.belief.shape.dim; j++)
            value += expected[j] * (t.belief.shape.one_hot ? j == e->arm : x[j]);
        if (h->counts)
            chances_of_counts(&t, h, *e, &mass, &mean);
        else if (h->unit)
            chances_of_success(&t, h, *e, &mass, &mean);
        else
            density_of_rewards(&t, h, *e, &mass, &mean);
        assert_close(mass, 1.0, 1e-11);
        assert_close(mean, value, 1e-11);
    }
    twin_close(&t);
    free(past.events);
}

LAW(evidence_sums_to_one_prediction) {
    for_every_belief(predicts_one);
}

static double chained_evidence(const specimen *s, const history *past) {
    posse_def def = habitat_def(s->home);
    twin t;
    twin_open(&t, &def, &s->part);
    double sum = 0.0;
    for (int n = 0; n < past->count; n++) {
        sum += foretell(&t, s->home, &past->events[n]);
        tell(&t, s->home, &past->events[n]);
    }
    twin_close(&t);
    return sum;
}

/* The sum has 400 logarithms of the order of 1, so 1e-10 leaves room for a thousand roundings. */
static void evidence_chains(const specimen *s) {
    history past = history_make(s->home, 400, 89);
    posterior right;
    oracle(&s->part, &past, &right);
    assert_close(chained_evidence(s, &past), (double)right.likelihood, 1e-10);
    history_shuffle(&past, 144);
    if (!is_restless(&s->part)) assert_close(chained_evidence(s, &past), (double)right.likelihood, 1e-10);
    free(past.events);
}

LAW(evidence_chains_to_the_marginal_likelihood) {
    for_every_belief(evidence_chains);
}

/* ---------------------------------------------------- robust --------------------------------------------------- */

/* The surprise of a robust belief: the log likelihood of the history under the mixture less that under the plain
 * belief. Both are computed from scratch by the oracle. */
static void surprise_matches_oracle(const specimen *s) {
    if (!is_robust(&s->part)) return;
    static const int counts[] = {0, 1, 17, 400};
    for (int i = 0; i < LENGTH(counts); i++) {
        history past = history_make(s->home, counts[i], 233);
        twin t;
        posterior whole, plain;
        open_after(&t, s, &past);
        oracle(&s->part, &past, &whole);
        posse_part given = with_option(s->part, (posse_option)NUMBER("robust", 0));
        oracle(&given, &past, &plain);
        assert_true(t.belief.robust);
        assert_close(belief_surprise(&t.belief, t.state), (double)(whole.likelihood - plain.likelihood), 1e-10);
        if (counts[i] == 0) assert_true(belief_surprise(&t.belief, t.state) == 0.0);
        twin_close(&t);
        free(past.events);
    }
}

LAW(surprise_is_the_ratio_of_marginal_likelihoods) {
    for_every_belief(surprise_matches_oracle);
}
