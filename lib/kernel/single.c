/* SPDX-License-Identifier: MIT */
/*
 * The kernels of one instruction set. Compiled once for each, with -DKERNEL_SET=scalar, baseline, avx2 or avx512 and
 * the compiler's flags to match; defines kernels_scalar, kernels_baseline, … .
 */
#include "numeric/kernel_set.h"

#include "numeric/kernels.h"

#include "kernel/sketches.h"
#include "numeric/normal_wide.h"
#include "numeric/vectors.h"
#include "random/philox_wide.h"

/* ------------------------------------------------- words ------------------------------------------------------- */

WIDE void store_draws(uint64_t *out, counter c) {
    wide_store_pairs(out, even_draw(&c), odd_draw(&c));
}

/* The draws of LANES blocks. */
WIDE void words_abreast(const schedule *s, uint32_t run, uint64_t stream, uint64_t block, uint64_t *out) {
    counter c = counter_of(wide_word_all(run), stream, wide_word_steps(block));
    for (int round = 0; round < PHILOX_ROUNDS; round++) philox_round(&c, s->key[round]);
    store_draws(out, c);
}

static void single_words(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, uint64_t *out, size_t blocks) {
    size_t i = 0;
    schedule s = schedule_of(seed);
    /* Two counters at a time: a round of Philox waits for the one before, and the other counter fills the wait. */
    for (; i + 2 * LANES <= blocks; i += 2 * LANES) {
        counter c = counter_of(wide_word_all(run), stream, wide_word_steps(block + i));
        counter d = counter_of(wide_word_all(run), stream, wide_word_steps(block + i + LANES));
        for (int round = 0; round < PHILOX_ROUNDS; round++) {
            philox_round(&c, s.key[round]);
            philox_round(&d, s.key[round]);
        }
        store_draws(out + 2 * i, c);
        store_draws(out + 2 * (i + LANES), d);
    }
    for (; i + LANES <= blocks; i += LANES) words_abreast(&s, run, stream, block + i, out + 2 * i);
    if (i == blocks) return;
    /* Streams with few slots ask for less than a vector has. */
    uint64_t few[2 * LANES];
    words_abreast(&s, run, stream, block + i, few);
    memcpy(out + 2 * i, few, 2 * (blocks - i) * sizeof *few);
}

/* ------------------------------------------------ normals ------------------------------------------------------ */

/* count is a multiple of LANES, at most NORMALS_BATCH. */
static void normals_batch(const uint64_t *words, double *out, uint32_t count) {
    tails t; /* not initialised as a whole, which would take as long as a small batch */
    t.count = 0;
    for (uint32_t i = 0; i < count; i += LANES) normals_begin(wide_word_load(words + i), out, i, &t);
    normals_finish(&t, out);
}

static void single_normals(const uint64_t *words, double *out, size_t count) {
    size_t whole = count - count % LANES;
    for (size_t i = 0; i < whole; i += NORMALS_BATCH) {
        normals_batch(words + i, out + i, whole - i < NORMALS_BATCH ? (uint32_t)(whole - i) : NORMALS_BATCH);
    }
    if (whole == count) return;
    uint64_t word[LANES] = {0};
    double x[LANES];
    memcpy(word, words + whole, (count - whole) * sizeof *word);
    normals_batch(word, x, LANES);
    memcpy(out + whole, x, (count - whole) * sizeof *x);
}

/* ------------------------------------------------ best arm ----------------------------------------------------- */

#define PARTS (KERNEL_LANES / LANES) /* wide numbers to a row of a block */

/* The best of each lane so far, and the block it is in. */
typedef struct lane_best {
    wide value[PARTS];
    wide_word block[PARTS];
} lane_best;

WIDE void best_of_block(lane_best *best, const double *points, size_t dim, const double *w, uint64_t block) {
    wide sum[PARTS];
    for (size_t part = 0; part < PARTS; part++) sum[part] = wide_all(0.0);
    for (size_t j = 0; j < dim; j++) {
        const double *row = points + j * KERNEL_LANES;
        for (size_t part = 0; part < PARTS; part++) sum[part] = sum[part] + wide_load(row + part * LANES) * w[j];
    }
    for (size_t part = 0; part < PARTS; part++) {
        wide_mask better = wide_above(sum[part], best->value[part]);
        best->value[part] = wide_select(better, sum[part], best->value[part]);
        best->block[part] = wide_select_word(better, wide_word_all(block), best->block[part]);
    }
}

