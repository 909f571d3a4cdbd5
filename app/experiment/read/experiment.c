/* SPDX-License-Identifier: MIT */
#include "experiment/read/experiment.h"

#include "describe/part_copy.h"
#include "posse_kinds.h"

/*
 * Fills in the defaults of a part and of the parts inside it. The cast is safe, because the experiment owns these
 * parts.
 */
static bool resolve(posse_family family, const posse_part *prior, posse_part *part) {
    bool ok = posse_part_resolve(family, part, prior, NULL, part) == POSSE_OK;
    for (int i = 0; ok && i < POSSE_OPTIONS_MAX && part->options[i].key != NULL; i++) {
        const posse_option *o = &part->options[i];
        size_t parts = o->part == NULL ? 0 : o->list != NULL ? o->count : 1;
        for (size_t k = 0; ok && k < parts; k++)
            ok = resolve(POSSE_FAMILY_BELIEF, prior, (posse_part *)(uintptr_t)&o->part[k]);
    }
    return ok;
}

bool experiment_resolve(experiment *e, const posse_def *lent) {
    if (e->tasks == 0) e->tasks = 1;
    e->arms = lent->arms;
    e->dim = lent->dim;
    e->features = lent->context > 0 || (lent->arms > 0 && lent->dim > 0 && lent->points == NULL);
    bool ok = part_copy(e->memory, &lent->prior, &e->prior);
    const posse_part *prior = e->prior.kind != NULL ? &e->prior : NULL;
    ok = ok && resolve(POSSE_FAMILY_ENVIRONMENT, NULL, &e->environment);
    for (int i = 0; ok && i < e->learner_count; i++) ok = resolve(POSSE_FAMILY_LEARNER, prior, &e->learners[i]);
    for (int i = 0; ok && i < e->selector_count; i++) ok = resolve(POSSE_FAMILY_SELECTOR, prior, &e->selectors[i]);
    return ok;
}

void experiment_free(experiment *e) {
    if (e != NULL) pool_free(e->memory);
}
