/*
 * From blocks to results. Blocks are taken in the agenda's order, whoever finished first; memory does not grow with the
 * runs, but for the twentieth of them that quantiles keep.
 */
#ifndef POSSE_EXPERIMENT_STATISTICS_H
#define POSSE_EXPERIMENT_STATISTICS_H

#include "experiment/results.h"
#include "experiment/sheet.h"

typedef struct statistics statistics;

/* Makes empty statistics, to be freed with statistics_free. NULL: no memory. */
statistics *statistics_make(const agenda *a);
void statistics_free(statistics *s);

void statistics_take(statistics *s, const block *b);

/* When every block is in: fills all of the results but seconds and threads. */
void statistics_finish(statistics *s, results *out);

#endif
