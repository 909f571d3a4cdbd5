/* SPDX-License-Identifier: MIT */
/*
 * The learners and selectors of an experiment: their names, their parts, the teams that selectors play, and whether all
 * of them can play in the environment.
 */
#ifndef POSSE_EXPERIMENT_READ_COMPETITORS_H
#define POSSE_EXPERIMENT_READ_COMPETITORS_H

#include "experiment/read/reader.h"
#include "posse_kinds.h"

/* A learner or selector in the making. */
typedef struct competitor_draft {
    const node *map;
    posse_part part;
    selector_team team; /* of a selector */
    bool team_complete; /* every learner that it names is in the team */
    bool ok;            /* it can be used */
} competitor_draft;

typedef struct competitor_drafts {
    competitor_draft *list;
    int count;
} competitor_drafts;

/* Reads a list of learners, or of selectors. The list may be NULL: there is none. */
void competitors_read(reading *r, const node *list, posse_family family, competitor_drafts *out);

/*
 * competitors_check_names checks that all names differ; competitors_read_teams reads which learners each selector
 * plays.
 */
void competitors_check_names(reading *r, const competitor_drafts *learners, const competitor_drafts *selectors);
void competitors_read_teams(reading *r, const competitor_drafts *learners, competitor_drafts *selectors);

/* Tries all of them in the environment, which must have been made. */
void competitors_try(reading *r, competitor_drafts *learners, competitor_drafts *selectors);

/* Whether the environment, if there is one, is a log. */
bool competitors_replay_a_log(const reading *r);

/* The first draft of that name, or NULL. */
const competitor_draft *competitors_find(const competitor_drafts *all, const char *name);

/* The parts that can be used; sets how many these are. NULL: no memory. */
posse_part *competitors_parts(reading *r, const competitor_drafts *all, int *count);

#endif
