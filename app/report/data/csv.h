/* SPDX-License-Identifier: MIT */
/*
 * Tables in comma-separated files. They are read strictly: quoting follows RFC 4180, the text is UTF-8, every row is as
 * long as the header, and numbers are finite. The columns that are asked for are found by their names; a file may have
 * more.
 */
#ifndef REPORT_DATA_CSV_H
#define REPORT_DATA_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/tables.h"

typedef struct csv_cell {
    const char *text;
    double number; /* NaN for a text, and where an optional number is missing */
} csv_cell;

typedef struct csv {
    char *path;
    const table_column *columns; /* those of the format; cells are in this order */
    size_t width, rows;
    csv_cell *cells;
    size_t *lines; /* per row: the line of the file on which it begins, from 1 */
    char *text;
} csv;

/*
 * Reads the file of a format in a directory. On a problem it writes "PATH:LINE: ..." to `messages` and returns false;
 * `table` is to be freed either way.
 */
bool csv_read(csv *table, const char *directory, const table_format *format, FILE *messages);
void csv_free(csv *table);

static inline const csv_cell *csv_row(const csv *table, size_t row) {
    return table->cells + row * table->width;
}

/*
 * Writes what is wrong with a row to `messages`, in the same form. It always returns false, for the caller to return.
 */
bool csv_wrong(const csv *table, size_t row, FILE *messages, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
