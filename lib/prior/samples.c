/* SPDX-License-Identifier: MIT */
#include "prior/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/suggestion.h"
#include "data/decimal.h"
#include "model/parameter.h"
#include "model/space.h"

/* The most arms of a table, because a covariance has a row and a column for each of them. */
#define ARMS_FITTED_MAX 256

/* A standard deviation below this share of the largest is rounding, or a column that never changes. */
#define LEAST_SHARE 1e-3

bool samples_are_complete(const samples *s) {
    for (size_t i = 0; i < s->rows * (size_t)s->arms; i++)
        if (isnan(s->values[i])) return false;
    return s->counts == NULL;
}

/* ------------------------------------------------- means ------------------------------------------------------ */

static posse_error samples_count_rows(csv *c, size_t *rows) {
    bool more = true;
    posse_error error = POSSE_OK;
    for (*rows = 0; more && error == POSSE_OK; *rows += more) {
        error = csv_next(c, &more);
        if (error != POSSE_OK) more = false;
    }
    csv_rewind(c);
    return error;
}

static posse_error samples_take_number(csv *c, int column, double *out) {
    posse_error error = csv_number(c, column, out);
    if (error == POSSE_OK && fabs(*out) > LINEAR_NOISE_MAX)
        error = csv_refuse(c, column, "out of range; it must be at least %g and at most %g", -LINEAR_NOISE_MAX,
                           LINEAR_NOISE_MAX);
    return error;
}

/* Words in three or more columns are most likely names of tasks and arms: the table has plays. */
static posse_error take_mean(csv *c, int arm, double *out) {
    const char *text = c->cells[arm].text, *name = c->names[arm].text;
    if (c->columns >= 3 && decimal_read(text, out) == DECIMAL_NONE)
        return csv_refuse(
            c, arm,
            "\"%.40s\" is no number; \"%.40s\" must be one. If a row is a reward of a task, the table has plays: --plays",
            text, name);
    return samples_take_number(c, arm, out);
}

static posse_error take_means(csv *c, int arms, bool holes, double *values) {
    int known = 0;
    for (int a = 0; a < arms; a++) {
        bool there = *c->cells[a].text != '\0';
        if (!there && !holes)
            return csv_refuse(
                c, a, "an empty cell; particles have no holes: leave the row out, or fit a gaussian or a mixture");
        posse_error error = there ? take_mean(c, a, &values[a]) : POSSE_OK;
        if (error != POSSE_OK) return error;
        if (!there) values[a] = NAN;
        known += there;
    }
    return known > 0 ? POSSE_OK : csv_refuse(c, 0, "a row without any number");
}

/* Copies the names of the columns, because those of the table are freed with it. */
static const char **keep_names(const csv *c, arena *memory) {
    const char **names = arena_allocate(memory, (size_t)c->columns * sizeof *names);
    for (int a = 0; names != NULL && a < c->columns; a++) {
        size_t size = strlen(c->names[a].text) + 1;
        char *copy = arena_allocate(memory, size);
        if (copy == NULL) return NULL;
        names[a] = memcpy(copy, c->names[a].text, size);
    }
    return names;
}

static posse_error check_arms(csv *c, const samples *s) {
    for (int a = 0; a < s->arms; a++) {
        size_t known = 0;
        for (size_t i = 0; i < s->rows; i++) known += !isnan(sample_row(s, i)[a]);
        if (known < 2)
            return csv_refuse_file(c, "the arm \"%.40s\" has a value in %zu of %zu rows; at least two are needed",
                                   s->names[a], known, s->rows);
    }
    return POSSE_OK;
}

static posse_error check_shape(csv *c, int arms, size_t rows, const char *what) {
    if (arms < 2) return csv_refuse_file(c, "it has one arm; a prior is about two or more");
    if (arms > ARMS_FITTED_MAX) return csv_refuse_file(c, "%d arms are too many; at most %d", arms, ARMS_FITTED_MAX);
    if (rows == 0) return csv_refuse_file(c, "it has no rows");
    if (rows < 3) return csv_refuse_file(c, "%zu %s are too few; at least 3 are needed", rows, what);
    return POSSE_OK;
}

posse_error samples_of_means(csv *c, bool holes, arena *memory, samples *out) {
    *out = (samples){.arms = c->columns};
    posse_error error = samples_count_rows(c, &out->rows);
    if (error == POSSE_OK) error = check_shape(c, out->arms, out->rows, "rows");
    if (error != POSSE_OK) return error;
    size_t arms = (size_t)out->arms;
    out->names = keep_names(c, memory);
    out->values = arena_allocate(memory, out->rows * arms * sizeof *out->values);
    if (out->names == NULL || out->values == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < out->rows && error == POSSE_OK; i++) {
        bool more;
        error = csv_next(c, &more);
        if (error == POSSE_OK) error = take_means(c, out->arms, holes, out->values + i * arms);
    }
    return error == POSSE_OK ? check_arms(c, out) : error;
}

