/* SPDX-License-Identifier: MIT */
#include "helpers.h"
#include "stage.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------ making things ------------------------------------------------ */

static void tell(void *context, const posse_place *place, const char *message) {
    (void)context;
    char where[200];
    posse_place_text(place, where, sizeof where);
    print_error("%s: %s\n", where, message);
}

static const posse_host loud = {.log = {.write = tell}};

posse_environment *environment_made(const posse_part *description, uint64_t seed) {
    posse_environment *e;
    assert_int_equal(posse_environment_create(description, seed, &loud, &e), POSSE_OK);
    return e;
}

posse *posse_made(const posse_def *def) {
    posse *p;
    assert_int_equal(posse_create(def, &p), POSSE_OK);
    return p;
}

void act_outside(posse *p, posse_decision *d) {
    if (d->arm != POSSE_ARM_UNTOLD) return;
    assert_int_equal(stage_acted(p, d), POSSE_OK);
}

posse_decision decided(posse *p) {
    posse_decision d;
    assert_int_equal(stage_decide(p, &d), POSSE_OK);
    act_outside(p, &d);
    return d;
}

const posse_part algorithm_1 = {.kind = "bms"};

posse *team_made(const posse_environment *e, const team *t) {
    posse_def def = posse_environment_def(e);
    def.selector = algorithm_1;
    def.learners = t->learners;
    def.learner_count = t->count;
    posse_option *o = def.selector.options;
    *o++ = (posse_option)NUMBER("share", t->share);
    *o++ = (posse_option)NUMBER("batch", t->batch > 0 ? t->batch : 1);
    if (t->belief != NULL) *o++ = (posse_option){.key = "belief", .part = t->belief};
    return posse_made(&def);
}

const posse_part paper_team[PAPER_TEAM] = {
    {.kind = "ucb", .name = "0.01", .options = {NUMBER("width", 0.01)}},
    {.kind = "ucb", .name = "0.1", .options = {NUMBER("width", 0.1)}},
    {.kind = "ucb", .name = "1", .options = {NUMBER("width", 1)}},
    {.kind = "ucb", .name = "2", .options = {NUMBER("width", 2)}},
    {.kind = "ucb", .name = "5", .options = {NUMBER("width", 5)}},
    {.kind = "ucb", .name = "10", .options = {NUMBER("width", 10)}},
};

posse_def alone_def(const posse_environment *e, const posse_part *learner) {
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){0};
    def.learners = learner;
    def.learner_count = 1;
    return def;
}

posse *alone_made(const posse_environment *e, const posse_part *learner) {
    posse_def def = alone_def(e, learner);
    return posse_made(&def);
}

/* ------------------------------------------------ sample moments ----------------------------------------------- */

double moments_mean(const moments *m) {
    return m->sum / m->count;
}

double moments_error(const moments *m) {
    double mean = moments_mean(m), variance = m->squares / m->count - mean * mean;
    return sqrt(variance > 0.0 ? variance / m->count : 0.0);
}

double chi_square_z(double chi_square, double freedom) {
    double spread = 2.0 / (9.0 * freedom);
    return (cbrt(chi_square / freedom) - (1.0 - spread)) / sqrt(spread);
}

double moments_z(const moments *m, double expected) {
    double off = moments_mean(m) - expected;
    return off == 0.0 ? 0.0 : off / moments_error(m);
}

/* ---------------------------------------------------- twins ---------------------------------------------------- */

void twin_open(twin *t, const posse_def *def, const posse_part *description) {
    static const posse_place where = {NULL, "twin", -1};
    memset(t, 0, sizeof *t);
    t->seed = def->seed;
    space_def arms = {.arms = def->arms,
                      .dim = def->dim,
                      .points = def->points,
                      .context = def->context,
                      .episodes = def->episodes,
                      .nonzeros = def->nonzeros};
    assert_int_equal(space_make(&arms, &loud.log, &t->memory, &t->space), POSSE_OK);
    part_context context = {.surroundings = {.space = t->space, .prior = &def->prior, .seed = def->seed},
                            .memory = &t->memory,
                            .log = &loud.log,
                            .where = &where};
    posse_setup setup = context.surroundings;
    setup.reserved = &context;
    if (description == NULL) description = &def->prior;
    assert_int_equal(belief_make(&setup, description, "belief", -1, &t->belief), POSSE_OK);
    t->state = arena_allocate(&t->memory, t->belief.part.state_size);
    t->world = arena_allocate(&t->memory, (size_t)t->belief.shape.dim * sizeof *t->world);
    t->point = arena_allocate(&t->memory, (size_t)(t->space->dim + 1) * sizeof *t->point);
    twin_begin(t, def->run, stream_named(STREAM_SELECTOR, NULL));
}

