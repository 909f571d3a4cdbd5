/* SPDX-License-Identifier: MIT */
/*
 * Which learners stand out. A reader cannot tell more than a dozen lines apart. So if an experiment has more learners,
 * charts show the selectors and the best learner in colour and the other learners in grey. Areas, which have no
 * meaning without colours, show the learners that selectors choose most, each in a colour of its own. The numbers are
 * in palette.json.
 */
#ifndef REPORT_CHART_PROMINENCE_H
#define REPORT_CHART_PROMINENCE_H

#include "report/data/dossier.h"

/* Sets rank and `shown` of all competitors and learners of a dossier. False: no memory. */
bool prominence_set(dossier *r);

#endif
