/* SPDX-License-Identifier: MIT */
/*
 * The pieces of a linear decision (d = 10, K = 1000), one by one. Each call does its piece `count` times and returns a
 * number that depends on all of them.
 */
#ifndef BENCH_PIECES_H
#define BENCH_PIECES_H

#include <stddef.h>

#include "posse_all.h"

typedef struct pieces pieces;

/* Uses the arms of a linear environment in ten dimensions, which must outlive the pieces. There is only one at a time.
 */
pieces *pieces_begin(posse_environment *e);

double pieces_draw(void *pieces_, size_t count);     /* of theta */
double pieces_best(void *pieces_, size_t count);     /* of all arms */
double pieces_best_all(void *pieces_, size_t count); /* the same with every arm computed */
double pieces_update(void *pieces_, size_t count);   /* of the square root of the covariance */

#endif
