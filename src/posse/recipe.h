/*
 * Recipes: descriptions of parts that a posse owns. Copying one is writing and reading it, so that what is copied is
 * just what can be saved.
 */
#ifndef POSSE_POSSE_RECIPE_H
#define POSSE_POSSE_RECIPE_H

#include "core/memory.h"
#include "core/parameter.h"
#include "posse/bytes.h"

void recipe_write(writer *w, const posse_part *part);

/* Reads a part into the arena. POSSE_ERROR_DAMAGED where it cannot be one. */
posse_error recipe_read(reader *r, arena *memory, posse_part *out);

/* Copies a part, with all it points to, into the arena. log is told what cannot be copied. */
posse_error recipe_copy(const posse_part *part, arena *memory, const posse_logger *log, const posse_place *where,
                        posse_part *out);

#endif
