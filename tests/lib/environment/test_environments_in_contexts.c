/* SPDX-License-Identifier: MIT */
/*
 * Environments whose rounds have features: features and instances are drawn as docs/experiment-files.md defines,
 * rewards follow the means of the round, rounds are the same for all competitors, and tables are read as they were
 * written.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment/environment.h"
#include "menagerie.h"
#include "numeric/elementary.h"

#define ARMS_CAP 32
#define DIM_CAP 8

static const double some[] = {2.0, 7.0};
static const posse_part joint = {.kind = "contextual",
                                 .options = {NUMBER("dim", 4), NUMBER("arms", 7), NUMBER("stay", 0.3),
                                             NUMBER("prior.sd", 2.0), NUMBER("noise", 0.5)}};
static const posse_part changing = {.kind = "contextual",
                                    .options = {NUMBER("dim", 3), NUMBER("arms", 9), LIST("present", some)}};
static const posse_part disjoint = {.kind = "contextual",
                                    .options = {WORD("model", "disjoint"), NUMBER("context", 3), NUMBER("arms", 4),
                                                NUMBER("prior.sd", 0.5), NUMBER("noise", 2.0)}};
static const posse_part clicks = {.kind = "contextual",
                                  .options = {NUMBER("dim", 3), NUMBER("arms", 5), WORD("link", "logistic"),
                                              NUMBER("bias", -0.5), NUMBER("prior.sd", 2.0)}};
static const posse_part disjoint_clicks = {.kind = "contextual",
                                           .options = {WORD("model", "disjoint"), NUMBER("context", 2),
                                                       NUMBER("arms", 3), WORD("link", "logistic"),
                                                       NUMBER("bias", 1.0)}};

/* `noise` is the standard deviation of a reward; 0: that of a success or failure. */
static const struct setting {
    const posse_part *part;
    double noise;
    bool logistic;
    double bias;
} settings[] = {{&joint, 0.5, false, 0.0},
                {&changing, 1.0, false, 0.0},
                {&disjoint, 2.0, false, 0.0},
                {&clicks, 0.0, true, -0.5},
                {&disjoint_clicks, 0.0, true, 1.0}};

/* A round of the environment, as an application sees it. */
typedef struct brought {
    posse_context context;
    posse_def def;
    double means[ARMS_CAP];
} brought;

static brought bring(posse_environment *e) {
    brought b = {.def = posse_environment_def(e)};
    assert_int_equal(posse_environment_round(e, &b.context), POSSE_OK);
    posse_environment_means(e, b.means);
    return b;
}

static const double *features_of(const brought *b, int place) {
    return b->def.context > 0 ? b->context.shared : b->context.points + place * b->def.dim;
}

static posse_decision playing(const brought *b, int place) {
    return (posse_decision){.arm = b->context.arms[place], .point = features_of(b, place)};
}

static double reward_of(posse_environment *e, const brought *b, int place) {
    posse_decision d = playing(b, place);
    return posse_environment_reward(e, &d);
}

static double regret_of(const posse_environment *e, const brought *b, int place) {
    posse_decision d = playing(b, place);
    return posse_environment_regret(e, &d);
}

/* ---------------------------------------------------- features ------------------------------------------------- */

/* Every coordinate has variance 1 / dim, coordinates are uncorrelated, and the share `stay` of it is the same in all
 * rounds. */
