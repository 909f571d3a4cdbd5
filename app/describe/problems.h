/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a description: problems as data, each with its place. They become lines only where they are
 * printed: the program writes "FILE:LINE:COLUMN: what is wrong", Python "learners[1].width: what is wrong".
 */
#ifndef POSSE_DESCRIBE_PROBLEMS_H
#define POSSE_DESCRIBE_PROBLEMS_H

#include <stdio.h>

#include "describe/node.h"

/* Where a problem is. Made by the functions below, or by hand where there is no node. */
typedef struct location {
    const node *node;  /* NULL: the description as a whole */
    const char *below; /* a part of the node that has no node itself, such as a missing key; or NULL */
    spot at;           /* line 0: not in a file */
    const char *label; /* what the problem is about, if the position in the file does not show it; or NULL */
} location;

/* A node; the key of a node; a key that a map does not have. */
location at_node(const node *n);
location at_key(const node *n);
location at_missing(const node *map, const char *key);

typedef struct problem {
    const char *path;  /* "learners[1].belief.sd", "" for the whole */
    spot at;           /* line 0: not in a file */
    const char *label; /* as in location */
    const char *text;
    /* A problem may be about a second place. Its sentence then is the text, that place, and the rest. */
    const char *other_path; /* NULL: there is none */
    int other_line;         /* 0: not in a file */
    const char *rest;
    size_t rank;  /* place in the tree, which orders problems without a position */
    size_t order; /* of discovery, which orders problems at one place */
} problem;

/* At most this many problems are kept; the others are only counted. */
#define PROBLEMS_MAX 100

typedef struct problems {
    pool *memory;
    problem list[PROBLEMS_MAX];
    size_t count; /* of all, kept or not */
} problems;

/* Opens an empty collection; to be closed. problems_failed returns whether there was no memory for a problem. */
void problems_open(problems *p, const posse_allocator *allocator);
void problems_close(problems *p);
bool problems_failed(const problems *p);

/*
 * Adds a problem, unless the collection has exactly the same. Control characters are shown as \xNN, so that a problem
 * is one line.
 */
__attribute__((format(printf, 3, 4))) void problem_at(problems *p, location where, const char *format, ...);

/* Adds a problem that is also about a second place: its sentence is the message, that place, and `rest`. */
__attribute__((format(printf, 5, 6))) void problem_beside(problems *p, location where, location other, const char *rest,
                                                          const char *format, ...);

/* Adds the problem that a map lacks a key. */
void problem_missing(problems *p, const node *map, const char *key, const char *wanted);

/* Whether there already is a problem at exactly this place. */
bool problem_known(problems *p, location where);

/* Whether there are more problems than are kept. Then it is time to end a list that may have many more. */
bool problems_full(const problems *p);

/* The number of problems that are kept. problems_sort puts them into the order of the file, or of the tree. */
size_t problems_kept(const problems *p);
void problems_sort(problems *p);

/*
 * The text of a problem with its second place: a line where there is a file, otherwise a path.
 * NULL: no memory.
 */
const char *problem_text(const problem *one, bool in_file, pool *memory);

/* A problem as a line about a file, "FILE:LINE:COLUMN: what is wrong". NULL: no memory. */
const char *problem_line(const problem *one, const char *file, pool *memory);

/* Prints all of them as lines about a file. */
void problems_print(problems *p, const char *file, FILE *out);

#endif
