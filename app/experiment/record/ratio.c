/* SPDX-License-Identifier: MIT */
#include "experiment/record/ratio.h"

#include <math.h>

void ratio_add(ratio *r, double term, double weight) {
    if (weight == 0.0) return; /* a row without a weight has no term either */
    if (r->count++ == 0.0) r->centre = term / weight;
    double rest = term - r->centre * weight;
    r->weights += weight;
    r->weights_2 += weight * weight;
    r->rests += rest;
    r->rests_2 += rest * rest;
    r->crossed += rest * weight;
}

double ratio_value(const ratio *r) {
    return r->count > 0.0 ? r->centre + r->rests / r->weights : NAN;
}

double ratio_variance(const ratio *r) {
    if (r->count < 2.0) return NAN;
    double away = r->rests / r->weights;
    double squares = r->rests_2 - 2.0 * away * r->crossed + away * away * r->weights_2;
    return r->count / (r->count - 1.0) * (squares > 0.0 ? squares : 0.0) / (r->weights * r->weights);
}

double ratio_effective(const ratio *r) {
    return r->count > 0.0 ? r->weights * r->weights / r->weights_2 : 0.0;
}
