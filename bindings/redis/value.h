/* SPDX-License-Identifier: MIT */
/*
 * What a key holds: a posse, the secret of its tokens, and what is needed to tell a reward that is repeated from one
 * whose decision was lost. It knows nothing of Redis but where memory comes from.
 *
 * Everything that is saved follows from the commands in their order, so that a replica that is told the commands has
 * the same bytes. The two things that do not, the secret and the epochs, are told to replicas and to the log.
 */
#ifndef REDIS_VALUE_H
#define REDIS_VALUE_H

#include "engine/token.h"
#include "posse.h"

#define SETTLED_MAX 64 /* the latest that are remembered with their rewards */
#define EPOCHS_MAX 8   /* the earlier ones that are remembered */

/* An epoch that is over, and the number of the last decision made in it. */
typedef struct past_epoch {
    uint64_t epoch, last;
} past_epoch;

/* A decision that has its reward, or was forgotten: NaN. */
typedef struct settlement {
    uint64_t id;
    double reward;
} settlement;

typedef struct value {
    posse *posse;
    uint8_t secret[SIPHASH_KEY];
    past_epoch epochs[EPOCHS_MAX]; /* the oldest first */
    int epoch_count;
    int settled_count, settled_room, settled_next; /* a ring; next: where the next one goes */
    settlement *settled;

    /* Of this process alone: */
    size_t bytes;        /* of memory, without this struct */
    uint64_t generation; /* in which its epoch began (module.h); 0: it was loaded */
} value;

/* Where memory comes from. `resize` behaves as in posse_allocator; `size_of` says how much a block takes. */
typedef struct value_memory {
    void *(*resize)(void *block, size_t size);
    size_t (*size_of)(void *block);
} value_memory;

/* To be called once, before all others. log: hears what the library says about values. */
void value_set_up(const value_memory *from, const posse_logger *log);

/* A value may have so many bytes from now on; SIZE_MAX: as many as there are. */
void value_limit(size_t bytes);

/* Makes a value of a definition, whose host is set here; without a secret, and in epoch 0. NULL: *error says why. */
value *value_create(posse_def *def, posse_error *error);
void value_free(value *v);

/* --- as bytes --- */

/* All of it, to be freed by value_release. NULL: no memory. */
char *value_write(const value *v, size_t *length);
void value_release(char *bytes);

/* NULL: *error says why not. */
value *value_read(const char *bytes, size_t length, posse_error *error);

/* --- decisions --- */

/* Begins an epoch. POSSE_ERROR_ARGUMENT: there was one of that number. */
posse_error value_begin_epoch(value *v, uint32_t epoch);

/* What a token leads to. */
typedef enum fate {
    FATE_PENDING,
    FATE_SETTLED, /* it has a reward, was forgotten, or has expired */
    FATE_LOST,    /* a crash or a failover has lost it, or it is of an epoch long ago */
    FATE_FORGED,
    FATE_MALFORMED
} fate;

typedef struct finding {
    uint64_t id;
    posse_pending pending; /* if it is */
    bool known;            /* how it was settled is remembered */
    double reward;         /* then: the reward, or NaN for one that was forgotten */
} finding;

fate value_find(const value *v, const char *text, size_t length, finding *out);

/* Each settles a decision that is pending. */
posse_error value_learn(value *v, uint64_t id, double reward);
posse_error value_forget(value *v, uint64_t id);

#endif
