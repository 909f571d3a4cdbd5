/* SPDX-License-Identifier: MIT */
/*
 * Reads lists of rewards in the form that nearly all clients use, without a tree of JSON: under load, that tree costs
 * more time than learning the rewards.
 */
#ifndef SERVE_REWARDS_H
#define SERVE_REWARDS_H

#include "engine/engine.h"

/* {"rewards": [{"token": "..", "reward": 1}, ..], "n": 64} */
typedef struct reward_list {
    served_reward *list; /* to be freed; tokens point into the text; NULL: there is no such key */
    size_t count;
    int64_t n; /* -1: there is no such key */
} reward_list;

/*
 * False: the text has another form, or is wrong, and is left to the reader of JSON. If this returns true, both readers
 * agree.
 */
bool rewards_read(const char *text, size_t length, reward_list *out);

#endif
