/* SPDX-License-Identifier: MIT */
/*
 * Suggests the word that was probably meant by a misspelt one. All code is in this header, so that the program can use
 * it too, because the program can link only the public functions of the library.
 */
#ifndef POSSE_BASE_SUGGESTION_H
#define POSSE_BASE_SUGGESTION_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"

typedef struct suggestion {
    const char *word; /* the misspelt word: start from {word}, then consider each candidate */
    const char *best; /* must outlive the search */
    int distance;
    char text[120];
} suggestion;

#define SUGGESTION_WORD_MAX 64

static inline int suggestion_least(int a, int b) {
    return a < b ? a : b;
}

/* Ignores case, so that "UCB" suggests "ucb". */
static inline bool suggestion_same(char a, char b) {
    return ascii_lower(a) == ascii_lower(b);
}

/* The smallest number of insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
static inline int suggestion_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > SUGGESTION_WORD_MAX || m > SUGGESTION_WORD_MAX) return SUGGESTION_WORD_MAX;
    int rows[3][SUGGESTION_WORD_MAX + 1];
    for (size_t j = 0; j <= m; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i - 1) % 3], *higher = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = above[j - 1] + !suggestion_same(a[i - 1], b[j - 1]);
            row[j] = suggestion_least(change, suggestion_least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && suggestion_same(a[i - 1], b[j - 2]) && suggestion_same(a[i - 2], b[j - 1]))
                row[j] = suggestion_least(row[j], higher[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

static inline void suggestion_consider(suggestion *s, const char *candidate) {
    int distance = suggestion_distance(s->word, candidate);
    int length = (int)strlen(candidate);
    int limit = suggestion_least(length < 4 ? 1 : length / 3 + 1, length - 1); /* at least one letter must agree */
    if (distance > limit || (s->best != NULL && distance >= s->distance)) return;
    s->best = candidate;
    s->distance = distance;
}

/* `; did you mean "best"?`, or "" if no candidate is near. */
static inline const char *suggestion_text(suggestion *s) {
    s->text[0] = '\0';
    if (s->best != NULL) snprintf(s->text, sizeof s->text, "; did you mean \"%s\"?", s->best);
    return s->text;
}

#endif
