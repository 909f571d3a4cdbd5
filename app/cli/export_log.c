/* SPDX-License-Identifier: MIT */
/*
 * The rewards are read twice: first to find out whether they can be a log, and which columns it has, and then to write
 * them. The store is held still in between.
 */
#include "cli/export_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/export_round.h"
#include "common/json_text.h"
#include "common/text.h"
#include "data/decimal.h"
#include "posse_modes.h"

#define COLUMNS_MOST 4096

typedef struct log_export {
    const char *name;
    const export_form *form;
    const export_arms *arms;
    bool writes;        /* in the second pass */
    bool featured, own; /* rounds have features, arms have features of their own */
    uint64_t rows, without, bare, alone, lost;
    json_t *columns;   /* the place of each column by its name, in their order */
    double *cells;     /* of the row that is being written */
    const char *wrong; /* NULL: nothing */
} log_export;

struct export_form {
    const char *name;
    const char *(*refuse)(const log_export *out, const export_round *r); /* why the form cannot have it, or NULL */
    bool tabular;                                                        /* features have columns */
    bool lists;                                                          /* it has the available arms of each round */
    void (*head)(const log_export *out);
    void (*put)(log_export *out, const store_row *row, const export_round *r);
};

/* ----------------------------------------------------- columns --------------------------------------------------- */

/* The name of the column of a feature: `context.age`, or of numbers `s0`. */
static const char *column_name(const log_export *out, const char *space, const char *name, char text[2048]) {
    bool named = posse_takes_names(out->arms->posse);
    snprintf(text, 2048, "%s%s%s", named ? space : "", named ? "." : "", name);
    return text;
}

static void column_see(void *context, const char *space, const char *name, double number) {
    log_export *out = context;
    char text[2048];
    (void)number;
    column_name(out, space, name, text);
    if (json_object_get(out->columns, text) != NULL) return;
    json_int_t place = (json_int_t)json_object_size(out->columns);
    if (place == COLUMNS_MOST)
        out->wrong = "its features would have more than 4096 columns; --log=vw has no columns";
    else if (json_object_set_new(out->columns, text, json_integer(place)) != 0)
        out->wrong = "there is not enough memory, or a name is not UTF-8";
}

static void log_add_column(void *context, const char *space, const char *name, double number) {
    log_export *out = context;
    char text[2048];
    const json_t *place = json_object_get(out->columns, column_name(out, space, name, text));
    if (place != NULL) out->cells[json_integer_value(place)] += number;
}

static void columns_see(log_export *out, const export_round *r) {
    export_each_feature(r, r->shared, false, column_see, out);
    for (int k = 0; k < r->count; k++) export_each_feature(r, r->arms[k].features, true, column_see, out);
}

/* The cells of features: those that all arms share, and those of an arm. */
static void columns_put(log_export *out, const export_round *r, const json_t *own) {
    size_t count = json_object_size(out->columns);
    for (size_t i = 0; i < count; i++) out->cells[i] = 0.0;
    export_each_feature(r, r->shared, false, log_add_column, out);
    export_each_feature(r, own, true, log_add_column, out);
    for (size_t i = 0; i < count; i++) {
        char text[NUMBER_TEXT];
        printf(",%s", number_text(out->cells[i], text));
    }
    putchar('\n');
}

/* numbered: the feature `s0` is called x1, as in logs of earlier versions. */
static void columns_head(const log_export *out, bool numbered) {
    const char *key;
    json_t *place;
    json_object_foreach(out->columns, key, place) {
        uint64_t number = 0;
        putchar(',');
        if (numbered && decimal_read_whole(key + 1, &number) > 0)
            printf("x%llu", (unsigned long long)number + 1);
        else
            text_put_field(stdout, key);
    }
    putchar('\n');
}

/* ------------------------------------------------------- CSV ----------------------------------------------------- */

static const char *csv_refuse(const log_export *out, const export_round *r) {
    if (out->own)
        return "its rounds have features of each arm, and a CSV file has features that all arms share; write --log=vw "
               "or --log=arms";
    if (r->listed && r->count < out->arms->count)
        return "some rounds have only some of the arms, and a CSV file has all arms in every round; write --log=vw or "
               "--log=arms";
    return NULL;
}

static void csv_head(const log_export *out) {
    printf("arm,reward,probability");
    columns_head(out, !posse_takes_names(out->arms->posse));
}

static void put_outcome(const store_row *row) {
    char probability[NUMBER_TEXT];
    text_put_number(stdout, row->reward, ',');
    printf("%s", number_text(row->propensity, probability));
}

static void csv_put(log_export *out, const store_row *row, const export_round *r) {
    char number[16];
    text_put_field(stdout, export_arm_label(out->arms, row->arm, number));
    putchar(',');
    put_outcome(row);
    columns_put(out, r, NULL);
}

