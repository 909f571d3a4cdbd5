/* SPDX-License-Identifier: MIT */
#include "model/space.h"

#include <math.h>
#include <string.h>

#include "base/complain.h"
#include "numeric/kernels.h"

/* Products of larger coordinates could overflow. */
#define COORDINATE_MAX 1e100

/* The largest number of features of all arms together in a round. */
#define FEATURES_MAX (1 << 24)

int posse_space_arms(const posse_space *space) {
    return space->arms;
}

int posse_space_features(const posse_space *space) {
    return space->features;
}

bool posse_space_episodes(const posse_space *space) {
    return space->episodes;
}

int posse_space_dim(const posse_space *space) {
    return space->dim;
}

const double *posse_space_point(const posse_space *space, int arm) {
    return space_point(space, arm);
}

bool posse_space_active(const posse_space *space, int arm) {
    return space_has(space, arm);
}

bool space_coordinate_fits(double x) {
    return fabs(x) <= COORDINATE_MAX;
}

/* The slots that states begin with, if features get slots as they come. */
#define SLOTS_FEW 1024

int posse_space_nonzeros(const posse_space *space) {
    return space->nonzeros;
}

static posse_error space_check_sparse(const space_def *def, const posse_logger *log) {
    double rows = def->dim > 0 ? def->arms : 1.0;
    if (def->nonzeros < 0 || def->nonzeros > NONZEROS_MAX)
        complain(log, NULL, "nonzeros", "%d is out of range; it must be at least 0 and at most %d", def->nonzeros,
                 NONZEROS_MAX);
    else if (def->nonzeros > 0 && (def->points != NULL || def->arms == 0 || def->dim + def->context == 0))
        complain(log, NULL, "nonzeros", "given, but rounds have no features: give dim or context, and arms");
    else if (rows * (1.0 + 2.0 * def->nonzeros) > FEATURES_MAX)
        complain(log, NULL, "nonzeros", "%d for each of %d arms are too many; at most %d numbers a round",
                 def->nonzeros, def->arms, FEATURES_MAX);
    else
        return POSSE_OK;
    return POSSE_ERROR_FIT;
}

static posse_error space_check(const space_def *def, const posse_logger *log) {
    int arms = def->arms, dim = def->dim, dim_max = def->nonzeros > 0 ? SPARSE_DIM_MAX : DIM_MAX;
    if (arms < 0 || arms > ARMS_MAX)
        complain(log, NULL, "arms", "%d is out of range; it must be at least 0 and at most %d", arms, ARMS_MAX);
    else if (dim < 0 || dim > dim_max)
        complain(log, NULL, "dim", "%d is out of range; it must be at least 0 and at most %d", dim, dim_max);
    else if (def->context < 0 || def->context > dim_max - dim)
        complain(log, NULL, "context", "%d is out of range; it must be at least 0, and at most %d with dim%s",
                 def->context, dim_max, dim_max == DIM_MAX ? " (16777216 if contexts are sparse: nonzeros)" : "");
    else if (def->context > 0 && arms == 0)
        complain(log, NULL, "arms", "there must be at least one if rounds have features");
    else if (def->context > 0 && def->points != NULL)
        complain(log, NULL, "points", "fixed, but rounds have features; leave out the points or the context");
    else if ((double)arms * (dim + def->context) > FEATURES_MAX && def->points == NULL && def->nonzeros == 0)
        complain(log, NULL, "arms", "%d arms with %d features each are too many; at most %d numbers a round", arms,
                 dim + def->context, FEATURES_MAX);
    else if (def->points != NULL && (arms == 0 || dim == 0))
        complain(log, NULL, "points", "given without the number of arms and dimensions");
    else
        return space_check_sparse(def, log);
    return POSSE_ERROR_FIT;
}

static posse_error check_points(size_t count, const double *points, const posse_logger *log) {
    for (size_t i = 0; i < count; i++)
        if (!space_coordinate_fits(points[i])) {
            complain(log, NULL, "points", "number %zu is %g; coordinates must be finite and at most %g", i, points[i],
                     COORDINATE_MAX);
            return POSSE_ERROR_FIT;
        }
    return POSSE_OK;
}

/* Writes blocks of lanes. Padding lanes repeat the last arm; ties go to the lower index, so padding never wins. */
static void fill_lanes(const posse_space *s, const double *points, double *lanes) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t lane = 0; lane < KERNEL_LANES; lane++) {
            size_t arm = b * KERNEL_LANES + lane;
            if (arm >= (size_t)s->active_count) arm = (size_t)s->active_count - 1;
            for (size_t j = 0; j < (size_t)s->dim; j++)
                lanes[(b * (size_t)s->dim + j) * KERNEL_LANES + lane] = points[arm * (size_t)s->dim + j];
        }
}

static posse_error place_sketch(posse_space *s, const double *points, arena *memory) {
    size_t arms = (size_t)s->active_count, dim = (size_t)s->dim, size = sketch_size(points, arms, dim);
    s->sketch = (sketch){0};
    if (size == 0) return POSSE_OK;
    uint8_t *room = arena_allocate(memory, size);
    if (room == NULL) return POSSE_ERROR_MEMORY;
    s->sketch = sketch_draw(points, arms, dim, room);
    return POSSE_OK;
}

/* Makes the data with which space_best finds the best arm. points: of the active arms; they must outlive the space. */
static posse_error place_active(posse_space *s, const double *points, arena *memory) {
    s->blocks = ((size_t)s->active_count + KERNEL_LANES - 1) / KERNEL_LANES;
    double *lanes = arena_allocate(memory, s->blocks * KERNEL_LANES * (size_t)s->dim * sizeof(double));
    if (lanes == NULL) return POSSE_ERROR_MEMORY;
    fill_lanes(s, points, lanes);
    s->lanes = lanes;
    return place_sketch(s, points, memory);
}

