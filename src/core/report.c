#include "core/report.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 48

static size_t place_write(const place *where, char *text, size_t size) {
    if (where == NULL) return 0;
    size_t used = place_write(where->outer, text, size);
    if (used >= size) return used;
    const char *dot = used > 0 ? "." : "";
    int written = where->index < 0 ? snprintf(text + used, size - used, "%s%s", dot, where->name)
                                   : snprintf(text + used, size - used, "%s%s[%d]", dot, where->name, where->index);
    return used + (written > 0 ? (size_t)written : 0);
}

void report_list(const posse_logger *log, const place *where, const char *key, const char *format, va_list arguments) {
    if (log == NULL || log->write == NULL) return;
    char message[512];
    place inner = {where, key, -1};
    size_t used = place_write(key != NULL ? &inner : where, message, sizeof message);
    if (used > sizeof message - 8) used = sizeof message - 8;
    if (used > 0) {
        memcpy(message + used, ": ", 2);
        used += 2;
    }
    vsnprintf(message + used, sizeof message - used, format, arguments);
    log->write(log->context, message);
}

void report(const posse_logger *log, const place *where, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report_list(log, where, key, format, arguments);
    va_end(arguments);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
static int edit_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX) return WORD_MAX;
    int rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= m; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i - 1) % 3], *higher = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], higher[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void suggestion_consider(suggestion *s, const char *candidate) {
    int distance = edit_distance(s->word, candidate);
    int limit = strlen(candidate) < 4 ? 1 : (int)strlen(candidate) / 3 + 1;
    if (distance > limit || (s->best != NULL && distance >= s->distance)) return;
    s->best = candidate;
    s->distance = distance;
}

const char *suggestion_text(const suggestion *s, char text[96]) {
    text[0] = '\0';
    if (s->best != NULL) snprintf(text, 96, "; did you mean \"%s\"?", s->best);
    return text;
}
