/* SPDX-License-Identifier: MIT */
/*
 * Attempts to make a part of any family, as tests of options need them.
 */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "menagerie.h"

/* The result of making a part: the error, and the messages. */
typedef struct attempt {
    posse_error error;
    notes log;
} attempt;

/* Where a part of the family stands in messages. */
const char *attempt_place(posse_family family);

/* A posse of the habitat with this part in it. */
posse_error make_posse(posse_family family, const habitat *h, const posse_part *described, posse_host host,
                       posse **out);

/* A failure leaks nothing, returns NULL and writes to the log. */
attempt attempt_part(posse_family family, const habitat *h, const posse_part *described);

/* Whether a parameter may be added to a part. Some options exclude each other. */
bool stands_beside(posse_family family, const posse_part *described, const posse_param *param);

#endif
