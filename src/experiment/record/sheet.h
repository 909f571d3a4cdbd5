/*
 * What is written down: of one run (a sheet), of many runs taken together (a tally), and of a block of runs, which is
 * what workers hand over: a tally of its runs and, run by run, what cannot be put into a mean.
 */
#ifndef POSSE_RECORD_SHEET_H
#define POSSE_RECORD_SHEET_H

#include "experiment/record/agenda.h"

/*
 * One run of every competitor. The numbers are one vector, so that a tally can take the mean of all of them at once;
 * `final_regret` up to `matching_gap` are the head, which a block keeps of every run, and the row, up to `clipped`, is
 * what stays of a run for good. Where a number is one of a selector and a learner that it does not play, it is NaN.
 */
typedef struct sheet {
    double *numbers;
    size_t number_count, head_count, row_count;

    double *final_regret;     /* C: at T */
    double *final_optimal;    /* C: share of optimal rounds in the last tenth; NaN on the ball */
    double *plays;            /* S x M: how often the selector chose the learner */
    double *inside;           /* S x M: the regret of those plays */
    double *coefficient;      /* S x M: max over l of regret after the learner's l-th play / sqrt(l) */
    double *best_coefficient; /* S: the smallest of the learners that were played */
    double *clipped;          /* S: rewards outside the selector's range, NaN: it has none; absent if all have none */
    double *watched;          /* C x W: regret at the rounds that claims name */
    double *matching_best;    /* S x Q x M: 1/k for each of the k learners with the least true regret so far */
    double *matching_gap;     /* S x Q x M: 1 for the learner chosen, less matching_best */
    double *pairs;            /* C (C - 1) / 2: final regret of a less that of b, a < b, in order of a, then b */
    double *regret;           /* C x P: at the recorded rounds */

    uint8_t *optimal;          /* C x P: whether an optimal arm was played in that round */
    uint16_t *choice;          /* S x P: the learner that was chosen */
    uint16_t *matching_choice; /* S x Q */
    void *memory;
} sheet;

bool sheet_open(sheet *r, const agenda *a);
void sheet_close(sheet *r);

/* Fills in what follows from the competitors' own parts: the oracle, and the pairs. */
void sheet_finish(sheet *r, const agenda *a);

/* Runs taken together: see series.h. The counts are of runs. */
typedef struct tally {
    double runs;
    double *mean, *m2;         /* of the numbers of a sheet */
    uint32_t *optimal;         /* C x P */
    uint32_t *share;           /* S x P x M */
    uint32_t *matching_chosen; /* S x Q x M */
} tally;

typedef struct block {
    uint32_t first, count; /* runs */
    tally tally;
    double *heads;         /* count x head_count */
    bool curves;           /* whether these are kept too, packed (curves.h): */
    uint32_t *chunk_sizes; /* of each chunk, in bytes */
    unsigned char *chunks; /* one after the other */
    size_t memory_size;    /* all the arrays lie in one piece, without pointers */
    void *memory;
} block;

bool block_open(block *b, const agenda *a, const sheet *shape);
void block_close(block *b);

/* Empties a block and makes it the index-th of the agenda; then takes in its runs, in order, but for their curves. */
void block_begin(block *b, const agenda *a, uint32_t index);
void block_add(block *b, const agenda *a, const sheet *r);

/*
 * A block goes to another place as its index and so many bytes of its memory; there they are read into the memory of
 * another block, which block_fill then makes the index-th, with all of its runs.
 */
size_t block_size(const block *b, const agenda *a);
void block_fill(block *b, const agenda *a, uint32_t index);

/* The bytes of its packed chunks; SIZE_MAX: the sizes make no sense. */
size_t block_packed(const block *b, const agenda *a);

/* Where a tally has its arrays, and how one takes in another after its own runs. */
struct carving;
void tally_lay(tally *t, const agenda *a, const sheet *shape, struct carving *c);
void tally_merge(tally *t, const agenda *a, const sheet *shape, const tally *other);

#endif
