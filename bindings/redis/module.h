/* SPDX-License-Identifier: MIT */
/*
 * What the files of the module share: the type of its keys, and the commands.
 *
 * A command that changes something is sent to replicas and to the log as it is. That is enough, because decisions
 * follow from the state and the order of commands. A command that is refused changes nothing, and is not sent.
 *
 * An id must never be given to two decisions. A server that starts, or a replica that is promoted, may have lost the
 * latest ids. So the first decision of a posse there begins a new epoch, which is sent to the replicas and to the log.
 */
#ifndef REDIS_MODULE_H
#define REDIS_MODULE_H

#include "redis/api.h"
#include "redis/value.h"

/* --- module.c --- */

/* Is incremented when this server becomes a master. */
extern uint64_t module_generation;

/* Settings of the administrator: the decisions that may be pending, and the bytes that a posse may take. */
extern size_t module_pending_max, module_bytes_max;

/* --- type.c --- */

extern RedisModuleType *value_type;

bool type_register(RedisModuleCtx *ctx);

/* --- keys.c: keys, and how their changes are replicated --- */

/* The key that a command is about. */
typedef struct held {
    RedisModuleCtx *ctx;
    RedisModuleString *name;
    RedisModuleKey *key;
    value *value;
} held;

/* Opens the key, and clears the list of problems. False: there is no posse at the key, and the answer is made. */
bool key_open(held *h, RedisModuleCtx *ctx, RedisModuleString *name, int mode);

/* Opens a key that must not exist yet. False: it exists, and the answer is made. */
bool key_open_new(held *h, RedisModuleCtx *ctx, RedisModuleString *name);
void key_close(held *h);

/* Whether the command comes from a client. The master and files repeat commands that were accepted before. */
bool key_is_asked(RedisModuleCtx *ctx);

/* Begins a new epoch if the next decision could get an id that another server has given. False: the answer is made. */
bool key_begin_epoch(held *h);
bool key_draw_epoch(value *v);

/* Notifies WATCH, and clients with caches, that the key was changed. */
void key_signal(held *h);

/* Sends a command that was done to replicas and to the log, and notifies listeners. */
void key_changed(held *h, const char *event);

/* The same for a command that replicates itself in another form. */
void key_announce(held *h, const char *event);

/* After a command that was done in part: sends the whole state to replicas and to the log. */
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
