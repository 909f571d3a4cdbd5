/* SPDX-License-Identifier: MIT */
#include "cli/read.h"

#include "cli/command.h"
#include "describe/problems.h"

int read_experiment(const char *path, const experiment_changes *changes, experiment **out) {
    problems found;
    problems_open(&found, NULL);
    experiment_status status = experiment_read(path, changes, &found, out);
    problems_print(&found, path, stderr);
    problems_close(&found);
    if (status == EXPERIMENT_MEMORY) fprintf(stderr, "posse: %s: out of memory\n", path);
    return status == EXPERIMENT_FINE ? EXIT_DONE : status == EXPERIMENT_WRONG ? EXIT_USAGE : EXIT_UNFINISHED;
}
