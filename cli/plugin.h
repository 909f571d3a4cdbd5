/*
 * Learners of one's own, from a shared object.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Loads a shared object and registers the learners it exports as
 *     const posse_learner_ops *const posse_plugin_learners[];     ended by NULL
 * If that fails it says on standard error what is wrong. The object stays loaded.
 */
bool plugin_load(const char *path);

/* The fingerprint of the files loaded so far. Results in which their learners played belong to just these files. */
uint64_t plugin_fingerprint(void);

#endif
