/* SPDX-License-Identifier: MIT */
/*
 * Textbook C: one LinUCB learner (Li et al. 2010, one model for all arms) on rounds with features, as it is usually
 * written: A^-1 by Sherman-Morrison, theta = A^-1 b, and for every arm <theta, x> + width sqrt(x A^-1 x). Compiled with
 * -O3 -march=native. It shows the cost of one of the learners that B-MS in contexts selects from.
 *
 *     bench_linucb ROUNDS REPEATS        prints the least nanoseconds of a round, and the regret
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define D 10
#define K 20

static uint64_t word = 88172645463325252u;

static double uniform(void) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return ((double)(word >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) {
    return sqrt(-2.0 * log(uniform())) * cos(2.0 * 3.14159265358979323846 * uniform());
}

typedef struct linucb {
    double inverse[D][D], b[D], theta[D];
} linucb;

static void start(linucb *l) {
    memset(l, 0, sizeof *l);
    for (int i = 0; i < D; i++) l->inverse[i][i] = 1.0;
}

static int act(const linucb *l, const double (*x)[D], double width) {
    int best = 0;
    double top = -INFINITY;
    for (int k = 0; k < K; k++) {
        double mean = 0.0, variance = 0.0;
        for (int i = 0; i < D; i++) {
            double row = 0.0;
            for (int j = 0; j < D; j++) row += l->inverse[i][j] * x[k][j];
            variance += row * x[k][i];
            mean += l->theta[i] * x[k][i];
        }
        double bound = mean + width * sqrt(variance);
        if (bound > top) {
            top = bound;
            best = k;
        }
    }
    return best;
}

static void learn(linucb *l, const double *x, double reward) {
    double v[D], scale = 1.0;
    for (int i = 0; i < D; i++) {
        v[i] = 0.0;
        for (int j = 0; j < D; j++) v[i] += l->inverse[i][j] * x[j];
        scale += v[i] * x[i];
    }
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) l->inverse[i][j] -= v[i] * v[j] / scale;
    for (int i = 0; i < D; i++) l->b[i] += reward * x[i];
    for (int i = 0; i < D; i++) {
        l->theta[i] = 0.0;
        for (int j = 0; j < D; j++) l->theta[i] += l->inverse[i][j] * l->b[j];
    }
}

static double value(const double *theta, const double *x) {
    double sum = 0.0;
    for (int j = 0; j < D; j++) sum += theta[j] * x[j];
    return sum;
}

/* Half of an arm's features stay, as in bench_contexts. */
static void bring(double (*x)[D], const double (*lasting)[D]) {
    for (int k = 0; k < K; k++)
        for (int j = 0; j < D; j++) x[k][j] = (lasting[k][j] + normal()) / sqrt(2.0 * D);
}

int main(int count, char **words) {
    long rounds = count > 1 ? atol(words[1]) : 3000, repeats = count > 2 ? atol(words[2]) : 20;
    double(*x)[K][D] = malloc((size_t)rounds * sizeof *x), *noise = malloc((size_t)rounds * sizeof *noise);
    double theta[D], lasting[K][D], least = INFINITY, regret = 0.0;
    if (x == NULL || noise == NULL) return 1;
    for (int j = 0; j < D; j++) theta[j] = normal();
    for (int k = 0; k < K; k++)
        for (int j = 0; j < D; j++) lasting[k][j] = normal();
    for (long t = 0; t < rounds; t++) {
        bring(x[t], lasting);
        noise[t] = normal();
    }
    for (long repeat = 0; repeat < repeats; repeat++) {
        linucb l;
        start(&l);
        regret = 0.0;
        double begin = seconds();
        for (long t = 0; t < rounds; t++) {
            int arm = act(&l, x[t], 0.25);
            double mean = value(theta, x[t][arm]);
            learn(&l, x[t][arm], mean + noise[t]);
            regret -= mean;
        }
        double each = 1e9 * (seconds() - begin) / (double)rounds;
        if (each < least) least = each;
    }
    for (long t = 0; t < rounds; t++) {
        double best = -INFINITY;
        for (int k = 0; k < K; k++) best = fmax(best, value(theta, x[t][k]));
        regret += best;
    }
    printf("linucb-textbook  %6ld %10.1f\n", rounds, least);
    printf("regret %.1f\n", regret);
    free(x);
    free(noise);
    return 0;
}