static size_t best_arm(const double *points, size_t blocks, size_t dim, const double *w, double *value) {
    lane_best best;
    for (size_t part = 0; part < PARTS; part++) {
        best.value[part] = wide_all(-__builtin_inf());
        best.block[part] = wide_word_all(0);
    }
    for (size_t b = 0; b < blocks; b++) best_of_block(&best, points + b * dim * KERNEL_LANES, dim, w, b);

    double values[KERNEL_LANES];
    uint64_t block[KERNEL_LANES];
    memcpy(values, best.value, sizeof values);
    memcpy(block, best.block, sizeof block);
    size_t arm = block[0] * KERNEL_LANES;
    *value = values[0];
    for (size_t lane = 1; lane < KERNEL_LANES; lane++) {
        size_t other = block[lane] * KERNEL_LANES + lane;
        if (values[lane] > *value || (values[lane] == *value && other < arm)) {
            *value = values[lane];
            arm = other;
        }
    }
    return arm;
}

/* ------------------------------------------------ charges ------------------------------------------------------ */

/* Sums of KERNEL_LANES learners, which stay in registers. */
typedef struct lane_sums {
    wide sum[PARTS];
} lane_sums;

WIDE lane_sums lanes_load(const double *from) {
    lane_sums s;
    for (size_t part = 0; part < PARTS; part++) s.sum[part] = wide_load(from + part * LANES);
    return s;
}

WIDE void lanes_store(double *to, const lane_sums *s, wide *least) {
    for (size_t part = 0; part < PARTS; part++) {
        wide_store(to + part * LANES, s->sum[part]);
        *least = wide_select(wide_above(*least, s->sum[part]), s->sum[part], *least);
    }
}

/* The smallest of all lanes: halves the number of lanes until one is left. */
WIDE double least_lane(wide least) {
    double lanes[LANES];
    wide_store(lanes, least);
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t lane = 0; lane < half; lane++)
            lanes[lane] = lanes[lane + half] < lanes[lane] ? lanes[lane + half] : lanes[lane];
    return lanes[0];
}

/* No number is below the least, so a number that is not above it is equal to it. */
WIDE kernel_least find_least(wide lanes, const double *values, size_t width) {
    kernel_least least = {.value = least_lane(lanes), .first = (uint32_t)width};
    for (uint32_t i = (uint32_t)width; i > 0; i -= LANES) {
        unsigned above = wide_mask_bits(wide_above(wide_load(values + i - LANES), wide_all(least.value)));
        unsigned equal = ~above & ((1u << LANES) - 1);
        least.count += (uint32_t)__builtin_popcount(equal);
        least.first = equal != 0 ? i - LANES + (uint32_t)__builtin_ctz(equal) : least.first;
    }
    return least;
}

WIDE void lanes_multiply(lane_sums *s, const double *by) {
    lane_sums factor = lanes_load(by);
    for (size_t part = 0; part < PARTS; part++) s->sum[part] = s->sum[part] * factor.sum[part];
}

static kernel_least charge_gaps(const double *start, const double *share, const double *rows, size_t width, size_t dim,
                                const double *w, const double *best, double *out) {
    wide least = wide_all(__builtin_inf());
    double top = best != NULL ? *best : largest_value(w, (int)dim);
    for (size_t i = 0; i < width; i += KERNEL_LANES) {
        lane_sums s = lanes_load(start + i);
        for (size_t j = 0; j < dim; j++) {
            lane_sums row = lanes_load(rows + j * width + i);
            for (size_t part = 0; part < PARTS; part++) s.sum[part] = s.sum[part] + row.sum[part] * (top - w[j]);
        }
        if (share != NULL) lanes_multiply(&s, share + i);
        lanes_store(out + i, &s, &least);
    }
    return find_least(least, out, width);
}

static kernel_least charge_points(const double *start, const double *share, const double *rows, size_t width,
                                  size_t dim, const double *w, const double *x, const double *scale, double *out) {
    wide least = wide_all(__builtin_inf());
    for (size_t i = 0; i < width; i += KERNEL_LANES) {
        lane_sums s = lanes_load(start + i), scales = lanes_load(scale + i);
        for (size_t j = 0; j < dim; j++) {
            lane_sums row = lanes_load(rows + j * width + i);
            for (size_t part = 0; part < PARTS; part++)
                s.sum[part] = s.sum[part] + (scales.sum[part] * x[j] - row.sum[part]) * w[j];
        }
        if (share != NULL) lanes_multiply(&s, share + i);
        lanes_store(out + i, &s, &least);
    }
    return find_least(least, out, width);
}

