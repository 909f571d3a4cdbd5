/* SPDX-License-Identifier: MIT */
#include "data/feature_columns.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/csv_form.h"
#include "data/decimal.h"

posse_error feature_columns_open(feature_columns *f, const csv *c, const int *columns, int count, double most,
                                 const posse_allocator *allocator) {
    *f = (feature_columns){.memory.allocator = *allocator, .most = most, .count = count};
    f->columns = arena_allocate(&f->memory, (size_t)count * sizeof *f->columns);
    if (f->columns == NULL) return POSSE_ERROR_MEMORY;
    for (int k = 0; k < count; k++) {
        csv_kind kind = c->kinds[columns[k]];
        f->columns[k] = (feature_column){.column = columns[k], .kind = kind, .declared = kind != CSV_ANY};
    }
    return POSSE_OK;
}

static bool cell_missing(const char *text) {
    return *text == '\0' || strcmp(text, "?") == 0 || strcmp(text, "NA") == 0;
}

/* ------------------------------------------------- first pass -------------------------------------------------- */

static posse_error make_room_for_word(feature_columns *f, feature_column *k) {
    if (k->words < k->room) return POSSE_OK;
    int room = k->room == 0 ? 8 : 2 * k->room;
    const char **larger = arena_allocate(&f->memory, (size_t)room * sizeof *larger);
    if (larger == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < k->words; i++) larger[i] = k->word[i];
    k->word = larger;
    k->room = room;
    return POSSE_OK;
}

static posse_error add_word(feature_columns *f, feature_column *k, csv *c, int place) {
    const char *word = c->cells[k->column].text;
    if (k->words == WORDS_MAX)
        return csv_refuse(c, k->column, "\"%.*s\" has more than %d words, too many for a category", CSV_SHOWN,
                          c->names[k->column].text, WORDS_MAX);
    posse_error error = make_room_for_word(f, k);
    char *copy = arena_allocate(&f->memory, strlen(word) + 1);
    if (error != POSSE_OK || copy == NULL) return POSSE_ERROR_MEMORY;
    strcpy(copy, word);
    memmove(k->word + place + 1, k->word + place, (size_t)(k->words - place) * sizeof *k->word);
    k->word[place] = copy;
    k->words++;
    return POSSE_OK;
}

static posse_error see_word(feature_columns *f, feature_column *k, csv *c) {
    bool known;
    double number;
    const char *word = c->cells[k->column].text;
    if (!k->declared && decimal_read(word, &number) == DECIMAL_FINE)
        return csv_refuse(c, k->column, "\"%.*s\" is a number, but line %d has a word; a column has numbers or words",
                          CSV_SHOWN, word, k->line);
    int place = sort_place(k->word, k->words, word, &known);
    return known ? POSSE_OK : add_word(f, k, c, place);
}

static posse_error see_number(const feature_columns *f, feature_column *k, csv *c) {
    double x;
    posse_error error = csv_number(c, k->column, &x);
    if (error != POSSE_OK) return error;
    if (!(fabs(x) <= f->most)) return csv_refuse(c, k->column, "%g is no feature; they are at most %g", x, f->most);
    k->sum += x;
    k->count += 1.0;
    return POSSE_OK;
}

static posse_error see_cell(feature_columns *f, feature_column *k, csv *c) {
    const csv_cell *cell = &c->cells[k->column];
    double number;
    if (cell_missing(cell->text)) {
        k->missing = true;
        return POSSE_OK;
    }
    if (k->kind == CSV_ANY) k->kind = decimal_read(cell->text, &number) == DECIMAL_NONE ? CSV_WORDS : CSV_NUMBERS;
    if (k->line == 0) k->line = cell->line;
    return k->kind == CSV_WORDS ? see_word(f, k, c) : see_number(f, k, c);
}

posse_error feature_columns_see(feature_columns *f, csv *c) {
    posse_error error = POSSE_OK;
    for (int k = 0; k < f->count && error == POSSE_OK; k++) error = see_cell(f, &f->columns[k], c);
    return error;
}

/* ------------------------------------------------- second pass ------------------------------------------------- */

/* The words of a column, with the one for missing cells. */
static int columns_words_of(const feature_column *k) {
    return k->words + k->missing;
}

static int features_of(const feature_column *k) {
    if (k->kind != CSV_WORDS) return 1 + k->missing;
    return columns_words_of(k) == 2 ? 1 : columns_words_of(k);
}

void feature_columns_lay_out(feature_columns *f) {
    f->dim = 0;
    for (int k = 0; k < f->count; k++) {
        f->columns[k].first = f->dim;
        f->dim += features_of(&f->columns[k]);
    }
}

static void encode_word(const feature_column *k, const char *text, double *out) {
    bool known;
    int width = features_of(k), place = cell_missing(text) ? k->words : sort_place(k->word, k->words, text, &known);
    if (columns_words_of(k) == 2) place--;
    for (int j = 0; j < width; j++) out[j] = j == place ? 1.0 : 0.0;
}

posse_error feature_columns_encode(const feature_columns *f, csv *c, double *features) {
    posse_error error = POSSE_OK;
    for (int i = 0; i < f->count && error == POSSE_OK; i++) {
        const feature_column *k = &f->columns[i];
        double *out = features + k->first;
        const char *text = c->cells[k->column].text;
        bool missing = cell_missing(text);
        if (k->kind == CSV_WORDS) {
            encode_word(k, text, out);
            continue;
        }
        out[0] = k->count > 0.0 ? k->sum / k->count : 0.0;
        if (!missing) error = csv_number(c, k->column, &out[0]);
        if (k->missing) out[1] = missing ? 1.0 : 0.0;
    }
    return error;
}
