/* SPDX-License-Identifier: MIT */
/*
 * Textbook C: B-MS over the learners of a workload, and every learner alone, written as in the formulas: plain arrays,
 * libm, a small generator and polar normals, one run at a time. Compiled with -O3 -march=native.
 *
 *     bench_textbook DESCRIPTION RUNS REPEATS
 *
 * DESCRIPTION is a file that `bench_contender describe` wrote. It prints the lines of report.h.
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define ARMS_MAX 1000
#define DIM_MAX 16
#define LEARNERS_MAX 8

/* ------------------------------------------------- the workload ------------------------------------------------ */

static char kind[16];
static double number_rounds, number_arms, number_dim, number_learners, delta, prior_sd;
static double prior_mean[ARMS_MAX], settings[LEARNERS_MAX * DIM_MAX], points[ARMS_MAX][DIM_MAX];
static int T, K, d, M;

static void read_workload(const char *path) {
    static double flat[ARMS_MAX * DIM_MAX];
    const struct {
        const char *key;
        double *to;
        int room;
    } fields[] = {{"rounds", &number_rounds, 1},
                  {"arms", &number_arms, 1},
                  {"dim", &number_dim, 1},
                  {"learners", &number_learners, 1},
                  {"delta", &delta, 1},
                  {"prior_sd", &prior_sd, 1},
                  {"prior_mean", prior_mean, ARMS_MAX},
                  {"settings", settings, LEARNERS_MAX * DIM_MAX},
                  {"points", flat, ARMS_MAX * DIM_MAX}};
    FILE *file = fopen(path, "r");
    char key[16];
    int count;
    if (file == NULL || fscanf(file, "kind %15s", kind) != 1) exit(2);
    while (fscanf(file, "%15s %d", key, &count) == 2) {
        size_t f = 0;
        while (f < sizeof fields / sizeof *fields && strcmp(fields[f].key, key) != 0) f++;
        if (f == sizeof fields / sizeof *fields || count > fields[f].room) exit(2);
        for (int i = 0; i < count; i++)
            if (fscanf(file, "%lf", &fields[f].to[i]) != 1) exit(2);
    }
    fclose(file);
    T = (int)number_rounds, K = (int)number_arms, d = (int)number_dim, M = (int)number_learners;
    if (K > ARMS_MAX || d > DIM_MAX || M > LEARNERS_MAX) exit(2);
    for (int a = 0; a < K; a++)
        for (int j = 0; j < d; j++) points[a][j] = flat[a * d + j];
}

/* -------------------------------------------------- randomness ------------------------------------------------- */

/* xoshiro256+ (Blackman, Vigna 2018), started by splitmix64; and Marsaglia's polar method. */
typedef struct random_source {
    uint64_t s[4];
    double spare;
    int has_spare;
} random_source;

static random_source seeded(uint64_t seed) {
    random_source r = {.has_spare = 0};
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        r.s[i] = z ^ z >> 31;
    }
    return r;
}

static double uniform(random_source *r) {
    uint64_t *s = r->s, result = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return (double)(result >> 11) * 0x1p-53;
}

