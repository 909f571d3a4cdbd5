/* SPDX-License-Identifier: MIT */
/*
 * Theorem 15 of docs/theory.md for linear beliefs: what it states about single histories, with an exact normal
 * posterior of two coordinates.
 */
#include <math.h>

#include "divisor.h"

#define ROUNDS 300
#define TEAM 4
#define ARMS 6
#define DIM 2

static const double prior_sd = 1.5, noise_sd = 0.7;

typedef struct vector {
    double x[DIM];
} vector;

/* A symmetric matrix of two rows: [a, b; b, c]. */
typedef struct matrix {
    double a, b, c;
} matrix;

static double along(vector u, vector v) {
    return u.x[0] * v.x[0] + u.x[1] * v.x[1];
}

static vector times(matrix m, vector v) {
    return (vector){{m.a * v.x[0] + m.b * v.x[1], m.b * v.x[0] + m.c * v.x[1]}};
}

static matrix inverse(matrix m) {
    double determinant = m.a * m.c - m.b * m.b;
    return (matrix){m.c / determinant, -m.b / determinant, m.a / determinant};
}

static double length_in(matrix m, vector v) {
    return sqrt(along(v, times(m, v)));
}

/* Round t: the posterior before it, the world drawn, the learner, its arm. */
typedef struct course {
    vector point[ARMS], truth, mean[ROUNDS + 1], world[ROUNDS];
    matrix spread[ROUNDS + 1];
    int learner[ROUNDS], arm[ROUNDS];
} course;

static double best_value(const course *c, vector world) {
    double best = -INFINITY;
    for (int a = 0; a < ARMS; a++) best = fmax(best, along(c->point[a], world));
    return best;
}

static double worst_value(const course *c, vector world) {
    return -best_value(c, (vector){{-world.x[0], -world.x[1]}});
}

static int plays_of(const course *c, int i, int t) {
    int count = 0;
    for (int s = 0; s < t; s++) count += c->learner[s] == i;
    return count;
}

static double charge_of(const course *c, const rule *g, int i, int t) {
    double regret = 0.0, best = best_value(c, c->world[t]);
    for (int s = 0; s < t; s++)
        if (c->learner[s] == i) regret += best - along(c->point[c->arm[s]], c->world[t]);
    return regret / divisor(g, plays_of(c, i, t));
}

static double least_of(const course *c, const rule *g, int t, int *who) {
    double least = INFINITY;
    for (int i = 0; i < TEAM; i++) {
        double charge = charge_of(c, g, i, t);
        if (charge < least) least = charge, *who = i;
    }
    return least;
}

/* N(mean, spread), by the Cholesky factor. */
static vector drawn_from(vector mean, matrix spread, posse_draw *draw) {
    double z = posse_draw_normal(draw), y = posse_draw_normal(draw), first = sqrt(spread.a), below = spread.b / first;
    mean.x[0] += first * z;
    mean.x[1] += below * z + sqrt(fmax(0.0, spread.c - below * below)) * y;
    return mean;
}

static void play(course *c, const rule *g, uint32_t run) {
    posse_draw draw;
    draw_open(&draw, 15, run, stream_named(STREAM_INSTANCE, NULL), 0);
    double s2 = prior_sd * prior_sd, v2 = noise_sd * noise_sd, quality[TEAM];
    matrix precision = {1.0 / s2, 0.0, 1.0 / s2};
    vector sum = {{0}};
    for (int a = 0; a < ARMS; a++) c->point[a] = (vector){{cos(a * 1.1), 0.8 * sin(a * 1.1)}};
    for (int i = 0; i < TEAM; i++) quality[i] = posse_draw_uniform(&draw);
    c->truth = drawn_from(sum, (matrix){s2, 0.0, s2}, &draw);
    for (int t = 0; t < ROUNDS; t++) {
        c->spread[t] = inverse(precision);
        c->mean[t] = times(c->spread[t], sum);
        c->world[t] = drawn_from(c->mean[t], c->spread[t], &draw);
        c->learner[t] = t;
        if (t >= TEAM) least_of(c, g, t, &c->learner[t]);
        int arm = (int)posse_draw_index(&draw, ARMS);
        if (posse_draw_uniform(&draw) < quality[c->learner[t]])
            for (int a = 0; a < ARMS; a++)
                arm = along(c->point[a], c->mean[t]) > along(c->point[arm], c->mean[t]) ? a : arm;
        vector x = c->point[c->arm[t] = arm];
        double reward = along(x, c->truth) + noise_sd * posse_draw_normal(&draw);
        precision = (matrix){precision.a + x.x[0] * x.x[0] / v2, precision.b + x.x[0] * x.x[1] / v2,
                             precision.c + x.x[1] * x.x[1] / v2};
        sum = (vector){{sum.x[0] + x.x[0] * reward / v2, sum.x[1] + x.x[1] * reward / v2}};
    }
    c->spread[ROUNDS] = inverse(precision);
}

