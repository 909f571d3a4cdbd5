/* SPDX-License-Identifier: MIT */
/*
 * The key identifies the experiment that the leftovers of a killed run belong to. It is a few lines of text, which are
 * equal only if the results would be equal. Beside the experiment as it is understood, they identify the exact build of
 * the program and of its plugins, because during development many builds have the same version.
 */
#ifndef POSSE_EXPERIMENT_STORE_KEY_H
#define POSSE_EXPERIMENT_STORE_KEY_H

#include "experiment/read/experiment.h"

/* The key of an experiment, to be freed. plugins: the fingerprint of their files. NULL: no memory. */
char *key_make(const experiment *e, uint64_t plugins);

/* In what two keys differ, in words that follow "leftovers of"; NULL: they are equal. */
const char *key_difference(const char *key, const char *other);

/* Whether two keys differ in the number of runs alone; then *runs is the number of the other. */
bool key_extends(const char *key, const char *other, uint32_t *runs);

/* The fingerprint of the contents of the files that options of parts name (POSSE_PARAM_PATH); 0: they name none. */
uint64_t key_data(const experiment *e);

/* Adds the content of a file to the fingerprint of the files before it; a file that cannot be read counts as empty. */
uint64_t key_file(uint64_t before, const char *path);

#endif
