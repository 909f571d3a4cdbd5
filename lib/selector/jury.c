/* SPDX-License-Identifier: MIT */
#include "selector/jury.h"

#include <math.h>

#include "model/round.h"
#include "model/row.h"

void jury_seat(double *jury, int dim, uint64_t n, const double *world) {
    double *seat = jury + n % KERNEL_JURY;
    for (size_t j = 0; j < (size_t)dim; j++) seat[j * KERNEL_JURY] = world[j];
}

/* A place, and in how many worlds it is the best. */
typedef struct votes {
    uint64_t place;
    int count;
} votes;

static int jury_tally(const uint64_t *best, votes *out) {
    int found = 0;
    for (int l = 0; l < KERNEL_JURY; l++) {
        int i = 0;
        while (i < found && out[i].place != best[l]) i++;
        if (i == found) out[found++] = (votes){best[l], 0};
        out[i].count++;
    }
    return found;
}

/* Adds a place, unless the list has it. */
static int jury_add(uint64_t place, int *places, int count) {
    for (int i = 0; i < count; i++)
        if ((uint64_t)places[i] == place) return count;
    places[count] = (int)place;
    return count + 1;
}

static bool has_more(const votes *a, const votes *b) {
    return a->count > b->count || (a->count == b->count && a->place < b->place);
}

/* The products of a row with the weights of an arm in every world. */
static void jury_products(const posse_belief *b, const double *jury, row x, int arm, double *sums) {
    size_t count = b->model.disjoint ? (size_t)b->space->arms : 1, at = b->model.disjoint ? (size_t)arm : 0;
    for (int l = 0; l < KERNEL_JURY; l++) sums[l] = 0.0;
    for (int i = 0; i < x.count; i++) {
        const double *weights = jury + ((size_t)row_slot(x, i) * count + at) * KERNEL_JURY;
        for (int l = 0; l < KERNEL_JURY; l++) sums[l] += weights[l] * row_value(x, i);
    }
}

static void vote_on_rows(const posse_belief *b, const double *jury, const posse_round *round, verdict *out) {
    double top[KERNEL_JURY], sums[KERNEL_JURY];
    for (int l = 0; l < KERNEL_JURY; l++) top[l] = -INFINITY;
    for (int k = 0; k < round->count; k++) {
        jury_products(b, jury, row_of_sparse(round_features(round, k)), round->arms[k], sums);
        for (int l = 0; l < KERNEL_JURY; l++) {
            bool more = sums[l] > top[l];
            out->best[l] = more ? (uint64_t)k : out->best[l];
            top[l] = more ? sums[l] : top[l];
        }
    }
}

void jury_vote(const posse_belief *b, const double *jury, const posse_round *round, verdict *out) {
    if (space_is_sparse(b->space)) {
        vote_on_rows(b, jury, round, out);
        return;
    }
    kernels_active()->vote(round->features, round->stride, (size_t)round->count, (size_t)round->width, jury,
                           b->model.disjoint ? round->arms : NULL, out->best);
}

int jury_pick(const verdict *v, uint64_t n, int played, int most, int *places) {
    votes all[KERNEL_JURY];
    places[0] = played;
    int count = jury_add(v->best[n % KERNEL_JURY], places, 1), left = jury_tally(v->best, all);
    while (count < most && left > 0) {
        int first = 0;
        for (int i = 1; i < left; i++)
            if (has_more(&all[i], &all[first])) first = i;
        count = jury_add(all[first].place, places, count);
        all[first] = all[--left];
    }
    return count;
}
