/* SPDX-License-Identifier: MIT */
#include "data/logbook.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

static bool logbook_allocate(logbook *book, arena *memory) {
    book->row = arena_allocate(memory, book->rows * sizeof *book->row);
    /* One more, because `tell` may add an arm and take it back. */
    book->listed = arena_allocate(memory, (book->listed_count + 1) * sizeof *book->listed);
    book->line_end = arena_allocate(memory, book->lines * sizeof *book->line_end);
    book->column = arena_allocate(memory, book->numbers * sizeof *book->column);
    book->number = arena_allocate(memory, book->numbers * sizeof *book->number);
    book->every = arena_allocate(memory, (size_t)book->arms * sizeof *book->every);
    for (int a = 0; book->every != NULL && a < book->arms; a++) book->every[a] = a;
    return book->row != NULL && book->listed != NULL && book->line_end != NULL && book->column != NULL &&
           book->number != NULL && book->every != NULL;
}

posse_error logbook_make(logbook *book, arena *memory, logbook_teller *tell, void *context, bool *told) {
    *book = (logbook){.least_probability = 1.0, .least_reward = INFINITY, .largest_reward = -INFINITY};
    *told = tell(context, book);
    if (!*told) return POSSE_OK;
    if (!logbook_allocate(book, memory)) return POSSE_ERROR_MEMORY;
    book->rows = book->lines = book->numbers = book->listed_count = 0;
    *told = tell(context, book);
    return POSSE_OK;
}

void logbook_add_number(logbook *book, int column, double number) {
    if (number == 0.0) return;
    if (book->row != NULL) {
        book->column[book->numbers] = column;
        book->number[book->numbers] = number;
    }
    book->numbers++;
}

void logbook_end_line(logbook *book) {
    if (book->row != NULL) book->line_end[book->lines] = book->numbers;
    book->lines++;
}

void logbook_add_arm(logbook *book, int arm) {
    if (book->row != NULL) book->listed[book->listed_count] = arm;
    book->listed_count++;
}

void logbook_end_row(logbook *book, const logbook_row *row) {
    if (row->probability < book->least_probability) book->least_probability = row->probability;
    if (row->reward < book->least_reward) book->least_reward = row->reward;
    if (row->reward > book->largest_reward) book->largest_reward = row->reward;
    if (book->row != NULL) book->row[book->rows] = *row;
    book->rows++;
}

const int *logbook_arms(const logbook *book, size_t row) {
    size_t first = book->row[row].first_arm;
    return first == LOGBOOK_FIRST ? book->every : book->listed + first;
}

/* Numbers of one column in one line add up. */
static void add_line(const logbook *book, size_t line, double *out) {
    size_t from = line > 0 ? book->line_end[line - 1] : 0;
    for (size_t i = from; i < book->line_end[line]; i++) out[book->column[i]] += book->number[i];
}

void logbook_features(const logbook *book, size_t row, double *out) {
    POSSE_ASSERT(row < book->rows);
    const logbook_row *r = &book->row[row];
    size_t width = (size_t)book->width, vectors = book->own ? (size_t)r->count : 1;
    memset(out, 0, vectors * width * sizeof *out);
    if (book->constant) out[0] = 1.0;
    for (size_t k = 0; k < vectors; k++) {
        add_line(book, r->first_line, out + k * width);
        if (book->own) add_line(book, r->first_line + 1 + k, out + k * width);
    }
}
