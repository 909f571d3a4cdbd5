/* SPDX-License-Identifier: MIT */
/*
 * The rounds of a batch with features by name: those that posse.batches.named_rounds returns, as the library reads
 * them. Names and words stay in the texts of Python, which the vocabulary keeps.
 */
#ifndef CROWD_H
#define CROWD_H

#include "python/src/columns.h"

/* Arms that are available, with features of their own or without. */
typedef struct crowd_arms {
    int count;
    int *arms; /* rising; NULL: all arms are available */
    posse_feature_list *points;
} crowd_arms;

typedef struct crowd {
    size_t count;
    posse_named *rounds;
    const crowd_arms **arms; /* of each round */
    pool *memory;
    vocabulary *words;
    plain_list lists;
} crowd;

/* Takes the rounds, whose object must stay; to be closed in any case. False with an exception set. */
bool crowd_open(crowd *c, PyObject *made);
void crowd_close(crowd *c);

/* The context of round i. */
posse_context crowd_context(const crowd *c, size_t i);

/* The same in numbers, in room for all features of all arms (posse_named_write). */
posse_error crowd_numbers(const crowd *c, const posse *p, size_t i, double *room, posse_context *out);

/* Teaches the map of features what decisions in the rounds from `first` to before `end` would. room: as above. */
void crowd_teach_map(const crowd *c, posse *p, size_t first, size_t end, double *room);

#endif
