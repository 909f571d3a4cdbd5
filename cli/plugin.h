/*
 * Kinds of one's own, from a shared object.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Loads a shared object and registers the kinds that it exports: one list or more of those at the end of posse.h, each
 * ended by NULL.
 * Says on standard error what is wrong where that fails. The object stays loaded.
 */
bool plugin_load(const char *path);

/* Of the files loaded so far: results that their learners had a part in belong to just these. */
uint64_t plugin_fingerprint(void);

#endif
