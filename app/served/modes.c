/* SPDX-License-Identifier: MIT */
/*
 * The modes of a served posse, and suggestions that become decisions.
 */
#include "describe/modes_text.h"
#include "served/served.h"

served_status served_set_modes(serving *s, served *p, const json_t *said) {
    modes_problem why;
    posse_modes wanted = posse_modes_of(p->posse);
    serving_begin(s);
    if (!modes_text_read(said, p->posse, &wanted, &why)) return serving_say(s, SERVED_WRONG, why.path, "%s", why.text);
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_MODES);
    if (s->store->writes && (r.body = serving_text(s, said)) == NULL) return serving_no_memory(s);
    posse_error error = posse_set_modes(p->posse, &wanted);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_WRONG);
    served_note(s, p, &r);
    return SERVED_DONE;
}

/* Whole seconds, rounded up, so that no decision expires too early. */
uint64_t served_note_shown(serving *s, served *p, uint64_t id) {
    uint64_t now = (uint64_t)s->now + 1;
    bool noted = p->expire_seconds > 0 && posse_note_shown(p->posse, id, now) == POSSE_OK;
    return noted ? now : 0;
}

served_status served_activate(serving *s, served *p, const served_reward *which, bool *again) {
    token t;
    posse_pending waiting;
    *again = false;
    serving_begin(s);
    served_status status = served_read_token(s, p, which, &t);
    if (status != SERVED_DONE) return status;
    if (posse_pending_find(p->posse, t.id, &waiting) != POSSE_OK) return served_refuse_past(s, p, which, t.id);
    int arm = posse_suggestion(p->posse, t.id);
    *again = waiting.arm == t.arm;
    if (*again) return SERVED_DONE;
    if (arm < 0 || waiting.arm != POSSE_ARM_UNTOLD)
        return served_say_at(s, p, SERVED_CONFLICT, which, "token", "another arm was played");
    status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_ACTED);
    r.decision = t.id;
    r.arm = arm;
    r.learner = posse_learner_name(p->posse, waiting.learner);
    posse_error error = posse_activate(p->posse, t.id);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
    r.now = served_note_shown(s, p, t.id);
    served_note(s, p, &r);
    return SERVED_DONE;
}
