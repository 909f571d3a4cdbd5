/* SPDX-License-Identifier: MIT */
/*
 * Scalars: what the words of a file mean. Numbers are decimal and finite; nothing is guessed.
 *
 * Of the core schema of YAML 1.2, null, true, false and decimal numbers are accepted. Forms that parsers read in
 * different ways, or that posse cannot use, are refused with a reason: 010 (eight to some parsers), 0x10 and 0o10, .nan
 * and .inf, 1e400, 1_000. Only unquoted words can be numbers.
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
    PLAIN_REFUSED /* some parsers read it as a number; here it is refused */
} plain_class;

/* What an unquoted scalar is. */
plain_class plain_class_of(const char *text);

/* Whether a node is a quoted text or an unquoted word. Unquoted numbers, flags and empty values are not words. */
bool is_word(const node *n);

/*
 * Each takes the value of a node that must be of that type. If the node is of another type, the function adds a problem
 * with what was found and what is needed, and returns false.
 */
bool take_number(problems *found, const node *n, double *out);
bool take_flag(problems *found, const node *n, bool *out);
bool take_text(problems *found, const node *n, const char **out);

/* A whole number from low to high, exact to the last digit; `1e4` is one too. */
bool take_whole(problems *found, const node *n, uint64_t low, uint64_t high, uint64_t *out);

/* Adds the problem that `wanted` is needed here, and what was found. A refused node has its problem already. */
void refuse_node(problems *found, const node *n, const char *wanted);

#endif
