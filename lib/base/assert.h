/* SPDX-License-Identifier: MIT */
/*
 * Assertions of what an internal function needs, and of what must hold inside. They are for mistakes in this library:
 * arguments and files of users, and answers of extensions, are checked and refused with an error. They are active with
 * the CMake option POSSE_ASSERTS, which debug builds, sanitizers and fuzz targets turn on. In other builds the library
 * never aborts, and an assertion costs nothing.
 */
#ifndef POSSE_BASE_ASSERT_H
#define POSSE_BASE_ASSERT_H

#ifdef POSSE_ASSERTS
#include <stdio.h>
#include <stdlib.h>

_Noreturn static inline void assert_fail(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: this must hold: %s\n", file, line, what);
    abort();
}

#define POSSE_ASSERT(condition) ((condition) ? (void)0 : assert_fail(__FILE__, __LINE__, #condition))
#else
#define POSSE_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
