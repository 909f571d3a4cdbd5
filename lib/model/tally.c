/* SPDX-License-Identifier: MIT */
#include "model/tally.h"

#include <math.h>
#include <stddef.h>

void tallies_start(tally *tallies, int arms) {
    for (int a = 0; a < arms; a++) tallies[a] = (tally){.mean = -INFINITY};
}

/* The place in `which` of the tally to try. which NULL: the first count tallies. */
static inline int try_one(tally *tallies, const int *which, int count, double arms, double learned) {
    tally *next = NULL;
    int place = -1;
    for (int k = 0; k < count; k++) {
        tally *t = &tallies[which != NULL ? which[k] : k];
        if (t->count > 0.0 || (t->due > learned && learned > 0.0)) continue;
        if (next == NULL || t->due < next->due) {
            next = t;
            place = k;
        }
        if (next->due <= learned) break;
    }
    if (next != NULL) next->due = learned == 0.0 ? next->due + arms : 2.0 * learned + arms;
    return place;
}

int tallies_try(tally *tallies, int count, double arms, double learned) {
    return try_one(tallies, NULL, count, arms, learned);
}

int tallies_try_among(tally *tallies, const int *which, int count, double arms, double learned) {
    return try_one(tallies, which, count, arms, learned);
}

bool tallies_sane(const tally *tallies, int arms) {
    for (int a = 0; a < arms; a++) {
        const tally *t = &tallies[a];
        bool mean = t->count > 0.0 ? isfinite(t->mean) : t->mean == -INFINITY;
        if (!(t->count >= 0.0) || !isfinite(t->count) || !isfinite(t->sum) || !mean || !(t->due >= 0.0)) return false;
    }
    return true;
}