void twin_close(twin *t) {
    arena_release(&t->memory);
}

void twin_begin(twin *t, uint32_t run, uint64_t stream) {
    part_start(&t->belief.part, t->state);
    draw_open(&t->draw, t->seed, run, stream, 0);
}

void twin_learn(twin *t, const posse_decision *d, double reward) {
    belief_update(&t->belief, t->state, d->arm, d->point, reward);
}

long double twin_value(const twin *t, int arm, const double *point) {
    if (t->belief.shape.one_hot) return t->world[arm];
    long double value = 0.0L;
    for (int j = 0; j < t->space->dim; j++) value += (long double)t->world[j] * point[j];
    return value;
}

static int ball_best(twin *t) {
    long double norm = 0.0L;
    for (int j = 0; j < t->space->dim; j++) norm += (long double)t->world[j] * t->world[j];
    for (int j = 0; j < t->space->dim; j++) t->point[j] = (double)(t->world[j] / sqrtl(norm));
    return -1;
}

int twin_draw(twin *t) {
    belief_draw(&t->belief, t->state, &t->draw, t->world);
    if (t->space->arms == 0) return ball_best(t);
    int best = 0;
    for (int a = 1; a < t->space->arms; a++)
        if (twin_value(t, a, posse_space_point(t->space, a)) > twin_value(t, best, posse_space_point(t->space, best)))
            best = a;
    return best;
}

/* --------------------------------------------------- choices ---------------------------------------------------- */

int called_largest(const long double *values, int count, int called, double slack, int *close_calls) {
    int best = 0;
    for (int a = 1; a < count; a++)
        if (values[a] > values[best]) best = a;
    long double short_by = values[best] - values[called];
    if (called == best || short_by == 0.0L || short_by > slack) return best;
    ++*close_calls;
    return called;
}

/* ------------------------------------------ linear algebra from scratch ---------------------------------------- */

void cholesky(int dim, long double matrix[SOLVE_MAX][SOLVE_MAX]) {
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++) {
            long double sum = matrix[i][j];
            for (int k = 0; k < j; k++) sum -= matrix[i][k] * matrix[j][k];
            matrix[i][j] = i == j ? sqrtl(sum) : sum / matrix[j][j];
        }
}

void cholesky_solve(int dim, long double factor[SOLVE_MAX][SOLVE_MAX], long double *b) {
    for (int i = 0; i < dim; i++) {
        for (int k = 0; k < i; k++) b[i] -= factor[i][k] * b[k];
        b[i] /= factor[i][i];
    }
    for (int i = dim - 1; i >= 0; i--) {
        for (int k = i + 1; k < dim; k++) b[i] -= factor[k][i] * b[k];
        b[i] /= factor[i][i];
    }
}

void ridge_start(ridge *r, int dim, double precision) {
    memset(r, 0, sizeof *r);
    r->dim = dim;
    for (int j = 0; j < dim; j++) r->v[j][j] = precision;
}

void ridge_learn(ridge *r, const double *x, double reward, double noise) {
    long double weight = 1.0L / ((long double)noise * noise);
    for (int i = 0; i < r->dim; i++) {
        for (int j = 0; j < r->dim; j++) r->v[i][j] += weight * x[i] * x[j];
        r->b[i] += weight * x[i] * reward;
    }
}

void ridge_mean(const ridge *r, long double *mean) {
    ridge copy = *r;
    cholesky(copy.dim, copy.v);
    memcpy(mean, copy.b, sizeof copy.b);
    cholesky_solve(copy.dim, copy.v, mean);
}

long double ridge_variance(const ridge *r, const double *x) {
    ridge copy = *r;
    cholesky(copy.dim, copy.v);
    for (int j = 0; j < copy.dim; j++) copy.b[j] = x[j];
    cholesky_solve(copy.dim, copy.v, copy.b);
    long double variance = 0.0L;
    for (int j = 0; j < copy.dim; j++) variance += copy.b[j] * x[j];
    return variance;
}
