/* SPDX-License-Identifier: MIT */
/*
 * Result tables as CSV; common/tables.h names their files and columns.
 */
#ifndef POSSE_EXPERIMENT_STORE_CSV_H
#define POSSE_EXPERIMENT_STORE_CSV_H

#include <stdio.h>

#include "common/tables.h"
#include "experiment/record/results.h"

/* Writes a table; its file is table_formats[table].file. */
void csv_write(FILE *out, table_id table, const results *r);

#endif
