/* SPDX-License-Identifier: MIT */
/*
 * A block of runs, which is the unit that workers hand over: an aggregate of its runs and, for each run, the numbers
 * for which a mean is not enough.
 */
#ifndef POSSE_EXPERIMENT_RECORD_BLOCK_H
#define POSSE_EXPERIMENT_RECORD_BLOCK_H

#include "experiment/record/aggregate.h"

typedef struct block {
    uint32_t first, count; /* runs */
    aggregate aggregate;
    double *heads;         /* count x head_count */
    bool curves;           /* whether curves are kept too, packed (curves.h) in the two arrays below */
    uint32_t *chunk_sizes; /* of each chunk, in bytes */
    unsigned char *chunks; /* one after the other */
    size_t memory_size;    /* all the arrays lie in one piece, without pointers */
    void *memory;
} block;

bool block_open(block *b, const agenda *a, const sheet *shape);
void block_close(block *b);

/*
 * block_begin empties a block and makes it the index-th of the agenda; block_add takes in its runs, in order, without
 * their curves. block_add_head is for runs whose curves have been aggregated elsewhere (aggregate_put_curves).
 */
void block_begin(block *b, const agenda *a, uint32_t index);
void block_add(block *b, const agenda *a, const sheet *r);
void block_add_head(block *b, const agenda *a, const sheet *r);

/*
 * A block travels to another process as its index and the first block_size bytes of its memory. There they are read
 * into the memory of another block, and block_fill makes that the index-th, with all of its runs.
 */
size_t block_size(const block *b, const agenda *a);
void block_fill(block *b, const agenda *a, uint32_t index);

/* The bytes of its packed chunks; SIZE_MAX: the sizes of the chunks are wrong. */
size_t block_packed(const block *b, const agenda *a);

#endif
