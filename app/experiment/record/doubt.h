/* SPDX-License-Identifier: MIT */
/*
 * Reasons to doubt what a selector did: it clipped many rewards, or the rewards contradict its belief. The program, the
 * page and Python report the same.
 */
#ifndef POSSE_EXPERIMENT_RECORD_DOUBT_H
#define POSSE_EXPERIMENT_RECORD_DOUBT_H

#include "experiment/record/results.h"

typedef enum doubt { DOUBT_CLIPPING, DOUBT_BELIEF } doubt;
#define DOUBTS 2

/* "clipping", "belief". */
const char *doubt_name(doubt kind);

/*
 * The log Bayes factor of all watched runs together above which rewards contradict the belief of a selector; infinite:
 * its belief is robust, and allows for this already.
 */
double doubt_limit(const results *r, int selector);

/* A sentence without a full stop, to be freed. NULL: there is no such reason, or no memory. */
char *doubt_text(const results *r, int selector, doubt kind);

#endif
