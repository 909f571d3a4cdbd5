/* SPDX-License-Identifier: MIT */
#include "selector/patience.h"

#include <math.h>

#include "posse_extend.h"

double patience_allowance(const patience *p, double learners) {
    double each = p->plays / learners;
    return p->dim * (each > 2.0 ? each : 2.0);
}

/*
 * omega doubles when the number of rounds is 2, 8, 32, … times M b, the plays that all learners are allowed together.
 * M b is computed without a division by M: if b were rounded upwards, omega could double one round late.
 */
double patience_weight(const patience *p, double learners, double rounds) {
    if (!p->forgets || !patience_ends(p)) return 1.0;
    double together = p->dim * (p->plays > 2.0 * learners ? p->plays : 2.0 * learners), weight = 1.0;
    for (double limit = 2.0 * together; rounds >= limit; limit *= 4.0) weight *= 2.0;
    return weight;
}

double patience_share(const patience *p, double learners, double weight, double plays) {
    if (!patience_ends(p)) return 1.0;
    double ratio = plays / (weight * patience_allowance(p, learners));
    if (!(ratio > 1.0)) return 1.0;
    double s = sqrt(ratio);
    if (p->forgets) return 1.0 / (s * sqrt(s));
    return p->commitment == 0.0 ? 1.0 / s : 1.0 / (s * (1.0 + p->commitment * posse_log(s)));
}
