/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "written_out.h"

/* --------------------------------------------- histories of rewards -------------------------------------------- */

/* The number of coordinates of an arm, or of its features in a round. */
static int numbers_of(const habitat *h) {
    return h->dim + h->context;
}

/* Draws an arm and its numbers: the point of the arm, or a random point of the ball, or random features. */
static void place_event(const habitat *h, event *e, uint64_t *source) {
    e->arm = h->arms > 0 ? (int)random_below(source, (uint64_t)h->arms) : -1;
    for (int j = 0; j < numbers_of(h); j++)
        e->point[j] = h->points != NULL ? h->points[e->arm * h->dim + j] : (2.0 * random_uniform(source) - 1.0) / 2.0;
}

/* Rewards of coins include fractions, and counts are small. Other rewards are uniform, of unit scale, around a
 * trend. */
history history_make(const habitat *h, int count, uint64_t seed) {
    history made = {h, count, malloc((size_t)(count + 1) * sizeof(event))};
    assert_non_null(made.events);
    uint64_t source = seed;
    for (int n = 0; n < count; n++) {
        event *e = &made.events[n];
        place_event(h, e, &source);
        double u = random_uniform(&source);
        e->reward = h->counts ? floor(3.0 * u * u * (1 + e->arm))
                    : h->unit ? (u < 0.4   ? 1.0
                                 : u < 0.8 ? 0.0
                                           : u)
                              : 0.1 * e->arm + 3.0 * (u - 0.5);
    }
    return made;
}

void history_shuffle(history *made, uint64_t seed) {
    uint64_t source = seed;
    for (int n = made->count - 1; n > 0; n--) {
        int k = (int)random_below(&source, (uint64_t)n + 1);
        event swap = made->events[n];
        made->events[n] = made->events[k];
        made->events[k] = swap;
    }
}

static const double *point_of(const habitat *h, const event *e) {
    return numbers_of(h) > 0 ? e->point : NULL;
}

void tell(twin *t, const habitat *h, const event *e) {
    belief_update(&t->belief, t->state, e->arm, point_of(h, e), e->reward);
}

double foretell(const twin *t, const habitat *h, const event *e) {
    return belief_evidence(&t->belief, t->state, e->arm, point_of(h, e), e->reward);
}

void open_after(twin *t, const specimen *s, const history *past) {
    posse_def def = habitat_def(s->home);
    twin_open(t, &def, &s->part);
    for (int n = 0; n < past->count; n++) tell(t, s->home, &past->events[n]);
}

/* --------------------------------------------------- oracles --------------------------------------------------- */

/* The option of an arm: its number in a list, or the number for all arms. */
static long double option_of(const posse_part *described, const char *key, int index, double fallback) {
    const posse_option *o = posse_part_option(described, key);
    if (o == NULL) return fallback;
    return o->list != NULL ? o->list[index] : o->number;
}

static const long double log_two_pi = 1.8378770664093454835606594728112L;

static long double log_density(long double off, long double variance) {
    return -0.5L * (log_two_pi + logl(variance) + off * off / variance);
}

/* Drifting means: a Kalman filter in which every arm takes a step in every round. */
static void oracle_walk(const posse_part *described, const history *past, posterior *out) {
    long double noise = option_of(described, "noise", 0, 1.0), drift = option_of(described, "drift", 0, 0.0);
    out->dim = past->home->arms;
    for (int a = 0; a < out->dim; a++) {
        long double sd = option_of(described, "sd", a, 1.0), mean = option_of(described, "mean", a, 0.0);
        long double variance = sd * sd;
        for (int n = 0; n < past->count; n++) {
            if (past->events[n].arm == a) {
                long double off = past->events[n].reward - mean, total = variance + noise * noise;
                out->likelihood += log_density(off, total);
                mean += variance / total * off;
                variance -= variance / total * variance;
            }
            variance += drift * drift;
        }
        out->mean[a] = mean;
        out->covariance[a][a] = variance;
    }
}

