/* SPDX-License-Identifier: MIT */
/*
 * Table: classification as a bandit. Every round is a row of a CSV file, whose features all arms share. An arm is a
 * class, and the reward is 1 for the right class and 0 for the others, so that regret counts misses. Classes are
 * numbered in the order of their names, byte by byte. Rows come in the order of the file, or in an order that is drawn
 * for each run. After the last row they begin again, in another order if the order is drawn.
 *
 * There is nothing to draw an instance from, and hence no prior: selectors and learners need beliefs of their own.
 */
#include <math.h>
#include <string.h>

#include "base/suggestion.h"
#include "data/csv.h"
#include "environment/environment.h"

enum { FILE_PATH, LABEL, FEATURES, SHUFFLE };

static const posse_param params[] = {
    {.name = "file",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_REQUIRED | POSSE_PARAM_PATH,
     .help = "the table: CSV in UTF-8, with a header"},
    {.name = "label",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_REQUIRED,
     .help = "the column with the class of a row"},
    {.name = "features",
     .type = POSSE_TYPE_NAMES,
     .fallback_word = "*",
     .help = "the columns of the features; \"*\": all columns except the label"},
    {.name = "shuffle",
     .type = POSSE_TYPE_FLAG,
     .fallback = 1.0,
     .low = 0.0,
     .high = 1.0,
     .help = "draw the order of the rows for each run; if false, keep the order of the file"},
    PARAMETERS_END};

typedef struct plan {
    int features, classes;
    int64_t rows;
    bool shuffle;
    const double *numbers; /* rows x features */
    const int *answers;    /* the class of each row */
    const int *every;      /* 0 .. classes-1 */
} plan;

/* The latest round is row order[used - 1], or row used - 1 if nothing is shuffled. */
typedef struct instance {
    int64_t used; /* rows used since they began again */
    int64_t row;  /* of the round; -1 before the first */
    int64_t order[];
} instance;

/* ---------------------------------------------- reading the table ---------------------------------------------- */

/* A table that is being read into a plan. */
typedef struct reading {
    const posse_setup *setup;
    csv csv;
    int label;
    int *columns; /* of the features */
    plan *plan;
    const char **classes; /* their names, sorted */
} reading;

/* More classes are a mistake: the label is the number of a row, or a measurement. */
#define CLASSES_MAX 10000

/* If the table itself is wrong, passes on its message, which has the place. */
static posse_error table_told(const reading *r, posse_error error) {
    return error == POSSE_ERROR_FIT ? posse_setup_refuse(r->setup, "file", -1, "%s", r->csv.problem) : error;
}

static posse_error refuse_column(const reading *r, const char *option, int entry, const char *name) {
    suggestion near = {.word = name};
    for (int j = 0; j < r->csv.columns; j++) suggestion_consider(&near, r->csv.names[j].text);
    return posse_setup_refuse(r->setup, option, entry, "%s has no column \"%s\"%s", r->csv.path, name,
                              suggestion_text(&near));
}

static posse_error table_find_label(reading *r) {
    const char *name = r->setup->settings[LABEL].word;
    r->label = csv_find(&r->csv, name);
    return r->label >= 0 ? POSSE_OK : refuse_column(r, "label", -1, name);
}

static int count_names(const char *names) {
    int count = 1;
    for (; *names != '\0'; names++) count += *names == ',';
    return count;
}

/* Finds the column of one of the given names; entry: its index among them, -1 if there is only one. */
static posse_error find_feature(reading *r, const char *name, size_t length, int entry) {
    char *copy = posse_setup_allocate(r->setup, length + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, name, length);
    int column = csv_find(&r->csv, copy);
    if (column < 0) return refuse_column(r, "features", entry, copy);
    if (column == r->label) return posse_setup_refuse(r->setup, "features", entry, "\"%s\" is the label", copy);
    for (int j = 0; j < r->plan->features; j++)
        if (r->columns[j] == column)
            return posse_setup_refuse(r->setup, "features", entry, "\"%s\" is there twice", copy);
    r->columns[r->plan->features++] = column;
    return POSSE_OK;
}

