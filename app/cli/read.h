/* SPDX-License-Identifier: MIT */
/*
 * Reading an experiment file for a command. Problems with the file go to standard error.
 */
#ifndef READ_H
#define READ_H

#include "experiment/read/experiment.h"

/* Returns the exit status: 0 with the experiment in *out, 2 if the file is wrong, 3 if there is not enough memory. */
int read_experiment(const char *path, const experiment_changes *changes, experiment **out);

#endif
