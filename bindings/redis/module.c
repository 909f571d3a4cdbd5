/* SPDX-License-Identifier: MIT */
/*
 * The module as Redis loads it: loadmodule posse_redis.so [PENDING n] [BYTES n]
 */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "redis/module.h"
#include "served/cost.h"

#define NAME "posse"

uint64_t module_generation = 1;
serving module_serving = {.pending_max = 1000000, .units_max = COST_COMMAND};
static size_t bytes_max = (size_t)256 << 20;

/* ------------------------------------------------------ memory --------------------------------------------------- */

static void *module_resize(void *block, size_t size) {
    void *larger = size > 0 ? RedisModule_TryAlloc(size) : NULL;
    if (size > 0 && larger == NULL) return NULL;
    if (block != NULL && larger != NULL) {
        size_t before = RedisModule_MallocSize(block);
        memcpy(larger, block, before < size ? before : size);
    }
    if (block != NULL) RedisModule_Free(block);
    return larger;
}

static size_t size_of(void *block) {
    return RedisModule_MallocSize(block);
}

/* ----------------------------------------------------- commands -------------------------------------------------- */

typedef struct command {
    const char *name;
    const char *within; /* the command that it is a subcommand of, or NULL */
    RedisModuleCmdFunc function;
    const char *flags;
    int key;   /* where its key is among the arguments; 0: it has none */
    int arity; /* words, its name included; negative: at least */
    const char *summary, *complexity;
} command;

/* The letters of complexities. */
#define LETTER_C "; C: a choice, about (1 + propensity draws) * arms * (1 + features^2)"
#define LETTER_R "; R: learning a reward, about learners * (1 + features^2)"
#define LETTER_S "; S: the size of the posse"
#define LETTER_J "; J: the size of the JSON"

/* Commands with `admin` are for masters and files, the others for clients. */
static const command commands[] = {
    {"posse.create", NULL, redis_create, "write deny-oom", 1, 3, "Creates a posse from its description in JSON.",
     "O(J+S)" LETTER_J LETTER_S},
    {"posse.decide", NULL, redis_decide, "write deny-oom fast", 1, -2, "Makes decisions.",
     "O(J+N*C), N: decisions" LETTER_C LETTER_J},
    {"posse.peek", NULL, redis_peek, "readonly", 1, -2, "Returns the decision that would be made now.",
     "O(J+C)" LETTER_C LETTER_J},
    {"posse.activate", NULL, redis_activate, "write fast", 1, 3, "Makes a suggestion a decision.", "O(1)"},
    {"posse.modes", NULL, redis_modes, "write", 1, -2, "Returns the modes of a posse, or changes some.",
     "O(N), N: units that are forgotten, because fewer are to be remembered"},
    {"posse.erase", NULL, redis_erase, "write fast", 1, 3, "Forgets a unit.", "O(1)"},
    {"posse.learn", NULL, redis_learn, "write fast", 1, -4, "Learns the rewards of decisions.",
     "O(N*log(N)+N*R), N: rewards" LETTER_R},
    {"posse.turn", NULL, redis_turn, "write deny-oom", 1, -4, "Learns rewards, and then makes decisions.",
     "O(J+N*log(N)+N*R+M*C), N: rewards, M: decisions" LETTER_R LETTER_C LETTER_J},
    {"posse.forget", NULL, redis_forget, "write fast", 1, -3, "Forgets decisions whose rewards will never come.",
     "O(N*log(N)), N: tokens"},
    {"posse.expire", NULL, redis_expire, "write", 1, -3, "Lets old pending decisions expire.",
     "O(N*R), N: decisions that expire" LETTER_R},
    {"posse.acted", NULL, redis_acted, "write fast", 1, -4, "Reports what an external learner has played.",
     "O(J)" LETTER_J},
    {"posse.teach", NULL, redis_teach, "write", 1, -4, "Teaches a reward that no decision of the posse made.",
     "O(J+N*R), N: plays" LETTER_R LETTER_J},
    {"posse.nexttask", NULL, redis_next_task, "write", 1, 2, "Begins the next task.", "O(S)" LETTER_S},
    {"posse.info", NULL, redis_info, "readonly", 1, -2, "Reports the state of a posse.",
     "O(N), N: learners and, with ARMS, arms"},
    {"posse.definition", NULL, redis_definition, "readonly", 1, 2, "Returns what would create the posse again.",
     "O(N), N: learners, and numbers of all arms"},
    {"posse.report", NULL, redis_report, "readonly", 1, -2, "Reports by when one will know which arm is best.",
     "O(N*D), N: arms, D: posterior samples"},
    {"posse.learner", NULL, NULL, "", 0, -2, "Adds and retires learners.", "that of the subcommand"},
    {"add", "posse.learner", redis_learner_add, "write deny-oom", 2, 4, "Adds a learner.", "O(J+S)" LETTER_J LETTER_S},
    {"retire", "posse.learner", redis_learner_retire, "write", 2, 4, "Retires a learner.", "O(N), N: learners"},
    {"help", "posse.learner", redis_learner_help, "fast", 0, 2, "Lists the subcommands.", "O(1)"},
    {"posse.arm", NULL, NULL, "", 0, -2, "Adds and retires arms.", "that of the subcommand"},
    {"add", "posse.arm", redis_arm_add, "write deny-oom", 2, -3, "Adds an arm.", "O(J+S)" LETTER_J LETTER_S},
    {"retire", "posse.arm", redis_arm_retire, "write", 2, 4, "Retires an arm.", "O(S)" LETTER_S},
    {"help", "posse.arm", redis_arm_help, "fast", 0, 2, "Lists the subcommands.", "O(1)"},
    {"posse.restore", NULL, redis_restore, "write deny-oom admin", 1, -3, "Creates a posse from its saved state.",
     "O(S)" LETTER_S},
    {"posse.epoch", NULL, redis_epoch, "write admin", 1, 3, "Begins a new epoch of decisions.", "O(1)"},
};

