/* SPDX-License-Identifier: MIT */
/*
 * Recipes: descriptions of parts that a posse owns. A recipe has only the options that were given, and defaults that
 * may change (POSSE_PARAM_KEPT), since a posse_part, with its room for POSSE_OPTIONS_MAX options, would take more
 * memory than the part that is made from it.
 */
#ifndef POSSE_OBJECT_RECIPE_H
#define POSSE_OBJECT_RECIPE_H

#include "base/memory.h"
#include "model/parameter.h"
#include "object/bytes.h"

typedef struct kept_recipe {
    const char *kind, *name;
    int count;
    posse_option options[];
} kept_recipe;

/* Copies a part, with everything it points to, into the arena. Options that cannot be copied are written to the log. */
posse_error recipe_copy(const posse_part *part, arena *memory, const posse_logger *log, const posse_place *where,
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
