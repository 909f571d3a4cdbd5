/* SPDX-License-Identifier: MIT */
/*
 * ARFF, the form of Weka. Lines that begin with % are comments, and so are empty ones.
 *
 *     @relation NAME
 *     @attribute NAME numeric | real | integer | string | {WORD, WORD, ...}
 *     @data
 *     5.1, blue, ?                     a row
 *     {0 5.1, 1 blue}                  a row that leaves out zeros, and first words: index and value
 *
 * Names and words may stand in quotes, single or double, in which a backslash precedes a quote. A missing value is ?.
 */
#include <string.h>

#include "base/ascii.h"
#include "data/csv_form.h"
#include "data/decimal.h"
#include "data/table_file.h"

/* ------------------------------------------------- the header -------------------------------------------------- */

static void arff_skip_line(csv *c) {
    while (!csv_at_end(c)) csv_step(c);
    csv_end_line(c);
}

/* Skips empty lines and comments, and the spaces before what comes then. */
static void arff_skip_comments(csv *c) {
    csv_skip_spaces(c);
    while (csv_peek(c) == '%' || csv_is_break(c)) {
        arff_skip_line(c);
        csv_skip_spaces(c);
    }
}

static bool arff_ends_cell(int byte) {
    return byte == ',' || byte == '}' || byte == ' ' || byte == '\t';
}

/* Reads a name or a word to *out and moves *out behind it. */
static posse_error arff_take_text(csv *c, csv_cell *cell, char **out) {
    *cell = (csv_cell){*out, c->line, c->column};
    int quote = csv_peek(c) == '\'' || csv_peek(c) == '"' ? csv_step(c) : 0;
    while (!csv_at_end(c) && (quote != 0 ? csv_peek(c) != quote : !arff_ends_cell(csv_peek(c)))) {
        if (quote != 0 && csv_peek(c) == '\\' && c->at + 1 < c->length && c->text[c->at + 1] != '\n') csv_step(c);
        *(*out)++ = csv_step(c);
    }
    *(*out)++ = '\0';
    if (quote == 0) return POSSE_OK;
    if (csv_peek(c) != quote) return csv_refuse_at(c, cell->line, cell->column, "a quote that is never closed");
    csv_step(c);
    return POSSE_OK;
}

/* Whether the word here is the given one, in any case. If so, goes behind it. */
static bool arff_take_word(csv *c, const char *word) {
    size_t length = strlen(word), end = c->at + length;
    if (end > c->length || !ascii_begins(c->text + c->at, word)) return false;
    bool whole = end == c->length || strchr(" \t\r\n", c->text[end]) != NULL;
    for (size_t k = 0; whole && k < length; k++) csv_step(c);
    return whole;
}

/* The type of an attribute. Behind the name is written what a sparse row leaves out. */
static posse_error arff_take_type(csv *c, csv_kind *kind, char **out) {
    csv_cell first;
    int line = c->line, column = c->column;
    *kind = CSV_NUMBERS;
    if (csv_peek(c) == '{') {
        *kind = CSV_WORDS;
        csv_step(c);
        csv_skip_spaces(c);
        return arff_take_text(c, &first, out);
    }
    memcpy(*out, "0", 2);
    *out += 2;
    if (arff_take_word(c, "numeric") || arff_take_word(c, "real") || arff_take_word(c, "integer")) return POSSE_OK;
    *kind = CSV_WORDS;
    if (arff_take_word(c, "string")) return POSSE_OK;
    return csv_refuse_at(c, line, column,
                         "the type of a column is numeric, real, integer, string or {WORD, WORD, ...}");
}

static posse_error arff_take_attribute(csv *c, int j, char **out) {
    csv_skip_spaces(c);
    posse_error error = arff_take_text(c, &c->names[j], out);
    csv_skip_spaces(c);
    if (error == POSSE_OK) error = csv_check_name(c, j);
    if (error == POSSE_OK) error = arff_take_type(c, &c->kinds[j], out);
    if (error == POSSE_OK) arff_skip_line(c);
    return error;
}

/* Goes to the next line that is no comment, and behind its keyword. Relations are skipped. */
static posse_error arff_next_keyword(csv *c, bool *attribute) {
    for (;;) {
        arff_skip_comments(c);
        *attribute = arff_take_word(c, "@attribute");
        if (*attribute || arff_take_word(c, "@data")) return POSSE_OK;
        if (csv_peek(c) < 0) return csv_refuse_file(c, "has no line @data");
        if (!arff_take_word(c, "@relation"))
            return csv_refuse_at(c, c->line, c->column, "before @data, a line begins with @relation, @attribute or %%");
        arff_skip_line(c);
    }
}

