/* SPDX-License-Identifier: MIT */
#include "redis/words.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "redis/module.h"

static const char *words_code(served_status status) {
    switch (status) {
    case SERVED_TOKEN:
        return "BADTOKEN";
    case SERVED_REWARD:
        return "BADREWARD";
    case SERVED_CONFLICT:
        return "CONFLICT";
    case SERVED_LOST:
        return "LOST";
    case SERVED_CROWDED:
        return "CROWDED";
    case SERVED_DOWN:
        return "OOM";
    default:
        return "ERR";
    }
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
static bool words_join(char *line, size_t size, const problem *one, pool *memory) {
    size_t length = strlen(line);
    const char *text = problem_text(one, false, memory);
    const char *path = one->path != NULL ? one->path : "";
    int more = snprintf(line + length, size - length, "%s%s%s%s", strchr(line, ' ') + 1 == line + length ? "" : " | ",
                        path, *path != '\0' ? ": " : "", text != NULL ? text : one->text);
    return more >= 0 && (size_t)more < size - length;
}

int words_refuse(RedisModuleCtx *ctx, served_status status) {
    char line[2000];
    problems *found = serving_problems(&module_serving);
    if (problems_kept(found) == 0) serving_no_memory(&module_serving);
    snprintf(line, sizeof line, "%s ", words_code(status));
    problems_sort(found);
    for (size_t i = 0; i < problems_kept(found) && words_join(line, sizeof line, &found->list[i], found->memory);) i++;
    words_clean(line);
    return RedisModule_ReplyWithError(ctx, line);
}

int words_refuse_error(RedisModuleCtx *ctx, posse_error error) {
    return words_refuse(ctx, serving_refuse(&module_serving, error, SERVED_WRONG));
}
