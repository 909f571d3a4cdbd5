/* SPDX-License-Identifier: MIT */
#include "data/log_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/csv.h"
#include "data/decimal.h"
#include "data/vw.h"
#include "model/parameter.h"
#include "model/round.h"
#include "model/space.h"

/* ----------------------------------------------------- labels -------------------------------------------------- */

/* Labels in their order, each once. */
typedef struct labels {
    arena *memory; /* of the texts */
    posse_allocator *allocator;
    const char **list;
    int count, room;
} labels;

static bool log_file_is_whole(const char *text, double *out) {
    return decimal_read(text, out) == DECIMAL_FINE && *out == floor(*out);
}

static int log_file_compare(const char *a, const char *b) {
    double x, y;
    bool a_whole = log_file_is_whole(a, &x), b_whole = log_file_is_whole(b, &y);
    if (a_whole != b_whole) return a_whole ? -1 : 1;
    if (a_whole && x != y) return x < y ? -1 : 1;
    return strcmp(a, b);
}

/* The place of a label, or where it would be inserted. */
static int log_file_find_label(const labels *l, const char *text, bool *found) {
    int low = 0, high = l->count;
    *found = false;
    while (low < high && !*found) {
        int middle = low + (high - low) / 2, order = log_file_compare(text, l->list[middle]);
        *found = order == 0;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

static posse_error insert_label(labels *l, int place, const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = arena_allocate(l->memory, length);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, text, length);
    if (l->count == l->room) {
        int room = l->room > 0 ? 2 * l->room : 16;
        const char **larger = memory_grow(l->allocator, (void *)l->list, (size_t)room * sizeof *larger);
        if (larger == NULL) return POSSE_ERROR_MEMORY;
        l->list = larger;
        l->room = room;
    }
    memmove(l->list + place + 1, l->list + place, (size_t)(l->count - place) * sizeof *l->list);
    l->list[place] = copy;
    l->count++;
    return POSSE_OK;
}

/* ------------------------------------------------------ CSV ---------------------------------------------------- */

typedef struct table {
    csv csv;
    int arm, reward, probability;
    int *features; /* columns */
    int feature_count;
    labels labels;
    posse_error error;
    const char *about; /* what a problem is about */
} table;

/* Finds a column that the file must have. */
static int log_file_find_column(table *t, const char *what, const char *name) {
    if (t->error != POSSE_OK) return -1;
    int column = csv_find(&t->csv, name);
    t->about = what;
    if (column < 0) t->error = csv_refuse_header(&t->csv, "there is no column \"%s\"", name);
    return column;
}

static bool log_file_is_named(const char *name, const char *text, int length) {
    return strlen(name) == (size_t)length && memcmp(name, text, (size_t)length) == 0;
}

static bool is_chosen(const table *t, int column) {
    for (int i = 0; i < t->feature_count; i++)
        if (t->features[i] == column) return true;
    return false;
}

/* Adds all columns whose names begin so, and that have no other use. */
static void add_beginning(table *t, const char *name, int length) {
    int before = t->feature_count;
    for (int j = 0; j < t->csv.columns; j++) {
        bool taken = j == t->arm || j == t->reward || j == t->probability || is_chosen(t, j);
        if (!taken && strncmp(t->csv.names[j].text, name, (size_t)length) == 0) t->features[t->feature_count++] = j;
    }
    if (t->feature_count == before)
        t->error = csv_refuse_header(&t->csv, "there is no column for the features \"%.*s*\"", length, name);
}

static void add_feature(table *t, const char *name, int length) {
    if (length > 0 && name[length - 1] == '*') {
        add_beginning(t, name, length - 1);
        return;
    }
    int column = t->csv.columns - 1;
    while (column >= 0 && !log_file_is_named(t->csv.names[column].text, name, length)) column--;
    if (column < 0)
        t->error = csv_refuse_header(&t->csv, "there is no column \"%.*s\"", length, name);
    else if (is_chosen(t, column))
        t->error = csv_refuse_file(&t->csv, "has the feature \"%.*s\" once, and it is asked for twice", length, name);
    else
        t->features[t->feature_count++] = column;
}

static void add_features(table *t, const char *names) {
    while (names != NULL && t->error == POSSE_OK) {
        int length = (int)strcspn(names, ",");
        add_feature(t, names, length);
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
}

static posse_error find_columns(table *t, const log_columns *columns, arena *memory) {
    t->features = arena_allocate(memory, (size_t)t->csv.columns * sizeof *t->features);
    if (t->features == NULL) return POSSE_ERROR_MEMORY;
    t->arm = log_file_find_column(t, "arm", columns->arm);
    t->reward = log_file_find_column(t, "reward", columns->reward);
    t->probability = log_file_find_column(t, "probability", columns->probability);
    t->about = t->error == POSSE_OK ? "features" : t->about;
    if (t->error == POSSE_OK) add_features(t, columns->features);
    if (t->error == POSSE_OK && t->feature_count > DIM_MAX)
        t->error =
            csv_refuse_file(&t->csv, "has %d features; at most %d, so hash or choose some", t->feature_count, DIM_MAX);
    return t->error;
}

/* The arm of the row. In the first pass, a new label is added. */
static posse_error read_arm(table *t, const logbook *book, int *arm) {
    bool found;
    const char *text = t->csv.cells[t->arm].text;
    *arm = log_file_find_label(&t->labels, text, &found);
    if (found) return POSSE_OK;
    if (*text == '\0') return csv_refuse(&t->csv, t->arm, "an empty cell; it must name the arm that was played");
    if (t->labels.count == ARMS_MAX) return csv_refuse(&t->csv, t->arm, "more than %d arms", ARMS_MAX);
    return book->row == NULL ? insert_label(&t->labels, *arm, text) : POSSE_ERROR_FIT;
}

static posse_error log_file_read_number(table *t, int column, double least, double most, const char *what,
                                        double *out) {
    posse_error error = csv_number(&t->csv, column, out);
    if (error != POSSE_OK || (*out >= least && *out <= most)) return error;
    return csv_refuse(&t->csv, column, "%.12g is no %s", *out, what);
}

static posse_error log_file_read_row(table *t, logbook *book) {
    logbook_row row = {.count = book->arms, .first_arm = LOGBOOK_FIRST, .first_line = book->lines};
    posse_error error = read_arm(t, book, &row.arm);
    if (error == POSSE_OK)
        error = log_file_read_number(t, t->reward, -REAL_MAX, REAL_MAX, "reward; they are at most 1e100", &row.reward);
    if (error == POSSE_OK)
        error = log_file_read_number(t, t->probability, 0.0, 1.0, "probability; it must be above 0 and at most 1",
                                     &row.probability);
    if (error == POSSE_OK && row.probability == 0.0)
        error = csv_refuse(&t->csv, t->probability, "0 is no probability of what was played; it must be above 0");
    for (int j = 0; j < t->feature_count && error == POSSE_OK; j++) {
        double x = 0.0;
        error = log_file_read_number(t, t->features[j], -FEATURE_MAX, FEATURE_MAX, "feature; they are at most 1e6", &x);
        if (error == POSSE_OK) logbook_add_number(book, j, x);
    }
    if (error != POSSE_OK) return error;
    logbook_end_line(book);
    logbook_end_row(book, &row);
    return POSSE_OK;
}

static bool log_file_tell(void *context, logbook *book) {
    table *t = context;
    bool more = true;
    t->about = "file";
    csv_rewind(&t->csv);
    while (t->error == POSSE_OK && more) {
        t->error = csv_next(&t->csv, &more);
        if (t->error == POSSE_OK && more) t->error = log_file_read_row(t, book);
    }
    if (t->error == POSSE_OK && book->rows == 0) t->error = csv_refuse_file(&t->csv, "has no row behind its header");
    book->arms = t->labels.count;
    book->constant = t->feature_count == 0;
    book->width = book->constant ? 1 : t->feature_count;
    return t->error == POSSE_OK;
}

static posse_error read_csv(const char *path, const log_columns *columns, arena *memory, logbook *out,
                            log_problem *problem) {
    arena scratch = {.allocator = memory->allocator};
    table t = {.about = "file", .labels = {.memory = &scratch, .allocator = &scratch.allocator}};
    t.error = csv_open(&t.csv, path, &memory->allocator);
    if (t.error == POSSE_OK) t.error = find_columns(&t, columns, &scratch);
    bool told;
    posse_error error = t.error == POSSE_OK ? logbook_make(out, memory, log_file_tell, &t, &told) : POSSE_OK;
    if (t.error == POSSE_ERROR_FIT) {
        problem->about = t.about;
        snprintf(problem->text, sizeof problem->text, "%s", t.csv.problem);
    }
    csv_close(&t.csv);
    memory_release(&scratch.allocator, (void *)t.labels.list);
    arena_release(&scratch);
    return error != POSSE_OK ? error : t.error;
}

/* ------------------------------------------------- Vowpal Wabbit ----------------------------------------------- */

static posse_error refuse_file(log_problem *problem, const char *path, const char *why) {
    snprintf(problem->text, sizeof problem->text, "%.200s: cannot be read: %s", path, why);
    return POSSE_ERROR_FIT;
}

static posse_error log_file_read_stream(FILE *in, const char *path, const posse_allocator *allocator, char **text,
                                        size_t *length, log_problem *problem) {
    size_t room = 1 << 16;
    for (*length = 0;; room *= 2) {
        char *larger = memory_grow(allocator, *text, room);
        if (larger == NULL) return POSSE_ERROR_MEMORY;
        *text = larger;
        *length += fread(*text + *length, 1, room - *length, in);
        if (ferror(in)) return refuse_file(problem, path, strerror(errno));
        if (*length > CSV_BYTES_MAX) return refuse_file(problem, path, "it has more than 1 GB");
        if (*length < room) return POSSE_OK;
    }
}

static posse_error read_vw(const char *path, arena *memory, logbook *out, log_problem *problem) {
    data_problem found;
    char *text = NULL;
    size_t length;
    problem->about = "file";
    FILE *in = fopen(path, "rb");
    if (in == NULL) return refuse_file(problem, path, strerror(errno));
    posse_error error = log_file_read_stream(in, path, &memory->allocator, &text, &length, problem);
    fclose(in);
    if (error == POSSE_OK) {
        error = vw_read(text, length, memory, out, &found);
        if (error == POSSE_ERROR_FIT)
            snprintf(problem->text, sizeof problem->text, "%.200s:%zu:%zu: %s", path, found.line, found.column,
                     found.text);
    }
    memory_release(&memory->allocator, text);
    return error;
}

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

log_format log_file_format(const char *path, log_format format) {
    if (format != LOG_BY_NAME) return format;
    return ends_in(path, ".vw") || ends_in(path, ".dat") ? LOG_VW : LOG_CSV;
}

posse_error log_file_read(const char *path, log_format format, const log_columns *columns, arena *memory, logbook *out,
                          log_problem *problem) {
    format = log_file_format(path, format);
    return format == LOG_VW ? read_vw(path, memory, out, problem) : read_csv(path, columns, memory, out, problem);
}
