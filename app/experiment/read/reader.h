/* SPDX-License-Identifier: MIT */
/*
 * What the steps of reading an experiment share. A file becomes a tree (document.h), the tree becomes parts by the
 * declarations of their kinds (convert.h), and the library is asked whether the parts are valid and can be created
 * (trial.h).
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
 * The same from a tree in memory of a pool. The pool is taken over even if reading fails, and its allocator also serves
 * the trials. The experiment has neither path nor source.
 */
experiment_status experiment_read_tree(const node *root, pool *memory, const experiment_changes *changes,
                                       problems *found, experiment **out);

#endif