LAW(features_are_drawn_as_declared) {
    posse_environment *e = environment_made(&joint, 1);
    moments first[4] = {{0}}, second[4] = {{0}}, mixed = {0}, beside = {0}, again = {0}, later = {0};
    for (uint32_t run = 0; run < 20000; run++) {
        double x[4], y[4];
        posse_environment_begin(e, run);
        brought b = bring(e);
        assert_int_equal(b.context.count, 7);
        memcpy(x, features_of(&b, 5), sizeof x);
        memcpy(y, features_of(&b, 2), sizeof y);
        for (int j = 0; j < 4; j++) {
            moments_add(&first[j], x[j]);
            moments_add(&second[j], x[j] * x[j]);
        }
        moments_add(&mixed, x[0] * x[1]);
        moments_add(&beside, x[0] * y[0]);
        b = bring(e);
        moments_add(&again, x[2] * features_of(&b, 5)[2]);
        for (int n = 0; n < 3; n++) b = bring(e);
        moments_add(&later, x[1] * features_of(&b, 5)[1]);
    }
    for (int j = 0; j < 4; j++) {
        assert_mean(&first[j], 0.0);
        assert_mean(&second[j], 0.25);
    }
    assert_mean(&mixed, 0.0);
    assert_mean(&beside, 0.0);
    assert_mean(&again, 0.3 * 0.25);
    assert_mean(&later, 0.3 * 0.25);
    posse_environment_free(e);
}

LAW(shared_features_begin_with_a_half) {
    posse_environment *e = environment_made(&disjoint, 1);
    moments first = {0}, second = {0}, mixed = {0}, again = {0};
    double last = 0.0;
    for (int n = 0; n < 50000; n++) {
        brought b = bring(e);
        const double *s = b.context.shared;
        assert_true(b.context.points == NULL && s[0] == 0.5);
        moments_add(&first, s[1]);
        moments_add(&second, s[2] * s[2]);
        moments_add(&mixed, s[1] * s[2]);
        if (n > 0) moments_add(&again, s[1] * last);
        last = s[1];
    }
    assert_mean(&first, 0.0);
    assert_mean(&second, 1.0 / 3.0);
    assert_mean(&mixed, 0.0);
    assert_mean(&again, 0.0);
    posse_environment_free(e);
}

/* The first 2 to 7 of 9 arms are available, each number equally often. */
LAW(arms_come_and_go_evenly) {
    posse_environment *e = environment_made(&changing, 3);
    double times[10] = {0};
    int rounds = 60000;
    for (int n = 0; n < rounds; n++) {
        brought b = bring(e);
        times[b.context.count] += 1.0;
        for (int k = 0; k < b.context.count; k++) assert_int_equal(b.context.arms[k], k);
        for (int a = 0; a < 9; a++) assert_int_equal(isnan(b.means[a]), a >= b.context.count);
    }
    for (int count = 0; count < 10; count++) {
        bool possible = count >= 2 && count <= 7;
        double z = (times[count] - rounds / 6.0) / sqrt(rounds * 5.0 / 36.0);
        assert_that(possible ? fabs(z) < Z_MAX : times[count] == 0.0, "%d arms %g times", count, times[count]);
    }
    posse_environment_free(e);
}

/* ------------------------------------------------ means and rewards -------------------------------------------- */

/* Solves for theta, from as many rounds as theta has coordinates, by Gaussian elimination with pivots. */
static void solve(int dim, double matrix[DIM_CAP][DIM_CAP + 1], double *out) {
    for (int i = 0; i < dim; i++) {
        int pivot = i;
        for (int k = i + 1; k < dim; k++)
            if (fabs(matrix[k][i]) > fabs(matrix[pivot][i])) pivot = k;
        for (int j = 0; j <= dim; j++) {
            double swapped = matrix[i][j];
            matrix[i][j] = matrix[pivot][j];
            matrix[pivot][j] = swapped;
        }
        for (int k = 0; k < dim; k++) {
            double factor = k == i ? 0.0 : matrix[k][i] / matrix[i][i];
            for (int j = i; j <= dim; j++) matrix[k][j] -= factor * matrix[i][j];
        }
    }
    for (int i = 0; i < dim; i++) out[i] = matrix[i][dim] / matrix[i][i];
}

static double score_of(const struct setting *w, double mean) {
    return w->logistic ? log(mean / (1.0 - mean)) - w->bias : mean;
}

/* Finds the theta of an arm, or of all arms, that explains the means of the first rounds. It must explain all
 * others. */
