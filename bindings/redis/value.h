/* SPDX-License-Identifier: MIT */
/*
 * What a key holds: a posse, the secret of its tokens, and the data that distinguish a repeated reward from the reward
 * of a lost decision. It does not depend on Redis: the caller provides the memory.
 *
 * Everything that is saved follows from the commands in their order, so that a replica that gets the commands has the
 * same bytes. The two exceptions, the secret and the epochs, are sent to replicas and to the log.
 */
#ifndef REDIS_VALUE_H
#define REDIS_VALUE_H

#include "engine/token.h"
#include "posse_inside.h"

#define SETTLED_MAX 64 /* settled decisions that are stored with their rewards: the latest */
#define EPOCHS_MAX 8   /* earlier epochs that are stored */

/* An epoch that is over, and the number of the last decision made in it. */
typedef struct past_epoch {
    uint64_t epoch, last;
} past_epoch;

/* A settled decision with its reward, or NaN if it was forgotten. */
typedef struct settlement {
    uint64_t id;
    double reward;
} settlement;

typedef struct value {
    posse *posse;
    uint8_t secret[SIPHASH_KEY];
    past_epoch epochs[EPOCHS_MAX]; /* the oldest first */
    int epoch_count;
    int settled_count, settled_room, settled_next; /* a ring; settled_next: the place of the next entry */
    settlement *settled;

    /* Of this process alone: */
    size_t bytes;        /* of memory, without this struct */
    uint64_t generation; /* in which its epoch began (module.h); 0: the value was loaded */
} value;

/* Where memory comes from. `resize` behaves as in posse_allocator; `size_of` returns the bytes of a block. */
typedef struct value_memory {
    void *(*resize)(void *block, size_t size);
    size_t (*size_of)(void *block);
} value_memory;

/* To be called once, before all other functions. log: receives the library's messages about values. */
void value_set_up(const value_memory *from, const posse_logger *log);

/* Sets the bytes that a value may have from now on; SIZE_MAX: no limit. */
void value_limit(size_t bytes);

/*
 * Makes a value from a definition, whose host is set here. It has no secret yet, and its epoch is 0. NULL: *error is
 * the reason.
 */
value *value_create(posse_def *def, posse_error *error);
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

/* The state of the decision that a token names. */
typedef enum fate {
    FATE_PENDING,
    FATE_SETTLED, /* it has a reward, was forgotten, or has expired */
    FATE_LOST,    /* a crash or a failover has lost it, or it is of an epoch long ago */
    FATE_FORGED,
    FATE_MALFORMED
} fate;

typedef struct finding {
    uint64_t id;
    posse_pending pending; /* if it is pending */
    bool known;            /* how it was settled is stored */
    double reward;         /* then: the reward, or NaN if it was forgotten */
} finding;

fate value_find(const value *v, const char *text, size_t length, finding *out);

/* Each settles a decision that is pending. */
posse_error value_learn(value *v, uint64_t id, double reward);
posse_error value_forget(value *v, uint64_t id);

#endif
