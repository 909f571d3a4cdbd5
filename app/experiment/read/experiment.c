/* SPDX-License-Identifier: MIT */
#include "experiment/read/experiment.h"

#include "describe/part_copy.h"
#include "posse_kinds.h"

bool experiment_resolve(experiment *e, const posse_def *lent) {
    if (e->tasks == 0) e->tasks = 1;
    e->arms = lent->arms;
    e->dim = lent->dim;
    e->features = lent->context > 0 || (lent->arms > 0 && lent->dim > 0 && lent->points == NULL);
    bool ok = part_copy(e->memory, &lent->prior, &e->prior);
    const posse_part *prior = e->prior.kind != NULL ? &e->prior : NULL;
    ok = ok && part_resolve(POSSE_FAMILY_ENVIRONMENT, NULL, &e->environment);
    for (int i = 0; ok && i < e->learner_count; i++) ok = part_resolve(POSSE_FAMILY_LEARNER, prior, &e->learners[i]);
    for (int i = 0; ok && i < e->selector_count; i++) ok = part_resolve(POSSE_FAMILY_SELECTOR, prior, &e->selectors[i]);
    return ok;
}

void experiment_free(experiment *e) {
    if (e != NULL) pool_free(e->memory);
}
