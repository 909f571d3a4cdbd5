/*
 * What is wrong with a file: collected with positions, then printed in their order, one line each.
 */
#ifndef POSSE_READ_PROBLEMS_H
#define POSSE_READ_PROBLEMS_H

#include <stdbool.h>
#include <stdio.h>

#include "experiment/base/pool.h"

/* A place in a file: line and column count characters from 1. Line 0: the file as a whole. */
typedef struct spot {
    int line, column;
} spot;

/* As many are kept; beyond that it is only counted. */
#define PROBLEMS_MAX 100

typedef struct problem {
    spot at;
    size_t order; /* of discovery, for those at one spot */
    const char *text;
} problem;

typedef struct problems {
    pool *memory;
    problem list[PROBLEMS_MAX];
    size_t count; /* of all, kept or not */
} problems;

/* Adds a problem, unless the very same is known. Control characters are shown as \xNN, to keep it one line. */
__attribute__((format(printf, 3, 4))) void problem_at(problems *p, spot at, const char *format, ...);

/* Whether anything is wrong right there. */
bool problem_known(const problems *p, spot at);

/* Prints "FILE:LINE:COLUMN: message" lines. */
void problems_print(problems *p, const char *path, FILE *out);

#endif
