/* SPDX-License-Identifier: MIT */
#include "data/csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/utf8.h"
#include "data/csv_form.h"
#include "data/decimal.h"

/* ------------------------------------------------- problems ---------------------------------------------------- */

posse_error csv_refuse_at(csv *c, int line, int column, const char *format, ...) {
    char where[32] = "";
    if (line > 0) snprintf(where, sizeof where, "%d:%d:", line, column);
    int length = snprintf(c->problem, sizeof c->problem, "%.200s:%s ", c->path, where);
    va_list arguments;
    va_start(arguments, format);
    format_text_list(c->problem + length, sizeof c->problem - (size_t)length, format, arguments);
    va_end(arguments);
    return POSSE_ERROR_FIT;
}

/* -------------------------------------------------- the file --------------------------------------------------- */

static posse_error csv_reserve(csv *c, size_t size) {
    char *larger = memory_grow(&c->allocator, c->text, size);
    if (larger == NULL) return POSSE_ERROR_MEMORY;
    c->text = larger;
    return POSSE_OK;
}

static posse_error csv_read_stream(csv *c, FILE *in) {
    size_t room = 1 << 16;
    for (;;) {
        posse_error error = csv_reserve(c, room);
        if (error != POSSE_OK) return error;
        c->length += fread(c->text + c->length, 1, room - c->length, in);
        if (ferror(in)) return csv_refuse_file(c, "cannot be read: %s", strerror(errno));
        if (c->length > CSV_BYTES_MAX) return csv_refuse_file(c, "has more than %u bytes", CSV_BYTES_MAX);
        if (c->length < room) return POSSE_OK;
        room *= 2;
    }
}

static posse_error csv_read_file(csv *c) {
    FILE *in = fopen(c->path, "rb");
    if (in == NULL) return csv_refuse_file(c, "cannot be read: %s", strerror(errno));
    posse_error error = csv_read_stream(c, in);
    fclose(in);
    return error;
}

/* Checks that every byte belongs to a character, and that none is a zero, which ends texts in C. */
static posse_error csv_check_characters(csv *c) {
    int line = 1, column = 1;
    for (size_t at = c->at; at < c->length;) {
        size_t step = utf8_length((const unsigned char *)c->text + at, c->length - at);
        if (step == 0) return csv_refuse_at(c, line, column, "this is not UTF-8");
        if (c->text[at] == '\0') return csv_refuse_at(c, line, column, "a zero byte, which no text has");
        bool ends = c->text[at] == '\n';
        line += ends;
        column = ends ? 1 : column + 1;
        at += step;
    }
    return POSSE_OK;
}

/* -------------------------------------------------- a row ------------------------------------------------------ */

static posse_error csv_take_quoted(csv *c, const csv_cell *cell, char **out) {
    csv_step(c);
    for (;;) {
        if (csv_peek(c) < 0) return csv_refuse_at(c, cell->line, cell->column, "a quote that is never closed");
        char byte = csv_step(c);
        if (byte == '"' && csv_peek(c) != '"') break;
        if (byte == '"') csv_step(c);
        *(*out)++ = byte;
    }
    if (csv_peek(c) >= 0 && csv_peek(c) != ',' && !csv_is_break(c))
        return csv_refuse_at(c, c->line, c->column,
                             "text behind a closing quote; a quote in a quoted cell is written twice");
    return POSSE_OK;
}

static posse_error csv_take_plain(csv *c, char **out) {
    for (; csv_peek(c) >= 0 && csv_peek(c) != ',' && !csv_is_break(c); *(*out)++ = csv_step(c)) {
        if (csv_peek(c) == '"')
            return csv_refuse_at(c, c->line, c->column,
                                 "a quote inside of a cell; such a cell is put in quotes, and the "
                                 "quote written twice");
        if (csv_peek(c) == '\r') return csv_refuse_at(c, c->line, c->column, "a carriage return that ends no line");
    }
    return POSSE_OK;
}

/* Reads the cell here to *out, and moves *out behind it. */
static posse_error take_cell(csv *c, csv_cell *cell, char **out) {
    *cell = (csv_cell){*out, c->line, c->column};
    posse_error error = csv_peek(c) == '"' ? csv_take_quoted(c, cell, out) : csv_take_plain(c, out);
    *(*out)++ = '\0';
    return error;
}

/* The number of cells of the row here, and the most bytes that they take, if the quotes of the row are right. */
static void csv_measure(const csv *c, int *cells, size_t *bytes) {
    bool quoted = false;
    size_t at = c->at;
    *cells = 1;
    for (; at < c->length && (quoted || c->text[at] != '\n'); at++) {
        if (c->text[at] == '"') quoted = !quoted;
        if (c->text[at] == ',' && !quoted) ++*cells;
    }
    *bytes = at - c->at + (size_t)*cells;
}

