/* SPDX-License-Identifier: MIT */
/*
 * The request that is being handled: its problems, its memory, and what it changes.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "common/json_text.h"
#include "describe/trial.h"
#include "served/health.h"

static _Thread_local serving *beside;

void serving_beside(serving *own) {
    beside = own;
}

serving *serving_here(serving *s) {
    return beside != NULL ? beside : s;
}

problems *serving_problems(serving *s) {
    if (!s->found_open) problems_open(&s->found, NULL);
    s->found_open = true;
    return &s->found;
}

static void serving_close_problems(serving *s) {
    if (s->found_open) problems_close(&s->found);
    s->found = (problems){0};
    s->found_open = false;
}

void serving_begin(serving *s) {
    s->described = NULL;
    s->described_is_part = s->changed = s->bounded = false;
    s->joining_count = 0;
    if (s->found.count > 0 || (s->found_open && problems_failed(&s->found))) serving_close_problems(s);
}

void serving_forget(serving *s) {
    pool_free(s->memory);
    s->memory = NULL;
}

void serving_close(serving *s) {
    serving_forget(s);
    serving_close_problems(s);
}

pool *serving_memory(serving *s) {
    if (s->memory == NULL) s->memory = pool_create(NULL);
    return s->memory;
}

static void serving_hear(void *context, const posse_place *place, const char *message) {
    serving *s = serving_here(context);
    problems *found = serving_problems(s);
    location where = s->described_is_part ? trial_locate_inside(s->described, place, found->memory)
                                          : trial_locate(s->described, place, found->memory);
    problem_at(found, where, "%s", message);
}

posse_logger serving_logger(serving *s) {
    return (posse_logger){serving_hear, s->logs_to != NULL ? s->logs_to : s};
}

served_status serving_say(serving *s, served_status status, const char *path, const char *format, ...) {
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    format_text_list(message, sizeof message, format, arguments);
    va_end(arguments);
    problems *found = serving_problems(s);
    problem_at(found, (location){.below = *path != '\0' ? path : NULL}, "%s", message);
    return status;
}

served_status serving_no_memory(serving *s) {
    return serving_say(s, SERVED_DOWN, "", "there is not enough memory");
}

void serving_place(serving *s, const char *list, size_t entry) {
    for (size_t i = 0; i < s->found.count && i < PROBLEMS_MAX; i++) {
        problem *one = &s->found.list[i];
        const char *inside = one->path != NULL ? one->path : "", *dot = *inside != '\0' ? "." : "";
        const char *path = pool_format(s->found.memory, "%s[%zu]%s%s", list, entry, dot, inside);
        if (path != NULL) one->path = path;
    }
}

served_status serving_refuse(serving *s, posse_error error, served_status status) {
    if (error == POSSE_ERROR_MEMORY) return serving_no_memory(s);
    if (s->found.count == 0) serving_say(s, status, "", "%s", posse_error_text(error));
    return status;
}

const char *serving_text(serving *s, const json_t *value) {
    char *text = json_text(value, JSON_TEXT_COMPACT);
    const char *kept = text != NULL && serving_memory(s) != NULL ? pool_copy(s->memory, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

record served_record(const served *p, record_kind kind) {
    return (record){.kind = kind,
                    .decides = posse_decision_count(p->posse),
                    .arm = RECORD_NO_ARM,
                    .propensity = NAN,
                    .reward = NAN};
}

void served_note(serving *s, served *p, const record *r) {
    s->changed = true;
    health_note(p, r, s->now);
    s->store->note(s, p, r);
}

void served_count_reward(serving *s, served *p, double reward) {
    p->rewards++;
    p->reward_sum += reward;
    s->counts.rewards++;
}
