/* SPDX-License-Identifier: MIT */
/* Gamma variables, beyond what posse_extend.h has. */
#ifndef POSSE_RANDOM_GAMMA_H
#define POSSE_RANDOM_GAMMA_H

#include "posse_extend.h"

/* The logarithm of a gamma variable, for use where the variable itself may be too small for a double. shape > 0. */
double draw_log_gamma(posse_draw *draw, double shape);

#endif
