/* SPDX-License-Identifier: MIT */
#include "formula_rivals.h"

#include <math.h>

static void look(const rival *r, const double *features, double *x) {
    for (int j = 0; j < r->dim; j++) x[j] = features[r->seen[j]];
}

static ridge *theta_of(rival *r, int arm) {
    return &r->thetas[r->disjoint ? arm : 0];
}

static long double expected_by(const ridge *theta, int dim, const double *x) {
    long double mean[SOLVE_MAX], value = 0.0L;
    ridge_mean(theta, mean);
    for (int j = 0; j < dim; j++) value += mean[j] * x[j];
    return value;
}

int products_of(const rival *r) {
    return r->dim * (r->dim + 1) / 2;
}

static void multiply(const rival *r, const double *x, double *z) {
    long double square = 0.0L;
    for (int i = 0; i < r->dim; i++) square += (long double)x[i] * x[i];
    for (int i = 0; i < r->dim; i++)
        for (int j = 0; j <= i; j++) *z++ = (double)(x[i] * x[j] * r->dim / square);
}

/* What the products of an arm's features add to its value. */
static long double added_to(const rival *r, int arm, const double *x) {
    double z[SOLVE_MAX];
    if (!r->multiplies) return 0.0L;
    multiply(r, x, z);
    return expected_by(&r->products[r->disjoint ? arm : 0], products_of(r), z);
}

long double value_of(rival *r, const brought *b, int place) {
    double x[WIDTH_CAP];
    look(r, b->rows[place], x);
    return expected_by(theta_of(r, b->arms[place]), r->dim, x) + added_to(r, b->arms[place], x);
}

static long double deviation_of(rival *r, const brought *b, int place) {
    double x[WIDTH_CAP];
    look(r, b->rows[place], x);
    return sqrtl(ridge_variance(theta_of(r, b->arms[place]), x));
}

enum { ALL_ARMS = -1 };

/* The mean of off^2 / alpha over the rewards of an arm or of all, where a reward that is n rounds old counts forget^n.
 */
static long double misfit_of(const rival *r, int arm) {
    long double sum = 0.0L, weights = 0.0L;
    for (int n = 0; n < (int)r->learned; n++) {
        bool counts = arm == ALL_ARMS || r->past[n].arm == arm;
        sum = r->forget * sum + (counts ? r->past[n].misfit : 0.0L);
        weights = r->forget * weights + (counts ? 1.0L : 0.0L);
    }
    return weights > 0.0L ? sum / weights : 0.0L;
}

/* The unit of an arm's deviations: the larger one of two roots of a mean. */
static long double noise_of(const rival *r, int arm) {
    if (!r->standardised) return 1.0L;
    long double all = misfit_of(r, ALL_ARMS), own = r->disjoint ? misfit_of(r, arm) : all;
    return all > 0.0L ? sqrtl(fmaxl(all, own)) : 1.0L;
}

int bound_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)state, (void)arms;
    long double bounds[ARMS_CAP];
    for (int k = 0; k < b->count; k++)
        bounds[k] = value_of(r, b, k) + r->width * noise_of(r, b->arms[k]) * deviation_of(r, b, k);
    return called_largest(bounds, b->count, played, 1e-9, &r->close_calls);
}

int greedy_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)state, (void)arms;
    long double values[ARMS_CAP];
    if (posse_draw_uniform(&r->draw) < r->epsilon) return (int)posse_draw_index(&r->draw, (uint64_t)b->count);
    for (int k = 0; k < b->count; k++) values[k] = value_of(r, b, k);
    return called_largest(values, b->count, played, 1e-9, &r->close_calls);
}

/* theta = mean + scale S z. S is the learner's, because a root of V^-1 is not unique. The learner's state begins
 * with a count. */
static void draw_jointly(rival *r, const double *state, long double scale, long double *theta) {
    ridge_mean(&r->thetas[0], theta);
    for (int c = 0; c < r->dim && scale > 0.0L; c++) {
        long double z = posse_draw_normal(&r->draw);
        for (int i = 0; i < r->dim; i++) theta[i] += scale * state[1 + r->dim + c * r->dim + i] * z;
    }
}

