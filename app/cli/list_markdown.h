/* SPDX-License-Identifier: MIT */
#ifndef LIST_MARKDOWN_H
#define LIST_MARKDOWN_H

#include "posse_kinds.h"

/*
 * The kinds of a family as Markdown, for any width of the terminal. Each kind has the heading `### learner ucb`,
 * which links find as #learner-ucb. only: the name of one kind, or NULL for all. Returns how many were printed.
 */
int list_markdown(posse_family family, const char *only);

#endif
