/* SPDX-License-Identifier: MIT */
#include "report/data/csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "common/file.h"
#include "data/decimal.h"
#include "report/data/heap.h"

enum { FIELDS_MAX = 64 };

typedef struct csv_reader {
    csv *table;
    FILE *messages;
    char *at;     /* the next character of the text, which ends with a NUL */
    size_t line;  /* of `at` */
    size_t start; /* the line on which the row being read begins */
    size_t room;  /* rows that fit into the table's memory */
    size_t fields;
    size_t place[FIELDS_MAX]; /* per field of the file: its column, or width if the column was not asked for */
} csv_reader;

static bool wrong_line(const csv *table, size_t line, FILE *messages, const char *format, va_list arguments) {
    fprintf(messages, "%s:%zu: ", table->path, line);
    vfprintf(messages, format, arguments);
    fputc('\n', messages);
    return false;
}

bool csv_wrong(const csv *table, size_t row, FILE *messages, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    wrong_line(table, row < table->rows ? table->lines[row] : 1, messages, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 2, 3))) static bool wrong(const csv_reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    wrong_line(r->table, r->start, r->messages, format, arguments);
    va_end(arguments);
    return false;
}

static bool csv_check_characters(csv_reader *r, size_t size) {
    for (const char *s = r->at; s < r->at + size;) {
        size_t length = *s == '\0' ? 0 : utf8_length((const unsigned char *)s, (size_t)(r->at + size - s));
        if (length == 0) return wrong(r, "a byte that is not UTF-8 text");
        if (*s == '\n') r->start++;
        s += length;
    }
    r->start = 1;
    return true;
}

/* Removes the quotes of the field at r->at, in place. */
static bool quoted_field(csv_reader *r, char **field) {
    char *out = *field = ++r->at;
    for (; r->at[0] != '"' || r->at[1] == '"'; r->at++) {
        if (*r->at == '\0') return wrong(r, "a quoted field without its closing quote");
        if (*r->at == '\n') r->line++;
        if (*r->at == '"') r->at++;
        *out++ = *r->at;
    }
    r->at++;
    *out = '\0';
    return true;
}

/* Splits one row of the file into `fields`. Each text is ended in place, where its separator was. */
static bool split_row(csv_reader *r, char **fields, size_t *count) {
    r->start = r->line;
    *count = 0;
    for (bool more = true; more;) {
        if (*count == FIELDS_MAX) return wrong(r, "more than %d fields", FIELDS_MAX);
        if (*r->at == '"') {
            if (!quoted_field(r, &fields[*count])) return false;
        } else {
            fields[*count] = r->at;
            r->at += strcspn(r->at, ",\n");
        }
        char end = *r->at;
        if (end == '\r' && r->at[1] == '\n') end = *++r->at;
        if (end != ',' && end != '\n' && end != '\0') return wrong(r, "text after the closing quote of a field");
        if (end == '\n' && r->at > fields[*count] && r->at[-1] == '\r') r->at[-1] = '\0';
        *r->at = '\0';
        if (end != '\0') r->at++;
        if (end == '\n') r->line++;
        more = end == ',';
        ++*count;
    }
    return true;
}

static bool csv_read_header(csv_reader *r) {
    csv *t = r->table;
    char *names[FIELDS_MAX];
    if (*r->at == '\0') return wrong(r, "the file is empty");
    if (!split_row(r, names, &r->fields)) return false;
    for (size_t f = 0; f < r->fields; f++) r->place[f] = t->width;
    for (size_t c = 0; c < t->width; c++) {
        size_t f = 0;
        while (f < r->fields && strcmp(names[f], t->columns[c].name) != 0) f++;
        if (f == r->fields) return wrong(r, "there is no column \"%s\" in the header", t->columns[c].name);
        r->place[f] = c;
    }
    return true;
}

static bool read_cell(csv_reader *r, csv_cell *cell, const table_column *column, const char *text) {
    *cell = (csv_cell){text, NAN};
    if (column->type == COLUMN_TEXT || (column->type == COLUMN_OPTIONAL && *text == '\0')) return true;
    if (decimal_read(text, &cell->number) != DECIMAL_FINE)
        return wrong(r, "%s is \"%.40s\", which is not a finite number", column->name, text);
    return true;
}

static bool csv_read_row(csv_reader *r) {
    csv *t = r->table;
    char *fields[FIELDS_MAX];
    size_t count;
    if (!split_row(r, fields, &count)) return false;
    if (count != r->fields) return wrong(r, "%zu fields where the header has %zu", count, r->fields);
    if (t->rows == r->room) {
        r->room = r->room > 0 ? 2 * r->room : 256;
        t->cells = heap_grow(t->cells, r->room * t->width, sizeof *t->cells);
        t->lines = heap_grow(t->lines, r->room, sizeof *t->lines);
    }
    t->lines[t->rows] = r->start;
    for (size_t f = 0; f < count; f++) {
        size_t c = r->place[f];
        if (c < t->width && !read_cell(r, &t->cells[t->rows * t->width + c], &t->columns[c], fields[f])) return false;
    }
    t->rows++;
    return true;
}

bool csv_read(csv *table, const char *directory, const table_format *format, FILE *messages) {
    *table = (csv){.path = heap_text("%s/%s", directory, format->file), .columns = format->columns};
    while (format->columns[table->width].name != NULL) table->width++;
    size_t size;
    table->text = file_read(table->path, FILE_ANY_SIZE, &size);
    if (table->text == NULL) {
        fprintf(messages, "%s: cannot be read: %s\n", table->path, strerror(errno));
        return false;
    }

    csv_reader r = {.table = table, .messages = messages, .at = table->text, .line = 1, .start = 1};
    if (!csv_check_characters(&r, size) || !csv_read_header(&r)) return false;
    while (*r.at != '\0')
        if (!csv_read_row(&r)) return false;
    return true;
}

void csv_free(csv *table) {
    free(table->path);
    free(table->text);
    free(table->cells);
    free(table->lines);
    *table = (csv){0};
}
