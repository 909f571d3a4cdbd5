/* SPDX-License-Identifier: MIT */
/*
 * Included before each source of the library that is compiled for a GPU. There is no text there: the same objects have
 * been made on the host before, so that messages have been written.
 */
#ifndef POSSE_ABREAST_DEVICE_PLAIN_H
#define POSSE_ABREAST_DEVICE_PLAIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline int plain_no_text(char *text, size_t size) {
    if (size > 0) text[0] = '\0';
    return 0;
}

/* LLVM copies and fills memory of a size that is no constant byte by byte. Nearly all of it is whole words. */
static inline void *plain_copy(void *to, const void *from, size_t size) {
    const size_t whole = (((uintptr_t)to | (uintptr_t)from) & 7) == 0 ? size / 8 : 0;
    uint64_t *words = to;
    const uint64_t *words_from = from;
    for (size_t i = 0; i < whole; i++) words[i] = words_from[i];
    for (size_t i = 8 * whole; i < size; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

static inline void *plain_fill(void *to, int byte, size_t size) {
    const size_t whole = ((uintptr_t)to & 7) == 0 ? size / 8 : 0;
    uint64_t *words = to;
    for (size_t i = 0; i < whole; i++) words[i] = 0x0101010101010101 * (uint8_t)byte;
    for (size_t i = 8 * whole; i < size; i++) ((uint8_t *)to)[i] = (uint8_t)byte;
    return to;
}

#define memcpy(to, from, size)                                                                                         \
    (__builtin_constant_p(size) ? __builtin_memcpy(to, from, size) : plain_copy(to, from, size))
#define memset(to, byte, size)                                                                                         \
    (__builtin_constant_p(size) ? __builtin_memset(to, byte, size) : plain_fill(to, byte, size))

#undef va_start
#undef va_end
#define va_start(list, last) ((void)(list))
#define va_end(list) ((void)(list))
#define snprintf(text, size, ...) plain_no_text(text, size)

#endif
