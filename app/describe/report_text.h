/* SPDX-License-Identifier: MIT */
/*
 * The report of a posse as JSON, as HTTP, Redis and Python give it.
 */
#ifndef POSSE_DESCRIBE_REPORT_TEXT_H
#define POSSE_DESCRIBE_REPORT_TEXT_H

#include "posse.h"

/* More arms than this are not listed. */
#define REPORT_ARMS_MAX 10000

/*
 * To be freed. control: an arm, or a learner if there are no arms; -1: none. It must exist. alarms: the names of those
 * that are raised, ended by NULL; or NULL if nobody watches the posse. NULL: no memory.
 */
char *report_text(const posse *p, int control, const char *const *alarms);

#endif
