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
    int count = 0, most = STAGE_NUMBERS / posse_features(p);
    for (int a = 0; a < posse_arms(p) && count < STAGE_ARMS && count < most; a++)
        if (posse_arm_active(p, a) && (all || random_below(source, 4) > 0)) arms[count++] = a;
    return count > 0 ? count : choose_arms(p, true, arms, source);
}

void stage_round(const posse *p, uint64_t n, staged *out) {
    uint64_t source = n * 77 + 5;
    size_t shared = (size_t)posse_shared_features(p), own = (size_t)posse_features(p) - shared;
    int count = choose_arms(p, n % 3 == 0, out->arms, &source);
    fill(out->shared, shared, &source);
    fill(out->points, own * (size_t)count, &source);
    out->context = (posse_context){.count = count,
                                   .arms = out->arms,
                                   .shared = shared > 0 ? out->shared : NULL,
                                   .points = own > 0 ? out->points : NULL};
}

posse_error stage_decide(posse *p, posse_decision *d) {
    if (posse_features(p) == 0) return posse_decide(p, d);
    staged s;
    stage_round(p, posse_decisions(p), &s);
    return posse_decide_in(p, &s.context, d);
}

posse_error stage_acted(posse *p, posse_decision *d) {
    if (posse_features(p) == 0) {
        d->arm = (int)(d->id % (uint64_t)posse_arms(p));
        return posse_acted(p, d->id, d->arm);
    }
    staged s;
    stage_round(p, posse_decisions(p) - 1, &s);
    d->arm = s.arms[d->id % (uint64_t)s.context.count];
    return posse_acted_in(p, d->id, &s.context, d->arm);
}

posse_error stage_teach(posse *p, int arm, double reward) {
    if (posse_features(p) == 0) return posse_teach(p, arm, reward);
    staged s;
    stage_round(p, posse_decisions(p) - 1, &s);
    return posse_teach_in(p, &s.context, arm, reward);
}

posse_error stage_propensities(const posse *p, uint32_t draws, const posse_propensity *out) {
    if (posse_features(p) == 0) return posse_propensities(p, draws, out);
    staged s;
    stage_round(p, posse_decisions(p), &s);
    return posse_propensities_in(p, &s.context, draws, out);
}