/* ------------------------------------------- plays of the past ------------------------------------------------- */

/* Arms that are summed at a time: each addition waits for the one before, and other arms fill the wait. */
#define ARMS_FEW (LANES >= 4 ? 4 : LANES)

WIDE void lanes_zero(lane_sums *s) {
    for (size_t part = 0; part < PARTS; part++) s->sum[part] = wide_all(0.0);
}

WIDE void lanes_keep_larger(lane_sums *best, const lane_sums *s) {
    for (size_t part = 0; part < PARTS; part++) best->sum[part] = wide_larger(s->sum[part], best->sum[part]);
}

WIDE void lanes_write(double *to, const lane_sums *s) {
    for (size_t part = 0; part < PARTS; part++) wide_store(to + part * LANES, s->sum[part]);
}

/* <w, x> of ARMS_FEW arms from `first` on. The last arm is repeated if there are fewer. */
WIDE void value_joint_arms(const double *block, const kernel_plays *plays, size_t first, const double *w,
                           lane_sums *sums) {
    const double *x[ARMS_FEW];
    for (size_t i = 0; i < ARMS_FEW; i++) {
        size_t arm = first + i < plays->arms ? first + i : plays->arms - 1;
        x[i] = block + arm * plays->width * KERNEL_LANES;
        lanes_zero(&sums[i]);
    }
    for (size_t j = 0; j < plays->width; j++)
        for (size_t i = 0; i < ARMS_FEW; i++)
            for (size_t part = 0; part < PARTS; part++)
                sums[i].sum[part] = sums[i].sum[part] + wide_load(x[i] + j * KERNEL_LANES + part * LANES) * w[j];
}

/* <w, x> of the k-th arm of the play in each lane, with the weights of that arm. */
WIDE void value_disjoint_arm(const double *block, const kernel_plays *plays, size_t k, const double *w,
                             lane_sums *sum) {
    const double *x = block + k * plays->width * KERNEL_LANES;
    const double *arms = block + (plays->arms * plays->width + k) * KERNEL_LANES;
    uint32_t at[KERNEL_LANES];
    for (size_t part = 0; part < PARTS; part++)
        wide_store_whole(at + part * LANES, wide_load(arms + part * LANES) * (double)plays->width);
    lanes_zero(sum);
    for (size_t j = 0; j < plays->width; j++)
        for (size_t part = 0; part < PARTS; part++)
            sum->sum[part] =
                sum->sum[part] + wide_load(x + j * KERNEL_LANES + part * LANES) * wide_gather(w + j, at + part * LANES);
}

WIDE lane_sums value_joint(const double *block, const kernel_plays *plays, const double *w, lane_sums *top) {
    lane_sums sums[ARMS_FEW], played;
    value_joint_arms(block, plays, 0, w, sums);
    *top = played = sums[0];
    for (size_t i = 1; i < ARMS_FEW; i++) lanes_keep_larger(top, &sums[i]);
    for (size_t k = ARMS_FEW; k < plays->arms; k += ARMS_FEW) {
        value_joint_arms(block, plays, k, w, sums);
        for (size_t i = 0; i < ARMS_FEW; i++) lanes_keep_larger(top, &sums[i]);
    }
    return played;
}

WIDE lane_sums value_disjoint(const double *block, const kernel_plays *plays, const double *w, lane_sums *top) {
    lane_sums sum, played;
    value_disjoint_arm(block, plays, 0, w, &played);
    *top = played;
    for (size_t k = 1; k < plays->arms; k++) {
        value_disjoint_arm(block, plays, k, w, &sum);
        lanes_keep_larger(top, &sum);
    }
    return played;
}

static void value_own(const kernel_plays *plays, const double *w, double *best, double *played) {
    for (size_t b = 0; b < plays->count; b++) {
        const double *block = plays->blocks + b * plays->stride;
        lane_sums top,
            of_played = plays->disjoint ? value_disjoint(block, plays, w, &top) : value_joint(block, plays, w, &top);
        lanes_write(best + b * KERNEL_LANES, &top);
        lanes_write(played + b * KERNEL_LANES, &of_played);
    }
}

