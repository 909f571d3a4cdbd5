/* SPDX-License-Identifier: MIT */
#include "learner/reward_units.h"

#include <math.h>

#define ZERO_MAX 1e150 /* rewards are at most 1e100, and expectations not much larger */
#define MISFIT_MAX (ZERO_MAX * ZERO_MAX)
#define FORGOTTEN 0x1p-53 /* less than what rounding takes from a new reward */

void reward_unit_fade(reward_unit *u, double forget) {
    u->rewards *= forget;
    u->misfit *= forget;
    if (u->rewards < FORGOTTEN) *u = (reward_unit){0.0, 0.0};
}

void reward_unit_learn(reward_unit *u, double off, double alpha) {
    u->rewards += 1.0;
    u->misfit += off * off / alpha;
}

double reward_unit_noise(const reward_unit *u) {
    return u->misfit > 0.0 ? sqrt(u->misfit / u->rewards) : 0.0;
}

bool reward_unit_sane(const reward_unit *u) {
    return u->rewards >= 0.0 && u->rewards < 0x1p53 && u->misfit >= 0.0 && u->misfit <= MISFIT_MAX * u->rewards;
}

double reward_zero_after(double zero, const reward_unit *all, double left) {
    return zero + (left - zero) / (all->rewards + 1.0);
}

bool reward_zero_sane(double zero) {
    return fabs(zero) <= ZERO_MAX;
}
