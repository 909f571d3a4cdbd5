/* SPDX-License-Identifier: MIT */
/*
 * Recipes: descriptions of parts that a posse owns. A recipe is copied by writing and reading it, so that a copy holds
 * exactly what can be saved.
 */
#ifndef POSSE_POSSE_RECIPE_H
#define POSSE_POSSE_RECIPE_H

#include "core/memory.h"
#include "core/parameter.h"
#include "posse/bytes.h"

void recipe_write(writer *w, const posse_part *part);

/* Reads a part into the arena. POSSE_ERROR_DAMAGED where it cannot be one. */
posse_error recipe_read(reader *r, arena *memory, posse_part *out);

/* Copies a part, with everything it points to, into the arena. What cannot be copied is told to the log. */
posse_error recipe_copy(const posse_part *part, arena *memory, const posse_logger *log, const posse_place *where,
                        posse_part *out);

#endif
