/* SPDX-License-Identifier: MIT */
/*
 * A prior as an object: a belief's description that owns what it points to, and what it was fitted to.
 */
#ifndef POSSE_PRIOR_PRIOR_H
#define POSSE_PRIOR_PRIOR_H

#include "model/part.h"

struct posse_prior {
    arena memory;
    posse_part part;
    int arms; /* 0: as many as there are */
    bool fitted, noise_given;
    posse_fit_record record;
};

/* An empty one. POSSE_ERROR_MEMORY: there is no memory left. */
posse_error prior_new(const posse_host *host, posse_prior **out);

/* Text of a number that is read back as the same bits, whatever the locale. */
#define PRIOR_NUMBER_TEXT 40
const char *prior_number(double x, char text[PRIOR_NUMBER_TEXT]);

/* The number of nine digits that is nearest: what is estimated has no more, and files become readable. */
double prior_rounded(double x);

#endif