/* n rewards of one arm are jointly normal, with independent noise and a common mean. */
static void oracle_gaussian(const posse_part *described, const history *past, posterior *out) {
    if (option_of(described, "drift", 0, 0.0) > 0.0L) {
        oracle_walk(described, past, out);
        return;
    }
    long double noise = option_of(described, "noise", 0, 1.0), precision = 1.0L / (noise * noise);
    out->dim = past->home->arms;
    for (int a = 0; a < out->dim; a++) {
        long double mean = option_of(described, "mean", a, 0.0), sd = option_of(described, "sd", a, 1.0);
        long double count = 0.0L, sum = 0.0L, squares = 0.0L;
        for (int n = 0; n < past->count; n++) {
            if (past->events[n].arm != a) continue;
            long double off = past->events[n].reward - mean;
            count += 1.0L;
            sum += off;
            squares += off * off;
        }
        long double variance = 1.0L / (1.0L / (sd * sd) + count * precision);
        out->mean[a] = mean + variance * precision * sum;
        out->covariance[a][a] = variance;
        out->likelihood -= 0.5L * (count * (log_two_pi + 2.0L * logl(noise)) + logl(sd * sd / variance) +
                                   precision * squares - precision * precision * variance * sum * sum);
    }
}

static long double log_beta(long double a, long double b) {
    return lgammal(a) + lgammal(b) - lgammal(a + b);
}

/* The counts beyond the prior of all arms fade in every round. The likelihood is the product over rewards in turn. */
static void oracle_forgetful_beta(const posse_part *described, const history *past, posterior *out) {
    long double forget = option_of(described, "forget", 0, 1.0);
    out->dim = past->home->arms;
    for (int arm = 0; arm < out->dim; arm++) {
        long double a = option_of(described, "alpha", arm, 1.0), b = option_of(described, "beta", arm, 1.0);
        long double won = 0.0L, lost = 0.0L;
        for (int n = 0; n < past->count; n++) {
            long double reward = past->events[n].reward;
            if (past->events[n].arm == arm) {
                out->likelihood += log_beta(a + won + reward, b + lost + 1.0L - reward) - log_beta(a + won, b + lost);
                won += reward;
                lost += 1.0L - reward;
            }
            won *= forget;
            lost *= forget;
        }
        a += won, b += lost;
        out->mean[arm] = a / (a + b);
        out->covariance[arm][arm] = a * b / ((a + b) * (a + b) * (a + b + 1.0L));
    }
}

static void oracle_beta(const posse_part *described, const history *past, posterior *out) {
    if (option_of(described, "forget", 0, 1.0) < 1.0L) {
        oracle_forgetful_beta(described, past, out);
        return;
    }
    out->dim = past->home->arms;
    for (int arm = 0; arm < out->dim; arm++) {
        long double before_a = option_of(described, "alpha", arm, 1.0),
                    before_b = option_of(described, "beta", arm, 1.0);
        long double a = before_a, b = before_b;
        for (int n = 0; n < past->count; n++) {
            if (past->events[n].arm != arm) continue;
            a += past->events[n].reward;
            b += 1.0L - past->events[n].reward;
        }
        out->mean[arm] = a / (a + b);
        out->covariance[arm][arm] = a * b / ((a + b) * (a + b) * (a + b + 1.0L));
        out->likelihood += log_beta(a, b) - log_beta(before_a, before_b);
    }
}

/* An option that may be absent. */
static bool is_given(const posse_part *described, const char *key) {
    return posse_part_option(described, key) != NULL;
}

/* Statistics of an arm's rewards. */
typedef struct sums {
    long double count, sum, squares;
} sums;

static sums sums_of(const history *past, int arm, long double centre) {
    sums s = {0};
    for (int n = 0; n < past->count; n++) {
        if (past->events[n].arm != arm) continue;
        long double off = past->events[n].reward - centre;
        s.count += 1.0L;
        s.sum += off;
        s.squares += off * off;
    }
    return s;
}

/* The log of gamma(a + n / 2) / gamma(a) b^a / b_n^(a + n / 2) (2 pi)^(-n / 2). */
static long double log_inverse_gamma_ratio(long double a, long double b, long double n, long double b_n) {
    return lgammal(a + 0.5L * n) - lgammal(a) + a * logl(b) - (a + 0.5L * n) * logl(b_n) - 0.5L * n * log_two_pi;
}

