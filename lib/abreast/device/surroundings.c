/* SPDX-License-Identifier: MIT */
/*
 * What the library takes from its surroundings, for a GPU: functions of C, one set of kernels, and no files. Tables
 * that equal parts share are computed ahead on a processor; threads of a GPU compute the values when they need them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abreast/loops.h"
#include "base/format.h"
#include "base/shared_table.h"
#include "data/csv.h"
#include "environment/environment.h"
#include "numeric/kernels.h"
#include "posse_inside.h"

/* -------------------------------------------------- kernels ----------------------------------------------------- */

extern const kernels kernels_scalar;

/* A thread plays a single run. */
const abreast_kernels abreast_kernels_scalar = {0};

_Atomic(const kernels *) kernels_chosen = &kernels_scalar;

const kernels *kernels_choose(void) {
    return &kernels_scalar;
}

const char *kernels_wanted(void) {
    return NULL;
}

const char *posse_kernels(void) {
    return kernels_scalar.name;
}

/* -------------------------------------------------- tables ------------------------------------------------------ */

static shared_table empty;

shared_table *table_share(const table_key *key) {
    (void)key;
    return &empty;
}

void table_release(shared_table *t) {
    (void)t;
}

/* --------------------------------------------------- texts ------------------------------------------------------ */

int format_text(char *text, size_t size, const char *format, ...) {
    (void)format;
    return plain_no_text(text, size);
}

int format_text_list(char *text, size_t size, const char *format, va_list arguments) {
    (void)format, (void)arguments;
    return plain_no_text(text, size);
}

/* --------------------------------------------------- files ------------------------------------------------------ */

static posse_error surroundings_refuse(const posse_setup *setup, void **out) {
    (void)setup, (void)out;
    return POSSE_ERROR_ABSENT;
}

#define ENVIRONMENT_OF_FILES(symbol, name_)                                                                            \
    const posse_environment_ops symbol = {                                                                             \
        .kind = {.version = POSSE_EXTENSION_VERSION, .name = name_, .prepare = surroundings_refuse}}

ENVIRONMENT_OF_FILES(environment_log, "log");
ENVIRONMENT_OF_FILES(environment_table, "table");
ENVIRONMENT_OF_FILES(environment_worlds, "worlds");

posse_error csv_open(csv *c, const char *path, const posse_allocator *allocator) {
    (void)c, (void)path, (void)allocator;
    return POSSE_ERROR_ABSENT;
}

void csv_close(csv *c) {
    (void)c;
}

posse_error csv_next(csv *c, bool *more) {
    (void)c;
    *more = false;
    return POSSE_ERROR_ABSENT;
}

void csv_rewind(csv *c) {
    (void)c;
}

posse_error csv_number(csv *c, int column, double *out) {
    (void)c, (void)column, (void)out;
    return POSSE_ERROR_ABSENT;
}

posse_error csv_refuse_at(csv *c, int line, int column, const char *format, ...) {
    (void)c, (void)line, (void)column, (void)format;
    return POSSE_ERROR_FIT;
}

/* ------------------------------------------------ functions of C ------------------------------------------------ */

/* Memory comes from the host's allocator alone. */
void *malloc(size_t size) {
    (void)size;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    (void)count, (void)size;
    return NULL;
}

void *realloc(void *block, size_t size) {
    (void)block, (void)size;
    return NULL;
}

void free(void *block) {
    (void)block;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != '\0') length++;
    return length;
}

int strncmp(const char *a, const char *b, size_t most) {
    for (size_t i = 0; i < most; i++) {
        if (a[i] != b[i]) return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
        if (a[i] == '\0') return 0;
    }
    return 0;
}

int strcmp(const char *a, const char *b) {
    return strncmp(a, b, SIZE_MAX);
}

int memcmp(const void *a_, const void *b_, size_t size) {
    const unsigned char *a = a_, *b = b_;
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

void *memchr(const void *bytes, int wanted, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        if (at[i] == (unsigned char)wanted) return (void *)(uintptr_t)(at + i);
    return NULL;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != '\0') i++;
    return to;
}

char *strchr(const char *text, int wanted) {
    for (;; text++) {
        if (*text == (char)wanted) return (char *)(uintptr_t)text;
        if (*text == '\0') return NULL;
    }
}

size_t strcspn(const char *text, const char *stops) {
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        for (const char *stop = stops; *stop != '\0'; stop++)
            if (text[length] == *stop) return length;
    return length;
}

/* x is not NaN. */
double nextafter(double x, double to) {
    uint64_t bits;
    if (x == to) return to;
    if (x == 0.0) return to > 0.0 ? 0x1p-1074 : -0x1p-1074;
    memcpy(&bits, &x, sizeof bits);
    bits += (x > 0.0) == (to > x) ? 1 : UINT64_MAX;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Only suggestions for misspelt words need it, and nothing is misspelt here. */
const __int32_t **__ctype_tolower_loc(void);
const __int32_t **__ctype_tolower_loc(void) {
    return NULL;
}

/* Nothing changes while threads play: extensions are not registered here. */
uint32_t __atomic_load_4(const volatile void *at, int order);
uint32_t __atomic_load_4(const volatile void *at, int order) {
    (void)order;
    return *(const volatile uint32_t *)at;
}

uint8_t __atomic_load_1(const volatile void *at, int order);
uint8_t __atomic_load_1(const volatile void *at, int order) {
    (void)order;
    return *(const volatile uint8_t *)at;
}

uint64_t __atomic_load_8(const volatile void *at, int order);
uint64_t __atomic_load_8(const volatile void *at, int order) {
    (void)order;
    return *(const volatile uint64_t *)at;
}

/* Values of shared tables: the tables are empty here, so this is never called. */
void __atomic_store_8(volatile void *at, uint64_t value, int order);
void __atomic_store_8(volatile void *at, uint64_t value, int order) {
    (void)order;
    *(volatile uint64_t *)at = value;
}