/* ------------------------------------------------- plays ------------------------------------------------------ */

/* A table of plays, which has a row for each reward. */
typedef struct plays {
    csv *csv;
    int task, arm, reward; /* columns */
    size_t rows;
    const char **tasks, **arms; /* of each row */
    size_t task_count, arm_count;
    double *rewards;
} plays;

static posse_error samples_find_column(csv *c, const char *name, int *out) {
    suggestion near = {.word = name};
    for (int j = 0; j < c->columns; j++) suggestion_consider(&near, c->names[j].text);
    *out = csv_find(c, name);
    if (*out >= 0) return POSSE_OK;
    return csv_refuse_header(c, "there is no column \"%.80s\"%s", name, suggestion_text(&near));
}

static const char *samples_keep_text(arena *memory, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = arena_allocate(memory, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static posse_error samples_read_play(plays *p, size_t i, arena *memory) {
    csv *c = p->csv;
    bool more;
    posse_error error = csv_next(c, &more);
    if (error == POSSE_OK && *c->cells[p->task].text == '\0') error = csv_refuse(c, p->task, "a task without a name");
    if (error == POSSE_OK && *c->cells[p->arm].text == '\0') error = csv_refuse(c, p->arm, "an arm without a name");
    if (error == POSSE_OK) error = samples_take_number(c, p->reward, &p->rewards[i]);
    if (error != POSSE_OK) return error;
    p->tasks[i] = samples_keep_text(memory, c->cells[p->task].text);
    p->arms[i] = samples_keep_text(memory, c->cells[p->arm].text);
    return p->tasks[i] != NULL && p->arms[i] != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* The number that is the name of an arm; -1: the name is not a number. */
static long arm_number(const char *name) {
    uint64_t number;
    size_t digits = decimal_read_whole(name, &number);
    return digits > 0 && digits <= 6 && name[digits] == '\0' ? (long)number : -1;
}

static int samples_by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Puts names into order, byte by byte, and drops duplicates; returns the number of names that are left. */
static size_t sort_names(const char **list, size_t count) {
    sort_records(list, count, sizeof *list, samples_by_name);
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (left == 0 || strcmp(list[left - 1], list[i]) != 0) list[left++] = list[i];
    return left;
}

static size_t samples_place_of(const char *const *sorted, size_t count, const char *name) {
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle], name) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static posse_error sorted_names(const char **names, size_t rows, arena *memory, const char ***out, size_t *count) {
    *out = arena_allocate(memory, rows * sizeof **out);
    if (*out == NULL) return POSSE_ERROR_MEMORY;
    memcpy(*out, names, rows * sizeof **out);
    *count = sort_names(*out, rows);
    return POSSE_OK;
}

/* If the names of all arms are numbers, they must be 0 .. K-1, as in posse, and names[a] becomes the number a. */
static posse_error order_arms(csv *c, const char **names, size_t count, arena *memory) {
    size_t numbers = 0;
    for (size_t a = 0; a < count; a++) numbers += arm_number(names[a]) >= 0;
    if (numbers < count) return POSSE_OK;
    const char **ordered = arena_allocate(memory, count * sizeof *ordered);
    if (ordered == NULL) return POSSE_ERROR_MEMORY;
    for (size_t a = 0; a < count; a++) {
        long number = arm_number(names[a]);
        bool fits = (size_t)number < count && ordered[number] == NULL;
        if (fits) ordered[number] = names[a];
    }
    for (size_t a = 0; a < count; a++)
        if (ordered[a] == NULL)
            return csv_refuse_file(c, "arms that are numbers are 0 to K - 1, each of them played; %zu is missing", a);
    memcpy(names, ordered, count * sizeof *names);
    return POSSE_OK;
}

/* The place of a name among the arms, which are in the order of their numbers or else of their names. */
static size_t arm_place(const char *const *names, size_t count, const char *name) {
    long number = arm_number(name);
    if (number >= 0 && (size_t)number < count && strcmp(names[number], name) == 0) return (size_t)number;
    return samples_place_of(names, count, name);
}

/* Averages of rewards by Welford's recursion, which squares distances and not rewards. */
static void add_reward(samples *s, size_t row, size_t arm, double reward) {
    size_t cell = row * (size_t)s->arms + arm;
    double count = s->counts[cell] += 1.0, off = reward - s->values[cell];
    s->values[cell] += off / count;
    s->squares[row] += off * (reward - s->values[cell]);
    s->rewards += 1.0;
    if (count > 1.0) s->repeats += 1.0;
}

static posse_error read_plays(plays *p, arena *memory) {
    p->tasks = arena_allocate(memory, p->rows * sizeof *p->tasks);
    p->arms = arena_allocate(memory, p->rows * sizeof *p->arms);
    p->rewards = arena_allocate(memory, p->rows * sizeof *p->rewards);
    posse_error error = p->tasks != NULL && p->arms != NULL && p->rewards != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < p->rows && error == POSSE_OK; i++) error = samples_read_play(p, i, memory);
    return error;
}

static posse_error samples_average(const plays *p, const char *const *tasks, arena *memory, samples *out) {
    size_t cells = out->rows * (size_t)out->arms;
    out->values = arena_allocate(memory, cells * sizeof *out->values);
    out->counts = arena_allocate(memory, cells * sizeof *out->counts);
    out->squares = arena_allocate(memory, out->rows * sizeof *out->squares);
    if (out->values == NULL || out->counts == NULL || out->squares == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < p->rows; i++)
        add_reward(out, samples_place_of(tasks, out->rows, p->tasks[i]),
                   arm_place(out->names, (size_t)out->arms, p->arms[i]), p->rewards[i]);
    for (size_t i = 0; i < cells; i++)
        if (out->counts[i] == 0.0) out->values[i] = NAN;
    return POSSE_OK;
}

posse_error samples_of_plays(csv *c, const play_columns *columns, arena *memory, samples *out) {
    plays p = {.csv = c};
    size_t arms = 0;
    const char **tasks = NULL;
    *out = (samples){0};
    posse_error error = samples_find_column(c, columns->task, &p.task);
    if (error == POSSE_OK) error = samples_find_column(c, columns->arm, &p.arm);
    if (error == POSSE_OK) error = samples_find_column(c, columns->reward, &p.reward);
    if (error == POSSE_OK) error = samples_count_rows(c, &p.rows);
    if (error == POSSE_OK && p.rows == 0) error = csv_refuse_file(c, "it has no rows");
    if (error == POSSE_OK) error = read_plays(&p, memory);
    if (error == POSSE_OK) error = sorted_names(p.tasks, p.rows, memory, &tasks, &out->rows);
    if (error == POSSE_OK) error = sorted_names(p.arms, p.rows, memory, &out->names, &arms);
    out->arms = (int)arms;
    if (error == POSSE_OK) error = check_shape(c, out->arms, out->rows, "tasks");
    if (error == POSSE_OK) error = order_arms(c, out->names, arms, memory);
    if (error == POSSE_OK) error = samples_average(&p, tasks, memory, out);
    return error == POSSE_OK ? check_arms(c, out) : error;
}

/* ------------------------------------------------- moments ---------------------------------------------------- */

posse_error samples_pick(const samples *s, const size_t *list, size_t count, arena *memory, samples *out) {
    size_t arms = (size_t)s->arms;
    bool noisy = s->counts != NULL;
    *out = (samples){.arms = s->arms, .rows = count, .names = s->names};
    out->values = arena_allocate(memory, count * arms * sizeof *out->values);
    if (noisy) out->counts = arena_allocate(memory, count * arms * sizeof *out->counts);
    if (noisy) out->squares = arena_allocate(memory, count * sizeof *out->squares);
    if (out->values == NULL || (noisy && (out->counts == NULL || out->squares == NULL))) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        memcpy(out->values + i * arms, sample_row(s, list[i]), arms * sizeof *out->values);
        if (!noisy) continue;
        memcpy(out->counts + i * arms, sample_counts(s, list[i]), arms * sizeof *out->counts);
        out->squares[i] = s->squares[list[i]];
        for (size_t a = 0; a < arms; a++) {
            out->rewards += out->counts[i * arms + a];
            if (out->counts[i * arms + a] > 1.0) out->repeats += out->counts[i * arms + a] - 1.0;
        }
    }
    return POSSE_OK;
}

