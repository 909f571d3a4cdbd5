/* SPDX-License-Identifier: MIT */
/*
 * A test is a law: LAW(name) { ... } states it and registers it. `test_x` runs every law of its file, `test_x name`
 * that one alone; CMake finds the names in the sources, so that each law is a line of the test output.
 */
#ifndef LAW_H
#define LAW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void law_register(const char *name, void (*body)(void **state));

#define LAW(name)                                                                                                      \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void register_##name(void) {                                                   \
        law_register(#name, name);                                                                                     \
    }                                                                                                                  \
    static void name(__attribute__((unused)) void **state)

/*
 * The share of its repetitions that a long law makes: all of them, or a quarter where a sanitizer checks every step.
 * What a sanitizer looks for is in the first repetitions, and there each is ten times as slow. A z score shrinks with
 * the root.
 */
double law_effort(void);

/* The distance of two doubles in units of the last place of the larger; 0 if equal, huge if either is not finite. */
double law_ulps(double a, double b);

/* cmocka compares floats only; these compare doubles and say both. */
#define assert_close(a, b, tolerance) law_assert_close((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
void law_assert_close(double a, double b, double tolerance, const char *what, const char *file, int line);

/* Fails with a message of one's own. printf-like. */
__attribute__((format(printf, 3, 4))) void law_assert(bool holds, const char *where, const char *format, ...);
#define LAW_STRING_(x) #x
#define LAW_STRING(x) LAW_STRING_(x)
#define assert_that(holds, ...) law_assert((holds), __FILE__ ":" LAW_STRING(__LINE__), __VA_ARGS__)

#endif
