/* SPDX-License-Identifier: MIT */
/*
 * A part that has been made: its kind, its plan, the size of its state, and the memory the plan lives in.
 */
#ifndef POSSE_MODEL_PART_H
#define POSSE_MODEL_PART_H

#include "base/memory.h"
#include "base/shared_table.h"
#include "model/parameter.h"
#include "posse_extend.h"

typedef struct part {
    const posse_kind *kind;
    void *plan;
    size_t state_size;
} part;

/*
 * The context in which a part is made: its surroundings (all of posse_setup but the settings), its memory, the log for
 * problems, and its place in the whole description.
 */
typedef struct part_context {
    posse_setup surroundings;
    arena *memory;
    const posse_logger *log;
    const posse_place *where;
    bool kept;                 /* the description is that of a posse that exists, or was saved (part_refuse_idle) */
    const posse_param *params; /* for part_prepare: the declarations of the settings */
} part_context;

/* A resolved description: its kind, and the settings of the kind's own parameters and of its family's. */
typedef struct understanding {
    const posse_kind *kind;
    resolution own, common;
} understanding;

/* Finds the kind and checks the options against its declarations. */
posse_error part_understand(const part_context *context, posse_family family, const posse_part *description,
                            understanding *out);

/* Prepares the plan of a resolved description. */
posse_error part_prepare(const part_context *context, const understanding *understood, part *out);

/* The argument of `prepare`. It points to the context and to the resolved description. */
posse_setup part_setup(const part_context *context, const understanding *understood);

/* part_understand and part_prepare. */
posse_error part_make(const part_context *context, posse_family family, const posse_part *description, part *out);

/* For `prepare`: the memory of the plan. */
arena *part_memory(const posse_setup *setup);

/*
 * For `prepare`: refuses an option that was given although it has no effect, with the reason. An option at its default
 * is accepted, so that a part with all defaults filled in can be made. So is any option of a posse that exists or was
 * saved, because earlier versions accepted it.
 */
posse_error part_refuse_idle(const posse_setup *setup, int option, const char *why);

/* For `prepare`: a table that the plan shares with equal plans. */
posse_error part_share_table(const posse_setup *setup, const table_key *key, shared_table **out);

/* For `prepare`: the allocator for temporary memory, which it must free itself. */
const posse_allocator *part_allocator(const posse_setup *setup);

/* The number of options of a description, and of the parts inside an option: one for each number of its list. */
int part_count_options(const posse_part *description);
size_t part_count_inside(const posse_option *o);

/*
 * A description that has room only for the options that were given. A posse_part, with its room for POSSE_OPTIONS_MAX
 * options, would take more memory than the part that is made from it.
 */
typedef struct kept_recipe {
    const char *kind, *name;
    int count;
    posse_option options[];
} kept_recipe;

/*
 * Each copies a description, with everything it points to, into an arena (posse_part_copy). False or NULL: there is no
 * memory left, or parts are nested more than PART_DEPTH_MAX deep.
 */
bool part_keep(arena *memory, const posse_part *description, posse_part *out);
kept_recipe *part_keep_recipe(arena *memory, const posse_part *description);

/*
 * A description with the defaults that have to be kept (POSSE_PARAM_KEPT), so that it means the same to a version with
 * other defaults. It points into the one that is given. prior: where inherited defaults come from, or NULL.
 */
posse_part part_with_kept_defaults(posse_family family, const posse_part *description, const posse_part *prior);

/* posse_part_option for a caller that changes the option. */
posse_option *part_find_option(posse_part *description, const char *name);

/* Writes the state before the first round. */
void part_start(const part *p, void *state);

/* Writes the state of a part that was made again because an arm was added or retired. posse_kind.grow must exist. */
void part_grow(const part *p, void *state, const part *former, const void *former_state);

bool part_state_sane(const part *p, const void *state);

/* The rewards that a part of that family can learn from. */
posse_rewards part_rewards(posse_family family, const part *p);

/* The rewards that are in both ranges. */
posse_rewards rewards_common(posse_rewards a, posse_rewards b);

#define ALL_REWARDS ((posse_rewards){-REAL_MAX, REAL_MAX})

static inline bool rewards_are_unit(posse_rewards r) {
    return r.low >= 0.0 && r.high <= 1.0;
}

#endif
