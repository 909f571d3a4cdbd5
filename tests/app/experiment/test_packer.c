/* SPDX-License-Identifier: MIT */
/*
 * Tests of packing: the bytes that zlib unpacks, put back into the order that HDF5 documents, are those that were
 * packed.
 */
#include "experiment/record/packer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "menagerie.h"

#define MOST 4096 /* bytes */

static unsigned char numbers[MOST], packed[2 * MOST], unpacked[MOST], back[MOST];

/* HDF5 puts the first bytes of all numbers before the second bytes of all. */
static void unshuffle(size_t width, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < width; b++) back[i * width + b] = unpacked[b * count + i];
}

static size_t come_back(packer *p, size_t width, size_t count) {
    size_t bytes = width * count;
    uLongf length = sizeof unpacked;
    size_t size = packer_pack(p, numbers, width, count, packed);
    assert_in_range(size, 1, packer_bound(bytes));
    assert_int_equal(uncompress(unpacked, &length, packed, size), Z_OK);
    assert_int_equal(length, bytes);
    unshuffle(width, count);
    assert_memory_equal(back, numbers, bytes);
    return size;
}

LAW(what_is_packed_comes_back) {
    packer p;
    uint64_t source = 1;
    assert_true(packer_open(&p, MOST));
    for (size_t width = 1; width <= 8; width *= 2)
        for (size_t count = 1; count <= MOST / width; count += 1 + count / 2) {
            for (size_t i = 0; i < MOST; i++) numbers[i] = (unsigned char)(256.0 * random_uniform(&source));
            come_back(&p, width, count);
            memset(numbers, 7, MOST / 2);
            come_back(&p, width, count);
        }
    packer_close(&p);
}

/* A packer has no memory: the same numbers are packed to the same bytes, whatever was packed before. */
LAW(packing_forgets) {
    static unsigned char first[2 * MOST];
    packer p, other;
    uint64_t source = 2;
    assert_true(packer_open(&p, MOST) && packer_open(&other, MOST));
    for (size_t i = 0; i < MOST; i++) numbers[i] = (unsigned char)(4.0 * random_uniform(&source));
    size_t size = come_back(&other, 8, MOST / 8);
    memcpy(first, packed, size);
    come_back(&p, 2, 99);
    assert_int_equal(come_back(&p, 8, MOST / 8), size);
    assert_memory_equal(packed, first, size);
    packer_close(&p);
    packer_close(&other);
}

/* Curves are packed because they are flat over long stretches. */
LAW(flat_curves_become_small) {
    packer p;
    assert_true(packer_open(&p, MOST));
    for (size_t i = 0; i < MOST / sizeof(double); i++) {
        double regret = sqrt((double)(1 + i / 100));
        memcpy(numbers + i * sizeof regret, &regret, sizeof regret);
    }
    assert_in_range(come_back(&p, sizeof(double), MOST / sizeof(double)), 1, MOST / 16);
    packer_close(&p);
}
