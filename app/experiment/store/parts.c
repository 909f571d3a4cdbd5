/* SPDX-License-Identifier: MIT */
#include "experiment/store/parts.h"

#include "describe/part_json.h"

static json_t *parts_list(posse_family family, const posse_part *parts, int count, const part_surroundings *in) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, part_json(family, &parts[i], in));
    return array;
}

/* Selectors, each with its team. */
static json_t *selectors_list(const experiment *e, const part_surroundings *in) {
    json_t *array = parts_list(POSSE_FAMILY_SELECTOR, e->selectors, e->selector_count, in);
    for (int s = 0; s < e->selector_count; s++) {
        json_t *names = json_array();
        for (int k = 0; k < e->teams[s].count; k++)
            json_array_append_new(names, json_string(e->learners[e->teams[s].learners[k]].name));
        json_object_set_new(json_array_get(array, (size_t)s), "learners", names);
    }
    return array;
}

json_t *parts_json(const experiment *e) {
    part_surroundings in = {(size_t)(e->dim > 0 ? e->dim : e->arms), e->path != NULL ? e->path : ""};
    return json_pack("{s:o, s:o, s:o}", "environment", part_json(POSSE_FAMILY_ENVIRONMENT, &e->environment, &in),
                     "learners", parts_list(POSSE_FAMILY_LEARNER, e->learners, e->learner_count, &in), "selectors",
                     selectors_list(e, &in));
}
