/* SPDX-License-Identifier: MIT */
#include "describe/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

#define MESSAGE_MAX 700

/* --------------------------------------------------- locations --------------------------------------------------- */

location at_node(const node *n) {
    return (location){.node = n, .at = n->at};
}

location at_key(const node *n) {
    return (location){.node = n, .at = n->key_at};
}

location at_missing(const node *map, const char *key) {
    return (location){.node = map, .below = key, .at = map->at, .label = key};
}

/* ------------------------------------------------ printable text ------------------------------------------------- */

/* How many bytes follow the first byte of a character; -1 if they are missing, because a message was cut there. */
static int problems_following(const char *text) {
    unsigned char c = (unsigned char)*text;
    int count = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    for (int i = 1; i <= count; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return -1;
    return count;
}

/*
 * Escapes control characters, because messages quote the file, in which a name may hold "\n" or an escape sequence for
 * the terminal. NULL stays NULL.
 */
static const char *problems_printable(pool *memory, const char *text) {
    char *out = text != NULL ? pool_allocate(memory, 4 * strlen(text) + 1) : NULL, *end = out;
    for (; out != NULL && *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            end += sprintf(end, "\\x%02x", c);
        else if (problems_following(text) >= 0)
            *end++ = *text;
        else
            while (((unsigned char)text[1] & 0xc0) == 0x80) text++;
    }
    return out;
}

/* -------------------------------------------------- collecting --------------------------------------------------- */

void problems_open(problems *p, const posse_allocator *allocator) {
    *p = (problems){.memory = pool_create(allocator)};
}

void problems_close(problems *p) {
    pool_free(p->memory);
    *p = (problems){0};
}

bool problems_failed(const problems *p) {
    return pool_failed(p->memory);
}

bool problems_full(const problems *p) {
    return p->count > PROBLEMS_MAX;
}

size_t problems_kept(const problems *p) {
    return p->count < PROBLEMS_MAX ? p->count : PROBLEMS_MAX;
}

static bool problems_same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_place(const problem *a, const problem *b) {
    return a->at.line == b->at.line && a->at.column == b->at.column && problems_same_text(a->path, b->path);
}

static bool is_known(const problems *p, const problem *one) {
    for (size_t i = 0; i < problems_kept(p); i++)
        if (same_place(&p->list[i], one) && problems_same_text(p->list[i].label, one->label) &&
            problems_same_text(p->list[i].text, one->text))
            return true;
    return false;
}

/* Memory for as long as a problem is looked at. Without it the problems have failed. */
static pool *problems_brief(problems *p) {
    posse_allocator allocator = pool_allocator(p->memory);
    return pool_create(&allocator);
}

static void problems_end(problems *p, pool *brief) {
    if (pool_failed(brief)) pool_fail(p->memory);
    pool_free(brief);
}

static const char *path_of(pool *memory, location where) {
    return problems_printable(memory, node_path_below(where.node, where.below, memory));
}

static const char *problems_copy(problems *p, const char *text) {
    return text != NULL ? pool_copy(p->memory, text, strlen(text)) : NULL;
}

/*
 * Makes the problem in memory of its own and keeps copies of its texts, so that a problem that is known or one too many
 * leaves nothing behind. NULL: it is not kept; without memory for it problems_failed returns true.
 */
static problem *problems_add(problems *p, location where, const char *format, va_list arguments) {
    char message[MESSAGE_MAX];
    if (problems_failed(p)) return NULL;
    format_text_list(message, sizeof message, format, arguments);
    pool *brief = problems_brief(p);
    problem one = {.path = path_of(brief, where),
                   .at = where.at,
                   .label = problems_printable(brief, where.label),
                   .text = problems_printable(brief, message),
                   .rank = where.node != NULL && where.at.line == 0 ? where.node->order : 0,
                   .order = p->count};
    bool kept = !pool_failed(brief) && !is_known(p, &one) && p->count++ < PROBLEMS_MAX;
    if (kept) {
        one.path = problems_copy(p, one.path);
        one.label = problems_copy(p, one.label);
        one.text = problems_copy(p, one.text);
        p->list[one.order] = one;
    }
    problems_end(p, brief);
    if (!kept) return NULL;
    if (problems_failed(p)) p->count = one.order;
    return p->count > one.order ? &p->list[one.order] : NULL;
}

void problem_at(problems *p, location where, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    problems_add(p, where, format, arguments);
    va_end(arguments);
}

void problem_beside(problems *p, location where, location other, const char *rest, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    problem *one = problems_add(p, where, format, arguments);
    va_end(arguments);
    if (one == NULL) return;
    one->other_path = path_of(p->memory, other);
    one->other_line = other.at.line;
    one->rest = rest;
}

void problem_missing(problems *p, const node *map, const char *key, const char *wanted) {
    problem_at(p, at_missing(map, key), "is missing; it must be %s", wanted);
}

bool problem_known(problems *p, location where) {
    if (problems_failed(p)) return false;
    pool *brief = problems_brief(p);
    problem one = {.path = path_of(brief, where), .at = where.at};
    bool known = false;
    for (size_t i = 0; i < problems_kept(p); i++) known = known || same_place(&p->list[i], &one);
    problems_end(p, brief);
    return known;
}

/* --------------------------------------------------- printing ---------------------------------------------------- */

static int problems_by_place(const void *a_, const void *b_) {
    const problem *a = a_, *b = b_;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column) return a->at.column < b->at.column ? -1 : 1;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void problems_sort(problems *p) {
    qsort(p->list, problems_kept(p), sizeof *p->list, problems_by_place);
}

const char *problem_text(const problem *one, bool in_file, pool *memory) {
    if (one->other_path == NULL) return one->text;
    if (in_file) return pool_format(memory, "%s in line %d%s", one->text, one->other_line, one->rest);
    return pool_format(memory, "%s at %s%s", one->text, one->other_path, one->rest);
}

const char *problem_line(const problem *one, const char *file, pool *memory) {
    const char *text = problem_text(one, true, memory);
    char where[40] = "";
    if (text == NULL) return NULL;
    if (one->at.line > 0) snprintf(where, sizeof where, ":%d:%d", one->at.line, one->at.column);
    const char *label = one->label != NULL ? one->label : "";
    return pool_format(memory, "%s%s: %s%s%s", file, where, label, *label != '\0' ? ": " : "", text);
}

void problems_print(problems *p, const char *file, FILE *out) {
    problems_sort(p);
    for (size_t i = 0; i < problems_kept(p); i++) {
        const char *line = problem_line(&p->list[i], file, p->memory);
        if (line != NULL) fprintf(out, "%s\n", line);
    }
    if (p->count > PROBLEMS_MAX) fprintf(out, "%s: and %zu more problems\n", file, p->count - PROBLEMS_MAX);
}
