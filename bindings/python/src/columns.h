/* SPDX-License-Identifier: MIT */
/*
 * The features of many rounds by name, as the columns of a data frame (posse.batches.Columns). The name of a column is
 * read once, numbers and truth values come from its array, and a word of a category is read once. Cells that are
 * objects are read as the values of a dict are.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "python/src/plain.h"

typedef enum column_kind { COLUMN_NUMBERS, COLUMN_TRUTHS, COLUMN_OBJECTS, COLUMN_WORDS } column_kind;

typedef struct column {
    column_kind kind;
    PyObject *label; /* borrowed */
    const char *name;
    int ahead; /* of its numbers and truth values */
    Py_buffer cells;
    posse_feature *words; /* of its categories, and cells have the places of them */
    Py_ssize_t word_count;
} column;

typedef struct columns {
    size_t rows, count;
    column *list;
} columns;

/* Takes the columns; to be closed in any case. The object must stay. False with an exception set. */
bool columns_open(columns *c, plain_list *to, PyObject *made);
void columns_close(columns *c);

/* Reads the features of a row. False with an exception set. */
bool columns_read(const columns *c, plain_list *to, size_t row, posse_feature_list *out);

#endif
