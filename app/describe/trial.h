/* SPDX-License-Identifier: MIT */
/*
 * Trials: the library is asked to create the parts that a description has, and its messages become problems at the keys
 * and values that they are about. So ranges, exclusions and requirements are stated once, in the library.
 */
#ifndef POSSE_DESCRIBE_TRIAL_H
#define POSSE_DESCRIBE_TRIAL_H

#include "describe/reading.h"
#include "posse_kinds.h"

/*
 * Finds in a tree, from a node on, a place that the library names. Names that differ in the file are followed (a
 * component of a mixture is {weight: .., belief: ..}). A part as a whole is located at its kind, and a missing entry at
 * the innermost map that exists. The label is the place as the library names it, and lives in `memory`.
 */
location trial_locate(const node *from, const posse_place *place, pool *memory);

/* The same from the node of a part. The first step of the place, such as learners[0], is that part. */
location trial_locate_inside(const node *part, const posse_place *place, pool *memory);

/* Gives r->host a log that turns messages into problems. */
void trial_listen(reading *r);

/* Checks the options of a part by themselves: types, ranges, exclusions, missing options. */
bool trial_options(reading *r, const node *map, posse_family family, const posse_part *part);

/* Creates the environment; sets r->environment and r->def if that succeeds. */
bool trial_environment(reading *r, const node *map, const posse_part *part, uint64_t seed);

/*
 * Whether a learner alone, or a selector with these learners, can be created in the environment and learn from its
 * rewards.
 */
bool trial_learner(reading *r, const node *map, const posse_part *learner);
bool trial_selector(reading *r, const node *map, const posse_part *selector, const posse_part *learners, int count);

#endif
