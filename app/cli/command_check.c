/* SPDX-License-Identifier: MIT */
/*
 * posse check: reads experiment files, reports what is wrong with them, and runs nothing.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/read.h"
#include "common/json_text.h"
#include "describe/part_json.h"

static const char *check_plural(int count) {
    return count == 1 ? "" : "s";
}

/* Prints parts as they would be written in a file. */
static void print_parts(const char *family_name, posse_family family, const posse_part *parts, int count) {
    for (int i = 0; i < count; i++) {
        json_t *json = part_json(family, &parts[i], &(part_surroundings){.path = ""});
        char *text = json != NULL ? json_text_dump(json, JSON_REAL_PRECISION(15)) : NULL;
        if (text != NULL) printf("  %s: %s\n", family_name, text);
        free(text);
        json_decref(json);
    }
}

/* Prints what is wrong with a file to standard error, or what the file has to standard output. */
static int check_file(const char *path) {
    experiment *e;
    int status = read_experiment(path, NULL, &e);
    if (status != EXIT_DONE) return status;
    uint64_t rounds = experiment_task_rounds(e);
    char tasks[40] = "";
    if (e->tasks > 1) snprintf(tasks, sizeof tasks, "%lu tasks of ", (unsigned long)e->tasks);
    printf("%s: fine: %s, %lu run%s of %s%llu round%s, %d learner%s, %d selector%s, %d claim%s\n", path, e->name,
           (unsigned long)e->runs, e->runs == 1 ? "" : "s", tasks, (unsigned long long)rounds, rounds == 1 ? "" : "s",
           e->learner_count, check_plural(e->learner_count), e->selector_count, check_plural(e->selector_count),
           e->claim_count, check_plural(e->claim_count));
    if (e->recommended) {
        print_parts("learner", POSSE_FAMILY_LEARNER, e->learners, e->learner_count);
        print_parts("selector", POSSE_FAMILY_SELECTOR, e->selectors, e->selector_count);
    }
    for (int i = 0; e->sweeps && !e->recommended && i < e->learner_count; i++)
        printf("%s%s%s", i == 0 ? "  learners: " : ", ", e->learners[i].name, i + 1 < e->learner_count ? "" : "\n");
    experiment_free(e);
    return EXIT_DONE;
}

typedef struct check_arguments {
    int files;
    int status; /* the worst of all files */
} check_arguments;

static error_t check_parse(int key, char *argument, struct argp_state *state) {
    check_arguments *a = state->input;
    int status;
    switch (key) {
    case ARGP_KEY_ARG:
        a->files++;
        status = check_file(argument);
        if (status > a->status) a->status = status;
        return 0;
    case ARGP_KEY_END:
        if (a->files == 0) argp_error(state, "a FILE is needed");
        return 0;
    default:
        return options_parse(NULL, key, argument, state);
    }
}

int command_check(int argc, char **argv) {
    static const struct argp_option options[] = {OPTION_PLUGIN, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = check_parse,
        .args_doc = "FILE...",
        .doc =
            "Checks experiment files. It runs nothing and writes no files."
            "\vEvery problem is a line FILE:LINE:COLUMN: message on standard error. If lists of values in options make "
            "learners, their names are printed.\n\n"
            "For example:\n\n"
            "  posse check experiments/paper/*.yaml\n\n"
            "Exit status: 0 if all files are fine; 2 if one is wrong; 3 if there is not enough memory to read one."};
    check_arguments a = {0};
    if (options_read("posse check", &argp, argc, argv, &a) != 0) return EXIT_USAGE;
    return a.status;
}
