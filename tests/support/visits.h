/* SPDX-License-Identifier: MIT */
/*
 * Rounds with features by name, and a twin that makes their numbers the long way: every key is written out, its CRC-32
 * is taken bit by bit, and sums are arrays in full.
 */
#ifndef VISITS_H
#define VISITS_H

#include "helpers.h"

#define ROUND_ARMS 4
#define LIST_MAX 12
#define SLOTS_MAX 4096 /* the most numbers of a round that the twin makes */

/* ---- the twin ---- */

uint32_t twin_hash(const char *text);
/* Adds a feature to the sum of its slot. */
void twin_add(const char *key, double value, double *sums, int slots);
/* The numbers of an arm of a round: its own, then those that all arms share. */
void twin_numbers(const posse_def *def, const posse_named *named, int arm, double *out);

/* ---- rounds ---- */

/* A round with random features, in lists whose order is random. */
typedef struct visit {
    posse_feature shared[LIST_MAX], own[ROUND_ARMS][LIST_MAX];
    char words[LIST_MAX][16];
    posse_feature_list points[ROUND_ARMS];
    posse_named named;
    int arms[ROUND_ARMS];
    posse_context context;
} visit;

/* A number from -1 to 1. */
double visit_number(uint32_t *chance);
/* own: arms have features of their own. */
void visit_make(visit *v, uint32_t *chance, bool own);

#endif
