/* SPDX-License-Identifier: MIT */
/*
 * A tree as text: YAML in flow style, a line for each key and for each learner, selector and claim. Result files store
 * it for an experiment that was made from objects and has no text of its own. document_read makes the same tree of it,
 * except for positions and the quotes of words.
 */
#ifndef POSSE_DESCRIBE_FLOW_H
#define POSSE_DESCRIBE_FLOW_H

#include "describe/node.h"

/* The text of a tree without refused nodes. NULL: no memory. */
char *flow_write(const node *root, pool *memory);

/* Whether a text can stand without quotes and is read as a word by every YAML, old ones included. */
bool flow_is_plain(const char *text);

#endif
