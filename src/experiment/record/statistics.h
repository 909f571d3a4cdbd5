/*
 * From blocks to results. Blocks are taken in the agenda's order, whoever finished first; memory does not grow with the
 * runs, but for the twentieth of them that quantiles keep.
 */
#ifndef POSSE_RECORD_STATISTICS_H
#define POSSE_RECORD_STATISTICS_H

#include "experiment/record/block.h"
#include "experiment/record/results.h"

typedef struct statistics statistics;

/* Makes empty statistics, to be freed with statistics_free. NULL: no memory. */
statistics *statistics_make(const agenda *a);
void statistics_free(statistics *s);

void statistics_take(statistics *s, const block *b);

/*
 * What of it does not grow with the runs, in one piece: to be written down, and in another process put back into empty
 * statistics, which then are as if they had taken the first so many blocks once they were reminded of these, in order.
 * False: it is of another size.
 */
const void *statistics_state(const statistics *s, size_t *size);
bool statistics_restore(statistics *s, const void *state, size_t size, uint32_t blocks);

/* Takes of a block what is in the rows of its runs. */
void statistics_retake_rows(statistics *s, const block *b);

/* When every block is in: fills all of the results but seconds and threads. */
void statistics_finish(statistics *s, results *out);

#endif
