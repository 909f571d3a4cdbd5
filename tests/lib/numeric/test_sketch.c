/* SPDX-License-Identifier: MIT */
/*
 * Sketches: if a sketch returns an arm, it is the best one, for any arms and any world.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "law.h"
#include "menagerie.h"
#include "numeric/kernels.h"
#include "numeric/sketch.h"

#define MANY 3000 /* arms: more than two chunks, and no whole number of blocks */
#define WIDE 256  /* coordinates */

static double points[MANY * WIDE], world[WIDE];
static uint8_t room[(MANY + SKETCH_LANES) * (WIDE + 1)];

static double between(uint64_t *source) {
    return 2.0 * random_uniform(source) - 1.0;
}

static long plain_best(size_t arms, size_t dim, double *value) {
    long best = 0;
    for (size_t a = 0; a < arms; a++) {
        double sum = 0.0;
        for (size_t j = 0; j < dim; j++) sum += points[a * dim + j] * world[j];
        if (a > 0 && !(sum > *value)) continue;
        *value = sum;
        best = (long)a;
    }
    return best;
}

/* Whether the sketch returned an arm. If so, the arm is the best, and its value is right to the last bit. */
static bool is_right(size_t arms, size_t dim) {
    double value = 0.0, expected = 0.0;
    assert_true(sketch_size(points, arms, dim) > 0 && sketch_size(points, arms, dim) <= sizeof room / sizeof *room);
    sketch s = sketch_draw(points, arms, dim, room);
    long best = sketch_best(&s, world, &value);
    if (best < 0) return false;
    long true_best = plain_best(arms, dim, &expected);
    assert_that(best == true_best, "%s: arm %ld instead of %ld of %zu, dim %zu", kernels_active()->name, best,
                true_best, arms, dim);
    assert_true(memcmp(&value, &expected, sizeof value) == 0);
    return true;
}

static void on_every_set(void (*law)(void)) {
    const char *before = kernels_active()->name;
    for (const char *const *name = kernels_names(); *name != NULL; name++)
        if (kernels_use(*name)) law();
    assert_true(kernels_use(before));
}

static void random_arms(void) {
    uint64_t source = 31;
    int said = 0, asked = 0;
    for (size_t dim = 3; dim <= 64; dim += dim < 20 ? 1 : 11)
        for (size_t arms = 64; arms <= MANY; arms += 1 + arms / 3) {
            for (size_t i = 0; i < arms * dim; i++) points[i] = between(&source);
            for (int n = 0; n < 6; n++) {
                for (size_t j = 0; j < dim; j++) world[j] = between(&source);
                said += is_right(arms, dim);
                asked++;
            }
        }
    assert_that(said == asked, "only %d of %d worlds had their best arm found in the sketch", said, asked);
}

LAW(sketches_find_the_best_arm) {
    on_every_set(random_arms);
}

/* Arms that differ by less than the resolution of the sketch, with exact ties among them. The first of the best must
 * be found. */
static void hair_apart(void) {
    uint64_t source = 32;
    for (int n = 0; n < 400; n++) {
        size_t arms = 70 + (size_t)n, dim = 3 + (size_t)n % 9;
        for (size_t j = 0; j < dim; j++) world[j] = between(&source);
        for (size_t i = 0; i < arms * dim; i++) points[i] = 0.1 * between(&source);
        for (size_t k = 0; k < 12; k++) { /* parallel to the world, with almost equal lengths */
            double *arm = points + random_below(&source, arms) * dim;
            double length = 1.0 + (k % 3 == 0 ? 0.0 : 1e-6 * between(&source));
            for (size_t j = 0; j < dim; j++) arm[j] = length * world[j];
        }
        assert_true(is_right(arms, dim));
    }
}

LAW(sketches_tell_arms_a_hair_apart) {
    on_every_set(hair_apart);
}

/* With small whole numbers, many arms occur several times, and many others have the same value. */
static void whole_numbers(void) {
    uint64_t source = 36;
    int said = 0;
    for (int n = 0; n < 400; n++) {
        size_t arms = 64 + random_below(&source, 500), dim = 3 + (size_t)n % 14;
        for (size_t i = 0; i < arms * dim; i++) points[i] = (double)random_below(&source, 5) - 2.0;
        for (size_t k = 0; k < arms / 3; k++)
            memcpy(points + random_below(&source, arms) * dim, points + random_below(&source, arms) * dim,
                   dim * sizeof *points);
        for (size_t j = 0; j < dim; j++) world[j] = (double)random_below(&source, 5) - 2.0;
        world[0] = 1.0;
        said += is_right(arms, dim);
    }
    assert_that(said > 200, "only %d of 400 were found in the sketch", said);
}

