/* SPDX-License-Identifier: MIT */
/*
 * Rounds with features (posse_round, posse_extend.h).
 */
#ifndef POSSE_MODEL_ROUND_H
#define POSSE_MODEL_ROUND_H

#include "posse_extend.h"

/* The largest absolute value of a feature. The noise would be lost to rounding beside squares of larger ones. */
#define FEATURE_MAX 1e6

/* The features of the arm at a place of the round. */
static inline const double *round_features(const posse_round *round, int place) {
    return round->features + (size_t)place * round->stride;
}

/* The place of an arm in the round; -1: it is not available. */
static inline int round_place(const posse_round *round, int arm) {
    int low = 0, high = round->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (round->arms[middle] < arm)
            low = middle + 1;
        else
            high = middle;
    }
    return round->arms[low] == arm ? low : -1;
}

#endif