/* The mean of an arm, and the variance of its values without noise, but at least a tenth of the whole. */
static void arm_moments(const samples *s, int arm, double noise_variance, double *mean, double *variance) {
    double count = 0.0, squares = 0.0, noise = 0.0;
    *mean = 0.0;
    for (size_t i = 0; i < s->rows; i++) {
        double x = sample_row(s, i)[arm];
        if (isnan(x)) continue;
        count += 1.0;
        double off = x - *mean;
        *mean += off / count;
        squares += off * (x - *mean);
        if (s->counts != NULL) noise += noise_variance / sample_counts(s, i)[arm];
    }
    double all = count > 0.0 ? squares / count : 0.0, own = count > 0.0 ? all - noise / count : 0.0;
    *variance = own > 0.1 * all ? own : 0.1 * all;
}

void samples_moments(const samples *s, double noise_variance, double *means, double *variances) {
    double most = 0.0;
    for (int a = 0; a < s->arms; a++) {
        arm_moments(s, a, noise_variance, &means[a], &variances[a]);
        if (variances[a] > most) most = variances[a];
    }
    for (int a = 0; a < s->arms; a++) {
        double least = LEAST_SHARE * LEAST_SHARE * (most > 0.0 ? most : 1.0);
        if (variances[a] < least) variances[a] = least;
    }
}

double samples_noise(const samples *s) {
    double squares = 0.0;
    for (size_t i = 0; i < s->rows; i++) squares += s->squares[i];
    return s->repeats > 0.0 ? squares / s->repeats : 0.0;
}
