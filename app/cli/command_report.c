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
#include "report/data/heap.h"

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

static bool has_results(const char *directory, const char *name) {
    char *path = heap_text("%s/%s/manifest.json", directory, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static int is_proper(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Reports each experiment in a folder, unless only the front page is asked for, and then makes the front page. */
static int report_folder(const char *directory, bool front) {
    struct dirent **entries;
    int found = scandir(directory, &entries, is_proper, alphasort);
    if (found < 0) {
        fprintf(stderr, "%s: cannot be read: %s\n", directory, strerror(errno));
        return EXIT_USAGE;
    }
    const char **names = heap_get((size_t)found, sizeof *names);
    int count = 0, status = EXIT_DONE;
    for (int i = 0; i < found; i++)
        if (has_results(directory, entries[i]->d_name)) names[count++] = entries[i]->d_name;
    if (count == 0) {
        fprintf(stderr, "%s: there are no results here (no manifest.json, nor in a folder below)\n", directory);
        status = EXIT_USAGE;
    }
    for (int i = 0; i < count && status == EXIT_DONE && !front; i++) {
        char *path = heap_text("%s/%s", directory, names[i]);
        status = report_make(path, stderr);
        free(path);
    }
    if (status == EXIT_DONE) status = report_front(directory, names, count, stderr);
    for (int i = 0; i < found; i++) free(entries[i]);
    free(entries);
    free(names);
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
    report_arguments given = {.directories = heap_get((size_t)argc, sizeof *given.directories)};
    options_read("posse report", &argp, argc, argv, &given);
    int status = EXIT_DONE;
    for (int i = 0; i < given.count && status == EXIT_DONE; i++) {
        const char *directory = given.directories[i];
        status = has_results(directory, ".") ? report_make(directory, stderr) : report_folder(directory, given.front);
        if (status == EXIT_DONE) printf("%s/index.html\n", directory);
    }
    free(given.directories);
    return status;
}