static double normal(random_source *r) {
    if (r->has_spare) {
        r->has_spare = 0;
        return r->spare;
    }
    double x, y, square;
    do {
        x = 2.0 * uniform(r) - 1.0;
        y = 2.0 * uniform(r) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    double factor = sqrt(-2.0 * log(square) / square);
    r->spare = y * factor;
    r->has_spare = 1;
    return x * factor;
}

/* ---------------------------------------------- independent arms ----------------------------------------------- */

/* The number and the sum of the rewards of each arm. */
typedef struct tallies {
    double count[ARMS_MAX], sum[ARMS_MAX];
    double total;
} tallies;

static void add(tallies *s, int arm, double reward) {
    s->count[arm] += 1.0;
    s->sum[arm] += reward;
    s->total += 1.0;
}

static void draw_world(const tallies *s, const double *mean, random_source *r, double *world) {
    double prior = 1.0 / (prior_sd * prior_sd);
    for (int a = 0; a < K; a++) {
        double precision = prior + s->count[a];
        world[a] = (prior * mean[a] + s->sum[a]) / precision + normal(r) / sqrt(precision);
    }
}

static int largest(const double *x) {
    int best = 0;
    for (int a = 1; a < K; a++)
        if (x[a] > x[best]) best = a;
    return best;
}

static int act_ucb(const tallies *s, double width) {
    double index[ARMS_MAX];
    for (int a = 0; a < K; a++) {
        if (s->count[a] == 0.0) return a;
        index[a] = s->sum[a] / s->count[a] + width * sqrt(log(2.0 * K * s->total / delta) / s->count[a]);
    }
    return largest(index);
}

static int act_thompson(const tallies *s, const double *mean, random_source *r) {
    double world[ARMS_MAX];
    draw_world(s, mean, r, world);
    return largest(world);
}

static int act_on_arms(const tallies *s, int learner, random_source *r) {
    if (kind[0] == 'u') return act_ucb(s, settings[learner]);
    return act_thompson(s, settings + learner * K, r);
}

/* The learner with the least potential; ties are broken at random. */
static int least_charged(const double *potential, random_source *r) {
    int chosen = 0, ties = 0;
    for (int i = 0; i < M; i++) {
        if (potential[i] < potential[chosen] || ties == 0) {
            chosen = i;
            ties = 1;
        } else if (potential[i] == potential[chosen] && uniform(r) * ++ties < 1.0) {
            chosen = i;
        }
    }
    return chosen;
}

static int choose_on_arms(const tallies *belief, const tallies *learners, random_source *r) {
    double world[ARMS_MAX], potential[LEARNERS_MAX];
    draw_world(belief, prior_mean, r, world);
    double best = world[largest(world)];
    for (int i = 0; i < M; i++) {
        potential[i] = 0.0;
        for (int a = 0; a < K; a++) potential[i] += learners[i].count[a] * (best - world[a]);
    }
    return least_charged(potential, r);
}

static void clear(tallies *s) {
    memset(s->count, 0, (size_t)K * sizeof *s->count);
    memset(s->sum, 0, (size_t)K * sizeof *s->sum);
    s->total = 0.0;
}

/* Competitor 0 is B-MS, the others are the learners alone. */
static double play_arms(int competitor, random_source *instance, random_source *own) {
    static tallies belief, learners[LEARNERS_MAX];
    static double truth[ARMS_MAX];
    double regret = 0.0;
    clear(&belief);
    for (int i = 0; i < M; i++) clear(&learners[i]);
    for (int a = 0; a < K; a++) truth[a] = prior_mean[a] + prior_sd * normal(instance);
    double best = truth[largest(truth)];
    for (int t = 0; t < T; t++) {
        int i = competitor > 0 ? competitor - 1 : t < M ? t : choose_on_arms(&belief, learners, own);
        int arm = act_on_arms(&learners[i], i, own);
        double reward = truth[arm] + normal(instance);
        add(&learners[i], arm, reward);
        if (competitor == 0) add(&belief, arm, reward);
        regret += best - truth[arm];
    }
    return regret;
}

/* ------------------------------------------------- linear arms ------------------------------------------------- */

/* V = I / sd^2 + sum x x^T is kept as its inverse, by Sherman and Morrison. */
typedef struct regression {
    double inverse[DIM_MAX][DIM_MAX], sum[DIM_MAX]; /* sum x r */
    double plays, record[DIM_MAX];                  /* of the learner: sum x */
} regression;

static void start(regression *s) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < d; i++) s->inverse[i][i] = prior_sd * prior_sd;
}

static double dot(const double *x, const double *y) {
    double sum = 0.0;
    for (int j = 0; j < d; j++) sum += x[j] * y[j];
    return sum;
}

