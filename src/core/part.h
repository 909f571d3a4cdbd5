/* SPDX-License-Identifier: MIT */
/*
 * A part that has been made: its kind, its plan, the size of its state, and the memory the plan lives in.
 */
#ifndef POSSE_CORE_PART_H
#define POSSE_CORE_PART_H

#include "core/memory.h"
#include "core/parameter.h"

typedef struct part {
    const posse_kind *kind;
    void *plan;
    size_t state_size;
} part;

/*
 * What a part is made in: its surroundings (all of posse_setup but the settings), its memory, the log for problems, and
 * its place in what is being made.
 */
typedef struct part_context {
    posse_setup surroundings;
    arena *memory;
    const posse_logger *log;
    const posse_place *where;
} part_context;

/*
 * Finds the kind, checks the options and prepares the plan. common, if not NULL, receives the settings of the family's
 * own parameters.
 */
posse_error part_make(const part_context *context, posse_family family, const posse_part *description, part *out,
                      resolution *common);

/* The same for a part inside another one, from within the outer one's `prepare`; key is the option it came from. */
posse_error part_make_inner(const posse_setup *setup, posse_family family, const posse_part *description,
                            const char *key, int index, part *out);

/* Writes the state before the first round. */
void part_start(const part *p, void *state);

bool part_state_sane(const part *p, const void *state);
bool part_unit_rewards(const part *p);

#endif
