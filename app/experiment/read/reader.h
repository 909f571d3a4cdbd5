/* SPDX-License-Identifier: MIT */
/*
 * What the steps of reading an experiment share. A file becomes a tree (document.h), the tree becomes parts by the
 * kinds' own declarations (convert.h), and the library itself is asked whether they are right and can live (trial.h).
 */
#ifndef POSSE_EXPERIMENT_READ_READER_H
#define POSSE_EXPERIMENT_READ_READER_H

#include "describe/reading.h"
#include "experiment/read/experiment.h"

/* experiment_read from memory. All memory comes from the allocator, NULL: the C heap. */
experiment_status experiment_read_text(const char *path, const char *text, size_t length,
                                       const experiment_changes *changes, const posse_allocator *allocator,
                                       problems *found, experiment **out);

/*
 * The same from a tree in memory of a pool, which is taken over whatever comes of it, and whose allocator also serves
 * the trials. The experiment has neither path nor source.
 */
experiment_status experiment_read_tree(const node *root, pool *memory, const experiment_changes *changes,
                                       problems *found, experiment **out);

#endif
