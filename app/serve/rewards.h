/* SPDX-License-Identifier: MIT */
/*
 * Lists of rewards as nearly all clients write them, read without a tree of JSON: under load that tree costs more than
 * what is learned from it.
 */
#ifndef SERVE_REWARDS_H
#define SERVE_REWARDS_H

#include "engine/engine.h"

/* {"rewards": [{"token": "..", "reward": 1}, ..], "n": 64} */
typedef struct reward_list {
    engine_reward *list; /* to be freed; tokens are where they were read; NULL: there is no such key */
    size_t count;
    int64_t n; /* -1: there is no such key */
} reward_list;

/*
 * False: it is written in another way, or it is wrong, and is left to the reader of JSON. What is true means the same
 * to both.
 */
bool rewards_read(const char *text, size_t length, reward_list *out);

#endif
