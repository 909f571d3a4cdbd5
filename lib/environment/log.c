/* SPDX-License-Identifier: MIT */
/*
 * Log: rounds that another policy has played, row by row of a file. Only the reward of the arm that this policy played
 * is known, so there is no regret, and a posse cannot simply play these rounds: posse_replay (object/replay.c)
 * estimates the value of a posse.
 *
 * For the doubly robust estimate a ridge regression learns every row after it was used, theta = argmin sum (r - <theta,
 * x>)^2 + |theta|^2: one for all arms if they have features of their own, otherwise one for each arm.
 */
#include <math.h>
#include <string.h>

#include "belief/regression.h"
#include "data/log_file.h"
#include "environment/environment.h"

enum { FILE_NAME, ARM, REWARD, PROBABILITY, FEATURES, ESTIMATE, FORMAT };

static const posse_param params[] = {
    {.name = "file",
     .type = POSSE_TYPE_TEXT,
     .flags = POSSE_PARAM_REQUIRED | POSSE_PARAM_PATH,
     .help = "the log: a CSV file, or a file in the format of Vowpal Wabbit"},
    {.name = "arm",
     .type = POSSE_TYPE_TEXT,
     .fallback_word = "arm",
     .help = "CSV: the column of the arm that was played"},
    {.name = "reward", .type = POSSE_TYPE_TEXT, .fallback_word = "reward", .help = "CSV: the column of the reward"},
    {.name = "probability",
     .type = POSSE_TYPE_TEXT,
     .fallback_word = "probability",
     .help = "CSV: the column of the probability of that arm"},
    {.name = "features",
     .type = POSSE_TYPE_NAMES,
     .flags = POSSE_PARAM_OPTIONAL,
     .help = "CSV: the columns of the features, or * for all other columns; default: one feature, always 1"},
    {.name = "estimate",
     .type = POSSE_TYPE_WORD,
     .fallback_word = "replay",
     .words = "replay|ips|snips|dr",
     .help = "how the value of a posse is estimated"},
    {.name = "format",
     .type = POSSE_TYPE_WORD,
     .flags = POSSE_PARAM_OPTIONAL,
     .words = "csv|vw",
     .help = "format of the file; default vw if its name ends in .vw or .dat, otherwise csv"},
    PARAMETERS_END};

typedef struct plan {
    logbook book;
    int most; /* arms in a row */
    posse_estimate estimate;
} plan;

/* It is followed by the features of the row, room for `width` numbers, and the regressions. All are 8-byte numbers. */
typedef struct instance {
    uint64_t brought; /* rows so far */
    double numbers[];
} instance;

static size_t feature_numbers(const plan *p) {
    return (size_t)p->book.width * (size_t)(p->book.own ? p->most : 1);
}

static int log_models(const plan *p) {
    if (p->estimate != POSSE_ESTIMATE_DR) return 0;
    return p->book.own ? 1 : p->book.arms;
}

static size_t model_numbers(const plan *p) {
    return regression_size(p->book.width) / sizeof(double);
}

static double *model_of(const plan *p, const instance *i, int arm) {
    const double *first = i->numbers + feature_numbers(p) + p->book.width;
    return (double *)first + (p->book.own ? 0 : (size_t)arm * model_numbers(p));
}

/* --------------------------------------------------- the plan -------------------------------------------------- */

static posse_estimate estimate_named(const char *word) {
    static const char *const words[] = {[POSSE_ESTIMATE_REPLAY] = "replay",
                                        [POSSE_ESTIMATE_IPS] = "ips",
                                        [POSSE_ESTIMATE_SNIPS] = "snips",
                                        [POSSE_ESTIMATE_DR] = "dr"};
    posse_estimate e = POSSE_ESTIMATE_REPLAY;
    while (strcmp(words[e], word) != 0) e++;
    return e;
}

/*
 * Features of one name are added, within a line and between the shared line and that of an arm. Each sum must be in the
 * range of a feature.
 */
static posse_error check_sums(const posse_setup *setup, const plan *p) {
    double *sums = posse_setup_allocate(setup, feature_numbers(p) * sizeof *sums);
    if (sums == NULL) return POSSE_ERROR_MEMORY;
    for (size_t row = 0; row < p->book.rows; row++) {
        size_t count = (p->book.own ? (size_t)p->book.row[row].count : 1) * (size_t)p->book.width;
        logbook_features(&p->book, row, sums);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(sums[i]) <= FEATURE_MAX))
                return posse_setup_refuse(setup, "file", -1,
                                          "event %zu has a feature of %g in all; they must be at most %g", row + 1,
                                          sums[i], FEATURE_MAX);
    }
    return POSSE_OK;
}

/* A file in the format of Vowpal Wabbit has no columns. */
static posse_error log_refuse_columns(const posse_setup *setup, log_format format) {
    static const int columns[] = {ARM, REWARD, PROBABILITY, FEATURES};
    posse_error error = POSSE_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && error == POSSE_OK && format == LOG_VW; i++)
        error = part_refuse_idle(setup, columns[i], "it names columns of CSV, and the file is in the format `vw`");
    return error;
}