static posse_error place_points(posse_space *s, const double *points, arena *memory) {
    size_t size = (size_t)s->arms * (size_t)s->dim * sizeof(double);
    double *copy = arena_allocate(memory, size);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, points, size);
    s->points = copy;
    return place_active(s, copy, memory);
}

/* 1.5 * 2^20 times the power of two at or above the range: its unit in the last place is 2^-32 of that power. */
static double grid_for(double range) {
    double power = 1.0;
    while (power < range) power *= 2.0;
    while (range > 0.0 && power * 0.5 >= range) power *= 0.5;
    return 1.5 * 1048576.0 * power;
}

/* The largest absolute value of coordinate j among the arms; 1 on the ball. */
static double space_range_of(const posse_space *s, int j) {
    double range = s->points != NULL ? 0.0 : 1.0;
    for (int arm = 0; s->points != NULL && arm < s->arms; arm++) {
        double size = fabs(space_point(s, arm)[j]);
        if (size > range) range = size;
    }
    return range;
}

static posse_error space_measure(posse_space *s, arena *memory) {
    double *grid = arena_allocate(memory, (size_t)s->dim * sizeof *grid);
    if (grid == NULL) return POSSE_ERROR_MEMORY;
    for (int j = 0; j < s->dim; j++) {
        double range = space_range_of(s, j);
        grid[j] = grid_for(range);
        if (range > s->reach) s->reach = range;
    }
    s->grid = grid;
    return POSSE_OK;
}

static posse_error check_kernels(const posse_logger *log) {
    if (posse_kernels() != NULL) return POSSE_OK;
    const char *wanted = kernels_wanted(); /* it may have changed since it was refused */
    complain(log, NULL, "POSSE_ISA", "\"%.32s\" is not an instruction set that this processor can run",
             wanted != NULL ? wanted : "");
    return POSSE_ERROR_FIT;
}

/* Makes the list of arms for rounds in which all arms are available. */
static posse_error list_arms(posse_space *s, arena *memory) {
    int *every = arena_allocate(memory, (size_t)s->arms * sizeof *every);
    if (every == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < s->arms; a++) every[a] = a;
    s->every = every;
    return POSSE_OK;
}

posse_error space_make(const space_def *def, const posse_logger *log, arena *memory, posse_space **out) {
    const double *points = def->points;
    posse_error error = check_kernels(log);
    if (error == POSSE_OK) error = space_check(def, log);
    if (error == POSSE_OK && points != NULL) error = check_points((size_t)def->arms * (size_t)def->dim, points, log);
    if (error != POSSE_OK) return error;
    posse_space *s = arena_allocate(memory, sizeof *s);
    if (s == NULL) return POSSE_ERROR_MEMORY;
    bool brought = def->context > 0 || (def->arms > 0 && def->dim > 0 && points == NULL);
    s->arms = def->arms;
    s->dim = brought ? 0 : def->dim;
    s->features = brought ? def->dim + def->context : 0;
    s->shared_features = def->context;
    s->nonzeros = def->nonzeros;
    s->slots = s->known = s->features;
    if (space_has_dictionary(s)) {
        s->slots = def->slots > SLOTS_FEW ? def->slots : SLOTS_FEW;
        s->slots = s->slots < s->features ? s->slots : s->features;
        s->known = 0;
    }
    s->episodes = def->episodes;
    s->active_count = def->arms;
    *out = s;
    if (points != NULL) error = place_points(s, points, memory);
    if (brought) error = list_arms(s, memory);
    return error == POSSE_OK ? space_measure(s, memory) : error;
}

static posse_error place_active_points(posse_space *s, arena *memory) {
    size_t size = (size_t)s->dim * sizeof(double);
    double *points = arena_allocate(memory, (size_t)s->active_count * size);
    if (points == NULL) return POSSE_ERROR_MEMORY;
    for (int k = 0; k < s->active_count; k++)
        memcpy(points + (size_t)k * (size_t)s->dim, space_point(s, s->active[k]), size);
    return place_active(s, points, memory);
}

posse_error space_retire(posse_space *s, const bool *retired, arena *memory) {
    size_t arms = (size_t)s->arms;
    bool *copy = arena_allocate(memory, arms * sizeof *copy);
    int *active = arena_allocate(memory, arms * sizeof *active);
    if (copy == NULL || active == NULL) return POSSE_ERROR_MEMORY;
    memcpy(copy, retired, arms * sizeof *copy);
    s->active_count = 0;
    for (int a = 0; a < s->arms; a++)
        if (!retired[a]) active[s->active_count++] = a;
    s->retired = copy;
    s->active = active;
    return s->points != NULL ? place_active_points(s, memory) : POSSE_OK;
}

static void best_of_ball(int dim, const double *w, double *value, double *point) {
    double norm = sqrt(dot(w, w, dim));
    for (int j = 0; j < dim; j++) point[j] = norm > 0.0 ? w[j] / norm : (j == 0);
    *value = norm;
}

int space_best(const posse_space *space, const double *w, double *value, const double **coordinates, double *point) {
    if (space->points == NULL) {
        best_of_ball(space->dim, w, value, point);
        *coordinates = point;
        return -1;
    }
    int arm = -1;
    if (space->sketch.drawn != NULL && sketches_used()) arm = (int)sketch_best(&space->sketch, w, value);
    if (arm < 0) arm = (int)kernels_active()->best_arm(space->lanes, space->blocks, (size_t)space->dim, w, value);
    if (space->active != NULL) arm = space->active[arm];
    *coordinates = space_point(space, arm);
    return arm;
}
