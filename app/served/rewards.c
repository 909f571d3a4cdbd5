/* SPDX-License-Identifier: MIT */
#include "served/rewards.h"
#include "posse_inside.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"

#define REWARD_MAX 1e100 /* posse.h, POSSE_ERROR_REWARD */

bool reward_fits(const posse *p, double reward, char message[REWARD_MESSAGE]) {
    posse_rewards range = posse_reward_range(p);
    if (reward >= range.low && reward <= range.high && fabs(reward) <= REWARD_MAX) return true;
    if (!(fabs(reward) <= REWARD_MAX))
        snprintf(message, REWARD_MESSAGE, "a reward must be finite and at most 1e100");
    else if (range.high < REWARD_MAX)
        format_text(message, REWARD_MESSAGE, "rewards of this posse must be between %g and %g", range.low, range.high);
    else
        format_text(message, REWARD_MESSAGE, "rewards of this posse must be at least %g", range.low);
    return false;
}
