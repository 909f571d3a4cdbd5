/*
 * Learners of one's own, from a shared object.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stdbool.h>

/*
 * Loads a shared object and registers the learners it exports as
 *     const posse_learner_ops *const posse_plugin_learners[];     ended by NULL
 * Says on standard error what is wrong where that fails. The object stays loaded.
 */
bool plugin_load(const char *path);

#endif
