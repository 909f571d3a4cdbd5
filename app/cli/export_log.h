/* SPDX-License-Identifier: MIT */
/*
 * The rewards of a posse as a log: which arms were available, which one was played, with which probability, and the
 * features.
 */
#ifndef EXPORT_LOG_H
#define EXPORT_LOG_H

#include "cli/export_arms.h"

typedef struct export_form export_form;

/*
 * The form with that name. `csv`: a row for each round, with features that all arms share. `vw`: Vowpal Wabbit's format
 * (data/vw.h). `arms`: CSV with a row for each arm of each round. NULL: there is none.
 */
const export_form *export_form_find(const char *name);

/* Writes the log to standard output, and messages to standard error. Returns the exit status. */
int export_log(store *s, const char *name, const export_form *form, const export_arms *arms, bool *found);

#endif
