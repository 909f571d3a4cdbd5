/* SPDX-License-Identifier: MIT */
/*
 * manifest.json: the experiment as it was understood, with every default filled in, and where the results come from.
 */
#ifndef POSSE_EXPERIMENT_STORE_MANIFEST_H
#define POSSE_EXPERIMENT_STORE_MANIFEST_H

#include <stdio.h>

#include "experiment/record/results.h"

/* False: no memory, or it could not be written. */
bool manifest_write(FILE *out, const results *r);

/*
 * Describes the finished results with the manifest at `path`, if this experiment must not replace them without `fresh`
 * (output.h): they are of another experiment than this one, of other data, of another seed or number of rounds or
 * tasks, or of more runs. To be freed. NULL: there is no manifest, or the results are of this experiment.
 */
char *manifest_difference(const char *path, const experiment *e);

#endif
