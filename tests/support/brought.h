/* SPDX-License-Identifier: MIT */
/*
 * Problems with features, and the rounds that they bring, for tests of learners in contexts.
 */
#ifndef BROUGHT_H
#define BROUGHT_H

#include "menagerie.h"

#define ARMS_CAP 12
#define WIDTH_CAP 8
#define SETTINGS 3

/* A problem: arms, each with `own` features, and `shared` features of all. */
typedef struct setting {
    const char *name;
    int arms, own, shared;
} setting;

extern const setting joint_setting, both_setting, shared_setting;
extern const setting *const settings[SETTINGS];

/* The definition of a posse with one learner. It points to the part. */
posse_def setting_def(const setting *s, const posse_part *learner, uint64_t seed);

/* A round, as an application describes it, and all features of each arm in a row. */
typedef struct brought {
    int count, arms[ARMS_CAP];
    double shared[WIDTH_CAP], points[ARMS_CAP * WIDTH_CAP], rows[ARMS_CAP][WIDTH_CAP];
    posse_context context;
} brought;

/* A number from -1 to 1. */
double feature(uint64_t *source);
/* The next round. Each active arm is available in two of three rounds. */
void bring(const setting *s, const posse *p, uint64_t *source, brought *b);
/* The place of an arm in the round, where it must be. */
int place_of(const brought *b, int arm);

#endif
