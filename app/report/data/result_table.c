/* SPDX-License-Identifier: MIT */
#include "report/data/result_table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/text.h"
#include "data/csv.h"

typedef struct table_reader {
    result_table *table;
    pool *memory;
    csv file;
    int place[TABLE_COLUMNS_MAX]; /* per column: its place in the file */
} table_reader;

static posse_error table_read_header(table_reader *r) {
    for (size_t c = 0; c < r->table->width; c++) {
        const char *name = r->table->columns[c].name;
        r->place[c] = csv_find(&r->file, name);
        if (r->place[c] < 0) return csv_refuse_header(&r->file, "there is no column \"%s\"", name);
    }
    return POSSE_OK;
}

/* A row ends with its line, so there are no more rows than lines. */
static size_t table_rows_most(const csv *file) {
    size_t count = 1;
    for (size_t at = file->first; at < file->length; at++) count += file->text[at] == '\n';
    return count;
}

/* Names are the same in many rows one after the other, and such rows share one copy. */
static const char *table_copy_text(const table_reader *r, size_t c, const char *text) {
    const char *above = r->table->rows > 0 ? result_table_row(r->table, r->table->rows - 1)[c].text : NULL;
    return above != NULL && strcmp(above, text) == 0 ? above : pool_copy(r->memory, text, strlen(text));
}

static posse_error table_read_cell(table_reader *r, size_t c, result_table_cell *cell) {
    const char *text = r->file.cells[r->place[c]].text;
    column_type type = r->table->columns[c].type;
    *cell = (result_table_cell){NULL, NAN};
    if (type == COLUMN_OPTIONAL && *text == '\0') return POSSE_OK;
    if (type != COLUMN_TEXT) return csv_number(&r->file, r->place[c], &cell->number);
    cell->text = table_copy_text(r, c, text);
    return cell->text != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error table_read_rows(table_reader *r) {
    result_table *t = r->table;
    size_t most = table_rows_most(&r->file);
    bool more;
    t->cells = pool_array(r->memory, most * t->width, sizeof *t->cells);
    t->lines = pool_array(r->memory, most, sizeof *t->lines);
    posse_error error = pool_failed(r->memory) ? POSSE_ERROR_MEMORY : csv_next(&r->file, &more);
    while (error == POSSE_OK && more) {
        t->lines[t->rows] = r->file.cells[0].line;
        for (size_t c = 0; c < t->width && error == POSSE_OK; c++)
            error = table_read_cell(r, c, &t->cells[t->rows * t->width + c]);
        t->rows++;
        if (error == POSSE_OK) error = csv_next(&r->file, &more);
    }
    return error;
}

bool result_table_read(result_table *t, const char *directory, const table_format *format, pool *memory,
                       FILE *messages) {
    *t = (result_table){.path = pool_format(memory, "%s/%s", directory, format->file), .columns = format->columns};
    while (format->columns[t->width].name != NULL) t->width++;
    if (t->path == NULL) return false;
    table_reader r = {.table = t, .memory = memory};
    posse_allocator allocator = pool_allocator(memory);
    posse_error error = csv_open(&r.file, t->path, &allocator);
    if (error == POSSE_OK) error = table_read_header(&r);
    if (error == POSSE_OK) error = table_read_rows(&r);
    if (error == POSSE_ERROR_FIT) fprintf(messages, "%s\n", r.file.problem);
    if (error == POSSE_ERROR_MEMORY) pool_fail(memory);
    csv_close(&r.file);
    return error == POSSE_OK;
}

bool result_table_wrong(const result_table *t, size_t row, FILE *messages, const char *format, ...) {
    va_list arguments;
    fprintf(messages, "%s:%d: ", t->path, row < t->rows ? t->lines[row] : 1);
    va_start(arguments, format);
    text_print_list(messages, format, arguments);
    va_end(arguments);
    fputc('\n', messages);
    return false;
}
