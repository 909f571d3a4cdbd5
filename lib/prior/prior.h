/* SPDX-License-Identifier: MIT */
/*
 * A prior as an object: the description of a belief, with the memory that it points to, and the record of its fit.
 */
#ifndef POSSE_PRIOR_PRIOR_H
#define POSSE_PRIOR_PRIOR_H

#include "model/part.h"

struct posse_prior {
    arena memory;
    posse_part part;
    int arms; /* 0: any number */
    bool fitted;
    posse_fit_record record;
};

/* Makes an empty prior. POSSE_ERROR_MEMORY: there is no memory left. */
posse_error prior_new(const posse_host *host, posse_prior **out);

/* The nearest number with nine digits. Estimates are not more accurate than that, and files become readable. */
double prior_rounded(double x);

#endif
