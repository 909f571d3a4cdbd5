/* SPDX-License-Identifier: MIT */
/*
 * posse export: the history that a server has stored, as CSV, or as a log that experiments can read.
 */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/stored_posse.h"
#include "common/text.h"
#include "engine/store.h"
#include "posse_inside.h"

enum { KEY_LOG = KEY_AFTER_DATABASE };

typedef struct export_arguments {
    stored_posse posse;
    bool log;
} export_arguments;

static error_t parse_export(int key, char *argument, struct argp_state *state) {
    export_arguments *a = state->input;
    switch (key) {
    case KEY_LOG:
        a->log = true;
        return 0;
    default:
        return stored_posse_parse(key, argument, state, &a->posse);
    }
}

/* The history that is being written. */
typedef struct history_export {
    bool headed;
    posse *posse; /* as its latest snapshot has it, with the names of all arms; NULL: its arms have no names */
} history_export;

/* Prints the heading, but only once, and only for a posse that exists. */
static void print_heading(history_export *out) {
    const char *name = out->posse != NULL ? ",name" : "";
    if (!out->headed) printf("at,kind,decision,learner,arm,propensity,reward,body,mode,unit%s\n", name);
    out->headed = true;
}

static void export_print_row(void *context, const store_row *row) {
    const history_export *out = context;
    print_heading(context);
    char decision[24] = "", arm[16] = "";
    if (row->decision != 0) snprintf(decision, sizeof decision, "%llu", (unsigned long long)row->decision);
    if (row->arm >= 0) snprintf(arm, sizeof arm, "%d", row->arm);
    printf("%s,%s,%s,", row->at, row->kind, decision);
    text_put_field(stdout, row->learner != NULL ? row->learner : "");
    printf(",%s,", arm);
    text_put_number(stdout, row->propensity, ',');
    text_put_number(stdout, row->reward, ',');
    text_put_field(stdout, row->body != NULL ? row->body : "");
    printf(",%s,", row->mode != NULL ? row->mode : "");
    text_put_field(stdout, row->unit != NULL ? row->unit : "");
    const char *name = posse_arm_name(out->posse, row->arm);
    if (out->posse != NULL) putchar(',');
    if (name != NULL) text_put_field(stdout, name);
    putchar('\n');
}

/* A snapshot is written with every arm that is added, so the latest one has all names. */
typedef struct snapshot_search {
    const char *name;
    posse *found;
} snapshot_search;

static bool export_take_posse(void *context, const kept_posse *kept) {
    snapshot_search *search = context;
    if (strcmp(kept->name, search->name) != 0) return true;
    posse_load_exact(kept->snapshot, kept->snapshot_length, NULL, &search->found);
    if (posse_arm_name(search->found, 0) == NULL) {
        posse_free(search->found);
        search->found = NULL;
    }
    return true;
}

/* ------------------------------------------------------- as a log ------------------------------------------------ */

typedef struct log_export {
    uint64_t rows, without; /* rewards with a probability, and without one */
    uint64_t bare;          /* rewards whose features are not in the log any more */
    bool featured;          /* rounds have features that all arms share */
    size_t features;
    const char *wrong; /* NULL: nothing */
} log_export;

static const json_t *shared_of(const json_t *context) {
    bool others = json_object_get(context, "points") != NULL || json_object_get(context, "arms") != NULL;
    return others ? NULL : json_object_get(context, "shared");
}

static void print_log_heading(size_t features) {
    printf("arm,reward,probability");
    for (size_t i = 1; i <= features; i++) printf(",x%zu", i);
    putchar('\n');
}

static void print_log_row(log_export *out, const store_row *row, const json_t *shared) {
    if (out->rows++ == 0) print_log_heading(out->features = json_array_size(shared));
    printf("%d,", row->arm);
    text_put_number(stdout, row->reward, ',');
    text_put_number(stdout, row->propensity, out->features > 0 ? ',' : '\n');
    for (size_t i = 0; i < out->features; i++)
        text_put_number(stdout, json_number_value(json_array_get(shared, i)), i + 1 < out->features ? ',' : '\n');
}

