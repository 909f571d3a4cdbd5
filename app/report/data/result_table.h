/* SPDX-License-Identifier: MIT */
/*
 * A table of the results, read from its CSV file (data/csv.h). The columns that the format has are found by their
 * names; a file may have more.
 */
#ifndef REPORT_DATA_RESULT_TABLE_H
#define REPORT_DATA_RESULT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/pool.h"
#include "common/tables.h"

typedef struct result_table_cell {
    const char *text; /* NULL for a number */
    double number;    /* NaN for a text, and where an optional number is missing */
} result_table_cell;

typedef struct result_table {
    const char *path;
    const table_column *columns; /* those of the format; cells are in this order */
    size_t width, rows;
    result_table_cell *cells;
    int *lines; /* per row: the line of the file on which it begins, from 1 */
} result_table;

/*
 * Reads the file of a format in a directory. The memory is the pool's. On a problem it writes "PATH:LINE:COLUMN: ..."
 * to `messages` and returns false.
 */
bool result_table_read(result_table *t, const char *directory, const table_format *format, pool *memory,
                       FILE *messages);

static inline const result_table_cell *result_table_row(const result_table *t, size_t row) {
    return t->cells + row * t->width;
}

/* Writes "PATH:LINE: ..." about a row to `messages`. It always returns false, for the caller to return. */
bool result_table_wrong(const result_table *t, size_t row, FILE *messages, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
