/* SPDX-License-Identifier: MIT */
/*
 * The parts of an experiment as JSON, in the form of an experiment file. The experiment has its defaults filled in.
 */
#ifndef POSSE_EXPERIMENT_STORE_PARTS_H
#define POSSE_EXPERIMENT_STORE_PARTS_H

#include <jansson.h>

#include "experiment/read/experiment.h"

/* {environment, learners, selectors}, or NULL: no memory. */
json_t *parts_json(const experiment *e);

#endif
