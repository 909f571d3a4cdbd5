/* SPDX-License-Identifier: MIT */
/*
 * posse run --log: a run of an experiment becomes a log.
 */
#ifndef LOG_H
#define LOG_H

#include "experiment/read/experiment.h"

/* Writes run 0 of the first selector to a file, whose name decides the format. Returns the exit status. */
int write_log(const experiment *e, const char *path);

#endif
