/* SPDX-License-Identifier: MIT */
#include "prior/prior.h"

#include <string.h>

#include "belief/belief.h"

posse_error prior_new(const posse_host *host, posse_prior **out) {
    posse_prior *p = memory_allocate(&host->allocator, sizeof *p);
    *out = p;
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->memory.allocator = host->allocator;
    return POSSE_OK;
}

void posse_prior_free(posse_prior *prior) {
    if (prior == NULL) return;
    posse_allocator allocator = prior->memory.allocator;
    arena_release(&prior->memory);
    memory_release(&allocator, prior);
}

const posse_part *posse_prior_part(const posse_prior *prior) {
    return prior != NULL ? &prior->part : NULL;
}

int posse_prior_arm_count(const posse_prior *prior) {
    return prior != NULL ? prior->arms : 0;
}

/* ------------------------------------------------ from a part -------------------------------------------------- */

/* The length of the first list with a number for each arm; 0: there is none. Weights belong to rows. */
static size_t prior_width(const posse_part *belief) {
    int kind = posse_kind_find(POSSE_FAMILY_BELIEF, belief->kind);
    size_t width = 0;
    for (int i = 0; i < part_count_options(belief) && width == 0; i++) {
        const posse_option *o = &belief->options[i];
        const posse_param *p = posse_kind_param(POSSE_FAMILY_BELIEF, kind, o->key);
        if (p->type == POSSE_TYPE_REALS && strcmp(p->name, "weights") != 0) width = o->count;
        for (size_t k = 0; k < part_count_inside(o) && width == 0; k++) width = prior_width(&o->part[k]);
    }
    return width;
}

/* Makes the belief once for its number of arms, so that every mistake is reported now. */
static posse_error prior_try(const posse_prior *prior, const posse_logger *log) {
    arena memory = {.allocator = prior->memory.allocator};
    posse_space *space;
    space_def def = {.arms = prior->arms};
    posse_error error = space_make(&def, log, &memory, &space);
    if (error == POSSE_OK) {
        part_context context = {.surroundings = {.space = space, .seed = 1}, .memory = &memory, .log = log};
        posse_belief unused;
        error = belief_make_at(&context, &prior->part, &unused);
    }
    arena_release(&memory);
    return error;
}

static posse_error prior_fill(posse_prior *prior, const posse_part *belief, int arms, const posse_logger *log) {
    posse_error error = posse_part_check(POSSE_FAMILY_BELIEF, belief, log);
    if (error != POSSE_OK) return error;
    if (!part_keep(&prior->memory, belief, &prior->part)) return POSSE_ERROR_MEMORY;
    size_t width = arms > 0 ? (size_t)arms : prior_width(&prior->part);
    prior->arms = (int)(width < ARMS_MAX ? width : ARMS_MAX);
    return prior->arms > 0 ? prior_try(prior, log) : POSSE_OK;
}

posse_error posse_prior_make(const posse_part *belief, int arms, const posse_host *host, posse_prior **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (belief == NULL || arms < 0) return POSSE_ERROR_ARGUMENT;
    const posse_host lent = host != NULL ? *host : (posse_host){0};
    posse_error error = prior_new(&lent, out);
    if (error == POSSE_OK) error = prior_fill(*out, belief, arms, &lent.log);
    if (error == POSSE_OK) return POSSE_OK;
    posse_prior_free(*out);
    *out = NULL;
    return error;
}
