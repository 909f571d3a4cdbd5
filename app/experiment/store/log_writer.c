/* SPDX-License-Identifier: MIT */
#include "experiment/store/log_writer.h"

#include <string.h>

#include "common/text.h"

bool log_form_of(const char *path, log_form *out) {
    static const struct {
        const char *end;
        log_form form;
    } known[] = {{".csv", LOG_FORM_CSV}, {".vw", LOG_FORM_VW}, {".dat", LOG_FORM_VW}};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t end = strlen(known[i].end);
        if (length < end || strcmp(path + length - end, known[i].end) != 0) continue;
        *out = known[i].form;
        return true;
    }
    return false;
}

static bool log_writer_refuse(const char **problem, const char *why) {
    *problem = why;
    return false;
}

bool log_writer_open(log_writer *w, FILE *out, log_form form, const posse_def *def, const char **problem) {
    bool brings = def->context > 0 || (def->dim > 0 && def->points == NULL && def->arms > 0);
    *w = (log_writer){.out = out, .form = form, .arms = def->arms};
    if (def->arms == 0) return log_writer_refuse(problem, "a log needs separate arms, and the ball has none");
    if (brings) w->dim = def->dim, w->context = def->context;
    if (form == LOG_FORM_CSV && w->dim > 0)
        return log_writer_refuse(problem,
                                 "CSV has a vector of features for all arms, and here arms have their own; write .vw");
    if (form == LOG_FORM_VW) return true;
    fputs("arm,reward,probability", out);
    for (int j = 0; j < w->context; j++) fprintf(out, ",x%d", j);
    fputc('\n', out);
    return true;
}

static bool has_all(const log_writer *w, const posse_context *c) {
    return c == NULL || c->count == 0 || c->count == w->arms;
}

/* Whether the available arms are the first ones, 0 to count - 1. */
static bool has_first(const posse_context *c) {
    return c->arms == NULL || c->arms[c->count - 1] == c->count - 1; /* arms are in ascending order */
}

static bool put_csv(log_writer *w, const posse_context *c, const posse_decision *d, double reward,
                    const char **problem) {
    if (!has_all(w, c))
        return log_writer_refuse(problem, "CSV has no column for the available arms of a round; write .vw");
    fprintf(w->out, "%d,", d->arm);
    text_put_number(w->out, reward, ',');
    text_put_number(w->out, d->propensity, w->context > 0 ? ',' : '\n');
    for (int j = 0; j < w->context; j++) text_put_number(w->out, c->shared[j], j + 1 < w->context ? ',' : '\n');
    return true;
}

/* Writes all features, zeros too, because readers number features in the order in which they first appear. */
static void put_features(FILE *out, const char *space, const double *x, int count) {
    char text[NUMBER_TEXT];
    fprintf(out, "|%s", space);
    for (int j = 0; j < count; j++) fprintf(out, " %s%d:%s", space, j, number_text(x[j], text));
    fputc('\n', out);
}

static void log_writer_put_label(FILE *out, int action, const posse_decision *d, double reward) {
    char cost[NUMBER_TEXT], probability[NUMBER_TEXT];
    fprintf(out, "%d:%s:%s ", action, number_text(0.0 - reward, cost), number_text(d->propensity, probability));
}

/* Writes one line with the available actions. If all are available, only the one that was played is listed. */
static void log_writer_put_line(const log_writer *w, const posse_context *c, const posse_decision *d, double reward) {
    log_writer_put_label(w->out, d->arm + 1, d, reward);
    for (int k = 0; !has_all(w, c) && k < c->count; k++) {
        int arm = c->arms != NULL ? c->arms[k] : k;
        if (arm != d->arm) fprintf(w->out, "%d ", arm + 1);
    }
    put_features(w->out, "s", c != NULL ? c->shared : NULL, w->context);
}

/* Writes the shared features, if there are any, and then a line for each arm with its own features. */
static bool log_writer_put_lines(const log_writer *w, const posse_context *c, const posse_decision *d, double reward,
                                 const char **problem) {
    int count = c->count > 0 ? c->count : w->arms;
    if (!has_first(c))
        return log_writer_refuse(
            problem, "Vowpal Wabbit's format numbers the available arms, so that they must be the first arms");
    if (w->context > 0) {
        fputs("shared ", w->out);
        put_features(w->out, "s", c->shared, w->context);
    }
    for (int k = 0; k < count; k++) {
        if (k == d->arm) log_writer_put_label(w->out, 0, d, reward);
        put_features(w->out, "x", c->points + (size_t)k * (size_t)w->dim, w->dim);
    }
    fputc('\n', w->out);
    return true;
}

bool log_writer_put(log_writer *w, const posse_context *c, const posse_decision *d, double reward,
                    const char **problem) {
    bool ok = true;
    if (w->form == LOG_FORM_CSV)
        ok = put_csv(w, c, d, reward, problem);
    else if (w->dim > 0)
        ok = log_writer_put_lines(w, c, d, reward, problem);
    else
        log_writer_put_line(w, c, d, reward);
    w->rounds += ok;
    return ok;
}
