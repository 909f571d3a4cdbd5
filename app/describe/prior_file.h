/* SPDX-License-Identifier: MIT */
/*
 * Files of priors: YAML, or JSON, with the kind of a belief and its options, in the words of experiment files. The same
 * converter makes parts of both.
 */
#ifndef POSSE_DESCRIBE_PRIOR_FILE_H
#define POSSE_DESCRIBE_PRIOR_FILE_H

#include <stdio.h>

#include "describe/reading.h"
#include "posse_kinds.h"

/*
 * Reads a file. *out is to be freed with posse_prior_free, and `found` gets the problems with their places in the file.
 * False: there are problems, or there is no memory (problems_failed).
 */
bool prior_file_read(const char *path, const posse_allocator *allocator, problems *found, posse_prior **out);

/* The same from the text of a file. Paths in it are relative to the folder of `path`. */
bool prior_file_read_text(const char *path, const char *text, size_t length, const posse_allocator *allocator,
                          problems *found, posse_prior **out);

/* The same for `file:` in a description, which is at the node `at`; a prior_taker (reading.h). */
bool prior_file_take(reading *r, const node *at, const char *path, posse_part *out);

/*
 * Writes a prior as YAML, with a heading about its fit. noise_given: the noise was not estimated. Errors are those of
 * the stream.
 */
void prior_file_write(FILE *out, const posse_prior *prior, bool noise_given);

#endif
