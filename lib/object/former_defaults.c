/* SPDX-License-Identifier: MIT */
#include "object/former_defaults.h"

#include <string.h>

typedef struct former_default {
    const char *kind, *option;
    double number;
} former_default;

/* Those of version 0.2. No line is ever changed. */
static const former_default former_defaults[] = {
    {"epsilon-greedy", "precision", 1.0}, {"linear-thompson", "precision", 1.0},
    {"linear-thompson", "width", 1.0},    {"linear-ucb", "precision", 1.0},
    {"linear-ucb", "width", 1.0},         {"logistic-thompson", "precision", 1.0},
    {"logistic-thompson", "width", 1.0},  {"logistic-ucb", "precision", 1.0},
    {"logistic-ucb", "width", 1.0},       {"square-cb", "precision", 1.0},
};

posse_part former_defaults_in(const posse_part *learner, const posse_part *prior) {
    posse_part out = *learner;
    const posse_param *params =
        posse_kind_params(POSSE_FAMILY_LEARNER, posse_kind_find(POSSE_FAMILY_LEARNER, out.kind));
    int count = part_count_options(&out);
    for (size_t i = 0; i < sizeof former_defaults / sizeof *former_defaults; i++) {
        const former_default *f = &former_defaults[i];
        if (out.kind == NULL || strcmp(f->kind, out.kind) != 0 || posse_part_option(learner, f->option) != NULL)
            continue;
        bool inherited = parameter_is_inherited(parameters_find(params, f->option), prior);
        if (!inherited && count < POSSE_OPTIONS_MAX)
            out.options[count++] = (posse_option){.key = f->option, .number = f->number};
    }
    return out;
}
