/* SPDX-License-Identifier: MIT */
/*
 * The registry lists the kinds of every family: those of the library (kinds/kinds.c) and those that an application has
 * registered.
 */
#ifndef POSSE_MODEL_REGISTRY_H
#define POSSE_MODEL_REGISTRY_H

#include "posse_extend.h"

/* The kinds that the library itself has in a family, and the parameters that every kind of the family has, or NULL. */
typedef struct built_in_family {
    const posse_kind *const *kinds;
    int count;
    const posse_param *params;
} built_in_family;

/* Defined in kinds/kinds.c, which includes the kinds; this folder includes none of them. */
extern const built_in_family built_in_families[POSSE_FAMILY_COUNT];

/* The kind at an index, 0 .. posse_kind_count-1; NULL beyond. */
const posse_kind *registry_kind(posse_family family, int index);

/* Whether a kind is one of the library's own, and no extension. */
bool registry_is_built_in(posse_family family, const char *name);

/* Whether the table of a kind can be used. Registered kinds must pass this check, and the library's own kinds do too.
 */
posse_error registry_check(posse_family family, const posse_kind *kind);

/*
 * Removes the kind that was registered last in a family, which nothing may use any more. Applications cannot: it is for
 * the fuzz target that registers one table after another.
 */
void registry_remove_last(posse_family family);

/* The kind whose table replaces that of this kind if rounds have features, or this kind if there is none. */
const posse_kind *registry_kind_in_contexts(posse_family family, const posse_kind *kind);

/* `rewards` of the table of a learner, a belief or a selector; NULL: there is none. */
posse_rewards (*registry_rewards(posse_family family, const posse_kind *kind))(const void *plan);

/* Whether the application picks the arms for a learner (posse_acted). */
static inline bool learner_is_external(const posse_learner_ops *ops) {
    return ops->act == NULL && ops->act_in == NULL;
}

/* The table a kind is part of. */
#define OPS_OF(type, kind_) ((const type *)(const void *)((const char *)(kind_)-offsetof(type, kind)))

#endif
