/* SPDX-License-Identifier: MIT */
#include "core/tally.h"

#include <math.h>

void tallies_start(tally *tallies, int arms) {
    for (int a = 0; a < arms; a++) tallies[a] = (tally){.mean = -INFINITY};
}

int tallies_try(tally *tallies, int count, double arms, double learned) {
    int next = -1;
    for (int a = 0; a < count; a++) {
        const tally *t = &tallies[a];
        bool may = t->count == 0.0 && (t->due <= learned || learned == 0.0);
        if (may && (next < 0 || t->due < tallies[next].due)) next = a;
        if (next >= 0 && tallies[next].due <= learned) break;
    }
    if (next >= 0) tallies[next].due = learned == 0.0 ? tallies[next].due + arms : 2.0 * learned + arms;
    return next;
}

bool tallies_sane(const tally *tallies, int arms) {
    for (int a = 0; a < arms; a++) {
        const tally *t = &tallies[a];
        bool mean = t->count > 0.0 ? isfinite(t->mean) : t->mean == -INFINITY;
        if (!(t->count >= 0.0) || !isfinite(t->count) || !isfinite(t->sum) || !mean || !(t->due >= 0.0)) return false;
    }
    return true;
}
