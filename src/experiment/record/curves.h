/*
 * The curves of a block's runs: a worker gathers them run by run, and leaves them in the block packed, as the chunks of
 * the datasets in results.h5. So the journal, other ranks and the file get a quarter of the bytes, and whoever takes
 * the block has only to write them.
 */
#ifndef POSSE_RECORD_CURVES_H
#define POSSE_RECORD_CURVES_H

#include "experiment/record/block.h"
#include "experiment/record/packer.h"

typedef enum curve_kind { CURVE_REGRET, CURVE_OPTIMAL, CURVE_CHOICES, CURVE_KINDS } curve_kind;

/* Chunks of a kind in a block, one per competitor or selector, and the bytes of a number in them. */
size_t curves_chunks(const agenda *a, curve_kind kind);
size_t curves_width(curve_kind kind);

/* Chunks of all kinds, and the room that they need at most when they are packed. */
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

/* Takes in the runs of a block, in order; then packs them into it and is empty again. */
void curves_add(curves *c, const sheet *r);
void curves_pack(curves *c, block *b);

#endif
