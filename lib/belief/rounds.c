/* SPDX-License-Identifier: MIT */
#include "belief/rounds.h"

#include "numeric/kernels.h"

_Static_assert(POSSE_ROUNDS_ABREAST == KERNEL_ROUNDS, "a lane of the kernels is a round");

/* The last round is repeated if there are fewer. */
void rounds_turn(const posse_round *rounds, int count, int place, const int *seen, int dim, double *x) {
    for (int r = 0; r < KERNEL_ROUNDS; r++) {
        const double *from = round_features(&rounds[r < count ? r : count - 1], place);
        for (int j = 0; j < dim; j++) x[(size_t)j * KERNEL_ROUNDS + (size_t)r] = from[seen != NULL ? seen[j] : j];
    }
}

void rounds_moments(const double *state, int dim, const double *x, double *means, double *deviations) {
    kernels_active()->rounds->moments(state, (size_t)dim, x, means, deviations);
}

void rounds_see(const products *p, const double *x, double *y) {
    kernels_active()->rounds->scale(x, (size_t)p->dim, PRODUCTS_SQUARE_LEAST, y);
}

void rounds_add_products(const products *p, const double *state, int arm, const double *y, double *means) {
    kernels_active()->rounds->add_products(products_means(p, state, arm), (size_t)p->dim, y, means);
}
