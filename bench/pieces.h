/*
 * The pieces of a linear decision (d = 10, K = 1000), one by one. Each does `count` of them and returns something that
 * depends on all.
 */
#ifndef BENCH_PIECES_H
#define BENCH_PIECES_H

#include <stddef.h>

#include "posse.h"

typedef struct pieces pieces;

/* With the arms of a linear environment in ten dimensions, which has to outlive them. There is one at a time. */
pieces *pieces_begin(posse_environment *e);

double pieces_draw(void *pieces_, size_t count);     /* of theta */
double pieces_best(void *pieces_, size_t count);     /* of all arms */
double pieces_best_all(void *pieces_, size_t count); /* the same with every arm computed */
double pieces_update(void *pieces_, size_t count);   /* of the square root of the covariance */

#endif
