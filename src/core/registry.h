/*
 * The registry lists the kinds of every family. A new kind is one new file, its declaration beside its kin, and one
 * line in registry.c.
 */
#ifndef POSSE_CORE_REGISTRY_H
#define POSSE_CORE_REGISTRY_H

#include "posse.h"

/* The kind at an index, 0 .. posse_kind_count-1; NULL beyond. */
const posse_kind *registry_kind(posse_family family, int index);

/* The table a kind is part of. */
#define OPS_OF(type, kind_) ((const type *)(const void *)((const char *)(kind_)-offsetof(type, kind)))

#endif
