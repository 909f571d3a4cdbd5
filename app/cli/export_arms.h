/* SPDX-License-Identifier: MIT */
/*
 * The arms of a posse that is exported: their names, and which of them there were at each decision.
 */
#ifndef EXPORT_ARMS_H
#define EXPORT_ARMS_H

#include "engine/store.h"
#include "posse_features.h"
#include "posse_inside.h"

/* The number of a decision is the lower half of its id. An arm is available from after one number up to another. */
typedef struct export_arms {
    posse *posse; /* as its latest snapshot has it; NULL: it was deleted, or has another kind of state */
    int count;    /* all that there ever were; a snapshot is written with every arm that is added */
    bool named;
    bool changed; /* some were added or retired, as far as the log goes back */
    uint32_t *after, *last;
} export_arms;

/* Reads the arms of the posse with that name. False: the database cannot be read, or there is not enough memory. */
bool export_arms_read(store *s, const char *name, export_arms *out);
void export_arms_free(export_arms *a);

/* Whether an arm was available at a decision, by its id. */
bool export_arm_available(const export_arms *a, int arm, uint64_t decision);

/* The name of an arm or, if arms have none, its number as text. */
const char *export_arm_label(const export_arms *a, int arm, char number[16]);

#endif