static int drawn_pick(rival *r, const brought *b, const double *state, long double scale, int played) {
    long double values[ARMS_CAP] = {0}, theta[SOLVE_MAX];
    if (!r->disjoint) draw_jointly(r, state, scale * noise_of(r, 0), theta);
    for (int k = 0; k < b->count; k++) {
        double x[WIDTH_CAP];
        look(r, b->rows[k], x);
        for (int j = 0; j < r->dim && !r->disjoint; j++) values[k] += theta[j] * x[j];
        if (!r->disjoint) values[k] += added_to(r, b->arms[k], x);
        if (r->disjoint) values[k] = value_of(r, b, k);
        if (r->disjoint && scale > 0.0L)
            values[k] += scale * noise_of(r, b->arms[k]) * deviation_of(r, b, k) * posse_draw_normal(&r->draw);
    }
    return called_largest(values, b->count, played, 1e-9, &r->close_calls);
}

int linear_thompson_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)arms;
    return drawn_pick(r, b, state, r->width * sqrtl(r->dim), played);
}

int logistic_thompson_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)arms;
    return drawn_pick(r, b, state, r->width, played);
}

int weigh(rival *r, const brought *b, long double *chances) {
    long double values[ARMS_CAP], rest = 1.0L, gamma = r->gamma * powl(1.0L + r->learned, r->exponent);
    int best = 0;
    for (int k = 0; k < b->count; k++) {
        values[k] = value_of(r, b, k);
        if (values[k] > values[best]) best = k;
    }
    for (int k = 0; k < b->count; k++) {
        if (k == 0) gamma /= noise_of(r, b->arms[best]);
        chances[k] = 1.0L / (b->count + gamma * (values[best] - values[k]));
        if (k != best) rest -= chances[k];
    }
    chances[best] = rest;
    return best;
}

int square_cb_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)state, (void)arms, (void)played;
    long double chances[ARMS_CAP], sum = 0.0L, uniform = posse_draw_uniform(&r->draw);
    int best = weigh(r, b, chances);
    for (int k = 0; k < b->count; k++)
        if (k != best && (sum += chances[k]) > uniform) return k;
    return best;
}

int ucb_pick(rival *r, const brought *b, const double *state, int arms, int played) {
    (void)state;
    long double bounds[ARMS_CAP];
    for (int k = 0; k < b->count; k++)
        if (r->counts[b->arms[k]] == 0.0L) return k;
    for (int k = 0; k < b->count; k++) {
        long double count = r->counts[b->arms[k]];
        bounds[k] = r->sums[b->arms[k]] / count + r->width * sqrtl(logl(2.0L * arms * r->learned / r->delta) / count);
    }
    return called_largest(bounds, b->count, played, 1e-12, &r->close_calls);
}

/* ---------------------------------------------- how rivals learn ----------------------------------------------- */

/* Multiplies V and b by `forget`. The share of the prior that is lost is added back, to a few diagonal entries at a
 * time. */
static void rival_fade(rival *r, ridge *theta) {
    long double lost = 1.0L - r->forget;
    int turns = (int)fmin(ceil(10.0 * (1.0 - r->forget) * r->dim), r->dim);
    for (int i = 0; i < r->dim; i++) {
        theta->b[i] *= r->forget;
        for (int j = 0; j < r->dim; j++) theta->v[i][j] *= r->forget;
    }
    for (int k = 0; k < turns; k++) {
        int j = (int)((uint64_t)r->learned * (uint64_t)turns + (uint64_t)k) % r->dim;
        theta->v[j][j] += r->precision * lost * r->dim / turns;
    }
}

/* The root of a rising function of s: s - mean - variance (y - sigmoid(s + bias)). */
static long double mode_by_bisection(long double mean, long double variance, long double bias, long double reward) {
    long double low = mean - variance, high = mean + variance;
    for (int n = 0; n < 200; n++) {
        long double s = (low + high) / 2.0L, off = s - mean - variance * (reward - 1.0L / (1.0L + expl(-s - bias)));
        if (off > 0.0L)
            high = s;
        else
            low = s;
    }
    return (low + high) / 2.0L;
}

