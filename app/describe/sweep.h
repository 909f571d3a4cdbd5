/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: a list of values in an option of a learner stands for one learner for each value. Lists in several options
 * make the grid of all combinations, and the last option varies fastest. Options that are lists by themselves are never
 * a sweep.
 */
#ifndef POSSE_DESCRIBE_SWEEP_H
#define POSSE_DESCRIBE_SWEEP_H

#include "describe/problems.h"

#define SWEEP_LEARNERS_MAX 4096 /* with those that are written out; a sweep that makes more is refused */

/*
 * The description with its `learners` written out, or the description itself if it has no sweep. The learners of a
 * sweep have the positions of the text that they come from. Their names have the values: {name: c, width: [0.1, 1]}
 * makes "c=0.1" and "c=1"; without a name, or with several lists, {kind: ucb, width: [0.1, 1]} makes "ucb width=0.1".
 * NULL: no memory.
 */
const node *sweep_expand(const node *root, pool *memory, problems *found);

#endif
