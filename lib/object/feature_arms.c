/* SPDX-License-Identifier: MIT */
/*
 * Arms without features. To a model with one vector of weights they are all the same, so that it could not learn which
 * one is good. Their names distinguish them.
 */
#include <stdio.h>

#include "object/object.h"

struct feature_arm {
    posse_feature feature;
    char number[12]; /* of an arm without a name */
};

static bool arms_have_features(const posse_named *named, int count) {
    bool some = false;
    for (int k = 0; named->points != NULL && k < count && !some; k++) some = named->points[k].count != 0;
    return some;
}

static posse_error arms_reserve(feature_room *r, size_t count, const posse_allocator *allocator) {
    if (count <= r->arm_count) return POSSE_OK;
    memory_release(allocator, r->arms);
    memory_release(allocator, r->arm_lists);
    r->arms = memory_allocate(allocator, count * sizeof *r->arms);
    r->arm_lists = memory_allocate(allocator, count * sizeof *r->arm_lists);
    r->arm_count = r->arms != NULL && r->arm_lists != NULL ? count : 0;
    return r->arm_count > 0 ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error feature_arms_name(const posse *p, const posse_round *round, posse_named *named) {
    feature_room *r = &p->map->room;
    if (object_feature_slots(p).own == 0 || arms_have_features(named, round->count)) return POSSE_OK;
    posse_error error = arms_reserve(r, (size_t)round->count, &p->host.allocator);
    if (error != POSSE_OK) return error;
    for (int k = 0; k < round->count; k++) {
        struct feature_arm *a = &r->arms[k];
        const char *name = posse_arm_name(p, round->arms[k]);
        if (name == NULL) snprintf(a->number, sizeof a->number, "%d", round->arms[k]);
        a->feature = (posse_feature){.name = FEATURE_ARM_NAME, .word = name != NULL ? name : a->number};
        r->arm_lists[k] = (posse_feature_list){1, &a->feature};
    }
    named->points = r->arm_lists;
    return POSSE_OK;
}
