/* SPDX-License-Identifier: MIT */
#include "patience.h"

#include <math.h>

const patience_rule patience_rules[PATIENCE_RULES] = {
    {0, 1, false},   {5, 1, false},   {40, 1, false},   {0, 0, false}, {5, 0, false}, {40, 0, false},
    {0, 0.5, false}, {5, 0.5, false}, {40, 0.5, false}, {0, 1, true},  {5, 1, true},  {40, 0, true},
};

posse_part bms_with(patience_rule r) {
    return (posse_part){.kind = "bms",
                        .options = {NUMBER("patience", r.patience), NUMBER("commitment", r.commitment),
                                    NUMBER("forgetting", r.forgets)}};
}

long double allowance(patience_rule r, int dim, long double learners) {
    return dim * fmaxl(2.0L, r.patience / learners);
}

long double play_weight(patience_rule r, int dim, long double learners, long double rounds) {
    long double x = rounds / (dim * fmaxl(2.0L * learners, r.patience));
    return !r.forgets || x <= 1.0L ? 1.0L : exp2l(floorl((log2l(x) + 1.0L) / 2.0L));
}

long double patience_divisor(patience_rule r, int dim, long double learners, long double weight, long double plays) {
    long double ratio = fmaxl(1.0L, plays / (weight * allowance(r, dim, learners))), s = sqrtl(ratio);
    return r.forgets ? powl(ratio, 0.75L) : s * (1.0L + r.commitment * logl(s));
}