/* ----------------------------------------------- a row for each arm ---------------------------------------------- */

static const char *log_accept_all(const log_export *out, const export_round *r) {
    (void)out, (void)r;
    return NULL;
}

static void arms_head(const log_export *out) {
    printf("decision,arm%s,played,reward,probability", out->arms->named ? ",name" : "");
    columns_head(out, false);
}

static void arms_put_row(log_export *out, const store_row *row, const export_round *r, const export_arm *a) {
    const char *name = posse_arm_name(out->arms->posse, a->arm);
    bool played = a->arm == row->arm;
    printf("%llu,%d,", (unsigned long long)row->decision, a->arm);
    if (name != NULL) {
        text_put_field(stdout, name);
        putchar(',');
    }
    printf("%d,", played);
    if (played)
        put_outcome(row);
    else
        putchar(',');
    columns_put(out, r, a->features);
}

static void arms_put(log_export *out, const store_row *row, const export_round *r) {
    for (int k = 0; k < r->count; k++) arms_put_row(out, row, r, &r->arms[k]);
}

/* -------------------------------------------------- Vowpal Wabbit ------------------------------------------------ */

/* Characters that separate, and the %, are written %20. */
static void vw_put_text(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at <= ' ' || *at == 0x7f || *at == ':' || *at == '|' || *at == '%')
            printf("%%%02X", *at);
        else
            putchar(*at);
    }
}

/* A line of features that is being written, and its latest namespace. */
typedef struct vw_line {
    char space[256];
    bool begun;
} vw_line;

static void vw_put_feature(void *context, const char *space, const char *name, double number) {
    vw_line *line = context;
    char text[NUMBER_TEXT];
    if (!line->begun || strcmp(line->space, space) != 0) {
        printf("%s|", line->begun ? " " : "");
        vw_put_text(space);
        snprintf(line->space, sizeof line->space, "%s", space);
    }
    line->begun = true;
    putchar(' ');
    vw_put_text(name);
    printf(":%s", number_text(number, text));
}

static void vw_put_features(const export_round *r, const json_t *features, bool own) {
    vw_line line = {.begun = false};
    export_each_feature(r, features, own, vw_put_feature, &line);
    puts(line.begun ? "" : "|");
}

static void vw_put_label(int action, const store_row *row) {
    char cost[NUMBER_TEXT], probability[NUMBER_TEXT];
    printf("%d:%s:%s ", action, number_text(0.0 - row->reward, cost), number_text(row->propensity, probability));
}

/* The name of an arm is the tag of its line. */
static void vw_put_tag(const log_export *out, int arm) {
    char number[16];
    putchar('\'');
    vw_put_text(export_arm_label(out->arms, arm, number));
    putchar(' ');
}

/* A line for each arm. */
static void vw_put_lines(const log_export *out, const store_row *row, const export_round *r) {
    if (r->shared != NULL) {
        printf("shared ");
        vw_put_features(r, r->shared, false);
    }
    for (int k = 0; k < r->count; k++) {
        if (r->arms[k].arm == row->arm) vw_put_label(0, row);
        vw_put_tag(out, r->arms[k].arm);
        vw_put_features(r, r->arms[k].features, true);
    }
    putchar('\n');
}

/* One line, which lists the available arms unless all are. */
static void vw_put_line(const log_export *out, const store_row *row, const export_round *r) {
    vw_put_label(row->arm + 1, row);
    for (int k = 0; r->count < out->arms->count && k < r->count; k++)
        if (r->arms[k].arm != row->arm) printf("%d ", r->arms[k].arm + 1);
    vw_put_tag(out, row->arm);
    vw_put_features(r, r->shared, false);
}

static void vw_put(log_export *out, const store_row *row, const export_round *r) {
    if (out->own)
        vw_put_lines(out, row, r);
    else
        vw_put_line(out, row, r);
}

static void vw_head(const log_export *out) {
    (void)out;
}

static const export_form export_forms[] = {{"csv", csv_refuse, true, false, csv_head, csv_put},
                                           {"vw", log_accept_all, false, true, vw_head, vw_put},
                                           {"arms", log_accept_all, true, true, arms_head, arms_put}};

const export_form *export_form_find(const char *name) {
    for (size_t i = 0; i < sizeof export_forms / sizeof *export_forms; i++)
        if (strcmp(name, export_forms[i].name) == 0) return &export_forms[i];
    return NULL;
}

/* ----------------------------------------------------- a reward -------------------------------------------------- */