static void find_theta(posse_environment *e, const struct setting *w, int arm, double *theta) {
    posse_def def = posse_environment_def(e);
    int width = def.dim + def.context;
    double matrix[DIM_CAP][DIM_CAP + 1];
    for (int i = 0; i < width; i++) {
        brought b = bring(e);
        memcpy(matrix[i], features_of(&b, arm), (size_t)width * sizeof(double));
        matrix[i][width] = score_of(w, b.means[arm]);
    }
    solve(width, matrix, theta);
}

LAW(means_are_linear_in_the_features) {
    for (int w = 0; w < LENGTH(settings); w++) {
        posse_environment *e = environment_made(settings[w].part, 4);
        for (uint32_t run = 0; run < 20; run++) {
            posse_environment_begin(e, run);
            double theta[2][DIM_CAP];
            brought b = {.def = posse_environment_def(e)};
            int width = b.def.dim + b.def.context;
            find_theta(e, &settings[w], 0, theta[0]);
            find_theta(e, &settings[w], 1, theta[1]);
            if (b.def.context == 0)
                for (int j = 0; j < width; j++) assert_close(theta[0][j], theta[1][j], 1e-6);
            for (int n = 0; n < 20; n++) {
                b = bring(e);
                for (int k = 0; k < 2; k++)
                    assert_close(score_of(&settings[w], b.means[k]), dot(theta[k], features_of(&b, k), width), 1e-6);
            }
        }
        posse_environment_free(e);
    }
}

LAW(weights_follow_the_prior) {
    static const double sds[] = {2.0, 1.0, 0.5, 2.0, 1.0};
    for (int w = 0; w < LENGTH(settings); w++) {
        posse_environment *e = environment_made(settings[w].part, 5);
        moments first = {0}, second = {0}, apart = {0};
        for (uint32_t run = 0; run < 10000; run++) {
            double theta[2][DIM_CAP];
            posse_environment_begin(e, run);
            find_theta(e, &settings[w], 0, theta[0]);
            find_theta(e, &settings[w], 1, theta[1]);
            moments_add(&first, theta[0][1]);
            moments_add(&second, theta[0][0] * theta[0][0]);
            moments_add(&apart, theta[0][1] * theta[1][1]);
        }
        double variance = sds[w] * sds[w];
        assert_mean(&first, 0.0);
        assert_mean(&second, variance);
        assert_mean(&apart, posse_environment_def(e).context > 0 ? 0.0 : variance);
        posse_environment_free(e);
    }
}

LAW(rewards_scatter_around_the_means_of_the_round) {
    for (int w = 0; w < LENGTH(settings); w++) {
        posse_environment *e = environment_made(settings[w].part, 6);
        moments first = {0}, second = {0};
        for (int n = 0; n < 40000; n++) {
            brought b = bring(e);
            int place = n % b.context.count;
            double mean = b.means[b.context.arms[place]], noise = settings[w].noise;
            double reward = reward_of(e, &b, place), off = reward - mean;
            assert_true(noise > 0.0 || reward == 0.0 || reward == 1.0);
            moments_add(&first, off);
            moments_add(&second, off * off - (noise > 0.0 ? noise * noise : mean * (1.0 - mean)));
        }
        assert_mean(&first, 0.0);
        assert_mean(&second, 0.0);
        posse_environment_free(e);
    }
}

LAW(the_best_arm_of_a_round_has_no_regret) {
    for (int w = 0; w < LENGTH(settings); w++) {
        posse_environment *e = environment_made(settings[w].part, 7);
        for (int n = 0; n < 2000; n++) {
            brought b = bring(e);
            int best = largest(b.means, b.context.count);
            for (int k = 0; k < b.context.count; k++) {
                assert_true(regret_of(e, &b, k) == b.means[best] - b.means[k]);
                assert_true(k == best ? regret_of(e, &b, k) == 0.0 : regret_of(e, &b, k) >= 0.0);
            }
        }
        posse_environment_free(e);
    }
}

/* -------------------------------------------------- the same rounds -------------------------------------------- */

