/* SPDX-License-Identifier: MIT */
/*
 * Recipes: descriptions of parts that a posse owns, with the options that were given and the defaults that may change
 * (POSSE_PARAM_KEPT).
 */
#ifndef POSSE_OBJECT_RECIPE_H
#define POSSE_OBJECT_RECIPE_H

#include "base/memory.h"
#include "model/part.h"
#include "object/bytes.h"

/* Copies a part, with everything it points to, into the arena. Options that cannot be copied are written to the log. */
posse_error recipe_copy(const posse_part *description, arena *memory, const posse_logger *log, const posse_place *where,
                        const kept_recipe **out);

/* The part that a recipe describes. It points into the recipe. Without a recipe it has no kind. */
posse_part recipe_part(const kept_recipe *r);

/*
 * recipe_write writes a recipe, which may be NULL. recipe_read reads it into the arena. POSSE_ERROR_DAMAGED: the bytes
 * are not those of a recipe.
 */
void recipe_write(writer *w, const kept_recipe *r);
posse_error recipe_read(reader *r, arena *memory, posse_part *out);

#endif
