/* SPDX-License-Identifier: MIT */
/*
 * Kinds of the user's own, from a shared object.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#define PLUGIN_TEXT 600

/*
 * Loads a shared object and registers the kinds that it exports: one list or more of those at the end of
 * posse_extend.h, each ended by NULL. The object stays loaded. False: `why` has the reason.
 */
bool plugin_load(const char *path, char why[PLUGIN_TEXT]);

/*
 * The fingerprint of the files loaded so far. Runs with kinds of these files can be continued or extended only with
 * exactly the same files.
 */
uint64_t plugin_fingerprint(void);

#endif
