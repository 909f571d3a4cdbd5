/* SPDX-License-Identifier: MIT */
/*
 * posse run: experiments from files.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/execute.h"
#include "cli/options.h"
#include "cli/read.h"
#include "cli/write_log.h"

enum { KEY_RUNS = KEY_OWN, KEY_ROUNDS, KEY_SEED, KEY_NO_PLOTS, KEY_LOG };

static const struct argp_option options[] = {
    OPTION_OUTPUT("Write to DIR/NAME instead of results/NAME"),
    {"runs", KEY_RUNS, "N", 0, "Play N runs instead of the number in the file", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "Play N rounds in each task instead of the number in the file", 0},
    {"seed", KEY_SEED, "N", 0, "Use seed N instead of the seed in the file", 0},
    OPTION_THREADS,
    OPTION_DEVICE,
    OPTION_FRESH,
    {"no-plots", KEY_NO_PLOTS, NULL, 0, "Write result files only, without pictures and pages", 0},
    {"log", KEY_LOG, "OUT", 0, "Write run 0 of the first selector as a log to OUT (.csv or .vw), and no results", 0},
    OPTION_PLUGIN,
    OPTION_QUIET,
    {0}};

typedef struct run_request {
    execute_options how;
    experiment_changes changes;
    const char *log; /* NULL: results are wanted, no log */
    const char **files;
    int file_count;
} run_request;

static error_t run_parse(int key, char *argument, struct argp_state *state) {
    run_request *r = state->input;
    switch (key) {
    case KEY_RUNS:
        r->changes.runs = (uint32_t)options_whole_number(state, "runs", argument, 1, EXPERIMENT_RUNS_MAX);
        return 0;
    case KEY_ROUNDS:
        r->changes.rounds = options_whole_number(state, "rounds", argument, 1, EXPERIMENT_ROUNDS_MAX);
        return 0;
    case KEY_SEED:
        r->changes.seed = options_whole_number(state, "seed", argument, 0, UINT64_MAX);
        r->changes.seed_given = true;
        return 0;
    case KEY_LOG:
        r->log = argument;
        return 0;
    case KEY_NO_PLOTS:
        r->how.plots = false;
        return 0;
    case ARGP_KEY_ARG:
        r->files[r->file_count++] = argument;
        r->how.several = r->file_count > 1;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (r->log != NULL && r->file_count > 1) argp_error(state, "--log takes a single FILE");
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a FILE is needed");
        return 0;
    default:
        return options_parse(&r->how, key, argument, state);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = run_parse,
    .args_doc = "FILE...",
    .doc =
        "Runs experiments. Every selector, and every learner alone, plays the same instances with the same noise. "
        "The results go to DIR/NAME as CSV and HDF5, with pictures and a page. A short table is printed.\v"
        "For example:\n\n"
        "  posse run experiments/paper/ucb.yaml --runs 1000 -o /tmp/results\n\n"
        "All files are read and checked before anything runs. `posse list` shows the keys of a file.\n\n"
        "If a run is stopped or killed, its finished part stays in DIR/.NAME.unfinished. The same command continues "
        "from there and ends with the same bytes. If you ask for more runs of a finished experiment, only the new "
        "runs are played. Results of another experiment are replaced only with --fresh. Under mpirun the runs "
        "are spread over its processes, with the same bytes.\n\n"
        "A plugin is a shared object, built against posse_extend.h. It exports learners, beliefs, selectors or "
        "environments in lists that end with NULL, such as\n\n"
        "  const posse_learner_ops *const posse_plugin_learners[];\n\n"
        "Experiment files use these parts by the names of their kinds.\n\n"
        "--log turns a simulation into a log for the environment `log`, with contexts, arms and rewards. It also has "
        "the probabilities of the arms if the selector has a `floor`.\n\n"
        "Exit status: 0 if all is done and no claim failed; 1 if a claim failed; 2 for wrong usage or a wrong file "
        "(nothing was written); 3 if it could not finish."};

/* Two experiments of one name would write to one folder. */
static bool names_differ(experiment **experiments, const run_request *r) {
    bool differ = true;
    for (int i = 0; i < r->file_count; i++)
        for (int j = 0; j < i; j++)
            if (experiments[i] != NULL && experiments[j] != NULL &&
                strcmp(experiments[i]->name, experiments[j]->name) == 0) {
                fprintf(stderr, "posse: %s and %s are both called \"%s\"; their results would overwrite each other\n",
                        r->files[j], r->files[i], experiments[i]->name);
                differ = false;
            }
    return differ;
}

/* Reads all files, even if the first ones are wrong. Returns the worst status. */
static int run_read_all(experiment **experiments, const run_request *r) {
    int worst = EXIT_DONE;
    for (int i = 0; i < r->file_count; i++) {
        int status = read_experiment(r->files[i], &r->changes, &experiments[i]);
        if (status > worst) worst = status;
    }
    if (!names_differ(experiments, r) && worst == EXIT_DONE) worst = EXIT_USAGE;
    return worst;
}

/* Runs all experiments, even if one of them cannot finish. Returns the worst status. */
static int execute_all(experiment **experiments, const run_request *r) {
    int worst = EXIT_DONE;
    execute_heed_signals();
    for (int i = 0; i < r->file_count; i++) {
        int status = EXIT_UNFINISHED;
        if (execute_stopped())
            fprintf(stderr, "posse run: interrupted before %s\n", r->files[i]);
        else
            status = execute(experiments[i], &r->how, NULL);
        if (status > worst) worst = status;
    }
    for (int i = 0; r->how.several && worst <= EXIT_CLAIM && i < r->file_count; i++)
        execute_forget(experiments[i], &r->how);
    return worst;
}

static int run_files(const run_request *r) {
    experiment **experiments = calloc((size_t)r->file_count, sizeof *experiments);
    if (experiments == NULL) return EXIT_UNFINISHED;
    int status = execute_worst(run_read_all(experiments, r));
    if (status == EXIT_DONE) status = r->log != NULL ? write_log(experiments[0], r->log) : execute_all(experiments, r);
    for (int i = 0; i < r->file_count; i++) experiment_free(experiments[i]);
    free(experiments);
    return status;
}

int command_run(int argc, char **argv) {
    run_request r = {.how = {.directory = "results", .plots = true}};
    r.files = calloc((size_t)argc, sizeof *r.files);
    if (r.files == NULL) return EXIT_UNFINISHED;
    int status = options_read("posse run", &argp, argc, argv, &r) == 0 ? EXIT_DONE : EXIT_USAGE;
    if (status == EXIT_DONE) status = execute_join() ? run_files(&r) : EXIT_UNFINISHED;
    free(r.files);
    return execute_leave(status);
}
