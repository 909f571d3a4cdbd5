/* SPDX-License-Identifier: MIT */
/*
 * Tables as text: CSV (RFC 4180), UTF-8, with a header row. It is read strictly: every row has as many cells as the
 * header, quotes stand around whole cells, and numbers are decimal and finite. A line ends with LF or CR LF; the last
 * one need not end, and a byte order mark is skipped. Mistakes are reported as "FILE:LINE:COLUMN: what is wrong".
 *
 *     csv table;
 *     bool more;
 *     posse_error error = csv_open(&table, path, allocator);
 *     while (error == POSSE_OK && (error = csv_next(&table, &more)) == POSSE_OK && more)
 *         error = csv_number(&table, column, &x);
 *     if (error == POSSE_ERROR_FIT) complain(... "%s", table.problem);
 *     csv_close(&table);
 */
#ifndef POSSE_DATA_CSV_H
#define POSSE_DATA_CSV_H

#include "base/memory.h"

/* The most bytes of a file. */
#define CSV_BYTES_MAX (1u << 30)

#define CSV_COLUMNS_MAX 10000

#define CSV_PROBLEM_MAX 400

typedef struct csv_cell {
    const char *text; /* without quotes, ended by a zero */
    int line, column; /* where it begins; both count from 1, columns in characters */
} csv_cell;

/* What a form declares about a column. In CSV nothing is declared. */
typedef enum csv_kind { CSV_ANY, CSV_NUMBERS, CSV_WORDS } csv_kind;

typedef struct csv csv;

/* A form of tables as text. Both functions begin at the place to which the file has been read. */
typedef struct csv_form {
    posse_error (*read_header)(csv *c);
    posse_error (*read_row)(csv *c, bool *more); /* as csv_next */
} csv_form;

struct csv {
    posse_allocator allocator;
    const csv_form *form;
    const char *path;
    char *text;               /* of the whole file */
    size_t length, at, first; /* its bytes, those read so far, and those before the rows */
    int line, column, first_line;
    csv_cell *names; /* the header */
    csv_cell *cells; /* the row that was read last */
    csv_kind *kinds; /* of the columns */
    int columns;
    char *names_text, *cells_text; /* what names and cells point to */
    size_t cells_room;
    char problem[CSV_PROBLEM_MAX]; /* the message, after POSSE_ERROR_FIT */
};

/* Reads a file and its header. It must be closed, also after an error. The path is kept by reference. */
posse_error csv_open(csv *c, const char *path, const posse_allocator *allocator);
/* The same for a file of another form (table_file.h). */
posse_error csv_open_form(csv *c, const char *path, const csv_form *form, const posse_allocator *allocator);

/* The same for a text in memory, which is copied; the path is for messages. */
posse_error csv_open_text(csv *c, const char *path, const char *text, size_t length, const posse_allocator *allocator);
posse_error csv_open_form_text(csv *c, const char *path, const csv_form *form, const char *text, size_t length,
                               const posse_allocator *allocator);
void csv_close(csv *c);

/* The column of a name; -1: there is none. */
int csv_find(const csv *c, const char *name);

/* Reads the next row into `cells`; *more is false after the last row. */
posse_error csv_next(csv *c, bool *more);

/* Goes back to before the first row. */
void csv_rewind(csv *c);

/* A cell of the row as a number. */
posse_error csv_number(csv *c, int column, double *out);

/*
 * Writes what is wrong at a place to `problem`; returns POSSE_ERROR_FIT. The others are about a cell of the row, the
 * header, or the file as a whole, which is line 0.
 */
__attribute__((format(printf, 4, 5))) posse_error csv_refuse_at(csv *c, int line, int column, const char *format, ...);
#define csv_refuse(c, j, ...) csv_refuse_at(c, (c)->cells[j].line, (c)->cells[j].column, __VA_ARGS__)
#define csv_refuse_header(c, ...) csv_refuse_at(c, (c)->names[0].line, (c)->names[0].column, __VA_ARGS__)
#define csv_refuse_file(c, ...) csv_refuse_at(c, 0, 0, __VA_ARGS__)

#endif
