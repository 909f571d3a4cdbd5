/* SPDX-License-Identifier: MIT */
/*
 * Who may do what. A file of tokens has a line for each right: the SHA-256 of the token, its roles, and the posse that
 * it is valid for, or * for all:
 *     # sha256 of the token                                            roles         posse
 *     9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 decide,learn  ads
 * The tokens themselves are not stored, so a reader of the file cannot use them.
 */
#ifndef SERVE_BEARERS_H
#define SERVE_BEARERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROLE_DECIDE = 1, ROLE_LEARN = 2, ROLE_ADMIN = 4, ROLE_ALL = 7 };

#define SHA256_BYTES 32

typedef struct bearers bearers;

/* NULL: `why` holds the problem, with its line. A file without any token is wrong, too. */
bearers *bearers_read(const char *path, char why[300]);
void bearers_free(bearers *b);

/* The rights of one token: lines of the file, valid as long as the file's content is. */
typedef struct right right;
typedef struct bearer {
    const right *rights;
    size_t count; /* 0: there is no such token */
} bearer;

/* The hash of a token, and the rights of the token that has it. Hashes are compared in constant time. */
void bearers_hash(const char *token, size_t length, uint8_t hash[SHA256_BYTES]);
bearer bearers_find(const bearers *b, const uint8_t hash[SHA256_BYTES]);

/* The roles for a posse; those of admin include all others. NULL: the roles for all posses. */
unsigned bearer_roles(const bearer *who, const char *name);

/* Whether there is a posse about which a token has this role. */
bool bearer_has(const bearer *who, unsigned role);

#endif