LAW(sketches_give_ties_to_the_first) {
    on_every_set(whole_numbers);
}

/*
 * Corners of a cube are the longest arms for a given largest coordinate, and a world along one of them makes the
 * largest sums. They would exceed 16 bits if no bits of products were dropped. The best arms differ from the world in
 * at most two coordinates.
 */
static void corners(void) {
    uint64_t source = 37;
    for (size_t dim = 3; dim <= WIDE; dim += 1 + dim / 5) {
        size_t arms = 70 + dim;
        for (size_t j = 0; j < dim; j++) world[j] = random_below(&source, 2) ? 1.0 : -1.0;
        for (size_t i = 0; i < arms * dim; i++) points[i] = random_below(&source, 2) ? 1.0 : -1.0;
        for (size_t k = 0; k < 20; k++) {
            double *arm = points + random_below(&source, arms) * dim;
            memcpy(arm, world, dim * sizeof *arm);
            for (size_t flips = random_below(&source, 3); flips > 0; flips--) arm[random_below(&source, dim)] *= -1.0;
        }
        assert_true(is_right(arms, dim));
        for (size_t j = 0; j < dim; j++) world[j] = -world[j];
        is_right(arms, dim);
    }
}

LAW(sketches_hold_the_largest_sums) {
    on_every_set(corners);
}

/*
 * The worst case of rounding: every coordinate of one arm is rounded against the world, and every coordinate of another
 * towards it. So the sketch puts the second far ahead, although the first is better. A third arm, along an axis, sets
 * the scale. This test fails if the margin is half of what it should be.
 */
static void rounded_against(void) {
    uint64_t source = 35;
    for (int n = 0; n < 300; n++) {
        size_t dim = 4 + (size_t)n % 8, least = 0;
        memset(points, 0, 80 * dim * sizeof *points);
        points[0] = -1.0;
        for (size_t j = 0; j < dim; j++) {
            world[j] = (random_below(&source, 2) ? 1.0 : -1.0) * (0.5 + random_uniform(&source));
            if (fabs(world[j]) < fabs(world[least])) least = j;
        }
        double *better = points + (size_t)(10 + n % 60) * dim, *worse = points + 75 * dim;
        for (size_t j = 0; j < dim; j++) {
            double towards = world[j] < 0.0 ? -1.0 : 1.0, whole = floor(8.0 * world[j]);
            better[j] = (whole + 0.49 * towards) / 127.0;
            worse[j] = (whole + (j == least ? 0.0 : towards) - 0.49 * towards) / 127.0;
        }
        double value;
        assert_true(plain_best(80, dim, &value) < 75);
        assert_true(is_right(80, dim));
    }
}

LAW(sketches_survive_unkind_rounding) {
    on_every_set(rounded_against);
}

/* All arms point away from the world, so every product is negative. An arm that wrongly counts as 0 would beat them
 * all. */
static void all_behind(void) {
    uint64_t source = 33;
    for (int n = 0; n < 200; n++) {
        size_t arms = 65 + (size_t)n, dim = 3 + (size_t)n % 5;
        for (size_t j = 0; j < dim; j++) world[j] = 1.0 + 0.1 * between(&source);
        for (size_t i = 0; i < arms * dim; i++) points[i] = -1.0 + 0.4 * between(&source);
        assert_true(is_right(arms, dim));
    }
}

LAW(sketches_are_right_where_every_value_is_negative) {
    on_every_set(all_behind);
}

/* Coordinates of arms and worlds from the smallest to the largest. */
static void any_scale(void) {
    static const double scales[] = {1e-90, 1e-30, 1e-3, 1.0, 1e3, 1e30, 1e90};
    uint64_t source = 34;
    for (size_t p = 0; p < 7; p++)
        for (size_t q = 0; q < 7; q++) {
            for (size_t i = 0; i < 100 * 6; i++) points[i] = scales[p] * between(&source);
            for (size_t j = 0; j < 6; j++) world[j] = scales[q] * between(&source);
            assert_true(is_right(100, 6));
        }
}

LAW(sketches_do_not_mind_the_scale) {
    on_every_set(any_scale);
}

/* All arms are on one axis, so that integers and sums are at the ends of their ranges. */
static void on_an_axis(void) {
    memset(points, 0, sizeof points);
    for (size_t dim = 3; dim <= 8; dim++)
        for (size_t axis = 0; axis < dim; axis++)
            for (int sign = -1; sign <= 1; sign += 2) {
                for (size_t a = 0; a < 200; a++)
                    for (size_t j = 0; j < dim; j++)
                        points[a * dim + j] = j == axis ? ((double)a - 100.0) / 100.0 : 0.0;
                for (size_t j = 0; j < dim; j++) world[j] = j == axis ? sign : 0.0;
                assert_true(is_right(200, dim));
            }
}

