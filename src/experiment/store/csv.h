/*
 * The result files in CSV: names, columns and order are fixed (docs/results.md).
 */
#ifndef POSSE_STORE_CSV_H
#define POSSE_STORE_CSV_H

#include <stdio.h>

#include "experiment/record/results.h"

/* One file: its name in the experiment's folder and what goes into it. */
typedef struct csv_file {
    const char *name;
    void (*write)(FILE *out, const results *r);
} csv_file;

/* The list ends with an entry without a name. */
extern const csv_file csv_files[];

#endif
