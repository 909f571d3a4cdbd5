/* SPDX-License-Identifier: MIT */
/*
 * A posse in a database, as commands that need no server are given it: --database FILE NAME.
 */
#ifndef STORED_POSSE_H
#define STORED_POSSE_H

#include "cli/options.h"
#include "cli/serving.h"

typedef struct stored_posse {
    const char *database, *name;
} stored_posse;

enum { KEY_DATABASE = KEY_OWN, KEY_AFTER_DATABASE };

#define OPTION_DATABASE                                                                                                \
    { "database", KEY_DATABASE, "FILE", 0, "The database (default: " DATABASE ")", 0 }

/* Parses these arguments. Other keys are unknown to it. */
error_t stored_posse_parse(int key, char *argument, const struct argp_state *state, stored_posse *out);

#endif