/* <w, x> of ARMS_FEW arms from `first` on, where all arms share the vector x. */
WIDE void value_shared_arms(const double *block, const kernel_plays *plays, size_t first, const double *w,
                            lane_sums *sums) {
    const double *weights[ARMS_FEW];
    for (size_t i = 0; i < ARMS_FEW; i++) {
        weights[i] = w + (first + i < plays->arms ? first + i : plays->arms - 1) * plays->width;
        lanes_zero(&sums[i]);
    }
    for (size_t j = 0; j < plays->width; j++) {
        lane_sums x = lanes_load(block + j * KERNEL_LANES);
        for (size_t i = 0; i < ARMS_FEW; i++)
            for (size_t part = 0; part < PARTS; part++)
                sums[i].sum[part] = sums[i].sum[part] + x.sum[part] * weights[i][j];
    }
}

#define ALL_LANES ((1u << KERNEL_LANES) - 1)

/*
 * Updates the best value in the lanes in which an arm was available, which are mostly all of them, and the value played
 * in the lanes in which it was played.
 */
WIDE void consider_arm(const lane_sums *value, uint64_t there, wide arm, const lane_sums *arms_played, lane_sums *best,
                       lane_sums *played) {
    lane_sums here = *value;
    for (size_t part = 0; part < PARTS && (there & ALL_LANES) != ALL_LANES; part++)
        here.sum[part] = wide_select(wide_mask_of(there >> part * LANES), value->sum[part], wide_all(-__builtin_inf()));
    lanes_keep_larger(best, &here);
    for (size_t part = 0; part < PARTS; part++) {
        wide_mask this_one = wide_equal(arms_played->sum[part], arm);
        played->sum[part] = wide_select(this_one, value->sum[part], played->sum[part]);
    }
}

static void value_shared(const kernel_plays *plays, const double *w, double *best, double *played) {
    for (size_t b = 0; b < plays->count; b++) {
        const double *block = plays->blocks + b * plays->stride, *behind = block + plays->width * KERNEL_LANES;
        lane_sums arms_played = lanes_load(behind), sums[ARMS_FEW], top, of_played;
        for (size_t part = 0; part < PARTS; part++) top.sum[part] = wide_all(-__builtin_inf());
        lanes_zero(&of_played);
        wide arm = wide_all(0.0);
        for (size_t a = 0; a < plays->arms; a += ARMS_FEW) {
            uint64_t there;
            memcpy(&there, behind + KERNEL_LANES + a / 8, sizeof there);
            there >>= a % 8 * 8;
            value_shared_arms(block, plays, a, w, sums);
            for (size_t i = 0; i < ARMS_FEW; i++) { /* bits beyond the last arm are 0 */
                consider_arm(&sums[i], there >> i * 8, arm, &arms_played, &top, &of_played);
                arm = arm + 1.0;
            }
        }
        lanes_keep_larger(&top, &of_played);
        lanes_write(best + b * KERNEL_LANES, &top);
        lanes_write(played + b * KERNEL_LANES, &of_played);
    }
}

/* Arms whose sums fit into the registers. */
#define VOTE_ARMS (LANES == 8 ? 4 : LANES == 4 ? 2 : 1)
#define JURY_PARTS (KERNEL_JURY / LANES)

static void single_vote(const double *features, size_t stride, size_t count, size_t width, const double *jury,
                        const int *arms, uint64_t *places) {
    wide best[JURY_PARTS];
    wide_word at[JURY_PARTS];
    for (size_t part = 0; part < JURY_PARTS; part++) {
        best[part] = wide_all(-__builtin_inf());
        at[part] = wide_word_all(0);
    }
    for (size_t k = 0; k < count; k += VOTE_ARMS) {
        const double *x[VOTE_ARMS], *w[VOTE_ARMS];
        wide sum[VOTE_ARMS][JURY_PARTS];
        for (size_t i = 0; i < VOTE_ARMS; i++) {
            size_t place = k + i < count ? k + i : count - 1;
            x[i] = features + place * stride;
            w[i] = arms != NULL ? jury + (size_t)arms[place] * width * KERNEL_JURY : jury;
            for (size_t part = 0; part < JURY_PARTS; part++) sum[i][part] = wide_all(0.0);
        }
        for (size_t j = 0; j < width; j++)
            for (size_t i = 0; i < VOTE_ARMS; i++)
                for (size_t part = 0; part < JURY_PARTS; part++)
                    sum[i][part] = sum[i][part] + wide_load(w[i] + j * KERNEL_JURY + part * LANES) * x[i][j];
        for (size_t i = 0; i < VOTE_ARMS; i++)
            for (size_t part = 0; part < JURY_PARTS; part++) {
                wide_mask better = wide_above(sum[i][part], best[part]);
                best[part] = wide_select(better, sum[i][part], best[part]);
                at[part] = wide_select_word(better, wide_word_all(k + i), at[part]);
            }
    }
    memcpy(places, at, sizeof at);
}