static void regress(regression *s, const double *x, double reward) {
    double v[DIM_MAX];
    for (int i = 0; i < d; i++) v[i] = dot(s->inverse[i], x);
    double scale = 1.0 / (1.0 + dot(v, x));
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) s->inverse[i][j] -= scale * v[i] * v[j];
    for (int i = 0; i < d; i++) s->sum[i] += x[i] * reward;
}

/* theta ~ N(V^-1 sum x r, scale^2 V^-1), by Cholesky's factor of V^-1. */
static void draw_theta(const regression *s, double scale, random_source *r, double *theta) {
    double root[DIM_MAX][DIM_MAX], z[DIM_MAX];
    for (int i = 0; i < d; i++) theta[i] = dot(s->inverse[i], s->sum);
    if (scale == 0.0) return;
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++) {
            double rest = s->inverse[i][j];
            for (int k = 0; k < j; k++) rest -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrt(rest) : rest / root[j][j];
        }
    for (int i = 0; i < d; i++) {
        z[i] = normal(r);
        for (int j = 0; j <= i; j++) theta[i] += scale * root[i][j] * z[j];
    }
}

static int best_point(const double *theta) {
    int best = 0;
    double most = -INFINITY;
    for (int a = 0; a < K; a++) {
        double value = dot(theta, points[a]);
        if (value > most) most = value, best = a;
    }
    return best;
}

static int choose_on_points(const regression *belief, const regression *learners, random_source *r) {
    double theta[DIM_MAX], potential[LEARNERS_MAX];
    draw_theta(belief, 1.0, r, theta);
    const double *x = points[best_point(theta)];
    for (int i = 0; i < M; i++) {
        potential[i] = 0.0;
        for (int j = 0; j < d; j++) potential[i] += theta[j] * (learners[i].plays * x[j] - learners[i].record[j]);
    }
    return least_charged(potential, r);
}

static double play_points(int competitor, random_source *instance, random_source *own) {
    static regression belief, learners[LEARNERS_MAX];
    double truth[DIM_MAX], theta[DIM_MAX], regret = 0.0;
    start(&belief);
    for (int i = 0; i < M; i++) start(&learners[i]);
    for (int j = 0; j < d; j++) truth[j] = prior_sd * normal(instance);
    double best = dot(truth, points[best_point(truth)]);
    for (int t = 0; t < T; t++) {
        int i = competitor > 0 ? competitor - 1 : t < M ? t : choose_on_points(&belief, learners, own);
        draw_theta(&learners[i], settings[i] * sqrt(d), own, theta);
        const double *x = points[best_point(theta)];
        double mean = dot(truth, x), reward = mean + normal(instance);
        regress(&learners[i], x, reward);
        learners[i].plays += 1.0;
        for (int j = 0; j < d; j++) learners[i].record[j] += x[j];
        if (competitor == 0) regress(&belief, x, reward);
        regret += best - mean;
    }
    return regret;
}

/* The instance and the noise of a run are the same for all competitors. */
static double play(int competitor, uint32_t run) {
    random_source instance = seeded(run * 1000003u), own = seeded(run * 1000003u + 1u + (uint64_t)competitor);
    return d > 0 ? play_points(competitor, &instance, &own) : play_arms(competitor, &instance, &own);
}

static void play_runs(void *context, uint32_t first, uint32_t runs, double *regrets) {
    (void)context;
    for (uint32_t run = first; run < first + runs; run++)
        for (int competitor = 0; competitor <= M; competitor++) *regrets++ = play(competitor, run);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s DESCRIPTION RUNS REPEATS\n", argv[0]);
        return 2;
    }
    read_workload(argv[1]);
    report(&(plan){.competitors = M + 1,
                   .rounds = (uint32_t)T,
                   .runs = (uint32_t)strtoul(argv[2], NULL, 10),
                   .repeats = (uint32_t)strtoul(argv[3], NULL, 10),
                   .together = 1,
                   .play = play_runs,
                   .note = "-O3 -march=native"});
    return 0;
}
