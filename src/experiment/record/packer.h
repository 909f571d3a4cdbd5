/*
 * Packs chunks of numbers the way HDF5's filters shuffle and deflate do, and so in the form in which results.h5 holds
 * them. The library would do it in the one thread that writes; with packers each worker does it for its own.
 *
 * Of deflate's strategies it is the one for runs of equal bytes: shuffled numbers have those, and hardly anything else
 * that repeats. It takes half the time of the usual one and leaves no more bytes.
 */
#ifndef POSSE_RECORD_PACKER_H
#define POSSE_RECORD_PACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

typedef struct packer {
    z_stream stream;
    bool open;
    unsigned char *shuffled;
} packer;

/* For chunks of at most so many bytes. False: no memory; packer_close is fine either way. */
bool packer_open(packer *p, size_t most);
void packer_close(packer *p);

/* The most that so many bytes can come to. */
size_t packer_bound(size_t bytes);

/* Packs numbers of so many bytes each into `out`, which has room for the bound; returns how many bytes they became. */
size_t packer_pack(packer *p, const void *numbers, size_t width, size_t count, unsigned char *out);

#endif
