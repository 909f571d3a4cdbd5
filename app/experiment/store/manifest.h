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
 * What the finished results with the manifest at `path` are of, if an experiment must not replace them without being
 * told to: another experiment than this one, another seed or number of rounds, or more runs. To be freed. NULL: there
 * is no manifest, or they are of this experiment.
 */
char *manifest_difference(const char *path, const experiment *e);

#endif
