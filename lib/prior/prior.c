/* SPDX-License-Identifier: MIT */
#include "prior/prior.h"

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
