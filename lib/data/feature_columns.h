/* SPDX-License-Identifier: MIT */
/*
 * Columns of a table as features. A column has numbers or words, and may have cells that are missing: empty, ? or NA.
 *
 *   - A column of numbers is one feature. Missing cells get the mean of the others, and if there are any, a second
 *     feature is 1 where the cell is missing and 0 elsewhere.
 *   - A column of words is one-hot: a feature for each word, in the order of their bytes. Missing is a word of its own,
 *     the last one. If there are two words, one feature is enough: 1 for the second.
 *
 * The table is read twice: `see` for every row, then `lay_out`, then `encode` for every row.
 */
#ifndef POSSE_DATA_FEATURE_COLUMNS_H
#define POSSE_DATA_FEATURE_COLUMNS_H

#include "data/csv.h"

/* The most words of a column. More are a mistake: the column is a text, or the number of a row. */
#define WORDS_MAX 1000

typedef struct feature_column {
    int column;    /* in the table */
    csv_kind kind; /* CSV_ANY: all cells so far are missing */
    bool declared; /* the file declares the kind */
    int line;      /* of the first cell that is not missing */
    bool missing;  /* a cell is */
    double sum, count;
    int words, room;
    const char **word; /* sorted */
    int first;         /* index of its first feature */
} feature_column;

typedef struct feature_columns {
    arena memory;
    double most;             /* the largest number that is allowed */
    int count;               /* of columns */
    feature_column *columns; /* in the order of their features */
    int dim;                 /* features of all columns */
} feature_columns;

/* Makes room for columns of a table; `most` is the largest number that a cell may have. Release it with arena_release.
 */
posse_error feature_columns_open(feature_columns *f, const csv *c, const int *columns, int count, double most,
                                 const posse_allocator *allocator);

/* Both take the row that was read last. POSSE_ERROR_FIT: the problem of the table says what is wrong with a cell. */
posse_error feature_columns_see(feature_columns *f, csv *c);
posse_error feature_columns_encode(const feature_columns *f, csv *c, double *features);

/* Assigns features to columns, after all rows were seen. */
void feature_columns_lay_out(feature_columns *f);

#endif
