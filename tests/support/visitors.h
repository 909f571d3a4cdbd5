/* SPDX-License-Identifier: MIT */
/*
 * Posses that learn from clicks, in the modes of posse_modes.h, and the visitors that they decide for.
 */
#ifndef VISITORS_H
#define VISITORS_H

#include "menagerie.h"
#include "stage.h"

typedef struct clicks_team {
    int arms, count;
    const posse_part *learners;
} clicks_team;

/* A posse of clicks with a report. floor_: 0 for none. */
static inline posse_def clicks_def_of(const clicks_team *who, double floor_, uint32_t draws, uint64_t seed) {
    static posse_part selector = {.kind = "bms-plus"};
    posse_def def = posse_default_def();
    selector.options[0] = floor_ > 0.0 ? (posse_option)NUMBER("floor", floor_) : (posse_option)NUMBER(NULL, 0.0);
    def.arms = who->arms;
    def.prior = (posse_part){.kind = "beta"};
    def.selector = selector;
    def.learners = who->learners;
    def.learner_count = who->count;
    def.propensity_draws = draws;
    def.report = true;
    def.seed = seed;
    return def;
}

static inline void set_modes(posse *p, posse_modes m) {
    assert_int_equal(posse_set_modes(p, &m), POSSE_OK);
}

static inline posse_decision visited(posse *p, posse_visit v) {
    posse_decision d;
    assert_int_equal(posse_decide_for(p, &v, &d), POSSE_OK);
    return d;
}

#endif
