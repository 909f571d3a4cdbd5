/* SPDX-License-Identifier: MIT */
/*
 * From nodes to parts. The kinds declare their keys, with types and defaults, and nothing of that is repeated here.
 */
#ifndef POSSE_DESCRIBE_CONVERT_H
#define POSSE_DESCRIBE_CONVERT_H

#include "describe/reading.h"
#include "posse_kinds.h"

/*
 * Reads the part that a map describes, all but its name and its learners, and checks its options. False: the part must
 * not be used, and the problems have the reason.
 */
bool convert_part(reading *r, const node *map, posse_family family, posse_part *out);

/*
 * A copy of a selector in which each list with a number for each learner is replaced by its first number, so that the
 * copy can be tried with any number of learners.
 */
posse_part convert_without_lists(const posse_part *selector);

/*
 * Whether the rows of every table in a part are as long as they must be: a coordinate for each dimension in an
 * environment, a number for each arm in a belief. The library cannot check this, because it gets only the total count
 * of numbers.
 */
bool convert_check_rows(reading *r, const node *map, posse_family family);

#endif
