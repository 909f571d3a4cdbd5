/* SPDX-License-Identifier: MIT */
/*
 * Robust beliefs written out by hand: the mixture that `robust` stands for, from the table in docs/beliefs.md and
 * without the library's code.
 */
#ifndef WRITTEN_OUT_H
#define WRITTEN_OUT_H

#include "menagerie.h"

#define WRITTEN_MAX 5
#define WRITTEN_ARMS 49

typedef struct written_out {
    posse_part components[WRITTEN_MAX];
    double weights[WRITTEN_MAX];
    double numbers[2 * WRITTEN_MAX][WRITTEN_ARMS]; /* of the components' lists */
    int count, lists;
} written_out;

/* The robust form of a belief, with or without its option `robust`. The part points into *w. */
posse_part written_out_robust(const posse_part *belief, int arms, written_out *w);

#endif
