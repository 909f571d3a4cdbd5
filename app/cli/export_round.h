/* SPDX-License-Identifier: MIT */
/*
 * A round as the log of a server has it: its available arms, and the features that a client sent, as they are. Scales,
 * interactions and the constant of a posse are no part of them.
 */
#ifndef EXPORT_ROUND_H
#define EXPORT_ROUND_H

#include <jansson.h>

#include "cli/export_arms.h"

typedef struct export_arm {
    int arm;
    const json_t *features; /* its own; NULL: none */
} export_arm;

typedef struct export_round {
    json_t *body;
    const json_t *shared; /* features that all arms share; NULL: none */
    bool named;           /* features have names */
    bool listed;          /* the client listed the arms */
    int count;
    export_arm *arms; /* in the order of their numbers */
} export_round;

/*
 * Reads a round with its arms at a decision. body NULL: it has no features. Free it in any case. False: it cannot be
 * read.
 */
bool export_round_read(export_round *r, const char *body, const export_arms *arms, uint64_t decision);
void export_round_free(export_round *r);

/* The place of an arm among those of the round, or -1. */
int export_round_find(const export_round *r, int arm);

/*
 * Calls `take` for every feature of a list, with its namespace: `context` or `arm` for a name without one, and of
 * numbers `s` if arms share them and `x` if not. A word is a feature `name=word` with the number 1, once for each time.
 */
typedef void export_feature_taker(void *context, const char *space, const char *name, double number);
void export_each_feature(const export_round *r, const json_t *features, bool own, export_feature_taker *take,
                         void *context);

#endif
