/* SPDX-License-Identifier: MIT */
/*
 * The kernels of several rounds side by side, for one instruction set (single.c). A lane is a round, and the numbers of
 * a model are read once for all rounds. Each round gets the operations of the kernels for a single round, in the same
 * order: spread_root and sum_products.
 */
#include "numeric/kernel_set.h"

#include "numeric/kernels.h"

#include "numeric/wide.h"

/* Vectors of rounds that are computed together, and columns of a root whose sums stay in the registers beside them. */
#define SIDE 2
#define COLUMNS (LANES == 8 ? 7 : 5)

typedef struct side {
    wide part[SIDE];
} side;

WIDE side side_all(double a) {
    side s;
    for (size_t part = 0; part < SIDE; part++) s.part[part] = wide_all(a);
    return s;
}

WIDE side side_load(const double *from) {
    side s;
    for (size_t part = 0; part < SIDE; part++) s.part[part] = wide_load(from + part * LANES);
    return s;
}

WIDE void side_store(double *to, side s) {
    for (size_t part = 0; part < SIDE; part++) wide_store(to + part * LANES, s.part[part]);
}

/* ------------------------------------------------- roots ------------------------------------------------------- */

/* The products of each x with `columns` columns, each summed from row 0 up. */
WIDE void side_columns(const double *column, size_t dim, const double *x, size_t columns, side *sum) {
    for (size_t k = 0; k < columns; k++) sum[k] = side_all(0.0);
    for (size_t i = 0; i < dim; i++) {
        side row = side_load(x + i * KERNEL_ROUNDS);
        for (size_t k = 0; k < columns; k++)
            for (size_t part = 0; part < SIDE; part++)
                sum[k].part[part] = sum[k].part[part] + row.part[part] * column[k * dim + i];
    }
}

/* What is known of each round so far: <mean, x>, and the sum of squares. */
typedef struct side_moments {
    side mean, square;
} side_moments;

/* Takes in `columns` columns from the first up. Column 0 is the mean, and the squares are those of the others. */
WIDE void side_take(const double *mean, size_t dim, const double *x, size_t first, size_t columns, side_moments *m) {
    side sum[COLUMNS];
    side_columns(mean + first * dim, dim, x, columns, sum);
    if (first == 0) m->mean = sum[0];
    for (size_t k = first == 0; k < columns; k++)
        for (size_t part = 0; part < SIDE; part++)
            m->square.part[part] = m->square.part[part] + sum[k].part[part] * sum[k].part[part];
}

/* The columns in nearly equal groups. How many a group has is a constant where it is used. */
WIDE void side_take_all(const double *mean, size_t dim, const double *x, side_moments *m) {
    size_t groups = (dim + COLUMNS) / COLUMNS, now;
    for (size_t first = 0; groups > 0; first += now, groups--) {
        now = (dim + 1 - first + groups - 1) / groups;
        if (now == 1) side_take(mean, dim, x, first, 1, m);
        if (now == 2) side_take(mean, dim, x, first, 2, m);
        if (now == 3) side_take(mean, dim, x, first, 3, m);
        if (now == 4) side_take(mean, dim, x, first, 4, m);
        if (now == 5) side_take(mean, dim, x, first, 5, m);
#if LANES == 8
        if (now == 6) side_take(mean, dim, x, first, 6, m);
        if (now == 7) side_take(mean, dim, x, first, 7, m);
#endif
    }
}

static void rounds_moments(const double *mean, size_t dim, const double *x, double *means, double *deviations) {
    for (size_t at = 0; at < KERNEL_ROUNDS; at += SIDE * LANES) {
        side_moments m = {.square = side_all(0.0)};
        if (deviations != NULL)
            side_take_all(mean, dim, x + at, &m);
        else
            side_take(mean, dim, x + at, 0, 1, &m);
        side_store(means + at, m.mean);
        for (size_t part = 0; part < SIDE && deviations != NULL; part++)
            wide_store(deviations + at + part * LANES, wide_sqrt(m.square.part[part]));
    }
}

