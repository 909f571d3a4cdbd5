/* SPDX-License-Identifier: MIT */
/*
 * Packs chunks of numbers as the filters shuffle and deflate of HDF5 do, which is the form that they have in
 * results.h5. The HDF5 library would pack in the one thread that writes; with packers, each worker packs its own runs.
 *
 * Of the strategies of deflate, it uses the one for sequences of equal bytes, because shuffled numbers have such
 * sequences and hardly any other repetition. That takes half the time of the usual strategy, and the result is not
 * longer.
 */
#ifndef POSSE_EXPERIMENT_RECORD_PACKER_H
#define POSSE_EXPERIMENT_RECORD_PACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

typedef struct packer {
    z_stream stream;
    bool open;
    unsigned char *shuffled;
} packer;

/* Opens a packer for chunks of at most `most` bytes. False: no memory. packer_close has to follow in both cases. */
bool packer_open(packer *p, size_t most);
void packer_close(packer *p);

/* The largest size that this many bytes can have when they are packed. */
size_t packer_bound(size_t bytes);

/* Packs numbers of `width` bytes each into `out`, which has room for the bound; returns how many bytes it wrote. */
size_t packer_pack(packer *p, const void *numbers, size_t width, size_t count, unsigned char *out);

/* Unpacks what packer_pack wrote. False: it is damaged, or there is no memory. */
bool packer_unpack(packer *p, const unsigned char *packed, size_t size, void *numbers, size_t width, size_t count);

#endif
