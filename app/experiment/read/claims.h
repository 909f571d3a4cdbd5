/* SPDX-License-Identifier: MIT */
/*
 * The claims of an experiment: their texts are parsed (claim.h), and the experiment must have everything that they
 * compare.
 */
#ifndef POSSE_EXPERIMENT_READ_CLAIMS_H
#define POSSE_EXPERIMENT_READ_CLAIMS_H

#include "experiment/read/competitors.h"

/*
 * Reads a list of claims about these learners and selectors into the experiment, whose other keys have been read. The
 * list may be NULL: there is none.
 */
void claims_read(reading *r, const node *list, const competitor_drafts *learners, const competitor_drafts *selectors,
                 experiment *e);

#endif
