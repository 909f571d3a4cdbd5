/* SPDX-License-Identifier: MIT */
/*
 * Writes a run of an experiment as a log: the contexts, arms and rewards of the first selector in run 0. So a
 * simulation becomes a log whose truth is known, on which posses can be judged.
 */
#ifndef POSSE_EXPERIMENT_PLAY_LOG_RUN_H
#define POSSE_EXPERIMENT_PLAY_LOG_RUN_H

#include <signal.h>

#include "experiment/record/agenda.h"
#include "experiment/store/log_writer.h"

/*
 * stop: NULL, or a flag that ends the run early when it is not 0. Returns NULL, or the reason why there is no log; then
 * the text written so far must be discarded. log: gets the problems with parts.
 */
const char *log_run(const agenda *a, FILE *out, log_form form, const posse_logger *log,
                    const volatile sig_atomic_t *stop);

#endif
