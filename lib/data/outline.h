/* SPDX-License-Identifier: MIT */
/*
 * A small part of YAML, as a tree: maps and lists by indentation, [lists] and {maps: in brackets}, words, numbers,
 * texts in quotes and comments. It includes all of JSON without escapes. Any reader of YAML reads an accepted text as
 * the same tree. Texts that people or programs read in different ways are refused: tabs, keys given twice, anchors,
 * tags, texts of several lines, bare words with other characters than letters, digits and _ . + / -.
 */
#ifndef POSSE_DATA_OUTLINE_H
#define POSSE_DATA_OUTLINE_H

#include "base/memory.h"
#include "data/problem.h"

typedef enum outline_type { OUTLINE_SCALAR, OUTLINE_LIST, OUTLINE_MAP } outline_type;

typedef struct outline {
    outline_type type;
    const char *at;                      /* where it begins in the text */
    const char *key, *key_at;            /* of an entry of a map; else NULL */
    const char *word;                    /* of a scalar */
    bool quoted;                         /* a scalar in quotes is no number */
    struct outline *first, *last, *next; /* entries of a list or map */
    size_t count;                        /* of entries */
} outline;

/* How deep lists and maps may be nested. */
#define OUTLINE_DEPTH_MAX 16

/*
 * Reads a text, which must outlive the tree, because nodes point into it. POSSE_ERROR_FIT: the problem has the place
 * and the reason.
 */
posse_error outline_read(const char *text, size_t length, arena *memory, data_problem *problem, outline **out);

/* The entry of a map by its key, and of a list by its place; NULL: there is none, or `of` is no map, no list, NULL. */
outline *outline_find(const outline *of, const char *key);
outline *outline_entry(const outline *of, size_t place);

#endif
