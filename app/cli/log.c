/* SPDX-License-Identifier: MIT */
#include "cli/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "common/text.h"
#include "experiment/play/log_run.h"

static void log_complain(void *context, const posse_place *place, const char *message) {
    (void)context, (void)place;
    fprintf(stderr, "posse: %s\n", message);
}

/* The file gets its name only when it is complete. */
static int write_log(const agenda *a, const char *path, const char *unfinished, log_form form) {
    const posse_logger log = {log_complain, NULL};
    FILE *out = fopen(unfinished, "w");
    if (out == NULL) {
        fprintf(stderr, "posse: %s: cannot be written: %s\n", path, strerror(errno));
        return EXIT_UNFINISHED;
    }
    const char *problem = log_run(a, out, form, &log, NULL);
    bool written = fflush(out) == 0 && !ferror(out);
    written = fclose(out) == 0 && written;
    int status = problem != NULL ? EXIT_USAGE : EXIT_DONE;
    if (problem != NULL)
        fprintf(stderr, "posse: %s: no log: %s\n", a->experiment->name, problem);
    else if (!written || rename(unfinished, path) != 0) {
        fprintf(stderr, "posse: %s: cannot be written: %s\n", path, strerror(errno));
        status = EXIT_UNFINISHED;
    }
    if (status != EXIT_DONE) unlink(unfinished);
    return status;
}

int log_experiment(const experiment *e, const char *path) {
    log_form form;
    if (!log_form_of(path, &form)) {
        fprintf(stderr, "posse: --log: %s: a log is a .csv, .vw or .dat file\n", path);
        return EXIT_USAGE;
    }
    agenda *a = agenda_make(e);
    char *unfinished = text_format("%s.unfinished", path);
    int status = EXIT_UNFINISHED;
    if (a == NULL || unfinished == NULL)
        fprintf(stderr, "posse: %s: %s\n", e->name, posse_error_text(POSSE_ERROR_MEMORY));
    else
        status = write_log(a, path, unfinished, form);
    if (status == EXIT_DONE) printf("log: %s, %" PRIu64 " rounds of \"%s\"\n", path, e->rounds, e->selectors[0].name);
    free(unfinished);
    agenda_free(a);
    return status;
}
