/* SPDX-License-Identifier: MIT */
/*
 * A valuer writes down on a sheet what competitors are worth on a log, in one run. It is the recorder's twin where
 * there is value and no regret. It keeps what every row adds, since intervals of differences pair the rows.
 */
#ifndef POSSE_EXPERIMENT_RECORD_VALUER_H
#define POSSE_EXPERIMENT_RECORD_VALUER_H

#include "experiment/record/sheet.h"

typedef struct valuer valuer;

/* Makes a valuer, to be freed with valuer_free. NULL: no memory. */
valuer *valuer_make(const agenda *a);
void valuer_free(valuer *v);

/* The sheet, on loan. */
const sheet *valuer_sheet(const valuer *v);

/* A competitor begins the run; it has been appraised in the next rows, its learners by their places in the experiment;
 * it has come to the end. clipped: as for the recorder. */
void valuer_begin(valuer *v, int who);
void valuer_take(valuer *v, int who, const posse_appraisal *rows, size_t count);
void valuer_end(valuer *v, int who, double clipped);

/* All competitors have come to the end: fills in the rest. */
void valuer_complete(valuer *v);

#endif