/* ---------------------------------------------- products of features ------------------------------------------- */

static void rounds_scale(const double *x, size_t dim, double least, double *y) {
    for (size_t at = 0; at < KERNEL_ROUNDS; at += LANES) {
        wide square = wide_all(0.0);
        for (size_t j = 0; j < dim; j++) {
            wide number = wide_load(x + j * KERNEL_ROUNDS + at);
            square = square + number * number;
        }
        wide scale = wide_select(wide_above(square, wide_all(least)), wide_sqrt((double)dim / square), wide_all(0.0));
        for (size_t j = 0; j < dim; j++)
            wide_store(y + j * KERNEL_ROUNDS + at, scale * wide_load(x + j * KERNEL_ROUNDS + at));
        for (size_t j = dim; j % KERNEL_LANES != 0; j++) wide_store(y + j * KERNEL_ROUNDS + at, wide_all(0.0));
    }
}

/* The lanes of a row and the vectors of rounds whose sums fit into the registers. */
#define ROW_LANES (KERNEL_LANES / 2)
#define ROW_PARTS (LANES == 8 ? 2 : 1)

/* Numbers of ROW_LANES lanes of a row and of some rounds, side by side. */
typedef struct row_sums {
    wide lane[ROW_LANES][ROW_PARTS];
} row_sums;

/* sum += w_ij y_j, for ROW_LANES numbers of a row from `j` on. */
WIDE void row_add(row_sums *sum, const double *row, const double *y, size_t j) {
    for (size_t l = 0; l < ROW_LANES; l++)
        for (size_t part = 0; part < ROW_PARTS; part++)
            sum->lane[l][part] =
                sum->lane[l][part] + wide_load(y + (j + l) * KERNEL_ROUNDS + part * LANES) * row[j + l];
}

WIDE void row_clear(row_sums *sum) {
    for (size_t l = 0; l < ROW_LANES; l++)
        for (size_t part = 0; part < ROW_PARTS; part++) sum->lane[l][part] = wide_all(0.0);
}

/*
 * The sums of lanes from `first` on over all rows. Where a row has only zeros in these lanes it is left out: the sums
 * begin with 0, so they are never -0, and a zero of either sign would leave them as they are.
 */
WIDE void rows_sum(const double *rows, size_t dim, const double *y, size_t first, row_sums *sum) {
    const double *row = rows + first * KERNEL_LANES;
    row_clear(sum);
    for (size_t i = first; i < dim; row += (i++ / KERNEL_LANES + 1) * KERNEL_LANES) {
        row_sums products;
        row_clear(&products);
        for (size_t j = first; j <= i; j += KERNEL_LANES) row_add(&products, row, y, j);
        for (size_t part = 0; part < ROW_PARTS; part++) {
            wide by = wide_load(y + i * KERNEL_ROUNDS + part * LANES);
            for (size_t l = 0; l < ROW_LANES; l++)
                sum->lane[l][part] = sum->lane[l][part] + products.lane[l][part] * by;
        }
    }
}

static void rounds_add_products(const double *rows, size_t dim, const double *y, double *means) {
    for (size_t at = 0; at < KERNEL_ROUNDS; at += ROW_PARTS * LANES) {
        wide total[ROW_PARTS];
        for (size_t part = 0; part < ROW_PARTS; part++) total[part] = wide_all(0.0);
        for (size_t first = 0; first < KERNEL_LANES; first += ROW_LANES) {
            row_sums sum;
            rows_sum(rows, dim, y + at, first, &sum);
            for (size_t l = 0; l < ROW_LANES; l++)
                for (size_t part = 0; part < ROW_PARTS; part++) total[part] = total[part] + sum.lane[l][part];
        }
        for (size_t part = 0; part < ROW_PARTS; part++)
            wide_store(means + at + part * LANES, wide_load(means + at + part * LANES) + total[part]);
    }
}

extern const struct round_kernels PASTE(round_kernels_, KERNEL_SET);
const struct round_kernels PASTE(round_kernels_, KERNEL_SET) = {rounds_moments, rounds_scale, rounds_add_products};
