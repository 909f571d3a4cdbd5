/*
 * What the leftovers of a killed run belong to: a few lines of text that are equal just if the results would be. Beside
 * the experiment as it is understood they name the very build of the program and of its plugins, since a version that
 * is being worked on has one name for many programs.
 */
#ifndef POSSE_STORE_KEY_H
#define POSSE_STORE_KEY_H

#include "experiment/read/experiment.h"

/* The key of an experiment, to be freed. plugins: the fingerprint of their files. NULL: no memory. */
char *key_make(const experiment *e, uint64_t plugins);

/* In what two keys differ, in words that follow "leftovers of"; NULL: they do not. */
const char *key_difference(const char *key, const char *other);

/* The fingerprint of a file's content after another's; one that cannot be read counts as empty. */
uint64_t key_file(uint64_t before, const char *path);

#endif
