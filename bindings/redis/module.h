/* SPDX-License-Identifier: MIT */
/*
 * What the files of the module share: the type of its keys, and the commands.
 *
 * A command that changes something is told to replicas and to the log as it is. That is enough: decisions follow from
 * the state and the order of commands. A command that is refused changes nothing, and nobody is told.
 *
 * Ids of decisions must not be given away twice. A server that starts, or a replica that is promoted, may have lost the
 * latest ones; so the first decision of a posse there begins a new epoch, which the replicas and the log are told.
 */
#ifndef REDIS_MODULE_H
#define REDIS_MODULE_H

#include "redis/api.h"
#include "redis/value.h"

/* --- module.c --- */

/* Goes up when this server becomes a master. */
extern uint64_t module_generation;

/* What the administrator has set: decisions that may be pending, and bytes that a posse may take. */
extern size_t module_pending_max, module_bytes_max;

/* --- type.c --- */

extern RedisModuleType *value_type;

bool type_register(RedisModuleCtx *ctx);

/* --- keys.c: keys, and what others are told of them --- */

/* A key that a command is about. */
typedef struct held {
    RedisModuleCtx *ctx;
    RedisModuleString *name;
    RedisModuleKey *key;
    value *value;
} held;

/* Opens the key, with problems cleared. False: there is no posse there, and the answer is made. */
bool key_open(held *h, RedisModuleCtx *ctx, RedisModuleString *name, int mode);

/* Opens a key that must not be there yet. */
bool key_open_new(held *h, RedisModuleCtx *ctx, RedisModuleString *name);
void key_close(held *h);

/* Whether a client asks, and not the master or a file, which say what has been done already. */
bool key_is_asked(RedisModuleCtx *ctx);

/* Sees to it that the next decision has an id that nobody else has. False: the answer is made. */
bool key_begin_epoch(held *h);
bool key_draw_epoch(value *v);

/* Tells WATCH and clients with caches that the key is another now. */
void key_signal(held *h);

/* The command was done: replicas, the log and listeners are told. */
void key_changed(held *h, const char *event);

/* It was done in part: they are told the whole state. */
void key_replaced(held *h);

/* --- commands --- */

int command_create(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_restore(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_epoch(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_learner_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_learner_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_learner_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_arm_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_arm_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_arm_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

int command_decide(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_turn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_learn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_forget(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_expire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_acted(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int command_teach(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

#endif
