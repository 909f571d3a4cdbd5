/* SPDX-License-Identifier: MIT */
#include "environment/normal_arms.h"

#include <string.h>

posse_error normal_arms_prepare(const posse_setup *setup, const posse_option *noise, const posse_option *means,
                                normal_arms *out) {
    const posse_option *settings = setup->settings;
    *out = (normal_arms){.arms = (int)settings[NORMAL_ARMS].number, .noise = noise->number};
    if (means != NULL && means->key != NULL) return posse_setup_numbers(setup, means, out->arms, "arms", &out->fixed);
    posse_error error = posse_setup_numbers(setup, &settings[NORMAL_PRIOR_MEAN], out->arms, "arms", &out->mean);
    if (error != POSSE_OK) return error;
    return posse_setup_numbers(setup, &settings[NORMAL_PRIOR_SD], out->arms, "arms", &out->sd);
}

posse_part normal_arms_prior(const normal_arms *n, double drift) {
    if (n->fixed != NULL) return (posse_part){0};
    size_t count = (size_t)n->arms;
    posse_part prior = {.kind = "gaussian",
                        .options = {{.key = "mean", .list = n->mean, .count = count},
                                    {.key = "sd", .list = n->sd, .count = count},
                                    {.key = "noise", .number = n->noise}}};
    if (drift > 0.0) prior.options[3] = (posse_option){.key = "drift", .number = drift};
    return prior;
}

void normal_arms_draw(const normal_arms *n, independent_arms *instance, posse_draw *draw) {
    if (n->fixed != NULL)
        memcpy(instance->means, n->fixed, (size_t)n->arms * sizeof(double));
    else
        for (int a = 0; a < n->arms; a++) instance->means[a] = n->mean[a] + n->sd[a] * posse_draw_normal(draw);
    independent_finish(instance, n->arms);
}
