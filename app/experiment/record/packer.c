/* SPDX-License-Identifier: MIT */
#include "experiment/record/packer.h"

#include <stdlib.h>

#define LEVEL 1
#define WINDOW_BITS 15 /* this and the memory level are those of deflateInit, which packer_bound assumes */
#define MEMORY_LEVEL 8

bool packer_open(packer *p, size_t most) {
    *p = (packer){.shuffled = malloc(most)};
    p->open = deflateInit2(&p->stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_RLE) == Z_OK;
    return p->open && p->shuffled != NULL;
}

void packer_close(packer *p) {
    if (p->open) deflateEnd(&p->stream);
    free(p->shuffled);
    *p = (packer){0};
}

size_t packer_bound(size_t bytes) {
    return compressBound(bytes);
}

/* The first byte of every number, then the second of every number, and so on. */
static void packer_shuffle(unsigned char *restrict to, const unsigned char *restrict from, size_t width, size_t count) {
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < count; i++) *to++ = from[i * width + b];
}

size_t packer_pack(packer *p, const void *numbers, size_t width, size_t count, unsigned char *out) {
    size_t bytes = width * count;
    packer_shuffle(p->shuffled, numbers, width, count);
    deflateReset(&p->stream);
    p->stream.next_in = p->shuffled;
    p->stream.avail_in = (uInt)bytes;
    p->stream.next_out = out;
    p->stream.avail_out = (uInt)packer_bound(bytes);
    deflate(&p->stream, Z_FINISH);
    return p->stream.total_out;
}

static void packer_unshuffle(unsigned char *restrict to, const unsigned char *restrict from, size_t width,
                             size_t count) {
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < count; i++) to[i * width + b] = *from++;
}

bool packer_unpack(packer *p, const unsigned char *packed, size_t size, void *numbers, size_t width, size_t count) {
    uLongf bytes = (uLongf)(width * count);
    if (uncompress(p->shuffled, &bytes, packed, (uLong)size) != Z_OK || bytes != width * count) return false;
    packer_unshuffle(numbers, p->shuffled, width, count);
    return true;
}
