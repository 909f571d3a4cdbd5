/* SPDX-License-Identifier: MIT */
#include "report/data/trend.h"

#include <math.h>
#include <stdbool.h>

void trend_add(trend *t, double x, double y, double weight) {
    t->count++;
    t->weight += weight;
    double dx = x - t->x, dy = y - t->y, part = weight / t->weight;
    t->x += part * dx;
    t->y += part * dy;
    t->spread += weight * dx * (x - t->x);
    t->covariance += weight * dx * (y - t->y);
}

static bool is_determined(const trend *t) {
    return t->count >= 3 && t->spread > 0;
}

double trend_slope(const trend *t) {
    return is_determined(t) ? t->covariance / t->spread : NAN;
}

double trend_ci95(const trend *t) {
    return is_determined(t) ? 1.96 / sqrt(t->spread) : NAN;
}
