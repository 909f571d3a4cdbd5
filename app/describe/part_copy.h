/* SPDX-License-Identifier: MIT */
/*
 * Copies of parts. A part that the library lends lives only as long as the environment or the prior that it came from.
 */
#ifndef POSSE_DESCRIBE_PART_COPY_H
#define POSSE_DESCRIBE_PART_COPY_H

#include "common/pool.h"

/* Copies a part, with all that it points to, into memory of the pool. False: no memory. */
bool part_copy(pool *memory, const posse_part *from, posse_part *out);

#endif
