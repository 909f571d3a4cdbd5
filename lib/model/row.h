/* SPDX-License-Identifier: MIT */
/*
 * The features of an arm that are not 0, as pairs of a slot and a value, for parts that do a step per pair. Where
 * contexts are sparse (posse_def.nonzeros), the features of an arm are the number of its pairs, followed by the pairs.
 * Other features are one number for each slot. Pairs are in the order of the features, and sums are taken in that
 * order, so that both forms give the same bits.
 */
#ifndef POSSE_MODEL_ROW_H
#define POSSE_MODEL_ROW_H

#include "model/space.h"

typedef struct row {
    int count;
    const double *pairs; /* slot, value, slot, value, ... */
} row;

/* Room for the pairs of features that are not sparse. */
#define ROW_ROOM (2 * DIM_MAX)

static inline int row_slot(row r, int i) {
    return (int)r.pairs[2 * i];
}

static inline double row_value(row r, int i) {
    return r.pairs[2 * i + 1];
}

static inline row row_of_sparse(const double *features) {
    return (row){(int)features[0], features + 1};
}

/* The pairs of `dim` features that are not sparse, written to `room`. */
static inline row row_of_dense(const double *features, int dim, double *room) {
    int count = 0;
    for (int j = 0; j < dim; j++) {
        if (features[j] == 0.0) continue;
        room[2 * count] = j;
        room[2 * count + 1] = features[j];
        count++;
    }
    return (row){count, room};
}

#endif