/* ------------------------------------------------- roots ------------------------------------------------------- */

/*
 * Rows are computed LANES at a time. Where dim is no multiple of LANES, the last LANES rows overlap those before: lanes
 * that are computed twice get the same result.
 */
#define ROWS_FEW 5 /* how many wide rows of a column stay in registers */

WIDE size_t rows_of(size_t dim) {
    return (dim + LANES - 1) / LANES;
}

WIDE size_t row_at(size_t row, size_t dim) {
    return (row + 1) * LANES <= dim ? row * LANES : dim - LANES;
}

/* sum += scale root u, in `rows` wide rows from `first` on. */
WIDE void single_add_rows(const double *root, size_t dim, double scale, const double *u, size_t first, size_t rows,
                          wide *sum) {
    for (size_t j = 0; j < dim; j++)
        for (size_t i = 0; i < rows; i++)
            sum[i] = sum[i] + wide_load(root + j * dim + row_at(first + i, dim)) * (scale * u[j]);
}

WIDE void add_root_rows(const double *root, size_t dim, double scale, const double *u, const double *base, size_t first,
                        size_t rows, double *out) {
    wide sum[ROWS_FEW];
    for (size_t i = 0; i < rows; i++) sum[i] = wide_load(base + row_at(first + i, dim));
    single_add_rows(root, dim, scale, u, first, rows, sum);
    for (size_t i = 0; i < rows; i++) wide_store(out + row_at(first + i, dim), sum[i]);
}

static void single_add_root(const double *root, size_t dim, double scale, const double *u, const double *base,
                            double *out) {
    for (size_t first = 0; first < rows_of(dim); first += ROWS_FEW) {
        size_t rows = rows_of(dim) - first; /* a constant where it is used */
        if (rows == 1) add_root_rows(root, dim, scale, u, base, first, 1, out);
        if (rows == 2) add_root_rows(root, dim, scale, u, base, first, 2, out);
        if (rows == 3) add_root_rows(root, dim, scale, u, base, first, 3, out);
        if (rows == 4) add_root_rows(root, dim, scale, u, base, first, 4, out);
        if (rows >= 5) add_root_rows(root, dim, scale, u, base, first, 5, out);
    }
}

/* learn_root for `rows` wide rows from `first` on, with their v in registers. The overlap is read before it is written.
 */
WIDE void learn_rows(double *mean, size_t dim, const double *u, double gain, double gamma, size_t first, size_t rows,
                     double *out) {
    wide v[ROWS_FEW];
    double *root = mean + dim;
    for (size_t i = 0; i < rows; i++) v[i] = wide_all(0.0);
    single_add_rows(root, dim, 1.0, u, first, rows, v);
    for (size_t i = 0; i < rows; i++) wide_store(out + row_at(first + i, dim), v[i]);
    for (size_t j = 0; j <= dim; j++) {
        double *column = mean + j * dim, factor = j == 0 ? -gain : gamma * u[j - 1];
        wide less[ROWS_FEW];
        for (size_t i = 0; i < rows; i++) less[i] = wide_load(column + row_at(first + i, dim)) - v[i] * factor;
        for (size_t i = 0; i < rows; i++) wide_store(column + row_at(first + i, dim), less[i]);
    }
}

/* At most ROWS_FEW wide rows. */
WIDE void learn_few(double *mean, size_t dim, const double *u, double gain, double gamma, size_t first, double *v) {
    size_t rows = rows_of(dim) - first; /* a constant where it is used */
    if (rows == 1) learn_rows(mean, dim, u, gain, gamma, first, 1, v);
    if (rows == 2) learn_rows(mean, dim, u, gain, gamma, first, 2, v);
    if (rows == 3) learn_rows(mean, dim, u, gain, gamma, first, 3, v);
    if (rows == 4) learn_rows(mean, dim, u, gain, gamma, first, 4, v);
    if (rows >= 5) learn_rows(mean, dim, u, gain, gamma, first, 5, v);
}

