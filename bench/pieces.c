/* SPDX-License-Identifier: MIT */
#include "pieces.h"

#include "belief/regression.h"
#include "environment/environment.h"
#include "random/stream.h"

#define DIM 10

struct pieces {
    const posse_space *space;
    posse_draw draw;
    double regression[DIM * (DIM + 1)]; /* see belief/regression.h */
};

pieces *pieces_begin(posse_environment *e) {
    static pieces p;
    p.space = e->space;
    draw_open(&p.draw, 1, 0, stream_named(STREAM_SELECTOR, NULL), 0);
    regression_start(p.regression, DIM, 1.0);
    return &p;
}

double pieces_draw(void *pieces_, size_t count) {
    pieces *p = pieces_;
    double theta[DIM], sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        regression_draw(p->regression, DIM, 1.0, &p->draw, theta);
        sum += theta[0];
    }
    return sum;
}

double pieces_best(void *pieces_, size_t count) {
    const pieces *p = pieces_;
    double theta[DIM] = {1.0, -0.5, 0.25, 2.0, -1.0, 0.75, 1.5, -2.0, 0.5, -0.25}, value, sum = 0.0;
    const double *coordinates;
    for (size_t i = 0; i < count; i++) {
        theta[i % DIM] += 0.01;
        space_best(p->space, theta, &value, &coordinates, NULL);
        sum += value;
    }
    return sum;
}

double pieces_best_all(void *pieces_, size_t count) {
    sketches_use(false);
    double sum = pieces_best(pieces_, count);
    sketches_use(true);
    return sum;
}

double pieces_update(void *pieces_, size_t count) {
    pieces *p = pieces_;
    double v[DIM], sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += regression_update(p->regression, DIM, 1.0, space_point(p->space, (int)(i % (size_t)p->space->arms)), 0.3,
                                 v);
    return sum;
}