static void oracle_normal_gamma(const posse_part *described, const history *past, posterior *out) {
    out->dim = past->home->arms;
    for (int arm = 0; arm < out->dim; arm++) {
        long double mean = option_of(described, "mean", arm, 0.0), weight = option_of(described, "weight", arm, 1.0);
        long double a = option_of(described, "shape", arm, 2.0), b = option_of(described, "scale", arm, 2.0);
        sums s = sums_of(past, arm, mean);
        long double after = weight + s.count, b_n = b + 0.5L * (s.squares - s.sum * s.sum / after);
        out->mean[arm] = mean + s.sum / after;
        out->covariance[arm][arm] = b_n / (a + 0.5L * s.count - 1.0L) / after;
        out->likelihood += log_inverse_gamma_ratio(a, b, s.count, b_n) + 0.5L * logl(weight / after);
    }
}

static void oracle_gamma(const posse_part *described, const history *past, posterior *out) {
    out->dim = past->home->arms;
    for (int arm = 0; arm < out->dim; arm++) {
        long double a = option_of(described, "shape", arm, 1.0), b = option_of(described, "rate", arm, 1.0);
        sums s = sums_of(past, arm, 0.0L);
        out->mean[arm] = (a + s.sum) / (b + s.count);
        out->covariance[arm][arm] = out->mean[arm] / (b + s.count);
        out->likelihood += lgammal(a + s.sum) - lgammal(a) + a * logl(b) - (a + s.sum) * logl(b + s.count);
    }
    for (int n = 0; n < past->count; n++) out->likelihood -= lgammal(past->events[n].reward + 1.0L);
}

/* The dense covariance, conditioned on one reward after the other. */
static void oracle_joint(const posse_part *described, const history *past, posterior *out) {
    int arms = out->dim = past->home->arms;
    const posse_option *table = posse_part_option(described, "covariance");
    long double noise = option_of(described, "noise", 0, 1.0), common = option_of(described, "correlation", 0, 0.0);
    for (int i = 0; i < arms; i++) {
        out->mean[i] = option_of(described, "mean", i, 0.0);
        for (int j = 0; j < arms; j++)
            out->covariance[i][j] = table != NULL ? table->list[i * arms + j]
                                                  : (i == j ? 1.0L : common) * option_of(described, "sd", i, 1.0) *
                                                        option_of(described, "sd", j, 1.0);
    }
    for (int n = 0; n < past->count; n++) {
        const event *e = &past->events[n];
        long double column[COORDINATES_MAX], total = out->covariance[e->arm][e->arm] + noise * noise;
        long double off = e->reward - out->mean[e->arm];
        for (int i = 0; i < arms; i++) column[i] = out->covariance[i][e->arm];
        out->likelihood += log_density(off, total);
        for (int i = 0; i < arms; i++) {
            out->mean[i] += column[i] * off / total;
            for (int j = 0; j < arms; j++) out->covariance[i][j] -= column[i] * column[j] / total;
        }
    }
}

void factorize(int dim, long double *m) {
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++) {
            long double sum = m[i * dim + j];
            for (int k = 0; k < j; k++) sum -= m[i * dim + k] * m[j * dim + k];
            m[i * dim + j] = i == j ? sqrtl(sum) : sum / m[j * dim + j];
        }
}

void solve(int dim, const long double *factor, long double *b) {
    for (int i = 0; i < dim; i++) {
        for (int k = 0; k < i; k++) b[i] -= factor[i * dim + k] * b[k];
        b[i] /= factor[i * dim + i];
    }
    for (int i = dim - 1; i >= 0; i--) {
        for (int k = i + 1; k < dim; k++) b[i] -= factor[k * dim + i] * b[k];
        b[i] /= factor[i * dim + i];
    }
}

/* Whether each arm has its own weights. The option `model` decides, or without it the features. */
static bool is_disjoint(const posse_part *described, const habitat *h) {
    const posse_option *model = posse_part_option(described, "model");
    return model != NULL ? strcmp(model->word, "disjoint") == 0 : h->context > 0 && h->dim == 0;
}

/* The coordinates that theta multiplies: the numbers of the arm, at the place of the arm if arms have their own
 * weights. */
static int coordinates_of(const posse_part *described, const habitat *h, const event *e, double *x) {
    int numbers = numbers_of(h), blocks = is_disjoint(described, h) ? h->arms : 1;
    memset(x, 0, COORDINATES_MAX * sizeof *x);
    if (e != NULL) memcpy(x + (blocks > 1 ? e->arm * numbers : 0), e->point, (size_t)numbers * sizeof *x);
    return blocks * numbers;
}