static posse_error arff_count_attributes(csv *c, int *count) {
    csv from = *c;
    bool attribute;
    *count = 0;
    for (;;) {
        posse_error error = arff_next_keyword(c, &attribute);
        if (error != POSSE_OK || !attribute) break;
        arff_skip_line(c);
        ++*count;
    }
    bool found = c->problem[0] == '\0';
    c->at = from.at, c->line = from.line, c->column = from.column;
    if (found && *count == 0) return csv_refuse_file(c, "has no line @attribute before @data");
    return found ? POSSE_OK : POSSE_ERROR_FIT;
}

static posse_error arff_read_header(csv *c) {
    int columns;
    bool attribute;
    posse_error error = arff_count_attributes(c, &columns);
    if (error == POSSE_OK) error = csv_make_columns(c, columns, c->length + 3 * (size_t)columns);
    char *out = c->names_text;
    for (int j = 0; j < columns && error == POSSE_OK; j++) {
        error = arff_next_keyword(c, &attribute);
        if (error == POSSE_OK) error = arff_take_attribute(c, j, &out);
    }
    if (error == POSSE_OK) error = arff_next_keyword(c, &attribute);
    if (error == POSSE_OK) arff_skip_line(c);
    return error;
}

/* --------------------------------------------------- a row ----------------------------------------------------- */

/* A value, and the spaces around it. */
static posse_error arff_take_value(csv *c, int j, char **out) {
    csv_skip_spaces(c);
    posse_error error = arff_take_text(c, &c->cells[j], out);
    csv_skip_spaces(c);
    return error;
}

static posse_error arff_refuse_row(csv *c, const char *found) {
    return csv_refuse_at(c, c->line, c->column, "%s, but there are %d attributes", found, c->columns);
}

static posse_error arff_read_dense(csv *c, char *out) {
    for (int j = 0; j < c->columns; j++) {
        posse_error error = arff_take_value(c, j, &out);
        if (error != POSSE_OK) return error;
        bool last = j == c->columns - 1;
        if (last && !csv_at_end(c)) return arff_refuse_row(c, "more than a row");
        if (!last && csv_peek(c) != ',') return arff_refuse_row(c, "a comma is missing");
        if (!last) csv_step(c);
    }
    return POSSE_OK;
}

/* The index of a value in a sparse row; they count from 0 and grow. */
static posse_error arff_take_index(csv *c, int before, int *index) {
    int line = c->line, column = c->column;
    double number = -1.0;
    char digits[16], *end = digits;
    while (csv_peek(c) >= '0' && csv_peek(c) <= '9' && end < digits + 15) *end++ = csv_step(c);
    *end = '\0';
    if (decimal_read(digits, &number) != DECIMAL_FINE || number >= c->columns || number <= before)
        return csv_refuse_at(c, line, column, "an index of a column is needed here, %d to %d", before + 1,
                             c->columns - 1);
    *index = (int)number;
    return POSSE_OK;
}

static posse_error arff_read_sparse(csv *c, char *out) {
    int index = -1;
    for (int j = 0; j < c->columns; j++)
        c->cells[j] = (csv_cell){c->names[j].text + strlen(c->names[j].text) + 1, c->line, c->column};
    do {
        csv_step(c);
        csv_skip_spaces(c);
        if (csv_peek(c) == '}') break;
        posse_error error = arff_take_index(c, index, &index);
        if (error == POSSE_OK) error = arff_take_value(c, index, &out);
        if (error != POSSE_OK) return error;
    } while (csv_peek(c) == ',');
    if (csv_peek(c) != '}') return csv_refuse_at(c, c->line, c->column, "a comma or } is needed here");
    csv_step(c);
    csv_skip_spaces(c);
    return csv_at_end(c) ? POSSE_OK : arff_refuse_row(c, "more than a row");
}

static posse_error arff_read_row(csv *c, bool *more) {
    arff_skip_comments(c);
    *more = csv_peek(c) >= 0;
    if (!*more) return POSSE_OK;
    size_t end = c->at;
    while (end < c->length && c->text[end] != '\n') end++;
    posse_error error = csv_make_room(c, end - c->at + (size_t)c->columns + 1);
    if (error == POSSE_OK)
        error = csv_peek(c) == '{' ? arff_read_sparse(c, c->cells_text) : arff_read_dense(c, c->cells_text);
    if (error == POSSE_OK) csv_end_line(c);
    return error;
}

const csv_form arff_form = {.read_header = arff_read_header, .read_row = arff_read_row};