#if LANES == 1

/* Rows do not overlap, and each is learned by itself. */
static void learn_root(double *mean, size_t dim, const double *u, double gain, double gamma, double *v) {
    for (size_t first = 0; first < dim; first += ROWS_FEW) learn_few(mean, dim, u, gain, gamma, first, v);
}

#else

/*
 * learn_root with v in memory. Several columns are taken at a time, so that v is read and written less often; each
 * number of v still gets its columns from 0 up. The compiler vectorises loops this long by itself.
 */
static void learn_many(double *mean, size_t dim, const double *u, double gain, double gamma, double *v) {
    double *root = mean + dim;
    size_t j = 0;
    memset(v, 0, dim * sizeof *v);
    for (; j + 4 <= dim; j += 4) {
        const double *a = root + j * dim, *b = a + dim, *c = b + dim, *d = c + dim;
        for (size_t i = 0; i < dim; i++)
            v[i] = v[i] + a[i] * u[j] + b[i] * u[j + 1] + c[i] * u[j + 2] + d[i] * u[j + 3];
    }
    for (; j < dim; j++)
        for (size_t i = 0; i < dim; i++) v[i] = v[i] + root[j * dim + i] * u[j];
    for (size_t i = 0; i < dim; i++) mean[i] = mean[i] + v[i] * gain;
    for (j = 0; j < dim; j++) {
        double *column = root + j * dim, factor = gamma * u[j];
        for (size_t i = 0; i < dim; i++) column[i] = column[i] - v[i] * factor;
    }
}

static void learn_root(double *mean, size_t dim, const double *u, double gain, double gamma, double *v) {
    if (rows_of(dim) <= ROWS_FEW)
        learn_few(mean, dim, u, gain, gamma, 0, v);
    else
        learn_many(mean, dim, u, gain, gamma, v);
}

#endif

/*
 * The entries of root^T x are products of columns with x, and lie beside one another in a vector. The mean is one more
 * column. So a square of
 * numbers is read column by column and turned into rows. More than four columns to a vector would need more turns than
 * they save.
 */
#if LANES >= 4
#define TURNED 4
typedef double turned __attribute__((vector_size(32)));
#else
#define TURNED LANES
typedef wide turned;
#endif
#define TURNED_FEW 5 /* vectors that are summed at a time: each addition waits for the one before */

WIDE turned turned_load(const double *from) {
    turned a;
    memcpy(&a, from, sizeof a);
    return a;
}

#if TURNED == 4
/* Two numbers from each place. The second two come from memory without a shuffle. */
WIDE turned turned_pairs(const double *low, const double *high) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}
#endif

