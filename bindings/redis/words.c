/* SPDX-License-Identifier: MIT */
#include "redis/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "describe/trial.h"

static problems found;
static bool is_open;
static const node *described;
static bool described_is_learner;

problems *words_list(void) {
    if (!is_open) problems_open(&found, NULL);
    is_open = true;
    return &found;
}

void words_clear(void) {
    described = NULL;
    if (!is_open || (found.count == 0 && !problems_failed(&found))) return;
    problems_close(&found);
    is_open = false;
}

void words_say(const char *path, const char *format, ...) {
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problem_at(words_list(), (location){.below = *path != '\0' ? path : NULL}, "%s", message);
}

void words_are_about(const node *root, bool is_learner) {
    described = root;
    described_is_learner = is_learner;
}

static void words_hear(void *context, const posse_place *place, const char *message) {
    (void)context;
    pool *memory = words_list()->memory;
    location where = described_is_learner && described != NULL ? trial_locate_inside(described, place, memory)
                                                               : trial_locate(described, place, memory);
    problem_at(&found, where, "%s", message);
}

posse_logger words_logger(void) {
    return (posse_logger){words_hear, NULL};
}

/* Replaces bytes that must not be in an answer, which is one line of text. */
static void words_clean(char *text) {
    size_t length = strlen(text), at = 0;
    while (at < length) {
        size_t step = utf8_length((const unsigned char *)text + at, length - at);
        if (step == 0 || (unsigned char)text[at] < 0x20 || text[at] == 0x7f) text[at] = '?';
        at += step > 0 ? step : 1;
    }
}

/* Adds one problem. False: there is no room for more. */
static bool words_join(char *line, size_t size, const problem *one) {
    size_t length = strlen(line);
    const char *text = problem_text(one, false, found.memory);
    const char *path = one->path != NULL ? one->path : "";
    int more = snprintf(line + length, size - length, "%s%s%s%s", strchr(line, ' ') + 1 == line + length ? "" : " | ",
                        path, *path != '\0' ? ": " : "", text != NULL ? text : one->text);
    return more >= 0 && (size_t)more < size - length;
}

int words_answer(RedisModuleCtx *ctx, const char *code, const char *fallback) {
    char line[2000];
    snprintf(line, sizeof line, "%s ", code);
    size_t kept = is_open ? problems_kept(&found) : 0;
    if (kept == 0) snprintf(line, sizeof line, "%s %s", code, fallback);
    if (kept > 0) problems_sort(&found);
    for (size_t i = 0; i < kept && words_join(line, sizeof line, &found.list[i]);) i++;
    words_clean(line);
    return RedisModule_ReplyWithError(ctx, line);
}

int words_answer_error(RedisModuleCtx *ctx, posse_error error) {
    if (error == POSSE_ERROR_MEMORY) words_clear();
    return words_answer(ctx, error == POSSE_ERROR_MEMORY ? "OOM" : "ERR", posse_error_text(error));
}
