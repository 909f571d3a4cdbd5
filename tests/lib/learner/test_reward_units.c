/* SPDX-License-Identifier: MIT */
/* Units of rewards alone; test_learners_in_contexts.c has the learners that use them. */
#include <math.h>

#include "helpers.h"
#include "law.h"
#include "learner/reward_units.h"

/* However small its sums get, a unit has a noise that is right, until it is that of no reward. */
LAW(units_fade_until_they_are_forgotten) {
    static const double forgets[] = {0.001, 0.3, 0.99};
    static const double offs[] = {1e-20, 1.0, 1e100};
    for (int i = 0; i < LENGTH(forgets); i++)
        for (int k = 0; k < LENGTH(offs); k++) {
            reward_unit u = {0.0, 0.0};
            int rounds = 0;
            reward_unit_learn(&u, offs[k], 4.0);
            for (; u.rewards > 0.0; rounds++) {
                assert_close(reward_unit_noise(&u) / (offs[k] / 2.0), 1.0, 1e-9);
                assert_true(reward_unit_sane(&u));
                reward_unit_fade(&u, forgets[i]);
            }
            assert_true(reward_unit_noise(&u) == 0.0 && reward_unit_sane(&u));
            assert_true(rounds > log(1e-15) / log(forgets[i]));
        }
}
