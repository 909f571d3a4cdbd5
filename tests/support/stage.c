/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include <string.h>

#include "helpers.h"
#include "menagerie.h"

static void fill(double *numbers, size_t count, uint64_t *source) {
    assert_true(count <= STAGE_NUMBERS);
    for (size_t i = 0; i < count; i++) numbers[i] = 2.0 * random_uniform(source) - 1.0;
}

static int choose_arms(const posse *p, bool all, int *arms, uint64_t *source) {
    int count = 0, most = STAGE_NUMBERS / posse_feature_count(p);
    for (int a = 0; a < posse_arm_count(p) && count < STAGE_ARMS && count < most; a++)
        if (posse_arm_active(p, a) && (all || random_below(source, 4) > 0)) arms[count++] = a;
    return count > 0 ? count : choose_arms(p, true, arms, source);
}

void stage_round(const posse *p, uint64_t n, staged *out) {
    uint64_t source = n * 77 + 5;
    size_t shared = (size_t)posse_shared_feature_count(p), own = (size_t)posse_feature_count(p) - shared;
    int count = choose_arms(p, n % 3 == 0, out->arms, &source);
    fill(out->shared, shared, &source);
    fill(out->points, own * (size_t)count, &source);
    out->context = (posse_context){.count = count,
                                   .arms = out->arms,
                                   .shared = shared > 0 ? out->shared : NULL,
                                   .points = own > 0 ? out->points : NULL};
}

posse_error stage_decide(posse *p, posse_decision *d) {
    if (posse_feature_count(p) == 0) return posse_decide(p, NULL, d);
    staged s;
    stage_round(p, posse_decision_count(p), &s);
    return posse_decide(p, &s.context, d);
}

posse_error stage_acted(posse *p, posse_decision *d) {
    if (posse_feature_count(p) == 0) {
        d->arm = (int)(d->id % (uint64_t)posse_arm_count(p));
        return posse_acted(p, d->id, &(posse_action){.arm = d->arm});
    }
    staged s;
    stage_round(p, posse_decision_count(p) - 1, &s);
    d->arm = s.arms[d->id % (uint64_t)s.context.count];
    return posse_acted(p, d->id, &(posse_action){.arm = d->arm, .context = &s.context});
}

posse_error stage_teach(posse *p, int arm, double reward) {
    if (posse_feature_count(p) == 0) return posse_teach(p, &(posse_action){.arm = arm}, reward);
    staged s;
    stage_round(p, posse_decision_count(p) - 1, &s);
    return posse_teach(p, &(posse_action){.arm = arm, .context = &s.context}, reward);
}

posse_error stage_propensities(const posse *p, uint32_t draws, const posse_propensity *out) {
    if (posse_feature_count(p) == 0) return posse_propensities(p, NULL, draws, out);
    staged s;
    stage_round(p, posse_decision_count(p), &s);
    return posse_propensities(p, &s.context, draws, out);
}