/* The sum of the plays of a learner before round t, each times 1 / n, or times h_l - 1. */
static vector plays_weighed(const course *c, int i, int t, bool by_tails) {
    vector sum = {{0}};
    int n = plays_of(c, i, t);
    double tail = 0.0;
    for (int s = t - 1, l = n; s >= 0; s--) {
        if (c->learner[s] != i) continue;
        tail += 1.0 / l--;
        double weight = by_tails ? tail - 1.0 : 1.0 / n;
        for (int j = 0; j < DIM; j++) sum.x[j] += weight * c->point[c->arm[s]].x[j];
    }
    return sum;
}

/* Whether truth and world are within the radius of the posterior mean, in the direction of every learner's plays. */
static bool is_close(const course *c, int t, double radius) {
    for (int i = 0; i < TEAM; i++)
        for (int by_tails = 0; by_tails < 2; by_tails++) {
            vector y = plays_weighed(c, i, t, by_tails);
            double most = radius * length_in(c->spread[t], y), middle = along(y, c->mean[t]);
            if (fabs(along(y, c->truth) - middle) > most || fabs(along(y, c->world[t]) - middle) > most) return false;
        }
    return true;
}

/* (3): the noise of the plays of a learner before round t, per radius. */
static double noise_before(const course *c, int i, int t) {
    double sum = 0.0, tail = 0.0;
    for (int s = t - 1, l = plays_of(c, i, t); s >= 0; s--) {
        if (c->learner[s] != i) continue;
        tail += 1.0 / l--;
        sum += 2.0 * (tail + fabs(tail - 1.0)) * length_in(c->spread[s + 1], c->point[c->arm[s]]);
    }
    return sum;
}

static double information(void) {
    double v2 = noise_sd * noise_sd; /* points are in the unit ball */
    return v2 * DIM * log(1.0 + ROUNDS * prior_sd * prior_sd / (DIM * v2));
}

typedef struct counts {
    long good, bad, tight;
} counts;

static void check(const course *c, const rule *g, double d, double radius, counts *n) {
    double best = best_value(c, c->truth), worst = worst_value(c, c->truth), missed = 0.0, bad = 0.0, noise = 0.0;
    int last[TEAM] = {0}, who = 0;
    for (int t = 0; t < ROUNDS; t++) {
        double top = t < TEAM ? best : best_value(c, c->world[t]);
        bool good = t >= TEAM && least_of(c, g, t, &who) <= d && is_close(c, t, radius);
        missed += top - along(c->point[c->arm[t]], c->truth);
        if (good) last[c->learner[t]] = t;
        if (t >= TEAM && !good) bad += fmax(0.0, top - worst);
        n->good += good;
        n->bad += t >= TEAM && !good;
    }
    double first = 0.0;
    for (int i = 0; i < TEAM; i++) {
        noise += radius * noise_before(c, i, last[i]);
        first += d * spent(g, plays_of(c, i, ROUNDS));
    }
    double closed = 2.0 * (1.0 + sqrt(2.0)) * radius * sqrt(ROUNDS * information());
    assert_that(at_most(noise, closed), "noise %g > %g", noise, closed);
    double bound = TEAM * (best - worst) + first + noise + bad;
    assert_that(at_most(missed, bound), "%s, d %g, radius %g: %g > %g", g->name, d, radius, missed, bound);
    n->tight += missed > TEAM * (best - worst) + bad; /* first term and noise are needed */
}

LAW(noise_of_linear_beliefs_is_counted_by_coordinates) {
    static course c;
    static const double coefficients[] = {0.05, 0.5, 3.0}, radii[] = {0.5, 1.5, 3.0};
    counts n = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 12; run++) {
            play(&c, &rules[k], run);
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++) check(&c, &rules[k], coefficients[d], radii[r], &n);
        }
    print_message("%ld good rounds, %ld bad ones, %ld histories that need the noise\n", n.good, n.bad, n.tight);
    assert_true(n.good > 3000 && n.bad > 1000 && n.tight > 20);
}

/* The lengths of all plays sum to at most the information, which does not depend on the number of arms. */
LAW(lengths_of_plays_sum_to_the_information) {
    static course c;
    double largest = 0.0;
    for (uint32_t run = 0; run < 24; run++) {
        double sum = 0.0;
        play(&c, &rules[run % RULES], run);
        for (int t = 0; t < ROUNDS; t++) sum += pow(length_in(c.spread[t + 1], c.point[c.arm[t]]), 2.0);
        assert_that(sum <= information(), "%g > %g", sum, information());
        largest = fmax(largest, sum);
    }
    assert_true(largest > 0.3 * information());
}
