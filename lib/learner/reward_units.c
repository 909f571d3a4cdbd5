/* SPDX-License-Identifier: MIT */
#include "learner/reward_units.h"

#include <math.h>

#define ZERO_MAX 1e150 /* rewards are at most 1e100, and expectations not much larger */

double reward_units_see(reward_units *u, double forget, double left) {
    u->rewards = forget * u->rewards + 1.0;
    u->misfit *= forget;
    u->zero += (left - u->zero) / u->rewards;
    return u->zero;
}

void reward_units_miss(reward_units *u, double off, double alpha) {
    u->misfit += off * off / alpha;
}

double reward_units_noise(const reward_units *u) {
    return u->misfit > 0.0 ? sqrt(u->misfit / u->rewards) : 0.0;
}

bool reward_units_sane(const reward_units *u) {
    bool seen = u->rewards >= 1.0, fresh = u->rewards == 0.0 && u->zero == 0.0 && u->misfit == 0.0;
    return (seen || fresh) && u->rewards < 0x1p53 && fabs(u->zero) <= ZERO_MAX && u->misfit >= 0.0 &&
           isfinite(u->misfit);
}
