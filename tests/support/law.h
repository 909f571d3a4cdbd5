/* SPDX-License-Identifier: MIT */
/*
 * LAW(name) { ... } defines and registers a test. The program `test_x` runs every test of its file, and `test_x name`
 * that one alone. CMake finds the names in the sources, so that each test is a line of the output.
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
 * The share of its repetitions that a long test makes: all of them, or a quarter with a sanitizer. The first
 * repetitions are enough for a sanitizer, with which each takes ten times as long. z scores shrink with the square root
 * of the share.
 */
double law_effort(void);

/* The distance of two doubles in units of the last place of the larger; 0 if equal, huge if either is not finite. */
double law_ulps(double a, double b);

/* cmocka compares floats only. These compare doubles, and print both. */
#define assert_close(a, b, tolerance) law_assert_close((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
void law_assert_close(double a, double b, double tolerance, const char *what, const char *file, int line);

/* Fails with a message in the format of printf. */
__attribute__((format(printf, 3, 4))) void law_assert(bool holds, const char *where, const char *format, ...);
#define LAW_STRING_(x) #x
#define LAW_STRING(x) LAW_STRING_(x)
#define assert_that(holds, ...) law_assert((holds), __FILE__ ":" LAW_STRING(__LINE__), __VA_ARGS__)

#endif