static posse_error find_named(reading *r, const char *names) {
    posse_error error = POSSE_OK;
    int count = count_names(names);
    for (int k = 0; k < count && error == POSSE_OK; k++) {
        size_t length = strcspn(names, ",");
        error = find_feature(r, names, length, count > 1 ? k : -1);
        names += length + 1;
    }
    return error;
}

static posse_error find_features(reading *r) {
    const char *names = r->setup->settings[FEATURES].word;
    bool all = strcmp(names, "*") == 0;
    int most = all ? r->csv.columns - 1 : count_names(names);
    if (most == 0) return posse_setup_refuse(r->setup, "file", -1, "%s has no column beside the label", r->csv.path);
    if (most > DIM_MAX)
        return posse_setup_refuse(r->setup, "features", -1, "%d features are too many; at most %d", most, DIM_MAX);
    r->columns = posse_setup_allocate(r->setup, (size_t)most * sizeof *r->columns);
    if (r->columns == NULL) return POSSE_ERROR_MEMORY;
    if (!all) return find_named(r, names);
    for (int j = 0; j < r->csv.columns; j++)
        if (j != r->label) r->columns[r->plan->features++] = j;
    return POSSE_OK;
}

/* The place of a class among the sorted ones, or where it would be inserted. */
static int table_place_of(const reading *r, const char *name, bool *known) {
    int low = 0, high = r->plan->classes;
    *known = false;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(r->classes[middle], name);
        if (order == 0) *known = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static posse_error add_class(reading *r, int place, const char *name) {
    plan *p = r->plan;
    if (p->classes == CLASSES_MAX)
        return table_told(r, csv_refuse(&r->csv, r->label, "\"%s\" has more than %d classes; is it the right column?",
                                        r->csv.names[r->label].text, CLASSES_MAX));
    char *copy = posse_setup_allocate(r->setup, strlen(name) + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    strcpy(copy, name);
    memmove(r->classes + place + 1, r->classes + place, (size_t)(p->classes - place) * sizeof *r->classes);
    r->classes[place] = copy;
    p->classes++;
    return POSSE_OK;
}

/* The first pass counts the rows and collects the classes. */
static posse_error count_row(reading *r) {
    const char *name = r->csv.cells[r->label].text;
    bool known;
    if (*name == '\0') return table_told(r, csv_refuse(&r->csv, r->label, "an empty cell; the label is missing"));
    int place = table_place_of(r, name, &known);
    r->plan->rows++;
    return known ? POSSE_OK : add_class(r, place, name);
}

/* The second pass stores the features and the class of a row. */
static posse_error table_take_row(reading *r, int64_t row, double *numbers, int *answers) {
    posse_error error = POSSE_OK;
    bool known;
    answers[row] = table_place_of(r, r->csv.cells[r->label].text, &known);
    for (int j = 0; j < r->plan->features && error == POSSE_OK; j++) {
        double *x = &numbers[row * r->plan->features + j];
        error = csv_number(&r->csv, r->columns[j], x);
        if (error == POSSE_OK && !(fabs(*x) <= FEATURE_MAX))
            error = csv_refuse(&r->csv, r->columns[j], "%g is no feature; they are at most %g", *x, FEATURE_MAX);
    }
    return table_told(r, error);
}

static posse_error table_count_rows(reading *r) {
    bool more = true;
    posse_error error = POSSE_OK;
    r->classes = memory_allocate(part_allocator(r->setup), CLASSES_MAX * sizeof *r->classes);
    if (r->classes == NULL) return POSSE_ERROR_MEMORY;
    while (error == POSSE_OK && more) {
        error = table_told(r, csv_next(&r->csv, &more));
        if (error == POSSE_OK && more) error = count_row(r);
    }
    if (error == POSSE_OK && r->plan->rows == 0)
        return table_told(r, csv_refuse_file(&r->csv, "has no rows beside the header"));
    return error;
}

static posse_error table_take_rows(reading *r) {
    plan *p = r->plan;
    size_t rows = (size_t)p->rows;
    double *numbers = posse_setup_allocate(r->setup, rows * (size_t)p->features * sizeof *numbers);
    int *answers = posse_setup_allocate(r->setup, rows * sizeof *answers);
    int *every = posse_setup_allocate(r->setup, (size_t)p->classes * sizeof *every);
    if (numbers == NULL || answers == NULL || every == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < p->classes; a++) every[a] = a;
    p->numbers = numbers, p->answers = answers, p->every = every;
    bool more;
    posse_error error = POSSE_OK;
    csv_rewind(&r->csv);
    for (int64_t row = 0; row < p->rows && error == POSSE_OK; row++) {
        error = csv_next(&r->csv, &more);
        if (error == POSSE_OK) error = table_take_row(r, row, numbers, answers);
    }
    return error;
}

static posse_error read_table(reading *r) {
    posse_error error = table_told(r, csv_open(&r->csv, r->setup->settings[FILE_PATH].word, part_allocator(r->setup)));
    if (error == POSSE_OK) error = table_find_label(r);
    if (error == POSSE_OK) error = find_features(r);
    if (error == POSSE_OK) error = table_count_rows(r);
    return error == POSSE_OK ? table_take_rows(r) : error;
}

static posse_error table_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->shuffle = setup->settings[SHUFFLE].number != 0.0;
    reading r = {.setup = setup, .plan = p};
    posse_error error = read_table(&r);
    memory_release(part_allocator(setup), r.classes);
    csv_close(&r.csv);
    *out = p;
    return error;
}

/* ------------------------------------------------- playing it -------------------------------------------------- */

static size_t table_state_size(const void *plan_) {
    const plan *p = plan_;
    return sizeof(instance) + (p->shuffle ? (size_t)p->rows * sizeof(int64_t) : 0);
}

static posse_arm_set table_arms(const void *plan_) {
    const plan *p = plan_;
    return (posse_arm_set){.arms = p->classes, .dim = p->features};
}

static bool table_shares(const void *plan_) {
    (void)plan_;
    return true;
}

static posse_part table_prior(const void *plan_) {
    (void)plan_;
    return (posse_part){0};
}

static void table_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space, (void)draw;
    const plan *p = plan_;
    instance *at = instance_;
    *at = (instance){.row = -1};
    for (int64_t i = 0; p->shuffle && i < p->rows; i++) at->order[i] = i;
}

