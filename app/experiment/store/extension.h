/* SPDX-License-Identifier: MIT */
/*
 * The runs of a finished experiment as the first runs of a longer one. Runs are numbered and do not depend on each
 * other, but the statistics of a longer experiment may be made of other blocks. So the sheets of the runs are restored
 * one by one from the journal that was kept, and put into blocks again: the results are those of an experiment that has
 * played all of its runs itself, to the last bit.
 */
#ifndef POSSE_EXPERIMENT_STORE_EXTENSION_H
#define POSSE_EXPERIMENT_STORE_EXTENSION_H

#include "experiment/store/journal.h"

typedef struct extension extension;

/*
 * Opens the journal of a finished experiment in a folder. a: the agenda of the longer experiment. key, runs: those of
 * the finished one. NULL: there is nothing that can be used.
 */
extension *extension_open(const char *folder, const agenda *a, const char *key, uint32_t runs);
void extension_close(extension *x);

/* How many blocks of the longer experiment the finished runs fill. */
uint32_t extension_blocks(const extension *x);

/* Makes these blocks in `scratch` and gives them to `take`, in order. False: damaged, or `take` returned false. */
bool extension_replay(extension *x, block *scratch, bool (*take)(void *context, const block *b), void *context);

#endif