static posse_error log_prepare(const posse_setup *setup, void **out) {
    plan *p = *out = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    const posse_option *s = setup->settings;
    log_columns columns = {.arm = s[ARM].word, .reward = s[REWARD].word, .probability = s[PROBABILITY].word};
    log_format format = s[FORMAT].key == NULL ? LOG_BY_NAME : strcmp(s[FORMAT].word, "vw") == 0 ? LOG_VW : LOG_CSV;
    p->estimate = estimate_named(s[ESTIMATE].word);
    if (s[FEATURES].key != NULL) columns.features = s[FEATURES].word;
    posse_error idle = log_refuse_columns(setup, log_file_format(s[FILE_NAME].word, format));
    if (idle != POSSE_OK) return idle;
    log_problem problem;
    posse_error error = log_file_read(s[FILE_NAME].word, format, &columns, part_memory(setup), &p->book, &problem);
    if (error == POSSE_ERROR_FIT) return posse_setup_refuse(setup, problem.about, -1, "%s", problem.text);
    for (size_t row = 0; error == POSSE_OK && row < p->book.rows; row++)
        if (p->book.row[row].count > p->most) p->most = p->book.row[row].count;
    return error == POSSE_OK ? check_sums(setup, p) : error;
}

static size_t log_state_size(const void *plan_) {
    const plan *p = plan_;
    size_t numbers = feature_numbers(p) + (size_t)p->book.width + (size_t)log_models(p) * model_numbers(p);
    return sizeof(instance) + numbers * sizeof(double);
}

static posse_arm_set log_arms(const void *plan_) {
    const plan *p = plan_;
    return (posse_arm_set){p->book.arms, p->book.width, NULL};
}

static bool log_shares(const void *plan_) {
    return !((const plan *)plan_)->book.own;
}

/* A log has no prior, so the user has to give one. */
static posse_part log_prior(const void *plan_) {
    (void)plan_;
    return (posse_part){0};
}

/* --------------------------------------------------- the rows -------------------------------------------------- */

static void log_begin(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space, (void)draw;
    const plan *p = plan_;
    instance *i = instance_;
    i->brought = 0;
    for (int m = 0; m < log_models(p); m++) regression_start(model_of(p, i, m), p->book.width, 1.0);
}

/* The latest row. */
static const logbook_row *log_present(const plan *p, const instance *i) {
    return &p->book.row[(i->brought - 1) % p->book.rows];
}

static const double *log_features_of(const plan *p, const instance *i, int arm) {
    if (!p->book.own) return i->numbers;
    const logbook_row *row = log_present(p, i);
    const int *there = logbook_arms(&p->book, (size_t)(row - p->book.row));
    int place = 0;
    while (there[place] != arm) place++;
    return i->numbers + (size_t)place * (size_t)p->book.width;
}

static void learn_row(const plan *p, instance *i) {
    const logbook_row *row = log_present(p, i);
    double *room = i->numbers + feature_numbers(p);
    regression_update(model_of(p, i, row->arm), p->book.width, 1.0, log_features_of(p, i, row->arm), row->reward, room);
}

/* After the last row, the first one follows again. */
static void log_bring(const void *plan_, void *instance_, posse_draw *draw, posse_round *round) {
    (void)draw;
    const plan *p = plan_;
    instance *i = instance_;
    if (i->brought > 0 && log_models(p) > 0) learn_row(p, i);
    size_t row = (size_t)(i->brought++ % p->book.rows);
    logbook_features(&p->book, row, i->numbers);
    *round = (posse_round){.count = p->book.row[row].count,
                           .arms = logbook_arms(&p->book, row),
                           .width = p->book.width,
                           .stride = p->book.own ? (size_t)p->book.width : 0,
                           .features = i->numbers};
}

static double log_reward(const void *plan_, void *instance_, int arm, const double *point, posse_draw *noise) {
    (void)point, (void)noise;
    const logbook_row *row = log_present(plan_, instance_);
    return arm == row->arm ? row->reward : NAN;
}

static double log_regret(const void *plan_, const void *instance_, int arm, const double *point) {
    (void)plan_, (void)instance_, (void)arm, (void)point;
    return NAN;
}

static void log_means(const void *plan_, const void *instance_, const posse_space *space, double *out) {
    (void)plan_, (void)instance_;
    for (int a = 0; a < space->arms; a++) out[a] = NAN;
}

/* --------------------------------------------------- as a log -------------------------------------------------- */

static posse_logbook logbook_of(const void *plan_) {
    const plan *p = plan_;
    return (posse_logbook){.rows = p->book.rows,
                           .least_probability = p->book.least_probability,
                           .least_reward = p->book.least_reward,
                           .largest_reward = p->book.largest_reward,
                           .estimate = p->estimate};
}

static posse_logged log_logged(const void *plan_, const void *instance_) {
    const logbook_row *row = log_present(plan_, instance_);
    return (posse_logged){row->arm, row->reward, row->probability};
}

static double log_expected(const void *plan_, const void *instance_, int arm, const double *point) {
    const plan *p = plan_;
    return dot(model_of(p, instance_, arm), point, p->book.width);
}

const posse_environment_ops environment_log = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "log",
             .help = "logged rounds of another policy, on which the value of a posse is estimated",
             .params = params,
             .prepare = log_prepare,
             .state_size = log_state_size},
    .arms = log_arms,
    .prior = log_prior,
    .begin = log_begin,
    .reward = log_reward,
    .regret = log_regret,
    .means = log_means,
    .bring = log_bring,
    .shares = log_shares,
    .logbook = logbook_of,
    .logged = log_logged,
    .expected = log_expected,
    .reward_kind = environment_pays_unknown};
