/* SPDX-License-Identifier: MIT */
#include "report/data/fit.h"

#include <math.h>
#include <stdbool.h>

void fit_add(fit *f, double x, double y, double weight) {
    f->count++;
    f->weight += weight;
    double dx = x - f->x, dy = y - f->y, part = weight / f->weight;
    f->x += part * dx;
    f->y += part * dy;
    f->spread += weight * dx * (x - f->x);
    f->covariance += weight * dx * (y - f->y);
}

static bool is_determined(const fit *f) {
    return f->count >= 3 && f->spread > 0;
}

double fit_slope(const fit *f) {
    return is_determined(f) ? f->covariance / f->spread : NAN;
}

double fit_ci95(const fit *f) {
    return is_determined(f) ? 1.96 / sqrt(f->spread) : NAN;
}
