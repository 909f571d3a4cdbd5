/* SPDX-License-Identifier: MIT */
#include "selector/earnings.h"
#include "posse_extend.h"

#include <math.h>

static double radius_of(const confidence *c, double learners, double heard) {
    double logarithm = posse_log(heard);
    double failures = learners * (logarithm > 1.0 ? logarithm : 1.0) / c->delta;
    return c->factor * sqrt(posse_log(failures) / heard);
}

void earnings_start(earnings *list, int places) {
    for (int i = 0; i < places; i++) list[i] = (earnings){.radius = INFINITY};
}

void earnings_hear(earnings *e, const confidence *c, double learners, double reward) {
    e->heard += 1.0;
    e->sum += reward;
    e->mean = e->sum / e->heard;
    e->radius = radius_of(c, learners, e->heard);
}

void earnings_recount(earnings *list, int places, const confidence *c, double learners) {
    for (int i = 0; i < places; i++)
        if (list[i].heard > 0.0) list[i].radius = radius_of(c, learners, list[i].heard);
}

double earnings_low(const earnings *list, int places, double factor) {
    double low = -INFINITY;
    for (int i = 0; i < places; i++) {
        const earnings *e = &list[i];
        double bound = e->mean - factor * e->radius;
        low = e->active != 0.0 && bound > low ? bound : low;
    }
    return low;
}

int earnings_least(const earnings *list, int places) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < places; i++) {
        bool less = list[i].active != 0.0 && list[i].charge < least;
        best = less ? i : best;
        least = less ? list[i].charge : least;
    }
    return best;
}

static bool earnings_is_count(double x) {
    return x >= 0.0 && x < 1e18;
}

bool earnings_sane(const earnings *list, int places) {
    double active = 0.0;
    for (int i = 0; i < places; i++) {
        const earnings *e = &list[i];
        bool radius = e->heard > 0.0 ? e->radius >= 0.0 && isfinite(e->radius) : e->radius == INFINITY;
        if (e->active != 0.0 && e->active != 1.0) return false;
        if (!earnings_is_count(e->plays) || !earnings_is_count(e->heard) || !isfinite(e->sum) || !isfinite(e->mean) ||
            !radius || !isfinite(e->charge))
            return false;
        active += e->active;
    }
    return active > 0.0;
}
