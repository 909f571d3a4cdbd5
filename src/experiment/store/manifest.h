/* SPDX-License-Identifier: MIT */
/*
 * manifest.json: the experiment as it was understood, with every default filled in, and where the results come from.
 */
#ifndef POSSE_STORE_MANIFEST_H
#define POSSE_STORE_MANIFEST_H

#include <stdio.h>

#include "experiment/record/results.h"

/* False: no memory, or it could not be written. */
bool manifest_write(FILE *out, const results *r);

#endif