/* A Kalman filter with the dense covariance. */
static void oracle_linear_walk(const posse_part *described, const history *past, posterior *out) {
    double x[COORDINATES_MAX];
    int dim = out->dim = coordinates_of(described, past->home, NULL, x);
    long double noise = option_of(described, "noise", 0, 1.0), lambda = option_of(described, "precision", 0, 1.0);
    long double drift = option_of(described, "drift", 0, 0.0);
    for (int i = 0; i < dim; i++) out->covariance[i][i] = 1.0L / lambda;
    for (int n = 0; n < past->count; n++) {
        const event *e = &past->events[n];
        long double v[COORDINATES_MAX] = {0}, total = noise * noise, off = e->reward;
        coordinates_of(described, past->home, e, x);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) v[i] += out->covariance[i][j] * x[j];
        for (int i = 0; i < dim; i++) {
            total += x[i] * v[i];
            off -= x[i] * out->mean[i];
        }
        out->likelihood += log_density(off, total);
        for (int i = 0; i < dim; i++) {
            out->mean[i] += v[i] * off / total;
            for (int j = 0; j < dim; j++) out->covariance[i][j] -= v[i] * v[j] / total;
        }
        for (int i = 0; i < dim; i++) out->covariance[i][i] += drift * drift;
    }
}

/* The normal equations: V = precision I + X^T X / noise^2 and b = X^T r / noise^2. With unknown noise, that of noise 1.
 */
static void oracle_linear(const posse_part *described, const history *past, posterior *out) {
    if (option_of(described, "drift", 0, 0.0) > 0.0L) {
        oracle_linear_walk(described, past, out);
        return;
    }
    double x[COORDINATES_MAX];
    int dim = coordinates_of(described, past->home, NULL, x);
    long double noise = option_of(described, "noise", 0, 1.0), lambda = option_of(described, "precision", 0, 1.0);
    long double v[COORDINATES_MAX * COORDINATES_MAX] = {0}, b[COORDINATES_MAX] = {0}, squares = 0.0L;
    for (int i = 0; i < dim; i++) v[i * dim + i] = lambda;
    for (int n = 0; n < past->count; n++) {
        const event *e = &past->events[n];
        squares += (long double)e->reward * e->reward / (noise * noise);
        coordinates_of(described, past->home, e, x);
        for (int i = 0; i < dim; i++) {
            b[i] += x[i] * (long double)e->reward / (noise * noise);
            for (int j = 0; j < dim; j++) v[i * dim + j] += (long double)x[i] * x[j] / (noise * noise);
        }
    }
    factorize(dim, v);
    out->dim = dim;
    memcpy(out->mean, b, sizeof b);
    solve(dim, v, out->mean);
    long double log_determinant = 0.0L, explained = 0.0L;
    for (int i = 0; i < dim; i++) {
        out->covariance[i][i] = 1.0L;
        solve(dim, v, out->covariance[i]);
        log_determinant += 2.0L * logl(v[i * dim + i]) - logl(lambda);
        explained += b[i] * out->mean[i];
    }
    out->likelihood = -0.5L * (past->count * (log_two_pi + 2.0L * logl(noise)) + log_determinant + squares - explained);
    if (!is_given(described, "noise.shape") && !is_given(described, "noise.scale")) return;
    long double shape = option_of(described, "noise.shape", 0, 2.0),
                scale = option_of(described, "noise.scale", 0, 2.0);
    long double b_n = scale + 0.5L * (squares - explained);
    out->likelihood = log_inverse_gamma_ratio(shape, scale, past->count, b_n) - 0.5L * log_determinant;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) out->covariance[i][j] *= b_n / (shape + 0.5L * past->count - 1.0L);
}

