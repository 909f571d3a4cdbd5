/* SPDX-License-Identifier: MIT */
/*
 * posse run: experiments from files.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "execute.h"
#include "log.h"
#include "options.h"
#include "read.h"

enum { KEY_RUNS = KEY_OWN, KEY_ROUNDS, KEY_SEED, KEY_NO_PLOTS, KEY_LOG };

static const struct argp_option options[] = {
    OPTION_OUTPUT("Write to DIR/NAME instead of results/NAME"),
    {"runs", KEY_RUNS, "N", 0, "N runs instead of the file's", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "N rounds instead of the file's, of each task", 0},
    {"seed", KEY_SEED, "N", 0, "Seed N instead of the file's", 0},
    OPTION_THREADS,
    OPTION_FRESH,
    {"no-plots", KEY_NO_PLOTS, NULL, 0, "Result files only: no pictures, no page", 0},
    {"log", KEY_LOG, "OUT", 0, "Instead of results, write run 0 of the first selector as a log to OUT, .csv or .vw", 0},
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

static error_t parse(int key, char *argument, struct argp_state *state) {
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
    .parser = parse,
    .args_doc = "FILE...",
    .doc = "Runs experiments: every selector and every learner alone, on the same instances and the same noise. Writes "
           "the results as CSV and HDF5, pictures and a page to DIR/NAME, and prints a short table.\v"
           "For instance\n\n"
           "  posse run experiments/paper/ucb.yaml --runs 1000 -o /tmp/results\n\n"
           "All files are read and checked before anything runs. `posse list` shows what a file can say.\n\n"
           "A run that is stopped or killed leaves what it has finished in DIR/.NAME.unfinished; the same command "
           "continues from there and ends with the same bytes. More runs of a finished experiment continue after its "
           "own. Results and unfinished runs of another experiment are only replaced with --fresh. Under mpirun the "
           "runs are spread over its processes; the bytes are the same.\n\n"
           "A plugin is a shared object, built against posse.h, that exports kinds of learners, beliefs, selectors or "
           "environments in lists such as\n\n"
           "  const posse_learner_ops *const posse_plugin_learners[];\n\n"
           "ended by NULL; experiment files then use them by the names of their kinds.\n\n"
           "--log turns a simulation into a log for the environment `log`: contexts, arms, rewards, and probabilities, "
           "which are known if the selector has a `floor`.\n\n"
           "Exit status: 0 done and no claim failed; 1 a claim failed; 2 wrong usage or a wrong file (nothing was "
           "written); 3 it could not finish."};

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

/* All files are read, whatever is wrong with the first ones. Returns the worst status. */
static int read_all(experiment **experiments, const run_request *r) {
    int worst = EXIT_DONE;
    for (int i = 0; i < r->file_count; i++) {
        int status = read_experiment(r->files[i], &r->changes, &experiments[i]);
        if (status > worst) worst = status;
    }
    if (!names_differ(experiments, r) && worst == EXIT_DONE) worst = EXIT_USAGE;
    return worst;
}

/* The status of all is the worst of them. If one cannot finish, the others are tried all the same. */
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

static int run(const run_request *r) {
    experiment **experiments = calloc((size_t)r->file_count, sizeof *experiments);
    if (experiments == NULL) return EXIT_UNFINISHED;
    int status = execute_worst(read_all(experiments, r));
    if (status == EXIT_DONE)
        status = r->log != NULL ? log_experiment(experiments[0], r->log) : execute_all(experiments, r);
    for (int i = 0; i < r->file_count; i++) experiment_free(experiments[i]);
    free(experiments);
    return status;
}

int command_run(int argc, char **argv) {
    run_request r = {.how = {.directory = "results", .plots = true}};
    r.files = calloc((size_t)argc, sizeof *r.files);
    if (r.files == NULL) return EXIT_UNFINISHED;
    int status = options_read("posse run", &argp, argc, argv, &r) == 0 ? EXIT_DONE : EXIT_USAGE;
    if (status == EXIT_DONE) status = execute_join() ? run(&r) : EXIT_UNFINISHED;
    free(r.files);
    return execute_leave(status);
}
