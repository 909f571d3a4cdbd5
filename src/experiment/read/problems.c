#include "experiment/read/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 700

/* How many bytes of a character follow its first; -1 where they do not, because a message was cut there. */
static int following(const char *text) {
    unsigned char c = (unsigned char)*text;
    int count = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    for (int i = 1; i <= count; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return -1;
    return count;
}

/* Messages quote the file, and a name may hold "\n" or an escape sequence for the terminal. */
static const char *printable(pool *memory, const char *text) {
    char *out = pool_allocate(memory, 4 * strlen(text) + 1), *end = out;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            end += sprintf(end, "\\x%02x", c);
        else if (following(text) >= 0)
            *end++ = *text;
        else
            while (((unsigned char)text[1] & 0xc0) == 0x80) text++;
    }
    return out;
}

static bool same_spot(spot a, spot b) {
    return a.line == b.line && a.column == b.column;
}

static size_t kept(const problems *p) {
    return p->count < PROBLEMS_MAX ? p->count : PROBLEMS_MAX;
}

void problem_at(problems *p, spot at, const char *format, ...) {
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *text = printable(p->memory, message);
    for (size_t i = 0; i < kept(p); i++)
        if (same_spot(p->list[i].at, at) && strcmp(p->list[i].text, text) == 0) return;
    if (p->count < PROBLEMS_MAX) p->list[p->count] = (problem){at, p->count, text};
    p->count++;
}

bool problem_known(const problems *p, spot at) {
    for (size_t i = 0; i < kept(p); i++)
        if (same_spot(p->list[i].at, at)) return true;
    return false;
}

static int by_place(const void *a_, const void *b_) {
    const problem *a = a_, *b = b_;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column) return a->at.column < b->at.column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void problems_print(problems *p, const char *path, FILE *out) {
    qsort(p->list, kept(p), sizeof *p->list, by_place);
    for (size_t i = 0; i < kept(p); i++) {
        const problem *one = &p->list[i];
        if (one->at.line == 0)
            fprintf(out, "%s: %s\n", path, one->text);
        else
            fprintf(out, "%s:%d:%d: %s\n", path, one->at.line, one->at.column, one->text);
    }
    if (p->count > PROBLEMS_MAX) fprintf(out, "%s: and %zu more problems\n", path, p->count - PROBLEMS_MAX);
}
