/* SPDX-License-Identifier: MIT */
/*
 * Statistics turn blocks into results. Blocks are taken in the agenda's order, whichever was finished first. Memory
 * does not grow with the runs, except for the twentieth of them that quantiles keep.
 */
#ifndef POSSE_EXPERIMENT_RECORD_STATISTICS_H
#define POSSE_EXPERIMENT_RECORD_STATISTICS_H

#include "experiment/record/block.h"
#include "experiment/record/results.h"

typedef struct statistics statistics;

/* Makes empty statistics, to be freed with statistics_free. NULL: no memory. */
statistics *statistics_make(const agenda *a);
void statistics_free(statistics *s);

/*
 * Takes blocks, in the agenda's order: statistics_begin, then statistics_task for each index below statistics_tasks,
 * then statistics_end. The tasks may be done side by side.
 */
void statistics_begin(statistics *s, const block *const *blocks, size_t count);
size_t statistics_tasks(const statistics *s);
void statistics_task(statistics *s, size_t index);
void statistics_end(statistics *s);

/*
 * The state is the part that does not grow with the runs, in one piece of memory. It can be written to disk, and
 * restored into empty statistics in another process. After statistics_restore, the rows of the blocks that the state
 * covers have to be taken again, in order, by statistics_retake_rows; then all is as if the blocks themselves had been
 * taken. False: the state has the wrong size.
 */
const void *statistics_state(const statistics *s, size_t *size);
bool statistics_restore(statistics *s, const void *state, size_t size, uint32_t blocks);

/* Takes only the rows of a block's runs. */
void statistics_retake_rows(statistics *s, const block *b);

/* Once every block has been taken: fills in all results but seconds and threads. */
void statistics_finish(statistics *s, results *out);

#endif
