/*
 * posse run: experiments from files.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "execute.h"
#include "experiment/experiment.h"
#include "plugin.h"

enum { OPTION_RUNS = 256, OPTION_ROUNDS, OPTION_SEED, OPTION_THREADS, OPTION_NO_PLOTS, OPTION_PLUGIN };

#define THREADS_MAX 4096

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Write to DIR/NAME instead of results/NAME", 0},
    {"runs", OPTION_RUNS, "N", 0, "N runs instead of the file's", 0},
    {"rounds", OPTION_ROUNDS, "N", 0, "N rounds instead of the file's", 0},
    {"seed", OPTION_SEED, "N", 0, "Seed N instead of the file's", 0},
    {"threads", OPTION_THREADS, "N", 0, "N threads instead of one per processor; results do not depend on it", 0},
    {"no-plots", OPTION_NO_PLOTS, NULL, 0, "Result files only: no pictures, no page", 0},
    {"plugin", OPTION_PLUGIN, "FILE.so", 0, "Load learners from a shared object first; may be given again", 0},
    {"quiet", 'q', NULL, 0, "No progress bar", 0},
    {0}};

typedef struct request {
    execute_options how;
    experiment_changes changes;
    const char **files;
    int file_count;
    const char **plugins;
    int plugin_count;
} request;

static uint64_t whole_number(struct argp_state *state, const char *option, const char *text, uint64_t low,
                             uint64_t high) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (strspn(text, "0123456789") != strlen(text) || text[0] == '\0' || errno != 0 || value < low || value > high)
        argp_error(state, "--%s takes a whole number from %llu to %llu, not \"%s\"", option, (unsigned long long)low,
                   (unsigned long long)high, text);
    return value;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case 'o':
        if (argument[0] == '\0') argp_error(state, "-o takes the name of a folder");
        for (size_t end = strlen(argument); end > 1 && argument[end - 1] == '/'; end--) argument[end - 1] = '\0';
        r->how.directory = argument;
        return 0;
    case 'q':
        r->how.quiet = true;
        return 0;
    case OPTION_RUNS:
        r->changes.runs = (uint32_t)whole_number(state, "runs", argument, 1, UINT32_MAX);
        return 0;
    case OPTION_ROUNDS:
        r->changes.rounds = whole_number(state, "rounds", argument, 1, INT64_MAX);
        return 0;
    case OPTION_SEED:
        r->changes.seed = whole_number(state, "seed", argument, 0, UINT64_MAX);
        r->changes.seed_given = true;
        return 0;
    case OPTION_THREADS:
        r->how.threads = (int)whole_number(state, "threads", argument, 1, THREADS_MAX);
        return 0;
    case OPTION_NO_PLOTS:
        r->how.plots = false;
        return 0;
    case OPTION_PLUGIN:
        r->plugins[r->plugin_count++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        r->files[r->file_count++] = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which FILE?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
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
           "A plugin is a shared object, built against posse.h, that exports its learners in\n\n"
           "  const posse_learner_ops *const posse_plugin_learners[];\n\n"
           "ended by NULL; experiment files then use them by the names of their kinds.\n\n"
           "Exit status: 0 done and no claim failed; 1 a claim failed; 2 wrong usage or a wrong file (nothing was "
           "written); 3 it could not finish."};

/* Two files of one name would write to one folder. */
static bool names_differ(experiment **experiments, const request *r) {
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

static bool read_all(experiment **experiments, const request *r) {
    bool right = true;
    for (int i = 0; i < r->file_count; i++) {
        experiments[i] = experiment_read(r->files[i], &r->changes, stderr);
        if (experiments[i] == NULL) right = false;
    }
    return names_differ(experiments, r) && right;
}

/* The worst of several experiments is the status of all; what cannot finish does not keep the others from trying. */
static int execute_all(experiment **experiments, const request *r) {
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
    return worst;
}

static int run(const request *r) {
    for (int i = 0; i < r->plugin_count; i++)
        if (!plugin_load(r->plugins[i])) return EXIT_USAGE;
    experiment **experiments = calloc((size_t)r->file_count, sizeof *experiments);
    if (experiments == NULL) return EXIT_UNFINISHED;
    int status = read_all(experiments, r) ? execute_all(experiments, r) : EXIT_USAGE;
    for (int i = 0; i < r->file_count; i++) experiment_free(experiments[i]);
    free(experiments);
    return status;
}

int command_run(int argc, char **argv) {
    char name[] = "posse run";
    request r = {.how = {.directory = "results", .plots = true}};
    r.files = calloc((size_t)argc, sizeof *r.files);
    r.plugins = calloc((size_t)argc, sizeof *r.plugins);
    if (r.files == NULL || r.plugins == NULL) return EXIT_UNFINISHED;
    argp_err_exit_status = EXIT_USAGE;
    argv[0] = name;
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    int status = run(&r);
    free(r.files);
    free(r.plugins);
    return status;
}