static void assert_same_round(const brought *a, const brought *b) {
    assert_int_equal(a->context.count, b->context.count);
    int rows = a->def.context > 0 ? 1 : a->context.count;
    assert_memory_equal(features_of(a, 0), features_of(b, 0),
                        (size_t)rows * (size_t)(a->def.dim + a->def.context) * sizeof(double));
    for (int k = 0; k < a->context.count; k++) assert_true(a->means[k] == b->means[k]);
}

/* Rounds and noise depend on the run alone, and not on what is played or was played before. */
static void check_same_rounds(const posse_part *part_, double noise) {
    posse_environment *e = environment_made(part_, 8), *f = environment_made(part_, 8);
    posse_environment_begin(f, 9);
    for (int n = 0; n < 50; n++) bring(f);
    for (uint32_t run = 5; run-- > 0;) {
        posse_environment_begin(e, run);
        posse_environment_begin(f, run);
        for (int n = 0; n < 300; n++) {
            brought a = bring(e), b = bring(f);
            assert_same_round(&a, &b);
            int other = n * n % b.context.count;
            double mine = reward_of(e, &a, 0), theirs = reward_of(f, &b, other);
            if (other == 0) assert_true(mine == theirs);
            if (noise > 0.0) assert_close(mine - a.means[0], theirs - b.means[other], 1e-13);
        }
    }
    posse_environment_free(e);
    posse_environment_free(f);
}

LAW(competitors_meet_the_same_rounds) {
    for (int w = 0; w < LENGTH(settings); w++) check_same_rounds(settings[w].part, settings[w].noise);
}

LAW(before_its_first_round_nothing_is_there) {
    posse_environment *e = environment_made(&joint, 1);
    double means[ARMS_CAP], point[4] = {0};
    posse_decision d = {.arm = 0, .point = point};
    posse_environment_means(e, means);
    for (int a = 0; a < 7; a++) assert_true(isnan(means[a]));
    assert_true(isnan(posse_environment_reward(e, &d)) && isnan(posse_environment_regret(e, &d)));
    posse_environment_free(e);
}

LAW(the_prior_is_the_belief_that_is_right) {
    posse_environment *e = environment_made(&disjoint_clicks, 1), *f = environment_made(&joint, 1);
    posse_part logistic = posse_environment_def(e).prior, linear = posse_environment_def(f).prior;
    assert_string_equal(logistic.kind, "logistic");
    assert_true(posse_part_option(&logistic, "precision")->number == 1.0);
    assert_true(posse_part_option(&logistic, "bias")->number == 1.0);
    assert_string_equal(posse_part_option(&logistic, "model")->word, "disjoint");
    assert_string_equal(linear.kind, "linear");
    assert_true(posse_part_option(&linear, "precision")->number == 0.25);
    assert_true(posse_part_option(&linear, "noise")->number == 0.5);
    assert_string_equal(posse_part_option(&linear, "model")->word, "joint");
    posse_environment_free(e);
    posse_environment_free(f);
}

/* --------------------------------------------------- wrong ones ------------------------------------------------ */

static void assert_refused_environment(const posse_part *part_, const char *excerpt) {
    notes log = {0};
    posse_host host = {.log = notes_logger(&log)};
    posse_environment *e;
    assert_int_not_equal(posse_environment_create(part_, 1, &host, &e), POSSE_OK);
    assert_null(e);
    assert_noted(&log, excerpt);
}

