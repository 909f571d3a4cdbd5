/* SPDX-License-Identifier: MIT */
#include "law.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAWS_MAX 64

static struct CMUnitTest laws[LAWS_MAX];
static size_t law_count;

void law_register(const char *name, void (*body)(void **state)) {
    if (law_count == LAWS_MAX) {
        fprintf(stderr, "no room for %s: raise LAWS_MAX\n", name);
        exit(EXIT_FAILURE);
    }
    laws[law_count++] = (struct CMUnitTest){name, body, NULL, NULL, NULL};
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

double law_effort(void) {
    return SANITIZED ? 0.25 : 1.0;
}

double law_ulps(double a, double b) {
    if (a == b) return 0.0;
    if (!isfinite(a) || !isfinite(b)) return INFINITY;
    double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) / (nextafter(larger, INFINITY) - larger);
}

void law_assert_close(double a, double b, double tolerance, const char *what, const char *file, int line) {
    if (fabs(a - b) <= tolerance) return;
    print_error("%s: %.17g and %.17g differ by %.3g, more than %.3g\n", what, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

void law_assert(bool holds, const char *where, const char *format, ...) {
    if (holds) return;
    va_list arguments;
    va_start(arguments, format);
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail_msg("%s: %s", where, message);
}

/*
 * A test works in a folder of its own, so that a database or a table that it leaves behind is not where it was started,
 * in the sources for example.
 */
static char law_folder[] = "/tmp/posse-law-XXXXXX";

static bool folder_enter(void) {
    return mkdtemp(law_folder) != NULL && chdir(law_folder) == 0;
}

static void folder_remove(void) {
    DIR *folder = opendir(law_folder);
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder))
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL) closedir(folder);
    rmdir(law_folder);
}

/* cmocka's own filter succeeds if nothing matches. Here a test that is named must exist. */
int main(int argc, char **argv) {
    struct CMUnitTest *first = laws;
    size_t count = law_count;
    if (argc > 1) {
        while (first < laws + law_count && strcmp(first->name, argv[1]) != 0) first++;
        count = first < laws + law_count ? 1 : 0;
    }
    if (count == 0) {
        fprintf(stderr, "%s: no law %s\n", argv[0], argc > 1 ? argv[1] : "at all");
        return EXIT_FAILURE;
    }
    if (!folder_enter()) {
        perror(law_folder);
        return EXIT_FAILURE;
    }
    int failed = _cmocka_run_group_tests(argv[0], first, count, NULL, NULL);
    folder_remove();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
