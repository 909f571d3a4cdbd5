/* SPDX-License-Identifier: MIT */
/*
 * The token of a decision, which a client sends back with the reward. It holds the id, which contains the epoch, the
 * arm, and a hash of both under the posse's own key. These 18 bytes are written as 24 characters that need no escape in
 * a URL. So clients can only name decisions that were given to them, and no token is valid for another decision.
 */
#ifndef SERVED_TOKEN_H
#define SERVED_TOKEN_H

#include <stdbool.h>

#include "served/siphash.h"

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

/* The place of each character in the alphabet of tokens, from 1 on; 0: it is not in the alphabet. */
extern const uint8_t token_places[256];

/* Writes the token and a zero. */
void token_write(const uint8_t key[SIPHASH_KEY], token t, char text[TOKEN_TEXT + 1]);
token_fault token_read(const uint8_t key[SIPHASH_KEY], const char *text, size_t length, token *out);

#endif
