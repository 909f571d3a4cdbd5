/* SPDX-License-Identifier: MIT */
/*
 * The rounds that a request for decisions is about: one for all decisions, or a list with one for each.
 */
#include <string.h>

#include "posse_features.h"
#include "served/served.h"

/* An entry of a list is {"context": ..}, and where features have names it may have arms beside. */
static served_status round_check_keys(serving *s, const served *p, const json_t *said) {
    const char *key;
    json_t *value;
    if (!json_is_object(said)) return serving_say(s, SERVED_WRONG, "", "it must be a round, {\"context\": {..}}");
    json_object_foreach((json_t *)said, key, value) {
        if (strcmp(key, "context") == 0 || (strcmp(key, "arms") == 0 && posse_takes_names(p->posse))) continue;
        return serving_say(s, SERVED_WRONG, key, "there is no such key here");
    }
    return SERVED_DONE;
}

static served_status round_read(serving *s, const served *p, const json_t *said, served_round *out) {
    served_status status = round_check_keys(s, p, said);
    bool whole = posse_takes_names(p->posse) && json_object_size(said) > 0;
    out->source = whole ? said : json_object_get(said, "context");
    out->body = NULL;
    if (status == SERVED_DONE) status = served_read_context(s, p, out->source, &out->context);
    if (status != SERVED_DONE || s->joining_count == 0) return status;
    return serving_say(s, SERVED_ABSENT, "arms", "there is no such arm; an arm joins by a single decision");
}

/* Reads all rounds, and checks that each can be decided after those before it. *at: the entry that is wrong. */
static served_status rounds_read(serving *s, served *p, const served_work *w, size_t *at) {
    for (*at = 0; *at < w->decision_count; (*at)++) {
        served_status status = round_read(s, p, json_array_get(w->rounds, *at), &w->each[*at]);
        if (status != SERVED_DONE) return status;
    }
    posse_error error = posse_trial_begin(p->posse);
    for (*at = 0; *at < w->decision_count && error == POSSE_OK; *at += error == POSSE_OK) {
        const served_round *round = &w->each[*at];
        error = posse_check_decide(p->posse, round->source != NULL ? &round->context : NULL);
    }
    posse_trial_end(p->posse, false);
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

served_status served_read_rounds(serving *s, served *p, served_work *w) {
    size_t at = 0;
    w->each = NULL;
    w->one = (served_round){.source = w->source};
    if (w->rounds == NULL) return served_read_context(s, p, w->source, &w->one.context);
    if (serving_memory(s) != NULL) w->each = pool_allocate(s->memory, w->decision_count * sizeof *w->each);
    if (w->each == NULL) return serving_no_memory(s);
    served_status status = rounds_read(s, p, w, &at);
    if (status != SERVED_DONE) serving_place(s, "rounds", at);
    return status;
}

served_status served_write_rounds(serving *s, served_work *w) {
    size_t count = w->each != NULL ? w->decision_count : 1;
    served_round *rounds = w->each != NULL ? w->each : &w->one;
    for (size_t i = 0; i < count; i++) {
        if (rounds[i].source == NULL) continue;
        rounds[i].body = serving_text(s, rounds[i].source);
        if (rounds[i].body == NULL) return serving_no_memory(s);
    }
    return SERVED_DONE;
}
