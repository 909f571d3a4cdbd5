/* SPDX-License-Identifier: MIT */
#include "divisor.h"

#include <math.h>

const rule rules[RULES] = {
    {"the paper's", 0.0, 1.0, 0.0},       {"n^1/4", 0.25, 1.0, 0.0},       {"sqrt(n)", 0.5, 1.0, 0.0},
    {"sqrt(max(n, 20))", 0.5, 20.0, 0.0}, {"half committed", 0.5, 8, 0.5}, {"committed", 0.5, 10.7, 1.0},
};

double divisor(const rule *g, double n) {
    return pow(fmax(n, g->b), g->alpha) * (1.0 + 0.5 * g->commitment * log(fmax(1.0, n / g->b)));
}

double worst_ratio(const rule *g, int rounds) {
    double worst = 0.0;
    for (int m = 1; m <= rounds; m++) worst = fmax(worst, sqrt(m) / divisor(g, m));
    return worst;
}

double spent(const rule *g, int plays) {
    double sum = plays > 1 ? divisor(g, plays - 1) : 0.0;
    for (int k = 1; k < plays; k++) sum += divisor(g, k) / k;
    return sum;
}

bool at_most(double left, double right) {
    return left <= right + 1e-9 * (1.0 + fabs(left) + fabs(right));
}

double first_term(const rule *g, double count, double rounds) {
    if (g->alpha == 0.0) return count * sqrt(rounds) * (2.0 + log(rounds / count));
    if (g->alpha < 0.5) return (1.0 + 1.0 / g->alpha) * pow(count, 1.0 - g->alpha) * sqrt(rounds);
    double lambda = fmin(log(fmax(1.0, rounds / g->b)), log(M_E + rounds / (count * g->b)));
    return 3.0 * sqrt(count * rounds) * (1.0 + 0.5 * g->commitment * lambda) + count * sqrt(g->b) * log(g->b / 2.0);
}