LAW(keys_of_the_other_model_are_refused) {
    static const double three[] = {1, 2, 3}, many[] = {2, 9}, empty[] = {3, 2}, half[] = {1.5, 2};
    const struct {
        posse_part part;
        const char *excerpt;
    } wrong[] = {
        {{.kind = "contextual", .options = {NUMBER("arms", 3)}}, "environment.dim: is missing"},
        {{.kind = "contextual", .options = {NUMBER("arms", 3), NUMBER("dim", 2), NUMBER("context", 2)}},
         "environment.context: model `joint` has no `context`"},
        {{.kind = "contextual", .options = {WORD("model", "disjoint"), NUMBER("arms", 3), NUMBER("dim", 2)}},
         "environment.dim: model `disjoint` has no `dim`"},
        {with_option(disjoint, (posse_option)LIST("present", some)), "environment.present: model `disjoint` has every"},
        {with_option(disjoint, (posse_option)NUMBER("stay", 0.5)), "environment.stay: model `disjoint` has no"},
        {with_option(joint, (posse_option)NUMBER("bias", 0.5)), "environment.bias: goes with link `logistic`"},
        {with_option(joint, (posse_option)LIST("present", three)), "a list of 3 numbers; it must be two"},
        {with_option(joint, (posse_option)LIST("present", many)), "9 arms in a round, and there are only 7"},
        {with_option(joint, (posse_option)LIST("present", empty)), "[3, 2] is empty"},
        {with_option(joint, (posse_option)LIST("present", half)), "counted in whole numbers"},
        {{.kind = "contextual", .options = {NUMBER("arms", 1000000), NUMBER("dim", 1000)}}, "are too many"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) assert_refused_environment(&wrong[i].part, wrong[i].excerpt);
}

/* ----------------------------------------------------- tables -------------------------------------------------- */

/* A file that exists while a test runs. */
static char path[] = "/tmp/posse-table-XXXXXX";

static void write_table(const char *text) {
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static posse_part table_part(const char *label, const char *features, bool shuffle) {
    return (posse_part){
        .kind = "table",
        .options = {WORD("file", path), WORD("label", label), WORD("features", features), NUMBER("shuffle", shuffle)}};
}

static const char fruit[] = "weight,kind,colour\n1,pear,-1\n2,apple,0.5\n3,plum,2\n4,apple,1e1\n";

/* Classes are apple 0, pear 1, plum 2. */
LAW(rows_of_a_table_are_rounds) {
    static const double features[4][2] = {{1, -1}, {2, 0.5}, {3, 2}, {4, 10}};
    static const int answers[] = {1, 0, 2, 0};
    write_table(fruit);
    posse_part part_ = table_part("kind", "*", false);
    posse_environment *e = environment_made(&part_, 1);
    posse_def def = posse_environment_def(e);
    assert_true(def.arms == 3 && def.dim == 0 && def.context == 2 && def.prior.kind == NULL);
    for (int n = 0; n < 10; n++) {
        brought b = bring(e);
        assert_int_equal(b.context.count, 3);
        assert_memory_equal(b.context.shared, features[n % 4], sizeof features[0]);
        for (int a = 0; a < 3; a++) {
            double right = a == answers[n % 4] ? 1.0 : 0.0;
            assert_true(b.means[a] == right && reward_of(e, &b, a) == right && regret_of(e, &b, a) == 1.0 - right);
        }
    }
    posse_environment_free(e);
    part_ = table_part("kind", "colour", false);
    e = environment_made(&part_, 1);
    brought b = bring(e);
    assert_true(b.def.context == 1 && b.context.shared[0] == -1.0);
    posse_environment_free(e);
    part_ = table_part("kind", "colour,weight", false);
    e = environment_made(&part_, 1);
    b = bring(e);
    assert_true(b.def.context == 2 && b.context.shared[0] == -1.0 && b.context.shared[1] == 1.0);
    posse_environment_free(e);
    unlink(path);
}

/* Each of the 24 orders of four rows is equally likely, in the first pass and in the second. */
LAW(every_order_of_rows_is_equally_likely) {
    write_table(fruit);
    posse_part part_ = table_part("kind", "weight", true);
    posse_environment *e = environment_made(&part_, 1);
    double times[2][256] = {{0}};
    int runs = 24000;
    for (int run = 0; run < runs; run++) {
        posse_environment_begin(e, (uint32_t)run);
        for (int pass = 0; pass < 2; pass++) {
            int order = 0, seen = 0;
            for (int n = 0; n < 4; n++) {
                int row = (int)bring(e).context.shared[0] - 1;
                order = 4 * order + row;
                seen |= 1 << row;
            }
            assert_int_equal(seen, 15);
            times[pass][order] += 1.0;
        }
    }
    for (int pass = 0; pass < 2; pass++)
        for (int order = 0; order < 256; order++) {
            double z = (times[pass][order] - runs / 24.0) / sqrt(runs / 24.0 * 23.0 / 24.0);
            assert_that(times[pass][order] == 0.0 || fabs(z) < Z_MAX, "order %x %g times", order, times[pass][order]);
        }
    check_same_rounds(&part_, 0.0);
    posse_environment_free(e);
    unlink(path);
}

LAW(wrong_tables_are_refused_at_their_place) {
    static const struct {
        const char *text, *label, *features, *excerpt;
    } wrong[] = {
        {"a,b\n1,2\n", "c", "*", "environment.label: "},
        {"a,b\n1,2\n", "B", "*", "has no column \"B\"; did you mean \"b\"?"},
        {"a,b,c\n1,2,3\n", "b", "a,d", "environment.features[1]: "},
        {"a,b,c\n1,2,3\n", "b", "d", "environment.features: "},
        {"a,b,c\n1,2,3\n", "b", "a,b", "environment.features[1]: \"b\" is the label"},
        {"a,b,c\n1,2,3\n", "b", "a,a", "environment.features: \"a\" is there twice"},
        {"a,b,c\n1,2,3\n", "b", "a,,c", "environment.features: an empty name"},
        {"b\n1\n", "b", "*", "has no column beside the label"},
        {"a,b\n", "b", "*", "has no rows beside the header"},
        {"a,b\n1,x\nz,x\n", "b", "*", ":3:1: \"z\" is no number; \"a\" must be one"},
        {"a,b\nz,x\n1,x\n", "b", "*", ":3:1: \"1\" is a number, but line 2 has a word"},
        {"a,b\n1,x\n2,\n", "b", "*", ":3:3: an empty cell; the label is missing"},
        {"a,b\n1,x\n1e7,x\n", "b", "*", ":3:1: 1e+07 is no feature; they are at most 1e+06"},
        {"a,b\n1,x\n2\n", "b", "*", ":3:1: a row of 1 cells, but the header has 2"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        write_table(wrong[i].text);
        posse_part part_ = table_part(wrong[i].label, wrong[i].features, true);
        assert_refused_environment(&part_, wrong[i].excerpt);
        unlink(path);
    }
    posse_part gone = table_part("b", "*", true);
    assert_refused_environment(&gone, ": cannot be read: No such file or directory");
}

/* A column of numbers is refused as label, because there would be as many arms as rows. So are rows with too many
 * features. */
LAW(tables_that_are_too_wide_are_refused) {
    size_t size = 200000;
    char *text = malloc(size), *at = text;
    at += sprintf(at, "a,b\n");
    for (int i = 0; i <= 10000; i++) at += sprintf(at, "1,%d\n", i);
    write_table(text);
    posse_part part_ = table_part("b", "*", true);
    assert_refused_environment(&part_, ":10002:3: \"b\" has more than 10000 classes; is it the right column?");
    unlink(path);
    at = text + sprintf(text, "b");
    for (int i = 0; i < 1025; i++) at += sprintf(at, ",f%d", i);
    write_table(text);
    assert_refused_environment(&part_, "1025 features are too many; at most 1024");
    unlink(path);
    free(text);
}

LAW(a_table_in_want_of_memory_leaves_none_behind) {
    write_table(fruit);
    posse_part part_ = table_part("kind", "*", true);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        purse p = {.fail_at = n};
        posse_host host = purse_host(&p);
        posse_environment *e;
        error = posse_environment_create(&part_, 1, &host, &e);
        assert_true(error == POSSE_OK || error == POSSE_ERROR_MEMORY);
        posse_environment_free(e);
        assert_int_equal(p.blocks, 0);
        assert_true(n < 100);
    }
    unlink(path);
}
