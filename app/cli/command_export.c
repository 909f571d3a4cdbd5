/* SPDX-License-Identifier: MIT */
/*
 * posse export: the history that a server has stored, as CSV, or as a log that experiments can read.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/export_log.h"
#include "cli/stored_posse.h"
#include "common/text.h"

enum { KEY_LOG = KEY_AFTER_DATABASE };

typedef struct export_arguments {
    stored_posse posse;
    const export_form *form; /* of a log; NULL: the history */
} export_arguments;

static error_t parse_export(int key, char *argument, struct argp_state *state) {
    export_arguments *a = state->input;
    switch (key) {
    case KEY_LOG:
        a->form = export_form_find(argument != NULL ? argument : "csv");
        if (a->form == NULL) argp_error(state, "--log: \"%s\" is no form of a log; csv, vw and arms are", argument);
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

/* ------------------------------------------------------ the whole ------------------------------------------------ */

/* Reports that the log does not begin with the posse. False: the database cannot be read. */
static bool export_begin(store *s, const export_arguments *a) {
    uint64_t trimmed;
    char *description = NULL, begins[24];
    if (!store_trimmed(s, &trimmed) || !store_describe(s, a->posse.name, &description, begins)) return false;
    if (trimmed > 0 && description != NULL)
        fprintf(stderr, "posse export: the log begins at %s: earlier records were deleted (--log-days, --log-size)\n",
                begins[0] != '\0' ? begins : "no record");
    free(description);
    return true;
}

static int export_history(store *s, const export_arguments *a, const export_arms *arms, bool *found) {
    history_export history = {.posse = arms->named ? arms->posse : NULL};
    if (!store_each_row(s, a->posse.name, found, export_print_row, &history)) return EXIT_UNFINISHED;
    if (*found) print_heading(&history);
    return *found ? EXIT_DONE : EXIT_USAGE;
}

static int export_posse(const export_arguments *a) {
    char why[200];
    bool found = true;
    int status = EXIT_UNFINISHED;
    export_arms arms = {0};
    store *s = store_open_to_read(a->posse.database, why);
    if (s == NULL) {
        fprintf(stderr, "posse export: %s: %s\n", a->posse.database, why);
        return EXIT_USAGE;
    }
    if (store_begin_reading(s) && export_begin(s, a) && export_arms_read(s, a->posse.name, &arms))
        status = a->form != NULL ? export_log(s, a->posse.name, a->form, &arms, &found)
                                 : export_history(s, a, &arms, &found);
    if (status == EXIT_UNFINISHED) fprintf(stderr, "posse export: %s: %s\n", a->posse.database, store_why(s));
    if (!found) fprintf(stderr, "posse export: there is no posse \"%s\" in %s\n", a->posse.name, a->posse.database);
    export_arms_free(&arms);
    store_close(s);
    return status;
}

int command_export(int argc, char **argv) {
    static const struct argp_option options[] = {
        OPTION_DATABASE,
        {"log", KEY_LOG, "FORM", OPTION_ARG_OPTIONAL,
         "Write rewards with the probabilities and features of their rounds: as csv, which is the default, with columns "
         "arm, reward, probability, and features that all arms share; as vw, Vowpal Wabbit's format, also with features "
         "of each arm; or as arms, CSV with a row for each available arm. The environment `log` reads csv and vw",
         0},
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
    export_arguments a = {.posse.database = DATABASE};
    if (options_read("posse export", &argp, argc, argv, &a) != 0) return EXIT_USAGE;
    return export_posse(&a);
}
