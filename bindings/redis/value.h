/* SPDX-License-Identifier: MIT */
/*
 * What a key holds: a served posse, and the data that distinguish a repeated reward from the reward of a lost decision.
 * It does not depend on Redis: the caller provides the memory.
 *
 * Everything that is saved follows from the commands in their order, so that a replica that gets the commands has the
 * same bytes. The two exceptions, the secret and the epochs, are sent to replicas and to the log.
 */
#ifndef REDIS_VALUE_H
#define REDIS_VALUE_H

#include "served/served.h"

#define SETTLED_MAX 64 /* settled decisions that are stored with their rewards: the latest */
#define EPOCHS_MAX 8   /* earlier epochs that are stored */

/* An epoch that is over, and the number of the last decision made in it. */
typedef struct past_epoch {
    uint64_t epoch, last;
} past_epoch;

/* A settled decision with its reward, or NaN if it was forgotten. */
typedef struct past_reward {
    uint64_t id;
    double reward;
} past_reward;

typedef struct value {
    served served;                 /* must be first */
    past_epoch epochs[EPOCHS_MAX]; /* the oldest first */
    int epoch_count;
    int settled_count, settled_room, settled_next; /* a ring; settled_next: the place of the next entry */
    past_reward *settled;

    /* Of this process alone: */
    size_t bytes;        /* of memory, without this struct */
    uint64_t generation; /* in which its epoch began (module.h); 0: the value was loaded */
} value;

/* Where memory comes from. `resize` behaves as in posse_allocator; `size_of` returns the bytes of a block. */
typedef struct value_memory {
    void *(*resize)(void *block, size_t size);
    size_t (*size_of)(void *block);
    size_t most; /* bytes of a value, which a request may not exceed (serving.bounded) */
} value_memory;

/* To be called once, before all other functions. s: receives the library's messages about values. */
void value_set_up(const value_memory *from, serving *s);

/* Makes a value from a description. It has no secret yet, and its epoch is 0. */
served_status value_create(const description *d, value **out);
void value_free(value *v);

/* --- as bytes --- */

/* The whole value as bytes, to be freed by value_release. NULL: no memory. */
char *value_write(const value *v, size_t *length);
void value_release(char *bytes);

/* NULL: *error is the reason. */
value *value_read(const char *bytes, size_t length, posse_error *error);

/* --- decisions --- */

/* Begins an epoch. POSSE_ERROR_ARGUMENT: there was an epoch with that number. */
posse_error value_begin_epoch(value *v, uint32_t epoch);

/* What a value keeps of what happens to it (served/served.h): how the latest decisions were settled. */
extern const served_store value_store;

#endif