/* The full name of a command, as RedisModule_GetCommand knows it. */
static RedisModuleCommand *module_find(RedisModuleCtx *ctx, const command *c) {
    char name[40];
    snprintf(name, sizeof name, "%s%s%s", c->within != NULL ? c->within : "", c->within != NULL ? "|" : "", c->name);
    return RedisModule_GetCommand(ctx, name);
}

/* Without this, a user must be allowed to write a key in order to read it, and COMMAND DOCS is empty. */
static bool describe_command(RedisModuleCtx *ctx, const command *c) {
    static const RedisModuleCommandInfoVersion version = {
        1, sizeof(RedisModuleCommandHistoryEntry), sizeof(RedisModuleCommandKeySpec), sizeof(RedisModuleCommandArg)};
    bool reads = strstr(c->flags, "readonly") != NULL;
    RedisModuleCommandKeySpec keys[2] = {{.begin_search_type = REDISMODULE_KSPEC_BS_INDEX,
                                          .bs.index.pos = c->key,
                                          .find_keys_type = REDISMODULE_KSPEC_FK_RANGE,
                                          .fk.range = {0, 1, 0}}};
    keys[0].flags = REDISMODULE_CMD_KEY_ACCESS |
                    (reads ? REDISMODULE_CMD_KEY_RO : REDISMODULE_CMD_KEY_RW | REDISMODULE_CMD_KEY_UPDATE);
    RedisModuleCommandInfo info = {.version = &version,
                                   .summary = c->summary,
                                   .complexity = c->complexity,
                                   .arity = c->arity,
                                   .key_specs = c->key > 0 ? keys : NULL};
    return RedisModule_SetCommandInfo == NULL ||
           RedisModule_SetCommandInfo(module_find(ctx, c), &info) == REDISMODULE_OK;
}

static bool add_command(RedisModuleCtx *ctx, const command *c) {
    int step = c->key > 0 ? 1 : 0, status;
    if (c->within == NULL)
        status = RedisModule_CreateCommand(ctx, c->name, c->function, c->flags, c->key, c->key, step);
    else
        status = RedisModule_CreateSubcommand(RedisModule_GetCommand(ctx, c->within), c->name, c->function, c->flags,
                                              c->key, c->key, step);
    return status == REDISMODULE_OK && describe_command(ctx, c);
}

/* ------------------------------------------------------ loading -------------------------------------------------- */

static void on_role(RedisModuleCtx *ctx, RedisModuleEvent event, uint64_t what, void *data) {
    (void)ctx, (void)event, (void)data;
    if (what == REDISMODULE_EVENT_REPLROLECHANGED_NOW_MASTER) module_generation++;
}

static bool read_settings(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    for (int i = 0; i < argc; i += 2) {
        size_t length;
        const char *word = RedisModule_StringPtrLen(argv[i], &length);
        size_t *setting = ascii_same(word, "pending") ? &module_serving.pending_max
                          : ascii_same(word, "bytes") ? &bytes_max
                                                      : NULL;
        long long number = 0;
        if (setting == NULL || i + 1 == argc || RedisModule_StringToLongLong(argv[i + 1], &number) != REDISMODULE_OK ||
            number < 1) {
            RedisModule_Log(ctx, "warning", "\"%s\": the module takes PENDING n and BYTES n, n from 1 on", word);
            return false;
        }
        *setting = (size_t)number;
    }
    return true;
}

__attribute__((visibility("default"))) int RedisModule_OnLoad(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

int RedisModule_OnLoad(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    static const RedisModuleEvent role = {REDISMODULE_EVENT_REPLICATION_ROLE_CHANGED, 1};
    const char *missing = api_fetch(ctx);
    if (missing != NULL) {
        if (RedisModule_Log != NULL) RedisModule_Log(ctx, "warning", "it needs Redis 7: there is no %s", missing);
        return REDISMODULE_ERR;
    }
    if (RedisModule_IsModuleNameBusy(NAME)) return REDISMODULE_ERR;
    RedisModule_SetModuleAttribs(
        ctx, NAME, POSSE_VERSION_MAJOR * 10000 + POSSE_VERSION_MINOR * 100 + POSSE_VERSION_PATCH, REDISMODULE_APIVER_1);
    RedisModule_SetModuleOptions(ctx, REDISMODULE_OPTIONS_HANDLE_IO_ERRORS |
                                          REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD |
                                          REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED);
    if (!read_settings(ctx, argv, argc) || !type_register(ctx)) return REDISMODULE_ERR;
    value_set_up(&(value_memory){module_resize, size_of, bytes_max}, &module_serving);
    key_set_up();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!add_command(ctx, &commands[i])) return REDISMODULE_ERR;
    return RedisModule_SubscribeToServerEvent(ctx, role, on_role);
}