/* Rewards of decisions without a probability are left out, because nothing can be estimated from them. */
static bool log_is_usable(log_export *out, const store_row *row, const export_round *r, bool read) {
    uint64_t *missing = NULL;
    if (!(row->propensity > 0.0))
        missing = &out->without;
    else if (!read || (out->featured && r->body == NULL))
        missing = &out->bare;
    else if (out->form->lists && out->arms->posse != NULL && export_round_find(r, row->arm) < 0)
        missing = &out->lost;
    else if (!out->form->tabular && !out->own && r->count == 1 && out->arms->count > 1)
        missing = &out->alone; /* a line with one action stands for a round with all of them */
    if (missing != NULL) ++*missing;
    return missing == NULL;
}

static void log_take(log_export *out, const store_row *row, const export_round *r) {
    out->rows++;
    if (out->writes) {
        out->form->put(out, row, r);
        return;
    }
    out->wrong = out->form->refuse(out, r);
    if (out->wrong == NULL && out->form->tabular) columns_see(out, r);
}

static void log_take_row(void *context, const store_row *row) {
    log_export *out = context;
    export_round r;
    if (out->wrong != NULL) return;
    if (row->arm < 0) {
        out->wrong = "its arms are points without a number";
        return;
    }
    bool read = export_round_read(&r, row->body, out->arms, row->decision);
    if (log_is_usable(out, row, &r, read)) log_take(out, row, &r);
    export_round_free(&r);
}

/* ------------------------------------------------------ the whole ------------------------------------------------ */

/* Reports how many rewards are left out, if any are. */
static void log_report(uint64_t count, const char *why) {
    if (count > 0) fprintf(stderr, "posse export: %llu rewards are left out: %s\n", (unsigned long long)count, why);
}

static int log_refuse(const log_export *out, const char *why) {
    fprintf(stderr, "posse export: %s cannot be a log: %s\n", out->name, why);
    return EXIT_USAGE;
}

/* Why there is no row. */
static const char *log_lacks_rows(const log_export *out) {
    if (out->bare > 0) return "the features of its rounds were erased";
    if (out->arms->posse != NULL && posse_modes_of(out->arms->posse).shadow)
        return "no reward has the probability of its arm, which is unknown in shadow mode, where another rule acts";
    return "no reward has the probability of its arm; give it propensity_draws, or a selector with a floor";
}

static int log_conclude(const log_export *out) {
    if (out->wrong != NULL) return log_refuse(out, out->wrong);
    if (out->rows == 0) return log_refuse(out, log_lacks_rows(out));
    log_report(out->without, "they have no probability, or no other arm had one");
    log_report(out->bare, "their features were erased, or deleted with old records");
    log_report(out->lost, "their arm was none of the available ones");
    log_report(out->alone, "one arm was available");
    if (out->arms->changed && !out->form->lists)
        fprintf(stderr, "posse export: arms were added or retired, and a CSV file has all arms in every round; "
                        "--log=vw has those of each round\n");
    return EXIT_DONE;
}

static bool log_pass(store *s, log_export *out, bool writes, bool *found) {
    out->writes = writes;
    out->rows = out->without = out->bare = out->alone = out->lost = 0;
    return store_each_reward(s, out->name, found, log_take_row, out);
}

/* Whether rounds have features. Of a deleted posse, by its description; one in YAML, of version 0.2, is not read. */
static bool log_is_featured(store *s, const char *name, const export_arms *arms) {
    char *description = NULL, begins[24];
    if (arms->posse != NULL) return posse_feature_count(arms->posse) > 0;
    if (!store_describe(s, name, &description, begins)) return false;
    json_t *read = description != NULL ? json_read_own(description) : NULL;
    bool featured = json_number_value(json_object_get(read, "context")) > 0;
    json_decref(read);
    free(description);
    return featured;
}

static bool log_write(store *s, log_export *out, bool *found) {
    if (!log_pass(s, out, false, found)) return false;
    if (out->wrong != NULL || out->rows == 0) return true;
    out->cells = calloc(json_object_size(out->columns) + 1, sizeof *out->cells);
    if (out->cells == NULL) {
        out->wrong = "there is not enough memory";
        return true;
    }
    out->form->head(out);
    return log_pass(s, out, true, found);
}

int export_log(store *s, const char *name, const export_form *form, const export_arms *arms, bool *found) {
    log_export out = {.name = name, .form = form, .arms = arms, .columns = json_object()};
    out.featured = log_is_featured(s, name, arms);
    out.own = posse_feature_count(arms->posse) > posse_shared_feature_count(arms->posse);
    bool read = out.columns != NULL && log_write(s, &out, found);
    int status = !read ? EXIT_UNFINISHED : *found ? log_conclude(&out) : EXIT_USAGE;
    json_decref(out.columns);
    free(out.cells);
    return status;
}
