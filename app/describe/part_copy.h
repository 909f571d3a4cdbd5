/* SPDX-License-Identifier: MIT */
/*
 * Copies of parts. A part that the library lends lives only as long as the environment or the prior that it came from.
 */
#ifndef POSSE_DESCRIBE_PART_COPY_H
#define POSSE_DESCRIBE_PART_COPY_H

#include "common/pool.h"
#include "posse_kinds.h"

/* Copies a part, with all that it points to, into memory of the pool. False: no memory. */
bool part_copy(pool *memory, const posse_part *from, posse_part *out);

/*
 * Fills in the defaults of a part and of the parts inside it, which must be copies that the caller owns. prior: where
 * inherited defaults come from, or NULL.
 */
bool part_resolve(posse_family family, const posse_part *prior, posse_part *part);

#endif
