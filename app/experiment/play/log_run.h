/* SPDX-License-Identifier: MIT */
/*
 * Writes a run of an experiment as a log: what the first selector met, played and earned in run 0. Simulations become
 * logs so, on which posses can be judged whose truth is known.
 */
#ifndef POSSE_EXPERIMENT_PLAY_LOG_RUN_H
#define POSSE_EXPERIMENT_PLAY_LOG_RUN_H

#include <signal.h>

#include "experiment/record/agenda.h"
#include "experiment/store/log_writer.h"

/*
 * stop, if not NULL, ends it early where it is not 0. Returns NULL, or why there is no log; then what was written so
 * far is none. log: where problems with parts are told.
 */
const char *log_run(const agenda *a, FILE *out, log_form form, const posse_logger *log,
                    const volatile sig_atomic_t *stop);

#endif