/* Weighted alternatives, each with a mean, a covariance and a log likelihood (its prior weight included). */
static void blend(int count, const posterior *of, posterior *out) {
    long double top = -INFINITY, total = 0.0L;
    out->dim = of[0].dim;
    for (int c = 0; c < count; c++) top = fmaxl(top, of[c].likelihood);
    for (int c = 0; c < count; c++) total += expl(of[c].likelihood - top);
    out->likelihood = top + logl(total);
    for (int c = 0; c < count; c++) {
        long double share = expl(of[c].likelihood - top) / total;
        for (int i = 0; i < out->dim; i++) {
            out->mean[i] += share * of[c].mean[i];
            for (int j = 0; j < out->dim; j++)
                out->covariance[i][j] += share * (of[c].covariance[i][j] + of[c].mean[i] * of[c].mean[j]);
        }
    }
    for (int i = 0; i < out->dim; i++)
        for (int j = 0; j < out->dim; j++) out->covariance[i][j] -= out->mean[i] * out->mean[j];
}

/* A hypothesis is a posterior without a covariance. */
static posterior hypothesis(const double *row, long double log_weight, long double noise, const history *past) {
    posterior p = {.dim = past->home->arms, .likelihood = log_weight};
    for (int a = 0; a < p.dim; a++) p.mean[a] = row[a];
    for (int n = 0; n < past->count; n++) {
        long double off = (past->events[n].reward - p.mean[past->events[n].arm]) / noise;
        p.likelihood -= 0.5L * (log_two_pi + off * off) + logl(noise);
    }
    return p;
}

static void oracle_hypotheses(const posse_part *described, const history *past, posterior *out) {
    posterior rows[8];
    const posse_option *table = posse_part_option(described, "table");
    int arms = past->home->arms, count = (int)table->count / arms;
    long double total = 0.0L, noise = option_of(described, "noise", 0, 1.0);
    for (int h = 0; h < count; h++) total += option_of(described, "weights", h, 1.0);
    for (int h = 0; h < count; h++)
        rows[h] =
            hypothesis(table->list + h * arms, logl(option_of(described, "weights", h, 1.0) / total), noise, past);
    blend(count, rows, out);
}

/* The case of four regular arms: two magic arms give the best one's index, least significant bit first. */
static void oracle_lock(const posse_part *described, const history *past, posterior *out) {
    static const double rows[4][6] = {{0.0, 0.0, 1.0, 0.5, 0.5, 0.5},
                                      {-1.0, 0.0, 0.5, 1.0, 0.5, 0.5},
                                      {0.0, -1.0, 0.5, 0.5, 1.0, 0.5},
                                      {-1.0, -1.0, 0.5, 0.5, 0.5, 1.0}};
    posterior of[4];
    for (int h = 0; h < 4; h++) of[h] = hypothesis(rows[h], logl(0.25L), option_of(described, "noise", 0, 1.0), past);
    blend(4, of, out);
}

/* With a kernel, each arm of a row is a gaussian belief, and rows differ in their means only. */
static void oracle_particles(const posse_part *described, const history *past, posterior *out) {
    const posse_option *given = posse_part_option(described, "table");
    const double *table = given != NULL ? given->list : menagerie_rows;
    long double kernel = option_of(described, "kernel", 0, 0.0), noise = option_of(described, "noise", 0, 1.0);
    int arms = past->home->arms, count = given != NULL ? (int)given->count / arms : MENAGERIE_ROWS;
    if (kernel == 0.0L) {
        oracle_hypotheses(described, past, out);
        return;
    }
    posterior rows[8] = {{0}};
    long double total = 0.0L, width[COORDINATES_MAX] = {0};
    for (int h = 0; h < count; h++) total += option_of(described, "weights", h, 1.0);
    for (int a = 0; a < arms; a++) {
        long double mean = 0.0L;
        for (int h = 0; h < count; h++) mean += option_of(described, "weights", h, 1.0) / total * table[h * arms + a];
        for (int h = 0; h < count; h++)
            width[a] += option_of(described, "weights", h, 1.0) / total * powl(table[h * arms + a] - mean, 2.0L);
    }
    for (int h = 0; h < count; h++) {
        double means[COORDINATES_MAX], sds[COORDINATES_MAX];
        for (int a = 0; a < arms; a++) {
            means[a] = table[h * arms + a];
            sds[a] = (double)(kernel * sqrtl(width[a]));
        }
        posse_part row = {.kind = "gaussian",
                          .options = {{"mean", .list = means, .count = (size_t)arms},
                                      {"sd", .list = sds, .count = (size_t)arms},
                                      {"noise", .number = (double)noise}}};
        oracle_gaussian(&row, past, &rows[h]);
        rows[h].likelihood += logl(option_of(described, "weights", h, 1.0) / total);
    }
    blend(count, rows, out);
}

