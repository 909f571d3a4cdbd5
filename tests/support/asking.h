/* SPDX-License-Identifier: MIT */
/*
 * Requests to the engine, in one line each.
 */
#ifndef SUPPORT_ASKING_H
#define SUPPORT_ASKING_H

#include <string.h>

#include "engine/engine.h"

static inline served_status ask_decide(engine *e, hosted *h, size_t count, const json_t *source, served_decision *out) {
    return engine_do(e, h, &(served_work){.decision_count = count, .source = source, .decisions = out});
}

static inline served_status ask_learn(engine *e, hosted *h, const served_reward *list, size_t count) {
    return engine_do(e, h, &(served_work){.rewards = list, .reward_count = count});
}

static inline served_status ask_forget(engine *e, hosted *h, const served_reward *list, size_t count) {
    return engine_do(e, h, &(served_work){.rewards = list, .reward_count = count, .forgets = true});
}

static inline served_status ask_turn(engine *e, hosted *h, const served_reward *rewards, size_t learned, size_t count,
                                     served_decision *out) {
    return engine_do(
        e, h, &(served_work){.rewards = rewards, .reward_count = learned, .decision_count = count, .decisions = out});
}

static inline served_status ask_learner(engine *e, hosted *h, const char *text) {
    return engine_reshape(e, h, &(reshape){.kind = RESHAPE_ADD_LEARNER, .text = text, .length = strlen(text)});
}

static inline served_status ask_erase(engine *e, hosted *h, const char *unit, bool *known) {
    reshape asked = {.kind = RESHAPE_ERASE, .name = unit};
    served_status status = engine_reshape(e, h, &asked);
    *known = asked.known;
    return status;
}

#endif