/* Rewards of decisions without a probability are left out, because nothing can be estimated from them. */
static void take_log_row(void *context, const store_row *row) {
    log_export *out = context;
    if (out->wrong != NULL) return;
    if (row->arm < 0) {
        out->wrong = "its arms are points without a number";
        return;
    }
    if (!(row->propensity > 0.0)) {
        out->without++;
        return;
    }
    json_t *features = row->body != NULL ? json_loads(row->body, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *shared = shared_of(features);
    if (features == NULL && (out->featured || out->features > 0))
        out->bare++;
    else if (features != NULL && shared == NULL)
        out->wrong =
            "its rounds have features of each arm, or only some of the arms; a CSV file has features that all arms share";
    else
        print_log_row(out, row, shared);
    json_decref(features);
}

static int tell_log(const export_arguments *a, const log_export *out) {
    if (out->wrong != NULL)
        fprintf(stderr, "posse export: %s cannot be a log: %s\n", a->posse.name, out->wrong);
    else if (out->rows == 0 && out->bare > 0)
        fprintf(stderr, "posse export: %s cannot be a log: the features of its rounds were erased\n", a->posse.name);
    else if (out->rows == 0)
        fprintf(
            stderr,
            "posse export: %s cannot be a log: no reward has the probability of its arm; give it propensity_draws, or "
            "a selector with a floor\n",
            a->posse.name);
    else if (out->without > 0)
        fprintf(stderr, "posse export: %llu rewards without a probability are left out\n",
                (unsigned long long)out->without);
    if (out->rows > 0 && out->bare > 0)
        fprintf(stderr,
                "posse export: %llu rewards are left out: their features were erased, or deleted with old records\n",
                (unsigned long long)out->bare);
    return out->wrong == NULL && out->rows > 0 ? EXIT_DONE : EXIT_USAGE;
}

/* ------------------------------------------------------ the whole ------------------------------------------------ */

/* Whether rounds have features, by the description; a description in YAML, of version 0.2, is not read. */
static bool export_is_featured(const char *description) {
    json_t *read = description != NULL ? json_loads(description, 0, NULL) : NULL;
    bool featured = json_number_value(json_object_get(read, "context")) > 0;
    json_decref(read);
    return featured;
}

/* Reports that the log does not begin with the posse. False: the database cannot be read. */
static bool export_begin(store *s, const export_arguments *a, log_export *logged) {
    uint64_t trimmed;
    char *description = NULL, begins[24];
    if (!store_trimmed(s, &trimmed) || !store_describe(s, a->posse.name, &description, begins)) return false;
    logged->featured = export_is_featured(description);
    if (trimmed > 0 && description != NULL)
        fprintf(stderr, "posse export: the log begins at %s: earlier records were deleted (--log-days, --log-size)\n",
                begins[0] != '\0' ? begins : "no record");
    free(description);
    return true;
}

static int export_posse(const export_arguments *a) {
    char why[200];
    bool found;
    history_export history = {0};
    snapshot_search search = {.name = a->posse.name};
    log_export logged = {0};
    store *s = store_open_to_read(a->posse.database, why);
    if (s == NULL) {
        fprintf(stderr, "posse export: %s: %s\n", a->posse.database, why);
        return EXIT_USAGE;
    }
    bool begun = export_begin(s, a, &logged) && (a->log || store_each_posse(s, export_take_posse, &search));
    history.posse = search.found;
    bool read = begun && (a->log ? store_each_reward(s, a->posse.name, &found, take_log_row, &logged)
                                 : store_each_row(s, a->posse.name, &found, export_print_row, &history));
    if (!read) fprintf(stderr, "posse export: %s: %s\n", a->posse.database, store_why(s));
    if (read && !found)
        fprintf(stderr, "posse export: there is no posse \"%s\" in %s\n", a->posse.name, a->posse.database);
    if (read && found && !a->log) print_heading(&history);
    posse_free(history.posse);
    store_close(s);
    if (read && found && a->log) return tell_log(a, &logged);
    return !read ? EXIT_UNFINISHED : found ? EXIT_DONE : EXIT_USAGE;
}

int command_export(int argc, char **argv) {
    static const struct argp_option options[] = {
        OPTION_DATABASE,
        {"log", KEY_LOG, NULL, 0,
         "Write a log for the environment `log`, with columns arm, reward, probability, x1, ..", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_export,
        .args_doc = "NAME",
        .doc =
            "Writes the history of a posse to standard output, as CSV. It has every reward, every decision that "
            "expired, every learner and arm that was added or retired, and every decision if the posse was created with "
            "\"record\": true.\vThe server may be "
            "running at the same time.\n\n"
            "For example:\n\n"
            "  posse export ads --database posse.db > ads.csv\n\n"
            "Exit status: 0 if all is done; 2 for wrong usage, or if there is no such posse or database; 3 if the "
            "database cannot be read."};
    export_arguments a = {.posse = {.database = DATABASE}};
    if (options_read("posse export", &argp, argc, argv, &a) != 0) return EXIT_USAGE;
    return export_posse(&a);
}