/* rows[r] gets number r of each of TURNED columns. */
WIDE void single_turn(const double *column, size_t dim, turned rows[TURNED]) {
#if TURNED == 4
    turned a = turned_pairs(column, column + 2 * dim), b = turned_pairs(column + dim, column + 3 * dim);
    turned c = turned_pairs(column + 2, column + 2 * dim + 2), d = turned_pairs(column + dim + 2, column + 3 * dim + 2);
    rows[0] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    rows[1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    rows[2] = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    rows[3] = __builtin_shufflevector(c, d, 1, 5, 3, 7);
#elif TURNED == 2
    turned a = turned_load(column), b = turned_load(column + dim);
    rows[0] = __builtin_shufflevector(a, b, 0, 2);
    rows[1] = __builtin_shufflevector(a, b, 1, 3);
#else
    (void)dim;
    rows[0] = turned_load(column);
#endif
}

#if TURNED > 1
/* Row i of TURNED columns. */
WIDE turned turned_row(const double *column, size_t dim) {
#if TURNED == 4
    return (turned){column[0], column[dim], column[2 * dim], column[3 * dim]};
#else
    return (turned){column[0], column[dim]};
#endif
}
#endif

/* The products of x with columns from `first` on, `vectors` of TURNED. The last ones overlap where they must. */
WIDE void spread_columns(const double *mean, size_t dim, const double *x, size_t first, size_t vectors, double *out) {
    turned sum[TURNED_FEW] = {0};
    const double *column[TURNED_FEW];
    size_t at[TURNED_FEW], i = 0;
    for (size_t k = 0; k < vectors; k++) {
        at[k] = first + (k + 1) * TURNED <= dim + 1 ? first + k * TURNED : dim + 1 - TURNED;
        column[k] = mean + at[k] * dim;
    }
    for (; i + TURNED <= dim; i += TURNED)
        for (size_t k = 0; k < vectors; k++) {
            turned rows[TURNED];
            single_turn(column[k] + i, dim, rows);
            for (size_t r = 0; r < TURNED; r++) sum[k] = sum[k] + rows[r] * x[i + r];
        }
#if TURNED > 1
    for (; i < dim; i++)
        for (size_t k = 0; k < vectors; k++) sum[k] = sum[k] + turned_row(column[k] + i, dim) * x[i];
#endif
    for (size_t k = 0; k < vectors; k++) memcpy(out + at[k], &sum[k], sizeof sum[k]);
}

/* Four vectors at a time, or what avoids a single one at the end. */
static void spread_root(const double *mean, size_t dim, const double *x, double *out) {
    size_t left = (dim + 1 + TURNED - 1) / TURNED, now;
    for (size_t first = 0; left > 0; first += now * TURNED, left -= now) {
        now = left <= TURNED_FEW ? left : left == 6 ? 3 : 4; /* a constant where it is used */
        if (now == 1) spread_columns(mean, dim, x, first, 1, out);
        if (now == 2) spread_columns(mean, dim, x, first, 2, out);
        if (now == 3) spread_columns(mean, dim, x, first, 3, out);
        if (now == 4) spread_columns(mean, dim, x, first, 4, out);
        if (now == 5) spread_columns(mean, dim, x, first, 5, out);
    }
}

/* ---------------------------------------------- products of features ------------------------------------------- */

#define PRODUCT_PARTS (KERNEL_LANES / LANES) /* vectors side by side */

static double sum_products(const double *rows, size_t dim, const double *x) {
    wide sum[PRODUCT_PARTS];
    double lanes[KERNEL_LANES], total = 0.0;
    for (size_t k = 0; k < PRODUCT_PARTS; k++) sum[k] = wide_all(0.0);
    for (size_t i = 0; i < dim; i++) {
        wide row[PRODUCT_PARTS];
        for (size_t k = 0; k < PRODUCT_PARTS; k++) row[k] = wide_all(0.0);
        for (size_t j = 0; j <= i; j += KERNEL_LANES, rows += KERNEL_LANES)
            for (size_t k = 0; k < PRODUCT_PARTS; k++)
                row[k] = row[k] + wide_load(rows + k * LANES) * wide_load(x + j + k * LANES);
        for (size_t k = 0; k < PRODUCT_PARTS; k++) sum[k] = sum[k] + row[k] * x[i];
    }
    for (size_t k = 0; k < PRODUCT_PARTS; k++) wide_store(lanes + k * LANES, sum[k]);
    for (size_t l = 0; l < KERNEL_LANES; l++) total += lanes[l];
    return total;
}

/* A vector of learn_products. z: its products. */
WIDE void learn_product(double *mean, double *variance, wide z, double gain, double factor, double least) {
    wide s = wide_load(variance), change = s * z;
    wide left = wide_larger(wide_all(1.0) - change * z * factor, wide_all(least));
    wide_store(mean, wide_load(mean) + change * gain);
    wide_store(variance, s * left);
}

static void learn_products(double *means, double *variances, size_t dim, const double *x, double gain, double factor,
                           double least) {
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < i / KERNEL_LANES * KERNEL_LANES + KERNEL_LANES; j += LANES) {
            learn_product(means, variances, wide_load(x + j) * x[i], gain, factor, least);
            means += LANES;
            variances += LANES;
        }
}

extern const kernels PASTE(kernels_, KERNEL_SET);
extern const struct round_kernels PASTE(round_kernels_, KERNEL_SET);
extern const struct abreast_kernels PASTE(abreast_kernels_, KERNEL_SET);
const kernels PASTE(kernels_, KERNEL_SET) = {
    STRING(KERNEL_SET),
    single_words,
    single_normals,
    best_arm,
    sketch_left,
    charge_gaps,
    charge_points,
    single_add_root,
    spread_root,
    learn_root,
    sum_products,
    learn_products,
    value_own,
    value_shared,
    single_vote,
    &PASTE(round_kernels_, KERNEL_SET),
    &PASTE(abreast_kernels_, KERNEL_SET),
};
