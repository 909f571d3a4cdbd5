/* SPDX-License-Identifier: MIT */
/*
 * The short result table that a run prints: a line per competitor and a line per claim.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "experiment/record/results.h"

void table_print(FILE *out, const results *r);

#endif
