/* SPDX-License-Identifier: MIT */
/*
 * The token of a decision: what a client brings back with the reward. It holds the id, in which the epoch is, the arm
 * and a hash of both under the posse's own key: 18 bytes, written as 24 characters that need no escape in a URL.
 * So nobody can name a decision that was not given to them, and what was given cannot be mistaken for another.
 */
#ifndef ENGINE_TOKEN_H
#define ENGINE_TOKEN_H

#include <stdbool.h>

#include "engine/siphash.h"

#define TOKEN_TEXT 24

typedef struct token {
    uint64_t id;
    int arm; /* as in the decision: also -1 and POSSE_ARM_UNTOLD */
} token;

typedef enum token_fault {
    TOKEN_FINE,
    TOKEN_MALFORMED, /* not 24 characters of the alphabet */
    TOKEN_FORGED     /* the hash is not that of this posse */
} token_fault;

/* Writes the token and a zero. */
void token_write(const uint8_t key[SIPHASH_KEY], token t, char text[TOKEN_TEXT + 1]);
token_fault token_read(const uint8_t key[SIPHASH_KEY], const char *text, size_t length, token *out);

#endif
