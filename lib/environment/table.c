/* SPDX-License-Identifier: MIT */
/*
 * Table: rows of a file as rounds, whose features all arms share. Either a column is the class of a row: an arm is a
 * class, and the reward is 1 for the right class and 0 for the others, so that regret counts misses. Classes are
 * numbered in the order of their names, byte by byte. Or an arm is a column of rewards, and regret is the largest
 * reward of the row minus that of the arm.
 *
 * Rows come in the order of the file, or in an order that is drawn for each run. After the last row they begin again,
 * in another order if the order is drawn. data/feature_columns.h says how columns become features, and
 * data/feature_matrix.h what is made of these.
 *
 * There is nothing to draw an instance from, and hence no prior: selectors and learners need beliefs of their own.
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/suggestion.h"
#include "data/feature_columns.h"
#include "data/feature_matrix.h"
#include "data/table_file.h"
#include "environment/environment.h"

enum { FILE_PATH, LABEL, REWARDS, FEATURES, STANDARDISE, INTERACTIONS, SHUFFLE };

static const posse_param params[] = {
    {.name = "file",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_REQUIRED | POSSE_PARAM_PATH,
     .help = "the table: CSV in UTF-8 with a header, ARFF (.arff) or libsvm (.libsvm, .svm)"},
    {.name = "label",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_OPTIONAL,
     .help = "the column with the class of a row: an arm is a class"},
    {.name = "rewards",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_OPTIONAL,
     .help = "instead of a label: the columns with the rewards of the arms, as a pattern such as \"r_*\""},
    {.name = "features",
     .type = POSSE_TYPE_NAMES,
     .fallback_word = "*",
     .help = "the columns of the features; \"*\": all columns except the label or the rewards"},
    {.name = "standardise",
     .type = POSSE_TYPE_FLAG,
     .fallback = 0.0,
     .low = 0.0,
     .high = 1.0,
     .help = "give every feature mean 0 and standard deviation 1 over the table, and append a constant"},
    {.name = "interactions",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "none",
     .words = "none|quadratic",
     .help = "quadratic: append the products of all pairs of features, and their squares"},
    {.name = "shuffle",
     .type = POSSE_TYPE_FLAG,
     .fallback = 1.0,
     .low = 0.0,
     .high = 1.0,
     .help = "draw the order of the rows for each run; if false, keep the order of the file"},
    PARAMETERS_END};

typedef struct plan {
    int features, arms;
    int64_t rows;
    bool shuffle;
    const double *numbers; /* rows x features */
    const int *answers;    /* the best arm of each row */
    const double *rewards; /* rows x arms; NULL: 1 for the best arm, and 0 for the others */
    const int *every;      /* 0 .. arms-1 */
} plan;

/* The latest round is row order[used - 1], or row used - 1 if nothing is shuffled. */
typedef struct instance {
    int64_t used; /* rows used since they began again */
    int64_t row;  /* of the round; -1 before the first */
    int64_t order[];
} instance;

/* ------------------------------------------------- the columns ------------------------------------------------- */

/* A table that is being read into a plan. */
typedef struct reading {
    const posse_setup *setup;
    csv csv;
    int label;           /* the column; -1: arms are columns of rewards */
    int *payers;         /* the columns of rewards */
    int *columns, count; /* of the features */
    feature_columns features;
    feature_matrix matrix;
    plan *plan;
    const char **classes; /* their names, sorted */
} reading;

/* More classes are a mistake: the label is the number of a row, or a measurement. */
#define CLASSES_MAX 10000

/* The largest reward, as everywhere, and the largest number of which sums of squares are finite. */
#define TABLE_REWARD_MAX 1e100
#define STANDARDISED_MAX 1e100

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

static bool table_pays(const reading *r, int column) {
    bool pays = column == r->label;
    for (int a = 0; r->payers != NULL && a < r->plan->arms; a++) pays = pays || r->payers[a] == column;
    return pays;
}

