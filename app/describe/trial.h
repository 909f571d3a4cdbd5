/* SPDX-License-Identifier: MIT */
/*
 * Trials: the library is asked to make what a description describes, and what it says against it becomes problems at
 * the keys and values it speaks of. So ranges, exclusions and what lives where are stated once, in the library.
 */
#ifndef POSSE_DESCRIBE_TRIAL_H
#define POSSE_DESCRIBE_TRIAL_H

#include "describe/reading.h"

/*
 * Where a place that the library names is in a tree, from a node on. What the file calls something else is followed
 * (a component of a mixture is {weight: .., belief: ..}), a part as a whole is at its kind, and what is not there is
 * missing in the innermost map that is. The label is the place as the library names it, and lives in `memory`.
 */
location trial_locate(const node *from, const posse_place *place, pool *memory);

/* The same from the node of a part, which the first step of the place leads to: learners[0]. */
location trial_locate_inside(const node *part, const posse_place *place, pool *memory);

/* Makes r->host listen. */
void trial_listen(reading *r);

/* Checks the options of a part by themselves: types, ranges, exclusions, what is missing. */
bool trial_options(reading *r, const node *map, posse_family family, const posse_part *part);

/* Makes the environment; r->environment and r->def are set where that goes well. */
bool trial_environment(reading *r, const node *map, const posse_part *part, uint64_t seed);

/* Whether a learner can live alone in the environment, and a selector with these learners, and learn its rewards. */
bool trial_learner(reading *r, const node *map, const posse_part *learner);
bool trial_selector(reading *r, const node *map, const posse_part *selector, const posse_part *learners, int count);

#endif