posse_error csv_make_columns(csv *c, int columns, size_t bytes) {
    if (columns > CSV_COLUMNS_MAX) return csv_refuse_file(c, "has more than %d columns", CSV_COLUMNS_MAX);
    c->columns = columns;
    c->names = memory_allocate(&c->allocator, (size_t)columns * sizeof *c->names);
    c->cells = memory_allocate(&c->allocator, (size_t)columns * sizeof *c->cells);
    c->kinds = memory_allocate(&c->allocator, (size_t)columns * sizeof *c->kinds);
    c->names_text = memory_allocate(&c->allocator, bytes + 1);
    bool all = c->names != NULL && c->cells != NULL && c->kinds != NULL && c->names_text != NULL;
    return all ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error csv_check_name(csv *c, int j) {
    const csv_cell *name = &c->names[j];
    if (*name->text == '\0') return csv_refuse_at(c, name->line, name->column, "a column without a name");
    if (csv_find(c, name->text) < j)
        return csv_refuse_at(c, name->line, name->column, "a second column \"%.*s\"", CSV_SHOWN, name->text);
    return POSSE_OK;
}

static posse_error csv_read_header(csv *c) {
    size_t bytes;
    int columns;
    bool quoted = csv_peek(c) == '"';
    csv_measure(c, &columns, &bytes);
    posse_error error = csv_make_columns(c, columns, bytes);
    char *out = c->names_text;
    for (int j = 0; j < columns && error == POSSE_OK; j++) {
        error = take_cell(c, &c->names[j], &out);
        if (error == POSSE_OK) error = csv_check_name(c, j);
        if (csv_peek(c) == ',') csv_step(c);
    }
    if (error != POSSE_OK) return error;
    if (columns == 1 && !quoted && strpbrk(c->names[0].text, ";\t") != NULL)
        return csv_refuse_header(c, "the header has one column, \"%.*s\"; columns are separated by commas", CSV_SHOWN,
                                 c->names[0].text);
    csv_end_line(c);
    return POSSE_OK;
}

posse_error csv_make_room(csv *c, size_t bytes) {
    if (bytes <= c->cells_room) return POSSE_OK;
    char *larger = memory_grow(&c->allocator, c->cells_text, 2 * bytes);
    if (larger == NULL) return POSSE_ERROR_MEMORY;
    c->cells_text = larger;
    c->cells_room = 2 * bytes;
    return POSSE_OK;
}

static posse_error refuse_row(csv *c, int line, int cells) {
    if (cells == 1 && *c->cells[0].text == '\0') return csv_refuse_at(c, line, 1, "an empty line");
    return csv_refuse_at(c, line, 1, "a row of %d cells, but the header has %d", cells, c->columns);
}

static posse_error csv_read_row(csv *c, bool *more) {
    int cells, line = c->line;
    *more = c->at < c->length;
    if (!*more) return POSSE_OK;
    size_t bytes;
    csv_measure(c, &cells, &bytes);
    posse_error error = csv_make_room(c, bytes);
    char *out = c->cells_text;
    for (int j = 0; j < c->columns && error == POSSE_OK; j++) {
        error = take_cell(c, &c->cells[j], &out);
        bool last = j == c->columns - 1, comma = csv_peek(c) == ',';
        if (error == POSSE_OK && last == comma) error = refuse_row(c, line, cells);
        if (comma && !last) csv_step(c);
    }
    if (error == POSSE_OK) csv_end_line(c);
    return error;
}

static const csv_form csv_itself = {.read_header = csv_read_header, .read_row = csv_read_row};

/* ------------------------------------------------- the calls --------------------------------------------------- */

static posse_error csv_begin(csv *c) {
    if (c->length >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0) c->at = 3;
    c->line = c->column = 1;
    posse_error error = csv_check_characters(c);
    if (error == POSSE_OK && c->at == c->length) error = csv_refuse_file(c, "is empty; a table has a header");
    if (error == POSSE_OK) error = c->form->read_header(c);
    c->first = c->at;
    c->first_line = c->line;
    return error;
}

posse_error csv_open_form(csv *c, const char *path, const csv_form *form, const posse_allocator *allocator) {
    *c = (csv){.path = path, .form = form};
    if (allocator != NULL) c->allocator = *allocator;
    posse_error error = csv_read_file(c);
    return error == POSSE_OK ? csv_begin(c) : error;
}

posse_error csv_open(csv *c, const char *path, const posse_allocator *allocator) {
    return csv_open_form(c, path, &csv_itself, allocator);
}

posse_error csv_open_form_text(csv *c, const char *path, const csv_form *form, const char *text, size_t length,
                               const posse_allocator *allocator) {
    *c = (csv){.path = path, .form = form};
    if (allocator != NULL) c->allocator = *allocator;
    posse_error error = csv_reserve(c, length + 1);
    if (error != POSSE_OK) return error;
    memcpy(c->text, text, length);
    c->length = length;
    return csv_begin(c);
}

posse_error csv_open_text(csv *c, const char *path, const char *text, size_t length, const posse_allocator *allocator) {
    return csv_open_form_text(c, path, &csv_itself, text, length, allocator);
}

void csv_close(csv *c) {
    memory_release(&c->allocator, c->text);
    memory_release(&c->allocator, c->names);
    memory_release(&c->allocator, c->cells);
    memory_release(&c->allocator, c->kinds);
    memory_release(&c->allocator, c->names_text);
    memory_release(&c->allocator, c->cells_text);
    *c = (csv){0};
}

int csv_find(const csv *c, const char *name) {
    for (int j = 0; j < c->columns && c->names[j].text != NULL; j++)
        if (strcmp(c->names[j].text, name) == 0) return j;
    return -1;
}

posse_error csv_next(csv *c, bool *more) {
    return c->form->read_row(c, more);
}

posse_error csv_number(csv *c, int column, double *out) {
    const char *text = c->cells[column].text, *name = c->names[column].text;
    decimal_status status = decimal_read(text, out);
    if (status == DECIMAL_FINE) return POSSE_OK;
    if (*text == '\0') return csv_refuse(c, column, "an empty cell; \"%.*s\" must be a number", CSV_SHOWN, name);
    if (status == DECIMAL_BEYOND)
        return csv_refuse(c, column, "\"%.*s\" is beyond the range of a number", CSV_SHOWN, text);
    return csv_refuse(c, column, "\"%.*s\" is no number; \"%.*s\" must be one", CSV_SHOWN, text, CSV_SHOWN, name);
}

void csv_rewind(csv *c) {
    c->at = c->first;
    c->line = c->first_line;
    c->column = 1;
}
