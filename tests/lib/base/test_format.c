/* SPDX-License-Identifier: MIT */
/*
 * Texts are those of printf in the locale "C", in a locale with a decimal comma, too, and while another thread changes
 * the locale of the process.
 */
#include "base/format.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/text.h"
#include "menagerie.h"

enum { TEXT = 400 };

static const char *const formats[] = {"%g",   "%.3g", "%.4g",      "%.9g",  "%.10g",    "%.12g",   "%.17g", "%.0f",
                                      "%.1f", "%.4f", "%7.1f%%|x", "%3.0f", "%-10.3g|", "%+.6e%%", "%f",    "%#g"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Bits at random, or a decimal number as texts have them. */
static double format_number(uint64_t *source) {
    uint64_t bits = random_next(source);
    double x, y = (double)(int64_t)random_next(source) / pow(10.0, (double)random_below(source, 25));
    memcpy(&x, &bits, sizeof x);
    return random_below(source, 2) == 0 && fabs(x) < 1e300 ? x : y;
}

typedef int write_list(char *text, size_t size, const char *format, va_list list);

/* By vsnprintf or by format_text_list. */
static int write_one(write_list *write, char *text, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = write(text, size, format, list);
    va_end(list);
    return length;
}

LAW(texts_are_those_of_printf) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 0.5, -1.5, 1e300, 5e-324};
    uint64_t source = 11;
    int count = (int)(20000 * law_effort());
    for (int n = 0; n < count; n++) {
        double x = n < 9 ? special[n] : format_number(&source);
        for (int f = 0; f < FORMATS; f++) {
            char text[TEXT] = "", expected[TEXT] = "";
            size_t size = n % 4 == 0 ? random_below(&source, 30) : TEXT;
            int length = write_one(vsnprintf, expected, size, formats[f], x);
            assert_int_equal(write_one(format_text_list, text, size, formats[f], x), length);
            assert_memory_equal(text, expected, TEXT);
        }
    }
    char text[TEXT], expected[TEXT];
    snprintf(expected, TEXT, "%s %.*s %c %d %zu %016llx %-5u|%%", "a", 2, "bcd", 'e', -1, (size_t)2, 3ULL, 4u);
    format_text(text, TEXT, "%s %.*s %c %d %zu %016llx %-5u|%%", "a", 2, "bcd", 'e', -1, (size_t)2, 3ULL, 4u);
    assert_string_equal(text, expected);
}

/* ------------------------------------------- with a decimal comma ---------------------------------------------- */

/* glibc never frees the path that it makes of LOCPATH. The sanitizer finds this function if it is visible. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:argz_add_sep";
}

/* Makes the locale de_DE and lets setlocale find it. Returns the folder, which locale_remove removes. */
static char *locale_make(char folder[40]) {
    char command[120];
    strcpy(folder, "/tmp/posse-locale-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
    assert_int_equal(system(command), 0);
    setenv("LOCPATH", folder, 1);
    return folder;
}

static void locale_remove(const char *folder) {
    char command[60];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_int_equal(system(command), 0);
    unsetenv("LOCPATH");
}

/* Everything that makes a text with a number, or reads one. */
static void assert_points(double x, const char *expected) {
    char text[TEXT] = "", list[TEXT], *made = text_format("%.3g", x), *printed = NULL;
    size_t size;
    snprintf(list, TEXT, "[%s]", expected);
    json_t *all = json_read_own(list), *read = json_array_get(all, 0);
    assert_int_equal(format_text(text, TEXT, "%.3g", x), strlen(expected));
    assert_string_equal(text, expected);
    assert_string_equal(made, expected);
    assert_string_equal(decimal_write(x, text), expected);
    assert_true(json_is_real(read) && json_real_value(read) == x);
    char *dumped = json_text_dump(read, JSON_ENCODE_ANY | JSON_REAL_PRECISION(3));
    assert_string_equal(dumped, expected);
    FILE *out = open_memstream(&printed, &size);
    text_print(out, "%.3g", x);
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
    free(dumped);
    free(made);
    json_decref(all);
}

LAW(texts_have_points_in_every_locale) {
    char folder[40], text[TEXT];
    locale_make(folder);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_points(-1.5, "-1.5");
    locale_t thread = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0), process = uselocale(thread);
    assert_true(thread != (locale_t)0);
    setlocale(LC_ALL, "C");
    assert_points(0.25, "0.25");
    /* The thread keeps the locale that it has chosen. */
    snprintf(text, TEXT, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    assert_true(uselocale(process) == thread);
    freelocale(thread);
    locale_remove(folder);
}

typedef struct changing {
    atomic_bool over;
    atomic_int changes, texts;
} changing;

/* Each locale lasts until two more texts have been made. */
static void *change_locale(void *context) {
    changing *c = context;
    while (!atomic_load(&c->over)) {
        int texts = atomic_load(&c->texts);
        setlocale(LC_ALL, atomic_fetch_add(&c->changes, 1) % 2 == 0 ? "de_DE.UTF-8" : "C");
        while (!atomic_load(&c->over) && atomic_load(&c->texts) < texts + 2) sched_yield();
    }
    return NULL;
}

LAW(texts_have_points_while_the_locale_changes) {
    char folder[40];
    changing c = {0};
    pthread_t other;
    locale_make(folder);
    assert_int_equal(pthread_create(&other, NULL, change_locale, &c), 0);
    for (; atomic_load(&c.changes) < 500; atomic_fetch_add(&c.texts, 1)) assert_points(2.75, "2.75");
    atomic_store(&c.over, true);
    pthread_join(other, NULL);
    locale_remove(folder);
}
