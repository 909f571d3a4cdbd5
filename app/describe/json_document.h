/* SPDX-License-Identifier: MIT */
/*
 * A description in JSON as a tree. Requests over HTTP and commands of Redis are read by this reader alone, so no client
 * reaches the parser of YAML.
 */
#ifndef POSSE_DESCRIBE_JSON_DOCUMENT_H
#define POSSE_DESCRIBE_JSON_DOCUMENT_H

#include "describe/tree.h"

/* The memory of a tree is in proportion to its text: at most 120 bytes for each byte. */
#define JSON_DOCUMENT_BYTES_MAX (1u << 20)

/*
 * Reads a text into memory of the pool. The bounds may be NULL. Nodes have no position, so problems with them are
 * reported with their paths. NULL: there is no tree; if memory was the reason, the pool has failed, too. A tree may be
 * returned although there are problems.
 */
const node *json_document_read(const char *text, size_t length, const tree_bound *bounds, pool *memory,
                               problems *found);

#endif
