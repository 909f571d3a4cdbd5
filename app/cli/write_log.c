/* SPDX-License-Identifier: MIT */
#include "cli/write_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "common/file.h"
#include "experiment/play/log_run.h"

static void write_log_complain(void *context, const posse_place *place, const char *message) {
    (void)context, (void)place;
    fprintf(stderr, "posse: %s\n", message);
}

static int write_log_refuse(const char *path) {
    fprintf(stderr, "posse: %s: cannot be written: %s\n", path, strerror(errno));
    return EXIT_UNFINISHED;
}

static int write_log_form(const agenda *a, const char *path, log_form form) {
    const posse_logger log = {write_log_complain, NULL};
    file_draft d;
    if (!file_draft_open(&d, path)) return write_log_refuse(path);
    const char *problem = log_run(a, d.stream, form, &log, NULL);
    bool written = file_draft_finish(&d, problem == NULL);
    if (problem == NULL) return written ? EXIT_DONE : write_log_refuse(path);
    fprintf(stderr, "posse: %s: no log: %s\n", a->experiment->name, problem);
    return EXIT_USAGE;
}

int write_log(const experiment *e, const char *path) {
    log_form form;
    if (!log_form_of(path, &form)) {
        fprintf(stderr, "posse: --log: %s: a log is a .csv, .vw or .dat file\n", path);
        return EXIT_USAGE;
    }
    agenda *a = agenda_make(e);
    int status = EXIT_UNFINISHED;
    if (a == NULL)
        fprintf(stderr, "posse: %s: %s\n", e->name, posse_error_text(POSSE_ERROR_MEMORY));
    else
        status = write_log_form(a, path, form);
    if (status == EXIT_DONE) printf("log: %s, %" PRIu64 " rounds of \"%s\"\n", path, e->rounds, e->selectors[0].name);
    agenda_free(a);
    return status;
}
