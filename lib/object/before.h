/* SPDX-License-Identifier: MIT */
/*
 * A posse as it was before a choice. A choice changes states, streams and counts step by step, and may fail at a step
 * or turn out to be unwanted. The copy undoes all of it.
 */
#ifndef POSSE_OBJECT_BEFORE_H
#define POSSE_OBJECT_BEFORE_H

#include "object/object.h"

typedef struct before {
    arena memory;
    void *selector, *learners; /* learners: the states of the learners that are asked, one after the other */
    uint64_t *positions;       /* in the streams of all learners */
    uint64_t selector_draw, ties_draw, floor_draw;
    int current, asked; /* asked: the chosen learner, -1 before the choice */
    double probability;
    uint64_t batch_left, plays;
} before;

/* Reserves the memory for choices of this posse, while no learner or arm is added or retired. */
posse_error before_open(before *b, const posse *p);
void before_close(before *b);

/* object_choose, which before_restore can undo. */
posse_error before_choose(before *b, posse *p, const posse_round *round, posse_decision *d);

/* Undoes the choice, except that its random numbers are used up. */
void before_restore(const before *b, posse *p);

/* Rewinds the streams, too: the next choice draws the same random numbers. */
void before_rewind(const before *b, posse *p);

#endif