/* The case of a single task: for each spread a gaussian belief, whose prior variance is that of the tasks' mean plus
 * that of the spread. */
static void oracle_hierarchical(const posse_part *described, const history *past, posterior *out) {
    static const double usual[] = {0.1, 0.2, 0.35, 0.6, 1.0, 1.7};
    const posse_option *given = posse_part_option(described, "spread");
    int count = given == NULL ? LENGTH(usual) : given->list != NULL ? (int)given->count : 1, arms = past->home->arms;
    long double noise = option_of(described, "noise", 0, 1.0);
    posterior of[8] = {{0}};
    for (int g = 0; g < count; g++) {
        double means[COORDINATES_MAX], sds[COORDINATES_MAX];
        long double spread = given == NULL ? usual[g] * noise : option_of(described, "spread", g, 0.0);
        for (int a = 0; a < arms; a++) {
            long double sd = option_of(described, "mean-sd", a, 1.0);
            means[a] = (double)option_of(described, "mean", a, 0.0);
            sds[a] = (double)sqrtl(sd * sd + spread * spread);
        }
        posse_part alone = {.kind = "gaussian",
                            .options = {{"mean", .list = means, .count = (size_t)arms},
                                        {"sd", .list = sds, .count = (size_t)arms},
                                        {"noise", .number = (double)noise}}};
        oracle_gaussian(&alone, past, &of[g]);
        of[g].likelihood -= logl(count);
    }
    blend(count, of, out);
}

static void oracle_mixture(const posse_part *described, const history *past, posterior *out) {
    const posse_option *components = posse_part_option(described, "components");
    posterior of[8];
    long double total = 0.0L;
    for (size_t c = 0; c < components->count; c++) total += components->list[c];
    for (size_t c = 0; c < components->count; c++) {
        oracle(&components->part[c], past, &of[c]);
        of[c].likelihood += logl(components->list[c] / total);
    }
    blend((int)components->count, of, out);
}

static const struct {
    const char *kind;
    void (*oracle)(const posse_part *described, const history *past, posterior *out);
} oracles[] = {{"gaussian", oracle_gaussian},
               {"beta", oracle_beta},
               {"linear", oracle_linear},
               {"hypotheses", oracle_hypotheses},
               {"information-lock", oracle_lock},
               {"mixture", oracle_mixture},
               {"normal-gamma", oracle_normal_gamma},
               {"gamma", oracle_gamma},
               {"joint-gaussian", oracle_joint},
               {"particles", oracle_particles},
               {"hierarchical", oracle_hierarchical}};

bool is_robust(const posse_part *described) {
    const posse_option *robust = posse_part_option(described, "robust");
    return robust != NULL && robust->number != 0.0;
}

void oracle(const posse_part *described, const history *past, posterior *out) {
    memset(out, 0, sizeof *out);
    if (is_robust(described)) {
        written_out w;
        posse_part mixture = written_out_robust(described, past->home->arms, &w);
        oracle_mixture(&mixture, past, out);
        return;
    }
    for (int i = 0; i < LENGTH(oracles); i++)
        if (strcmp(oracles[i].kind, described->kind) == 0) {
            oracles[i].oracle(described, past, out);
            return;
        }
    fail_msg("there is no oracle for a belief of kind %s", described->kind);
}

/* Whether a belief only approximates its posterior: logistic beliefs, and mixtures with one. */
static bool approximates(const posse_part *described) {
    const posse_option *components = posse_part_option(described, "components");
    bool some = strcmp(described->kind, "logistic") == 0;
    for (size_t c = 0; components != NULL && c < components->count; c++)
        some = some || approximates(&components->part[c]);
    return some;
}

void for_every_belief(void (*law)(const specimen *s)) {
    assert_menagerie_complete(POSSE_FAMILY_BELIEF);
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++)
        if (!approximates(&all[i].part)) law(&all[i]);
}

void mean_of(const twin *t, double mean[COORDINATES_MAX]) {
    memset(mean, 0, COORDINATES_MAX * sizeof *mean);
    belief_add_mean(&t->belief, t->state, 1.0, mean);
}
