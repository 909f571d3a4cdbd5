/*
 * Trials: the library is asked to make what the file describes, and what it says against it becomes problems at the
 * keys and values it speaks of. So ranges, exclusions and what lives where are stated once, in the library.
 */
#ifndef POSSE_READ_TRIAL_H
#define POSSE_READ_TRIAL_H

#include "experiment/read/reader.h"

/* Makes r->host listen. */
void trial_listen(reading *r, const posse_allocator *lent);

/* Checks the options of a part by themselves: types, ranges, exclusions, what is missing. */
bool trial_options(reading *r, const node *map, posse_family family, const posse_part *part);

/* Makes the environment; r->environment and r->def are set where that goes well. */
bool trial_environment(reading *r, const node *map, const posse_part *part, uint64_t seed);

/* Whether a learner can live alone in the environment, and a selector with these learners, and learn its rewards. */
bool trial_learner(reading *r, const node *map, const posse_part *learner);
bool trial_selector(reading *r, const node *map, const posse_part *selector, const posse_part *learners, int count);

#endif
