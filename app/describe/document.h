/* SPDX-License-Identifier: MIT */
/*
 * A YAML 1.2 document as a tree with positions. The reader is strict: it refuses everything that could be read in two
 * ways, or could grow without bound (duplicate keys, anchors and aliases, merge keys, tags, keys that are not text, a
 * second document).
 */
#ifndef POSSE_DESCRIBE_DOCUMENT_H
#define POSSE_DESCRIBE_DOCUMENT_H

#include "describe/problems.h"

#define DOCUMENT_BYTES_MAX (16u << 20)

/*
 * Reads a document into memory of the pool. NULL: there is no tree; if memory was the reason, the pool has failed, too.
 * A tree may be returned although there are problems.
 */
const node *document_read(const char *text, size_t length, pool *memory, problems *found);

#endif
