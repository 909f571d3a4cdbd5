/*
 * The short result table: a line per competitor, a line per claim.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "experiment/record/results.h"

void table_print(FILE *out, const results *r);

#endif
