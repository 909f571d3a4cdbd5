/* SPDX-License-Identifier: MIT */
/*
 * The rounds of a request that has one for each decision. They are read and checked one after the other, before the
 * first decision is made.
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
    *out = (served_round){.source = whole ? said : json_object_get(said, "context")};
    if (status == SERVED_DONE) status = served_read_context(s, p, out->source, &out->context);
    if (status != SERVED_DONE || s->joining_count == 0) return status;
    return serving_say(s, SERVED_ABSENT, "arms", "there is no arm \"%.80s\"; an arm joins by a single decision",
                       s->joining[0]);
}

/* Checks that a round can be decided after those before it, which have taught the map of features by name. */
static served_status round_check(serving *s, const served *p, const served_round *round) {
    posse_error error = posse_check_decide(p->posse, round->source != NULL ? &round->context : NULL);
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

served_status served_rounds_begin(serving *s, served_work *w) {
    if (serving_memory(s) != NULL) w->each = pool_allocate(s->memory, w->decision_count * sizeof *w->each);
    return w->each != NULL ? SERVED_DONE : serving_no_memory(s);
}

served_status served_rounds_next(serving *s, served *p, served_work *w) {
    size_t at = w->rounds_done++;
    if (at == 0 && posse_trial_begin(p->posse) != POSSE_OK) return serving_no_memory(s);
    served_status status = round_read(s, p, json_array_get(w->rounds, at), &w->each[at]);
    if (status == SERVED_DONE) status = round_check(s, p, &w->each[at]);
    if (status != SERVED_DONE) serving_place(s, "rounds", at);
    if (status != SERVED_DONE || w->rounds_done == w->decision_count) posse_trial_end(p->posse, false);
    return status;
}

served_status served_rounds_write(serving *s, served_work *w) {
    for (size_t i = 0; i < w->decision_count; i++) {
        if (w->each[i].source == NULL) continue;
        w->each[i].body = serving_text(s, w->each[i].source);
        if (w->each[i].body == NULL) return serving_no_memory(s);
    }
    return SERVED_DONE;
}
