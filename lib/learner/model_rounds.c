/* SPDX-License-Identifier: MIT */
/*
 * The estimates of a model in several rounds at a time (posse_learner_ops.estimate).
 */
#include "belief/rounds.h"
#include "learner/model.h"

/* The features of an arm in all rounds, and those that products see. */
typedef struct model_sight {
    double *x, *y;
} model_sight;

static void model_look(const model *m, const posse_round *rounds, int count, int place, const model_sight *s) {
    rounds_turn(rounds, count, place, m->seen, m->regressions.dim, s->x);
    if (products_are_used(&m->products)) rounds_see(&m->products, s->x, s->y);
}

/*
 * O(arms x dim^2) for each round, as one by one, but each number of the model is read once for all rounds. A diagonal
 * covariance takes a step per feature that is not 0, and these differ from round to round.
 */
void model_estimate_rounds(const void *plan, const void *state, const posse_round *rounds, int count, double *room,
                           posse_estimates *e) {
    const model *m = plan;
    if (m->regressions.diagonal || m->asks == MODEL_ASKS_NOTHING) return;
    bool deviations = m->asks == MODEL_ASKS_DEVIATIONS;
    model_sight sight = {room, room + (size_t)m->regressions.dim * POSSE_ROUNDS_ABREAST};
    for (int k = 0; k < rounds->count; k++) {
        int arm = rounds->arms[k];
        double *means = e->means + (size_t)k * e->stride;
        if (k == 0 || rounds->stride > 0) model_look(m, rounds, count, k, &sight);
        rounds_moments(regressions_of(&m->regressions, model_regressions(state), arm), m->regressions.dim, sight.x,
                       means, deviations ? e->deviations + (size_t)k * e->stride : NULL);
        if (products_are_used(&m->products))
            rounds_add_products(&m->products, model_product_state(m, state), arm, sight.y, means);
    }
    e->has_means = true;
    e->has_deviations = deviations;
}
