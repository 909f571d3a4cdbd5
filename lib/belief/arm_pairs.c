/* SPDX-License-Identifier: MIT */
#include "belief/arm_pairs.h"

#include <string.h>

enum { COLUMNS = 2 };

static posse_error pairs_read(const posse_setup *setup, const posse_option *settings, arm_pairs *out) {
    posse_error error = posse_setup_numbers(setup, &settings[PAIRS_FIRST], out->arms, "arms", &out->first);
    return error == POSSE_OK ? posse_setup_numbers(setup, &settings[PAIRS_SECOND], out->arms, "arms", &out->second)
                             : error;
}

posse_error pairs_prepare(const posse_setup *setup, const char *who, size_t size, void **out) {
    posse_error error = belief_needs_arms(setup, who);
    if (error != POSSE_OK) return error;
    arm_pairs *p = posse_setup_allocate(setup, size);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->arms = setup->space->arms;
    *out = p;
    return pairs_read(setup, setup->settings, p);
}

size_t pairs_state_size(const void *plan) {
    return COLUMNS * (size_t)((const arm_pairs *)plan)->arms * sizeof(double);
}

void pairs_start(const void *plan, void *state) {
    const arm_pairs *p = plan;
    pairs_view v = pairs_of(p, state);
    memcpy(v.first, p->first, (size_t)p->arms * sizeof *v.first);
    memcpy(v.second, p->second, (size_t)p->arms * sizeof *v.second);
}

void pairs_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    copy_columns(state, ((const arm_pairs *)plan)->arms, former_state, ((const arm_pairs *)former_plan)->arms, COLUMNS);
}

posse_belief_shape pairs_shape(const void *plan) {
    return (posse_belief_shape){.dim = ((const arm_pairs *)plan)->arms, .one_hot = true};
}

posse_error pairs_vary(const posse_setup *setup, int variant, posse_option *settings,
                       arm_pair (*varied)(arm_pair given, int variant)) {
    arm_pairs given = {.arms = setup->space->arms};
    posse_error error = pairs_read(setup, settings, &given);
    if (error != POSSE_OK) return error;
    size_t arms = (size_t)given.arms;
    double *numbers = posse_setup_allocate(setup, COLUMNS * arms * sizeof *numbers);
    if (numbers == NULL) return POSSE_ERROR_MEMORY;
    for (size_t a = 0; a < arms; a++) {
        arm_pair one = varied((arm_pair){given.first[a], given.second[a]}, variant);
        numbers[a] = one.first;
        numbers[arms + a] = one.second;
    }
    settings[PAIRS_FIRST] = (posse_option){.key = settings[PAIRS_FIRST].key, .list = numbers, .count = arms};
    settings[PAIRS_SECOND] = (posse_option){.key = settings[PAIRS_SECOND].key, .list = numbers + arms, .count = arms};
    return POSSE_OK;
}
