/* SPDX-License-Identifier: MIT */
/*
 * The form of libsvm: a line is a row, `LABEL INDEX:VALUE INDEX:VALUE ...`. Indices count from 1 and grow, and values
 * that are left out are 0. Text behind # is a comment. The columns are named label, 1, 2, 3, ...
 */
#include <stdio.h>
#include <string.h>

#include "data/csv_form.h"
#include "data/decimal.h"
#include "data/table_file.h"

static void libsvm_skip_comment(csv *c) {
    csv_skip_spaces(c);
    bool comment = csv_peek(c) == '#';
    while (comment && !csv_at_end(c)) csv_step(c);
}

/* Reads up to a space, a colon or the end of the line to *out, and moves *out behind it. */
static void libsvm_take_text(csv *c, csv_cell *cell, char **out) {
    *cell = (csv_cell){*out, c->line, c->column};
    while (!csv_at_end(c) && strchr(" \t:#", csv_peek(c)) == NULL) *(*out)++ = csv_step(c);
    *(*out)++ = '\0';
}

/* The index here, and the colon behind it. */
static posse_error libsvm_take_index(csv *c, int before, int *index) {
    char text[24], *out = text;
    int line = c->line, column = c->column;
    double number = 0.0;
    while (csv_peek(c) >= '0' && csv_peek(c) <= '9' && out < text + 20) *out++ = csv_step(c);
    *out = '\0';
    if (csv_peek(c) != ':' || decimal_read(text, &number) != DECIMAL_FINE || number < 1.0)
        return csv_refuse_at(c, line, column, "INDEX:VALUE is needed here, with an index of at least 1");
    if (number <= before) return csv_refuse_at(c, line, column, "index %g behind %d; indices grow", number, before);
    if (number >= CSV_COLUMNS_MAX)
        return csv_refuse_at(c, line, column, "index %g is too large; they are below %d", number, CSV_COLUMNS_MAX);
    *index = (int)number;
    csv_step(c);
    return POSSE_OK;
}

/* Reads the line here. If columns are only counted, the cells are not kept. */
static posse_error libsvm_read_line(csv *c, bool counting, int *last) {
    int index = 0;
    char *out = c->cells_text;
    csv_cell dropped, *cells = c->cells;
    libsvm_take_text(c, counting ? &dropped : &cells[0], &out);
    for (libsvm_skip_comment(c); !csv_at_end(c); libsvm_skip_comment(c)) {
        posse_error error = libsvm_take_index(c, index, &index);
        if (error != POSSE_OK) return error;
        libsvm_take_text(c, counting ? &dropped : &cells[index], &out);
    }
    *last = index > *last ? index : *last;
    csv_end_line(c);
    return POSSE_OK;
}

/* Goes to the next line that has a row. */
static posse_error libsvm_find_row(csv *c, bool *more) {
    libsvm_skip_comment(c);
    while (csv_is_break(c)) {
        csv_end_line(c);
        libsvm_skip_comment(c);
    }
    *more = csv_peek(c) >= 0;
    size_t end = c->at;
    while (end < c->length && c->text[end] != '\n') end++;
    return csv_make_room(c, 2 * (end - c->at) + 2);
}

static posse_error libsvm_name_columns(csv *c, int last) {
    posse_error error = csv_make_columns(c, last + 1, 8 + 6 * (size_t)last);
    if (error != POSSE_OK) return error;
    char *out = c->names_text;
    for (int j = 0; j <= last; j++) {
        c->names[j] = (csv_cell){out, 1, 1};
        c->kinds[j] = j == 0 ? CSV_ANY : CSV_NUMBERS;
        out += (j == 0 ? sprintf(out, "label") : sprintf(out, "%d", j)) + 1;
    }
    return POSSE_OK;
}

/* There is no header: all lines are read once to learn how many columns there are. */
static posse_error libsvm_read_header(csv *c) {
    csv from = *c;
    int last = 0;
    bool more;
    posse_error error = libsvm_find_row(c, &more);
    while (error == POSSE_OK && more) {
        error = libsvm_read_line(c, true, &last);
        if (error == POSSE_OK) error = libsvm_find_row(c, &more);
    }
    if (error != POSSE_OK) return error;
    c->at = from.at, c->line = from.line, c->column = from.column;
    return libsvm_name_columns(c, last);
}

static posse_error libsvm_read_row(csv *c, bool *more) {
    int last = 0;
    posse_error error = libsvm_find_row(c, more);
    if (error != POSSE_OK || !*more) return error;
    for (int j = 0; j < c->columns; j++) c->cells[j] = (csv_cell){"0", c->line, c->column};
    return libsvm_read_line(c, false, &last);
}

const csv_form libsvm_form = {.read_header = libsvm_read_header, .read_row = libsvm_read_row};
