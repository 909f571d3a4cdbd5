/* SPDX-License-Identifier: MIT */
/*
 * posse report: makes pictures and pages again, from result files.
 */
#include "report/report.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "common/pool.h"

enum { OPTION_FRONT = 256 };

static const struct argp_option options[] = {
    {"front", OPTION_FRONT, NULL, 0,
     "For a DIR with several experiments, write only the page with all of them; the page of each stays as it is", 0},
    {0}};

typedef struct report_arguments {
    char **directories;
    int count;
    bool front; /* make only the page over several experiments */
} report_arguments;

static bool has_results(const char *directory, const char *name, pool *memory) {
    const char *path = pool_format(memory, "%s/%s/manifest.json", directory, name);
    return path != NULL && access(path, F_OK) == 0;
}

static int is_proper(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* The names of the folders that have results; their number is *count. NULL: no memory. */
static const char **list_results(const char *directory, struct dirent **entries, int found, int *count, pool *memory) {
    const char **names = pool_array(memory, (size_t)found, sizeof *names);
    *count = 0;
    for (int i = 0; names != NULL && i < found; i++)
        if (has_results(directory, entries[i]->d_name, memory)) names[(*count)++] = entries[i]->d_name;
    return pool_failed(memory) ? NULL : names;
}

/* Reports each experiment, unless only the front page is asked for, and then makes the front page. */
static int report_each(const char *directory, const char **names, int count, bool front, pool *memory) {
    int status = EXIT_DONE;
    for (int i = 0; i < count && status == EXIT_DONE && !front; i++) {
        const char *path = pool_format(memory, "%s/%s", directory, names[i]);
        status = path != NULL ? report_make(path, stderr) : command_lacks_memory("report");
    }
    return status == EXIT_DONE ? report_front(directory, names, count, stderr) : status;
}

static int report_folder(const char *directory, bool front, pool *memory) {
    struct dirent **entries;
    int found = scandir(directory, &entries, is_proper, alphasort), count, status;
    if (found < 0) {
        fprintf(stderr, "%s: cannot be read: %s\n", directory, strerror(errno));
        return EXIT_USAGE;
    }
    const char **names = list_results(directory, entries, found, &count, memory);
    if (names == NULL)
        status = command_lacks_memory("report");
    else if (count > 0)
        status = report_each(directory, names, count, front, memory);
    else {
        fprintf(stderr, "%s: there are no results here (no manifest.json, nor in a folder below)\n", directory);
        status = EXIT_USAGE;
    }
    for (int i = 0; i < found; i++) free(entries[i]);
    free(entries);
    return status;
}

static error_t report_parse(int key, char *argument, struct argp_state *state) {
    report_arguments *a = state->input;
    if (key == OPTION_FRONT) {
        a->front = true;
        return 0;
    }
    if (key == ARGP_KEY_NO_ARGS) argp_usage(state);
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    a->directories[a->count++] = argument;
    return 0;
}

int command_report(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = report_parse,
        .args_doc = "DIR...",
        .doc =
            "Draws the pictures and writes the page of an experiment again, from the result files in DIR.\vIf DIR has "
            "several experiments in folders below it, there is also a page with all of them. With three selectors or "
            "more, that page compares them (comparison.csv and its picture). With three experiments or more that are "
            "called STEM-N, it shows how regret grows with N (scaling.csv and a picture for each STEM).\n\n"
            "Nothing is run, and the result files are not changed.\n\n"
            "For example:\n\n"
            "  posse report results\n\n"
            "Exit status: 0 if all is done; 2 if a result file is missing or wrong; 3 if something could not be "
            "written."};
    pool *memory = pool_create(NULL);
    report_arguments given = {.directories = pool_array(memory, (size_t)argc, sizeof *given.directories)};
    if (given.directories == NULL) {
        pool_free(memory);
        return command_lacks_memory("report");
    }
    options_read("posse report", &argp, argc, argv, &given);
    int status = EXIT_DONE;
    for (int i = 0; i < given.count && status == EXIT_DONE; i++) {
        const char *directory = given.directories[i];
        bool single = has_results(directory, ".", memory);
        status = single ? report_make(directory, stderr) : report_folder(directory, given.front, memory);
        if (status == EXIT_DONE) printf("%s/index.html\n", directory);
    }
    pool_free(memory);
    return status;
}