/* A step of Fisher and Yates' shuffle: one of the rows that are left, each equally likely. */
static int64_t draw_row(const plan *p, instance *at, posse_draw *draw) {
    int64_t other = at->used + (int64_t)posse_draw_index(draw, (uint64_t)(p->rows - at->used));
    int64_t row = at->order[other];
    at->order[other] = at->order[at->used];
    at->order[at->used] = row;
    return row;
}

static void table_bring(const void *plan_, void *instance_, posse_draw *draw, posse_round *round) {
    const plan *p = plan_;
    instance *at = instance_;
    if (at->used == p->rows) at->used = 0;
    at->row = p->shuffle ? draw_row(p, at, draw) : at->used;
    at->used++;
    *round = (posse_round){.count = p->classes,
                           .arms = p->every,
                           .width = p->features,
                           .stride = 0,
                           .features = p->numbers + at->row * p->features};
}

static double table_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)point, (void)noise;
    return arm == ((const plan *)plan_)->answers[((const instance *)instance_)->row] ? 1.0 : 0.0;
}

static double table_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)point;
    return arm == ((const plan *)plan_)->answers[((const instance *)instance_)->row] ? 0.0 : 1.0;
}

static void table_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    const plan *p = plan_;
    int64_t row = ((const instance *)instance_)->row;
    for (int a = 0; a < space->arms; a++) out[a] = row < 0 ? NAN : a == p->answers[row] ? 1.0 : 0.0;
}

const posse_environment_ops environment_table = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "table",
             .help = "rows of a CSV file: each class is an arm, and the right class pays 1",
             .params = params,
             .prepare = table_prepare,
             .state_size = table_state_size},
    .arms = table_arms,
    .prior = table_prior,
    .begin = table_begin,
    .reward = table_reward,
    .regret = table_regret,
    .means = table_means,
    .bring = table_bring,
    .shares = table_shares,
};