static posse_error find_payers(reading *r, const char *pattern) {
    r->payers = posse_setup_allocate(r->setup, (size_t)r->csv.columns * sizeof *r->payers);
    if (r->payers == NULL) return POSSE_ERROR_MEMORY;
    for (int j = 0; j < r->csv.columns; j++)
        if (fnmatch(pattern, r->csv.names[j].text, 0) == 0) r->payers[r->plan->arms++] = j;
    if (r->plan->arms > 0) return POSSE_OK;
    return posse_setup_refuse(r->setup, "rewards", -1, "%s has no column that matches \"%s\"; its first is \"%s\"",
                              r->csv.path, pattern, r->csv.names[0].text);
}

/* The arms are classes or columns: one of the two options is given. */
static posse_error table_find_arms(reading *r) {
    const posse_option *label = &r->setup->settings[LABEL], *rewards = &r->setup->settings[REWARDS];
    r->label = -1;
    if ((label->key == NULL) == (rewards->key == NULL))
        return posse_setup_refuse(r->setup, label->key == NULL ? NULL : "rewards", -1,
                                  "give `label`, the column of the class, or `rewards`, a column for each arm%s",
                                  label->key == NULL ? "" : "; not both");
    if (rewards->key != NULL) return find_payers(r, rewards->word);
    r->label = csv_find(&r->csv, label->word);
    return r->label >= 0 ? POSSE_OK : refuse_column(r, "label", -1, label->word);
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
    if (table_pays(r, column))
        return posse_setup_refuse(r->setup, "features", entry, "\"%s\" is %s", copy,
                                  column == r->label ? "the label" : "a reward");
    for (int j = 0; j < r->count; j++)
        if (r->columns[j] == column)
            return posse_setup_refuse(r->setup, "features", entry, "\"%s\" is there twice", copy);
    r->columns[r->count++] = column;
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

static posse_error refuse_many(const reading *r, const char *option, int64_t features) {
    return posse_setup_refuse(r->setup, option, -1, "%lld features are too many; at most %d", (long long)features,
                              DIM_MAX);
}

static posse_error find_features(reading *r) {
    const char *names = r->setup->settings[FEATURES].word;
    bool all = strcmp(names, "*") == 0;
    int most = all ? r->csv.columns : count_names(names);
    r->columns = posse_setup_allocate(r->setup, (size_t)most * sizeof *r->columns);
    if (r->columns == NULL) return POSSE_ERROR_MEMORY;
    if (!all) return most <= DIM_MAX ? find_named(r, names) : refuse_many(r, "features", most);
    for (int j = 0; j < r->csv.columns; j++)
        if (!table_pays(r, j)) r->columns[r->count++] = j;
    if (r->count > DIM_MAX) return refuse_many(r, "features", r->count);
    if (r->count > 0) return POSSE_OK;
    return posse_setup_refuse(r->setup, "file", -1, "%s has no column beside the %s", r->csv.path,
                              r->label >= 0 ? "label" : "rewards");
}

/* -------------------------------------------------- first pass ------------------------------------------------- */

static posse_error add_class(reading *r, int place, const char *name) {
    plan *p = r->plan;
    if (p->arms == CLASSES_MAX)
        return csv_refuse(&r->csv, r->label, "\"%s\" has more than %d classes; is it the right column?",
                          r->csv.names[r->label].text, CLASSES_MAX);
    char *copy = posse_setup_allocate(r->setup, strlen(name) + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    strcpy(copy, name);
    memmove(r->classes + place + 1, r->classes + place, (size_t)(p->arms - place) * sizeof *r->classes);
    r->classes[place] = copy;
    p->arms++;
    return POSSE_OK;
}

/* Collects the classes. */
static posse_error count_class(reading *r) {
    const char *name = r->csv.cells[r->label].text;
    bool known;
    if (*name == '\0') return csv_refuse(&r->csv, r->label, "an empty cell; the label is missing");
    int place = sort_place(r->classes, r->plan->arms, name, &known);
    return known ? POSSE_OK : add_class(r, place, name);
}

static posse_error count_rows(reading *r) {
    bool more = true;
    posse_error error = POSSE_OK;
    r->classes = memory_allocate(part_allocator(r->setup), CLASSES_MAX * sizeof *r->classes);
    if (r->classes == NULL) return POSSE_ERROR_MEMORY;
    for (;;) {
        error = csv_next(&r->csv, &more);
        if (error != POSSE_OK || !more) break;
        if (r->label >= 0) error = count_class(r);
        if (error == POSSE_OK) error = feature_columns_see(&r->features, &r->csv);
        if (error != POSSE_OK) break;
        r->plan->rows++;
    }
    if (error == POSSE_OK && r->plan->rows == 0) return csv_refuse_file(&r->csv, "has no rows beside the header");
    return error;
}

/* ------------------------------------------------- second pass ------------------------------------------------- */

static posse_error take_rewards(reading *r, int64_t row, double *rewards, int *answer) {
    int arms = r->plan->arms;
    for (int a = 0; a < arms; a++) {
        double *reward = &rewards[row * arms + a];
        posse_error error = csv_number(&r->csv, r->payers[a], reward);
        if (error != POSSE_OK) return error;
        if (!(fabs(*reward) <= TABLE_REWARD_MAX))
            return csv_refuse(&r->csv, r->payers[a], "%g is no reward; they are at most %g", *reward, TABLE_REWARD_MAX);
        if (*reward > rewards[row * arms + *answer]) *answer = a;
    }
    return POSSE_OK;
}

static posse_error take_row(reading *r, int64_t row, double *rewards, int *answers) {
    bool known, more;
    posse_error error = csv_next(&r->csv, &more);
    if (error != POSSE_OK) return error;
    if (r->label >= 0)
        answers[row] = sort_place(r->classes, r->plan->arms, r->csv.cells[r->label].text, &known);
    else
        error = take_rewards(r, row, rewards, &answers[row]);
    if (error != POSSE_OK) return error;
    return feature_columns_encode(&r->features, &r->csv, r->matrix.numbers + row * r->matrix.dim);
}

static posse_error take_rows(reading *r) {
    plan *p = r->plan;
    size_t rows = (size_t)p->rows, payers = r->label >= 0 ? 0 : (size_t)p->arms;
    double *rewards = payers > 0 ? posse_setup_allocate(r->setup, rows * payers * sizeof *rewards) : NULL;
    int *answers = posse_setup_allocate(r->setup, rows * sizeof *answers);
    int *every = posse_setup_allocate(r->setup, (size_t)p->arms * sizeof *every);
    if ((payers > 0 && rewards == NULL) || answers == NULL || every == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < p->arms; a++) every[a] = a;
    p->rewards = rewards, p->answers = answers, p->every = every;
    posse_error error = POSSE_OK;
    csv_rewind(&r->csv);
    for (int64_t row = 0; row < p->rows && error == POSSE_OK; row++) error = take_row(r, row, rewards, answers);
    return error;
}

/* ------------------------------------------------ features of rows --------------------------------------------- */

static bool table_standardises(const reading *r) {
    return r->setup->settings[STANDARDISE].number != 0.0;
}

/* Products of large numbers may be no features. */
static posse_error check_products(const reading *r) {
    for (int64_t k = 0; k < r->matrix.rows * r->matrix.dim; k++)
        if (!(fabs(r->matrix.numbers[k]) <= FEATURE_MAX))
            return posse_setup_refuse(r->setup, "interactions", -1,
                                      "a product of features is %g; they are at most %g: set `standardise`",
                                      r->matrix.numbers[k], FEATURE_MAX);
    return POSSE_OK;
}

static posse_error table_multiply(reading *r) {
    int plain = r->matrix.dim;
    int64_t all = feature_matrix_products(plain) + table_standardises(r);
    if (all > DIM_MAX) return refuse_many(r, "interactions", all);
    posse_error error = feature_matrix_multiply(&r->matrix, part_allocator(r->setup));
    if (error != POSSE_OK) return error;
    if (!table_standardises(r)) return check_products(r);
    feature_matrix_standardise(&r->matrix, plain);
    return POSSE_OK;
}

/* Standardised features have no intercept, so a constant follows them. */
static posse_error keep_matrix(const reading *r) {
    plan *p = r->plan;
    const feature_matrix *m = &r->matrix;
    p->features = m->dim + table_standardises(r);
    double *numbers = posse_setup_allocate(r->setup, (size_t)p->rows * (size_t)p->features * sizeof *numbers);
    if (numbers == NULL) return POSSE_ERROR_MEMORY;
    for (int64_t row = 0; row < p->rows; row++) {
        double *out = numbers + row * p->features;
        out[p->features - 1] = 1.0;
        memcpy(out, m->numbers + row * m->dim, (size_t)m->dim * sizeof *out);
    }
    p->numbers = numbers;
    return POSSE_OK;
}

static posse_error make_features(reading *r) {
    bool quadratic = strcmp(r->setup->settings[INTERACTIONS].word, "quadratic") == 0;
    if (table_standardises(r)) feature_matrix_standardise(&r->matrix, 0);
    posse_error error = quadratic ? table_multiply(r) : POSSE_OK;
    return error == POSSE_OK ? keep_matrix(r) : error;
}

static posse_error open_matrix(reading *r) {
    feature_columns_lay_out(&r->features);
    int64_t all = r->features.dim + (int64_t)table_standardises(r);
    if (all > DIM_MAX) return refuse_many(r, "features", all);
    return feature_matrix_open(&r->matrix, r->plan->rows, r->features.dim, part_allocator(r->setup));
}

static posse_error read_table(reading *r) {
    const posse_allocator *allocator = part_allocator(r->setup);
    double most = table_standardises(r) ? STANDARDISED_MAX : FEATURE_MAX;
    posse_error error = table_told(r, table_file_open(&r->csv, r->setup->settings[FILE_PATH].word, allocator));
    if (error == POSSE_OK) error = table_find_arms(r);
    if (error == POSSE_OK) error = find_features(r);
    if (error == POSSE_OK) error = feature_columns_open(&r->features, &r->csv, r->columns, r->count, most, allocator);
    if (error == POSSE_OK) error = table_told(r, count_rows(r));
    if (error == POSSE_OK) error = open_matrix(r);
    if (error == POSSE_OK) error = table_told(r, take_rows(r));
    return error == POSSE_OK ? make_features(r) : error;
}

static posse_error table_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->shuffle = setup->settings[SHUFFLE].number != 0.0;
    reading r = {.setup = setup, .plan = p};
    posse_error error = read_table(&r);
    memory_release(part_allocator(setup), r.classes);
    memory_release(part_allocator(setup), r.matrix.numbers);
    arena_release(&r.features.memory);
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
    return (posse_arm_set){.arms = p->arms, .dim = p->features};
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
    *round = (posse_round){.count = p->arms,
                           .arms = p->every,
                           .width = p->features,
                           .stride = 0,
                           .features = p->numbers + at->row * p->features};
}

static double reward_at(const plan *p, int64_t row, int arm) {
    if (p->rewards != NULL) return p->rewards[row * p->arms + arm];
    return arm == p->answers[row] ? 1.0 : 0.0;
}

static double table_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)point, (void)noise;
    return reward_at(plan_, ((const instance *)instance_)->row, arm);
}

static double table_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)point;
    const plan *p = plan_;
    int64_t row = ((const instance *)instance_)->row;
    return reward_at(p, row, p->answers[row]) - reward_at(p, row, arm);
}

static void table_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    int64_t row = ((const instance *)instance_)->row;
    for (int a = 0; a < space->arms; a++) out[a] = row < 0 ? NAN : reward_at(plan_, row, a);
}

/* With a label, the right class pays 1 and any other class 0. Columns of rewards may have any numbers. */
static posse_reward_kind table_reward_kind(const posse_part *given) {
    return posse_part_option(given, "label") != NULL ? POSSE_REWARDS_CLICKS : POSSE_REWARDS_UNKNOWN;
}

const posse_environment_ops environment_table = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "table",
             .help =
                 "rows of a file: each class is an arm and the right one pays 1, or each arm has a column of rewards",
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
    .reward_kind = table_reward_kind,
};
