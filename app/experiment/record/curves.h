/* SPDX-License-Identifier: MIT */
/*
 * The curves of a block's runs. A worker gathers them run by run and packs them into the block, as the chunks of the
 * datasets in results.h5. So the journal, other ranks and the file get a quarter of the bytes, and the thread that
 * takes the block only has to write them.
 */
#ifndef POSSE_EXPERIMENT_RECORD_CURVES_H
#define POSSE_EXPERIMENT_RECORD_CURVES_H

#include "experiment/record/block.h"
#include "experiment/record/packer.h"

typedef enum curve_kind { CURVE_REGRET, CURVE_OPTIMAL, CURVE_CHOICES, CURVE_KINDS } curve_kind;

/* How many chunks of a kind a block has, one per competitor or selector, and how many bytes a number in them has. */
size_t curves_chunks(const agenda *a, curve_kind kind);
size_t curves_width(curve_kind kind);

/* How many chunks of all kinds a block has, and how many bytes they need at most when they are packed. */
size_t curves_count(const agenda *a);
size_t curves_room(const agenda *a);

typedef struct curves {
    const agenda *agenda;
    uint32_t count;                       /* runs so far */
    unsigned char *gathered[CURVE_KINDS]; /* chunks x block_runs x P */
    void *memory;
    packer packer;
} curves;

bool curves_open(curves *c, const agenda *a);
void curves_close(curves *c);

/* curves_add takes in the runs of a block, in order; curves_pack packs them into the block and empties the curves. */
void curves_add(curves *c, const sheet *r);
void curves_pack(curves *c, block *b);

/*
 * The other way: curves_unpack takes all runs of a block, and curves_copy copies the i-th of them to a sheet. False:
 * the block is damaged.
 */
bool curves_unpack(curves *c, const block *b);
void curves_copy(const curves *c, uint32_t i, sheet *r);

#endif