/* mean += Sigma x (y - q) and V += q (1 - q) x x^T, at the mode; b is V times the mean. */
static void learn_logistic(ridge *theta, int dim, long double bias, const double *x, double reward) {
    ridge step = *theta;
    long double mean[SOLVE_MAX];
    ridge_mean(theta, mean);
    long double s = mode_by_bisection(expected_by(theta, dim, x), ridge_variance(theta, x), bias, reward);
    long double q = 1.0L / (1.0L + expl(-s - bias)), along[SOLVE_MAX];
    for (int j = 0; j < dim; j++) step.b[j] = x[j];
    ridge_mean(&step, along);
    for (int i = 0; i < dim; i++) mean[i] += along[i] * (reward - q);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) theta->v[i][j] += q * (1.0L - q) * x[i] * x[j];
    for (int i = 0; i < dim; i++) {
        theta->b[i] = 0.0L;
        for (int j = 0; j < dim; j++) theta->b[i] += theta->v[i][j] * mean[j];
    }
}

/* Of the posterior, only the means and variances of single weights are kept. */
static void keep_diagonal(ridge *theta, int dim) {
    long double mean[SOLVE_MAX], variance[SOLVE_MAX];
    ridge_mean(theta, mean);
    for (int j = 0; j < dim; j++) {
        double unit[SOLVE_MAX] = {0.0};
        unit[j] = 1.0;
        variance[j] = ridge_variance(theta, unit);
    }
    ridge_start(theta, dim, 1.0);
    for (int j = 0; j < dim; j++) {
        theta->v[j][j] = 1.0L / variance[j];
        theta->b[j] = mean[j] / variance[j];
    }
}

/* The marginals of a full step of the products, before the linear part learns. */
static void learn_products(rival *r, int arm, const double *x, double reward, double bias) {
    double z[SOLVE_MAX];
    ridge *theta = &r->products[r->disjoint ? arm : 0];
    long double beside = expected_by(theta_of(r, arm), r->dim, x) + bias;
    multiply(r, x, z);
    if (r->logistic)
        learn_logistic(theta, products_of(r), beside, z, reward);
    else
        ridge_learn(theta, z, reward - (double)beside, 1.0);
    keep_diagonal(theta, products_of(r));
}

/* The mean of what the model left of each reward, which counts the less the older it is if the rival forgets. */
static double zero_with(rival *r, int arm, const double *x, double reward) {
    long double sum = 0.0L, weights = 0.0L;
    int present = (int)r->learned;
    r->past[present] = (past_reward){.arm = arm, .left = reward - expected_by(theta_of(r, arm), r->dim, x)};
    for (int n = 0; n <= present; n++) {
        sum = r->forget * sum + r->past[n].left;
        weights = r->forget * weights + 1.0L;
    }
    return (double)(sum / weights);
}

/* How far the reward is off, in units of the deviation that the posterior expects with a noise of 1. */
static void learn_noise(rival *r, int arm, const double *x, double reward) {
    long double off = reward - expected_by(theta_of(r, arm), r->dim, x);
    r->past[(int)r->learned].misfit = off * off / (1.0L + ridge_variance(theta_of(r, arm), x));
}

void rival_learn(rival *r, int arm, const double *features, double reward) {
    double x[WIDTH_CAP], bias = r->bias;
    look(r, features, x);
    for (int a = 0; a < ARMS_CAP && r->forget < 1.0; a++) rival_fade(r, &r->thetas[a]);
    if (r->standardised) bias = zero_with(r, arm, x, reward);
    if (r->multiplies) learn_products(r, arm, x, reward, bias);
    if (r->standardised) learn_noise(r, arm, x, reward - bias);
    if (r->logistic)
        learn_logistic(theta_of(r, arm), r->dim, bias, x, reward);
    else
        ridge_learn(theta_of(r, arm), x, reward - bias, 1.0);
    if (r->diagonal) keep_diagonal(theta_of(r, arm), r->dim);
    r->counts[arm] += 1.0L;
    r->sums[arm] += reward;
    r->learned += 1.0L;
}
