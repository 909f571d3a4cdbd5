/*
 * Tables in comma-separated files, read strictly: RFC 4180 quoting, UTF-8, the columns that are asked for under their
 * names (more may be there), every row as long as the header, numbers finite.
 */
#ifndef REPORT_DATA_CSV_H
#define REPORT_DATA_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum csv_type {
    CSV_TEXT,
    CSV_NUMBER,
    CSV_OPTIONAL, /* a number or nothing, which is NaN */
} csv_type;

typedef struct csv_column {
    const char *name;
    csv_type type;
} csv_column;

typedef struct csv_cell {
    const char *text;
    double number;
} csv_cell;

typedef struct csv {
    char *path;
    const csv_column *columns; /* as asked for, up to a NULL name; cells are in this order */
    size_t width, rows;
    csv_cell *cells;
    size_t *lines; /* of the file, from 1: where each row begins */
    char *text;
} csv;

/* Reads DIRECTORY/FILE. On a problem says it as "PATH:LINE: ..." and returns false; `table` is to be freed either way.
 */
bool csv_read(csv *table, const char *directory, const char *file, const csv_column *columns, FILE *messages);
void csv_free(csv *table);

static inline const csv_cell *csv_row(const csv *table, size_t row) {
    return table->cells + row * table->width;
}

/* Says what is wrong with a row, in the same form; returns false for the caller to return. */
bool csv_wrong(const csv *table, size_t row, FILE *messages, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
