/* SPDX-License-Identifier: MIT */
#include "brought.h"

#include <string.h>

const setting joint_setting = {"joint", 7, 5, 0}, both_setting = {"both", 6, 3, 2},
              shared_setting = {"shared", 5, 0, 4};
const setting *const settings[SETTINGS] = {&joint_setting, &both_setting, &shared_setting};

posse_def setting_def(const setting *s, const posse_part *learner, uint64_t seed) {
    posse_def def = posse_default_def();
    def.arms = s->arms;
    def.dim = s->own;
    def.context = s->shared;
    def.selector = (posse_part){0};
    def.learners = learner;
    def.learner_count = 1;
    def.seed = seed;
    return def;
}

double feature(uint64_t *source) {
    return 2.0 * random_uniform(source) - 1.0;
}

/* Each active arm is available in two of three rounds, and at least one is. In some rounds all are. */
void bring(const setting *s, const posse *p, uint64_t *source, brought *b) {
    int arms = posse_arm_count(p);
    bool all = random_below(source, 8) == 0;
    b->count = 0;
    while (b->count == 0)
        for (int a = 0; a < arms; a++)
            if (posse_arm_active(p, a) && (all || random_below(source, 3) > 0)) b->arms[b->count++] = a;
    for (int j = 0; j < s->shared; j++) b->shared[j] = feature(source);
    for (int k = 0; k < b->count; k++) {
        for (int j = 0; j < s->own; j++) b->rows[k][j] = b->points[k * s->own + j] = feature(source);
        memcpy(b->rows[k] + s->own, b->shared, (size_t)s->shared * sizeof(double));
    }
    b->context = (posse_context){.count = all ? 0 : b->count,
                                 .arms = all ? NULL : b->arms,
                                 .shared = s->shared > 0 ? b->shared : NULL,
                                 .points = s->own > 0 ? b->points : NULL};
}

int place_of(const brought *b, int arm) {
    int place = 0;
    while (place < b->count && b->arms[place] != arm) place++;
    assert_that(place < b->count, "arm %d was picked and is not there", arm);
    return place;
}
