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

/* The command that is being executed. Redis executes one at a time. */
extern serving module_serving;

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

/* Opens the key, and begins a request. False: there is no posse at the key, and the answer is made. */
bool key_open(held *h, RedisModuleCtx *ctx, RedisModuleString *name, int mode);

/* Opens a key that must not exist yet. False: it exists, and the answer is made. */
bool key_open_new(held *h, RedisModuleCtx *ctx, RedisModuleString *name);
void key_close(held *h);

/* Whether the command comes from a client. The master and files repeat commands that were accepted before. */
bool key_is_asked(RedisModuleCtx *ctx);

/* Begins an epoch with a random number. False: the system has none. */
bool key_draw_epoch(value *v);

/* Notifies WATCH, and clients with caches, that the key was changed. */
void key_signal(held *h);

/* Sends a command that was done to replicas and to the log, and notifies listeners. */
void key_changed(held *h, const char *event);

/* The same for a command that replicates itself in another form. */
void key_announce(held *h, const char *event);

/* After a command that was done in part: sends the whole state to replicas and to the log. */
void key_replaced(held *h);

/*
 * Ends a command: if it changed something, replicas and listeners are notified. False: it was refused, and the answer
 * is made. The key is closed.
 */
bool key_finish(held *h, served_status status, const char *event);

/* To be called once: connects operations on posses with the keys of commands. */
void key_set_up(void);

/* --- settle.c --- */

/*
 * Reads `count` tokens, each with its reward if `learns`, into memory that is valid until the next call. False: there
 * is a problem, or no memory.
 */
bool settle_read(RedisModuleString **argv, int count, bool learns, served_reward **out);

/* --- commands --- */

int redis_create(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_restore(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_epoch(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_definition(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_report(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_learner_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_learner_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_learner_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_arm_help(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_arm_add(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_arm_retire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

int redis_decide(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_peek(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_activate(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_modes(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_erase(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_turn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_learn(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_forget(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_expire(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_acted(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_teach(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);
int redis_next_task(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

#endif