LAW(sketches_hold_the_longest_vectors) {
    on_every_set(on_an_axis);
}

/* If a sketch cannot rule out arms, it returns -1, or its size is 0. */
LAW(sketches_know_when_they_do_not_help) {
    double value;
    for (size_t i = 0; i < 100 * 4; i++) points[i] = 1.0;
    sketch s = sketch_draw(points, 100, 4, room);
    const double hopeless[] = {0.0, 1e-200, 1e200, INFINITY, NAN};
    for (int k = 0; k < 5; k++) {
        for (size_t j = 0; j < 4; j++) world[j] = hopeless[k];
        assert_int_equal(sketch_best(&s, world, &value), -1);
    }
    for (size_t j = 0; j < 4; j++) world[j] = 1.0;
    assert_int_equal(sketch_best(&s, world, &value), -1); /* all hundred arms are equally good */
    assert_int_equal(sketch_size(points, 63, 4), 0);
    assert_int_equal(sketch_size(points, 100, 2), 0);
    for (size_t i = 0; i < 100 * 4; i++) points[i] = 0.0;
    assert_int_equal(sketch_size(points, 100, 4), 0);
    for (size_t i = 0; i < 100 * 4; i++) points[i] = 1e101;
    assert_int_equal(sketch_size(points, 100, 4), 0);
}

/* Whether or not arms are ruled out, space_best returns the same as if all values had been computed, for any number
 * of arms and coordinates. */
static void any_space(void) {
    uint64_t source = 38;
    for (int n = 0; n < 250; n++) {
        size_t dim = 1 + random_below(&source, 64), arms = 1 + random_below(&source, n % 4 == 0 ? MANY : 200);
        bool whole = n % 3 == 0;
        for (size_t i = 0; i < arms * dim; i++)
            points[i] = whole ? (double)random_below(&source, 3) - 1.0 : between(&source);
        for (size_t j = 0; j < dim; j++) world[j] = whole ? (double)random_below(&source, 3) - 1.0 : between(&source);
        arena memory = {0};
        posse_space *space = NULL;
        assert_int_equal(
            space_make(&(space_def){.arms = (int)arms, .dim = (int)dim, .points = points}, NULL, &memory, &space),
            POSSE_OK);
        double value = 0.0, expected = 0.0;
        const double *coordinates;
        long best = plain_best(arms, dim, &expected);
        assert_int_equal(space_best(space, world, &value, &coordinates, NULL), best);
        assert_true(value == expected && memcmp(coordinates, points + (size_t)best * dim, dim * sizeof(double)) == 0);
        arena_release(&memory);
    }
}

LAW(best_arm_is_that_of_all_arms) {
    on_every_set(any_space);
}

/* With enough points for a sketch, and exact ties among them, the best arm is the first of the best that are not
 * retired. */
LAW(best_of_many_points_is_one_that_is_left) {
    enum { SOME = 200, DIM = 3 };
    double value;
    bool retired[SOME] = {false};
    uint64_t source = 24;
    for (int i = 0; i < SOME * DIM; i++) points[i] = (double)random_below(&source, 5) - 2.0;
    arena memory = {0};
    for (int n = 0; n < 150; n++) {
        posse_space *space;
        retired[random_below(&source, SOME - 1)] = true;
        assert_int_equal(space_make(&(space_def){.arms = SOME, .dim = DIM, .points = points}, NULL, &memory, &space),
                         POSSE_OK);
        assert_int_equal(space_retire(space, retired, &memory), POSSE_OK);
        for (int k = 0; k < 20; k++) {
            const double *coordinates;
            for (int j = 0; j < DIM; j++) world[j] = k % 2 == 0 ? random_uniform(&source) - 0.5 : (double)(k % 3) - 1.0;
            int best = -1;
            for (int a = 0; a < SOME; a++)
                if (!retired[a] &&
                    (best < 0 || dot(world, points + DIM * a, DIM) > dot(world, points + DIM * best, DIM)))
                    best = a;
            assert_int_equal(space_best(space, world, &value, &coordinates, NULL), best);
            assert_true(value == dot(world, points + DIM * best, DIM));
            assert_memory_equal(coordinates, points + DIM * best, DIM * sizeof *points);
        }
        arena_release(&memory);
    }
}
