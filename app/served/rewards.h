/* SPDX-License-Identifier: MIT */
/*
 * Checks rewards before a posse learns them, so that of several rewards all are learned, or none.
 */
#ifndef SERVED_REWARDS_H
#define SERVED_REWARDS_H

#include "posse.h"

#define REWARD_MESSAGE 120

/* False: the message explains which rewards are allowed. */
bool reward_fits(const posse *p, double reward, char message[REWARD_MESSAGE]);

#endif
