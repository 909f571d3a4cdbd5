/* SPDX-License-Identifier: MIT */
/*
 * posse paper: every experiment of the paper, and one report. The experiment files are part of the program; they are
 * put beside the results, where they can be read, changed and run again.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/execute.h"
#include "cli/options.h"
#include "cli/read.h"
#include "common/file.h"
#include "common/text.h"
#include "data/decimal.h"
#include "experiment/play/ranks.h"
#include "report/data/asset.h"
#include "report/data/draft.h"
#include "report/report.h"

enum { KEY_RUNS_SCALE = KEY_OWN };

static const struct argp_option options[] = {
    OPTION_OUTPUT("Write to DIR instead of results"),
    {"runs-scale", KEY_RUNS_SCALE, "X", 0, "Play X times the runs of the paper, at least 2; 0.1 gives a quick look", 0},
    OPTION_THREADS,
    OPTION_DEVICE,
    OPTION_FRESH,
    OPTION_QUIET,
    {0}};

typedef struct paper_request {
    execute_options how;
    experiment_changes changes;
} paper_request;

typedef struct study {
    experiment *experiment;
    execute_outcome outcome;
    int status;
} study;

static error_t paper_parse(int key, char *argument, struct argp_state *state) {
    paper_request *r = state->input;
    switch (key) {
    case KEY_RUNS_SCALE:
        if (decimal_read(argument, &r->changes.runs_scale) != DECIMAL_FINE || r->changes.runs_scale <= 0)
            argp_error(state, "--runs-scale takes a number above 0, not \"%s\"", argument);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "it takes no FILE; `posse run FILE` runs a file of your own");
        return 0;
    default:
        return options_parse(&r->how, key, argument, state);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = paper_parse,
    .doc =
        "Runs every experiment of the paper and writes DIR/index.html, a page with all of them.\vEach experiment has a "
        "folder DIR/NAME with its results, pictures and page. The experiment files are in DIR/experiments. If it is "
        "stopped or killed, the same command continues.\n\n"
        "For example:\n\n"
        "  posse paper --runs-scale 0.1 -o /tmp/paper\n\n"
        "Exit status: 0 if all is done and no claim failed; 1 if a claim failed; 2 for wrong usage; 3 if it could not "
        "finish."};

static int count_files(void) {
    int count = 0;
    while (paper_assets[count].name != NULL) count++;
    return count;
}

/* Makes a folder and the folders above it. */
static bool make_folder(const char *path) {
    bool unused, made = file_make_folders(path, &unused);
    if (!made) fprintf(stderr, "%s: cannot be made: %s\n", path, strerror(errno));
    return made;
}

/* Puts the embedded files into a folder. */
static int paper_write_files(const char *folder, int count) {
    int status = make_folder(folder) ? EXIT_DONE : EXIT_UNFINISHED;
    for (int i = 0; i < count && status == EXIT_DONE; i++) {
        const asset *file = &paper_assets[i];
        draft d;
        if (!draft_open(&d, folder, file->name, stderr)) return EXIT_UNFINISHED;
        fwrite(file->text, 1, file->size, d.stream);
        status = draft_finish(&d, true, stderr) ? EXIT_DONE : EXIT_UNFINISHED;
    }
    return status;
}

/* Reads the files back from there, with the changes of the command line. */
static int read_files(const char *folder, const paper_request *r, study *studies, int count) {
    int status = EXIT_DONE;
    for (int i = 0; i < count && status == EXIT_DONE; i++) {
        char *path = text_format("%s/%s", folder, paper_assets[i].name);
        status =
            path != NULL ? read_experiment(path, &r->changes, &studies[i].experiment) : command_lacks_memory("paper");
        free(path);
    }
    return status;
}

/* Rank 0 writes the files; all ranks read them. */
static int read_studies(const paper_request *r, study *studies, int count) {
    char *folder = text_format("%s/experiments", r->how.directory);
    int written = folder != NULL ? EXIT_DONE : command_lacks_memory("paper");
    if (folder != NULL && ranks_own() == 0) written = paper_write_files(folder, count);
    int status = execute_worst(written);
    if (status == EXIT_DONE) status = execute_worst(read_files(folder, r, studies, count));
    free(folder);
    return status;
}

/* Runs the studies one after the other. If one cannot finish, the others are tried all the same. */
static int run_studies(const paper_request *r, study *studies, int count) {
    int worst = EXIT_DONE;
    execute_heed_signals();
    for (int i = 0; i < count; i++) {
        studies[i].status = EXIT_UNFINISHED;
        if (!execute_stopped()) studies[i].status = execute(studies[i].experiment, &r->how, &studies[i].outcome);
        if (studies[i].status > worst) worst = studies[i].status;
    }
    for (int i = 0; worst <= EXIT_CLAIM && i < count; i++) execute_forget(studies[i].experiment, &r->how);
    return worst;
}

static void paper_print_row(const char *name, const execute_outcome *o) {
    printf("%-24s %6d %6d %10d %8.1f s\n", name, o->holds, o->fails, o->undecided, o->seconds);
}

static void print_table(const study *studies, int count) {
    execute_outcome all = {0};
    printf("%-24s %6s %6s %10s %10s\n", "claims", "hold", "fail", "undecided", "time");
    for (int i = 0; i < count; i++) {
        const execute_outcome *o = &studies[i].outcome;
        if (studies[i].status == EXIT_UNFINISHED) {
            printf("%-24s could not finish\n", studies[i].experiment->name);
            continue;
        }
        paper_print_row(studies[i].experiment->name, o);
        all.holds += o->holds, all.fails += o->fails, all.undecided += o->undecided, all.seconds += o->seconds;
    }
    paper_print_row("all", &all);
}

/* Makes the page over the studies that have results. */
static int paper_make_front(const paper_request *r, const study *studies, int count) {
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (names == NULL) return command_lacks_memory("paper");
    int there = 0, status = EXIT_DONE;
    for (int i = 0; i < count; i++)
        if (studies[i].status != EXIT_UNFINISHED) names[there++] = studies[i].experiment->name;
    if (there > 0) status = report_front(r->how.directory, names, there, stderr);
    if (there > 0 && status == EXIT_DONE) printf("\nlook at: %s/index.html\n", r->how.directory);
    free(names);
    return status == EXIT_DONE ? EXIT_DONE : EXIT_UNFINISHED;
}

static int run_paper(const paper_request *r, study *studies, int count) {
    int status = read_studies(r, studies, count);
    if (status != EXIT_DONE) return status;
    status = run_studies(r, studies, count);
    if (ranks_own() > 0) return status;
    print_table(studies, count);
    int front = paper_make_front(r, studies, count);
    return front > status ? front : status;
}

int command_paper(int argc, char **argv) {
    paper_request r = {.how = {.directory = "results", .plots = true, .several = true, .brief = true}};
    options_read("posse paper", &argp, argc, argv, &r);
    int count = count_files();
    study *studies = calloc((size_t)count + 1, sizeof *studies);
    if (studies == NULL) return command_lacks_memory("paper");
    int status = execute_join() ? run_paper(&r, studies, count) : EXIT_UNFINISHED;
    for (int i = 0; i < count; i++) experiment_free(studies[i].experiment);
    free(studies);
    return execute_leave(status);
}
