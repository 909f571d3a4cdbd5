/* SPDX-License-Identifier: MIT */
/*
 * From nodes to parts. Which keys there are, of what type and with what default, the kinds declare; nothing of it is
 * repeated here.
 */
#ifndef POSSE_DESCRIBE_CONVERT_H
#define POSSE_DESCRIBE_CONVERT_H

#include "describe/reading.h"

/*
 * Reads the part that a map describes, all but its name and its learners, and checks its options. False: it is not to
 * be used, and why is among the problems.
 */
bool convert_part(reading *r, const node *map, posse_family family, posse_part *out);

/* A selector whose lists with a number for each learner are one number for all, so that any team will do. */
posse_part convert_without_lists(const posse_part *selector);

/*
 * Whether the rows of every table in a part are as long as they must be: a coordinate for each dimension in an
 * environment, a number for each arm in a belief. The library sees only how many numbers there are in all.
 */
bool convert_check_rows(reading *r, const node *map, posse_family family);

#endif
