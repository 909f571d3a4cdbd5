/* SPDX-License-Identifier: MIT */
#include "object/former_defaults.h"

#include <string.h>

typedef struct former_default {
    posse_family family;
    const char *kind;
    posse_option option;
} former_default;

#define FORMER_NUMBER(kind_, key_, number_)                                                                            \
    {                                                                                                                  \
        POSSE_FAMILY_LEARNER, kind_, {                                                                                 \
            .key = key_, .number = number_                                                                             \
        }                                                                                                              \
    }

/* Those of version 0.2, and one of bms-plus before its release. No line is ever changed. */
static const former_default former_defaults[] = {
    FORMER_NUMBER("epsilon-greedy", "precision", 1.0),
    FORMER_NUMBER("linear-thompson", "precision", 1.0),
    FORMER_NUMBER("linear-thompson", "width", 1.0),
    FORMER_NUMBER("linear-ucb", "precision", 1.0),
    FORMER_NUMBER("linear-ucb", "width", 1.0),
    FORMER_NUMBER("logistic-thompson", "precision", 1.0),
    FORMER_NUMBER("logistic-thompson", "width", 1.0),
    FORMER_NUMBER("logistic-ucb", "precision", 1.0),
    FORMER_NUMBER("logistic-ucb", "width", 1.0),
    FORMER_NUMBER("square-cb", "precision", 1.0),
    {POSSE_FAMILY_SELECTOR, "bms-plus", {.key = "consider", .word = "model"}},
};

posse_part former_defaults_in(posse_family family, const posse_part *saved, const posse_part *prior) {
    posse_part out = *saved;
    const posse_param *params = posse_kind_params(family, posse_kind_find(family, out.kind));
    int count = part_count_options(&out);
    for (size_t i = 0; i < sizeof former_defaults / sizeof *former_defaults; i++) {
        const former_default *f = &former_defaults[i];
        bool own = f->family == family && out.kind != NULL && strcmp(f->kind, out.kind) == 0;
        if (!own || posse_part_option(saved, f->option.key) != NULL) continue;
        bool inherited = parameter_is_inherited(parameters_find(params, f->option.key), prior);
        if (!inherited && count < POSSE_OPTIONS_MAX) out.options[count++] = f->option;
    }
    return out;
}
