/* SPDX-License-Identifier: MIT */
/*
 * Writes rounds as a log, in the formats that the environment `log` reads (data/log_file.h): CSV, or Vowpal Wabbit's
 * contextual format (data/vw.h). When it is read again, the log has the same rounds, to the last bit.
 */
#ifndef POSSE_EXPERIMENT_STORE_LOG_WRITER_H
#define POSSE_EXPERIMENT_STORE_LOG_WRITER_H

#include <stdio.h>

#include "posse.h"

typedef enum log_form { LOG_FORM_CSV, LOG_FORM_VW } log_form;

typedef struct log_writer {
    FILE *out;
    log_form form;
    int arms, dim, context; /* as in posse_def; rounds have no features if the last two are 0 */
    uint64_t rounds;        /* so far */
} log_writer;

/* The form for a file of this name: .csv, .vw or .dat. False: the name ends otherwise. */
bool log_form_of(const char *path, log_form *out);

/* Whether the form can hold rounds like those of a posse of this definition. *problem: why not. */
bool log_writer_open(log_writer *w, FILE *out, log_form form, const posse_def *def, const char **problem);

/*
 * Writes the next round. context: NULL if rounds have no features. False: the form cannot hold the round; *problem:
 * why.
 */
bool log_writer_put(log_writer *w, const posse_context *context, const posse_decision *d, double reward,
                    const char **problem);

#endif
