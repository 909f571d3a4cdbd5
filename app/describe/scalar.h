/* SPDX-License-Identifier: MIT */
/*
 * Scalars: what the words of a file mean. Numbers are decimal and finite; nothing is guessed.
 *
 * Of YAML 1.2's core schema it takes null, true, false and decimal numbers, and refuses with a reason what people
 * read differently or what posse cannot use: 010 (eight to some), 0x10 and 0o10, .nan and .inf, 1e400, 1_000. Only
 * unquoted words can be numbers.
 */
#ifndef POSSE_DESCRIBE_SCALAR_H
#define POSSE_DESCRIBE_SCALAR_H

#include <stdint.h>

#include "describe/problems.h"

typedef enum plain_class {
    PLAIN_WORD,
    PLAIN_NOTHING, /* empty, ~, null */
    PLAIN_FLAG,    /* true, false */
    PLAIN_NUMBER,
    PLAIN_REFUSED /* some read it as a number; here it is refused */
} plain_class;

/* What an unquoted scalar is. */
plain_class plain_class_of(const char *text);

/* Whether a node is a text, unquoted ones that are numbers, flags or nothing excepted. */
bool is_word(const node *n);

/*
 * Each takes the value of a node that must be of that sort. Otherwise it says at the node what was found and what would
 * be right, and returns false.
 */
bool take_number(problems *found, const node *n, double *out);
bool take_flag(problems *found, const node *n, bool *out);
bool take_text(problems *found, const node *n, const char **out);

/* A whole number from low to high, exact to the last digit; `1e4` is one too. */
bool take_whole(problems *found, const node *n, uint64_t low, uint64_t high, uint64_t *out);

/* Says that `wanted` is needed here, and what was found. */
void refuse_node(problems *found, const node *n, const char *wanted);

#endif
