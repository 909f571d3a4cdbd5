/* SPDX-License-Identifier: MIT */
/*
 * Rewards that a posse can learn from, told before it is asked to: of several rewards all are learned, or none.
 */
#ifndef ENGINE_REWARDS_H
#define ENGINE_REWARDS_H

#include "posse.h"

#define REWARD_MESSAGE 120

/* False: the message says what would be right. */
bool reward_fits(const posse *p, double reward, char message[REWARD_MESSAGE]);

#endif
