/* SPDX-License-Identifier: MIT */
/*
 * Plays of external learners, and plays that no decision asked for.
 */
#include <math.h>

#include "served/context.h"
#include "served/health.h"
#include "served/rewards.h"
#include "served/served.h"

/* A play with its numbers read. */
typedef struct read_play {
    const double *point;
    posse_context context;
} read_play;

/* The same play with the number of its arm. */
static served_status play_by_number(serving *s, const served *p, const served_play *play, served_play *out) {
    *out = *play;
    return play->name != NULL ? served_name_arm(s, p, play->name, "arm", &out->arm) : SERVED_DONE;
}

/* Where there must be a point, an arm is refused by the library, and the reverse. */
static served_status play_read(serving *s, const served *p, const served_play *play, read_play *out) {
    *out = (read_play){0};
    if (play->source != NULL) return served_read_context(s, p, play->source, &out->context);
    if (play->point == NULL) return SERVED_DONE;
    if (serving_memory(s) == NULL) return serving_no_memory(s);
    out->point = numbers_read(play->point, (size_t)posse_dim(p->posse), "point", s->memory, serving_problems(s));
    if (out->point != NULL) return SERVED_DONE;
    return pool_failed(s->memory) ? SERVED_DOWN : SERVED_WRONG;
}

/* The body of a record, in the form that the server's recovery reads. NULL: there is none, or no memory. */
static const char *play_body(serving *s, const served_play *play) {
    if (!s->store->writes || (play->point == NULL && play->source == NULL)) return NULL;
    json_t *body = json_object();
    if (play->point != NULL) json_object_set(body, "point", (json_t *)play->point);
    if (play->source != NULL) json_object_set(body, "context", (json_t *)play->source);
    const char *text = serving_text(s, body);
    json_decref(body);
    return text;
}

/* Makes room for a record with its body before anything is changed. */
static served_status play_prepare(serving *s, served *p, const served_play *play, const char **body) {
    bool needed = s->store->writes && (play->point != NULL || play->source != NULL);
    *body = play_body(s, play);
    return needed && *body == NULL ? serving_no_memory(s) : s->store->prepare(s, p, 0, 1);
}

/* Whether the client has reported the same before. */
static bool play_is_same(const served *p, const posse_pending *pending, const served_play *play,
                         const read_play *numbers) {
    if (numbers->point == NULL) return pending->arm == play->arm;
    return pending->point != NULL && points_are_same(numbers->point, pending->point, (size_t)posse_dim(p->posse));
}

static posse_action play_action(const served_play *play, const read_play *numbers) {
    return (posse_action){play->arm, numbers->point, play->source != NULL ? &numbers->context : NULL};
}

/* A decision that is not pending was settled, or lost. */
served_status served_refuse_past(serving *s, const served *p, const served_reward *which, uint64_t id) {
    const char *why = NULL;
    double reward;
    if (s->store->find_past(s, p, id, &reward, &why) == PAST_LOST)
        return served_say_at(s, p, SERVED_LOST, which, "token", why != NULL ? why : "this decision was lost");
    return served_say_at(s, p, SERVED_CONFLICT, which, "token", "this decision is not pending");
}

served_status served_acted(serving *s, served *p, const served_reward *which, const served_play *said, bool *again) {
    token t;
    posse_pending pending;
    served_play numbered, *play = &numbered;
    read_play numbers;
    const char *body;
    *again = false;
    serving_begin(s);
    served_status status = served_read_token(s, p, which, &t);
    if (status == SERVED_DONE) status = play_by_number(s, p, said, play);
    if (status == SERVED_DONE) status = play_read(s, p, play, &numbers);
    if (status != SERVED_DONE) return status;
    bool known = posse_pending_find(p->posse, t.id, &pending) == POSSE_OK;
    bool suggested = posse_suggestion(p->posse, t.id) >= 0;
    if (t.arm != POSSE_ARM_UNTOLD && !suggested)
        return served_say_at(s, p, SERVED_CONFLICT, which, "token",
                             "the learner of this decision named its arm itself");
    if (!known) return served_refuse_past(s, p, which, t.id);
    *again = pending.arm != POSSE_ARM_UNTOLD && play_is_same(p, &pending, play, &numbers);
    if (*again) return SERVED_DONE;
    if (pending.arm != POSSE_ARM_UNTOLD)
        return served_say_at(s, p, SERVED_CONFLICT, which, "token", "the arm that was played is known already");
    status = served_join(s, p);
    if (status == SERVED_DONE) status = play_prepare(s, p, play, &body);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_ACTED);
    r.decision = t.id;
    r.arm = play->arm;
    r.learner = posse_learner_name(p->posse, pending.learner);
    r.body = body;
    posse_action action = play_action(play, &numbers);
    posse_error error = posse_acted(p->posse, t.id, &action);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_WRONG);
    r.now = served_note_shown(s, p, t.id);
    served_note(s, p, &r);
    return SERVED_DONE;
}

/* What can be taught without learning it: the arm exists, and a context is there if and only if rounds have features.
 */
static served_status play_check(serving *s, const served *p, const served_play *play) {
    const posse *posse_ = p->posse;
    bool ball = posse_arm_count(posse_) == 0 && posse_dim(posse_) > 0;
    if (ball && play->point == NULL)
        return serving_say(s, SERVED_WRONG, "point", "the point that was played is needed");
    if (!ball && play->point != NULL) return serving_say(s, SERVED_WRONG, "point", "the number of the arm is needed");
    if (!ball && (play->arm < 0 || play->arm >= posse_arm_count(posse_) + s->joining_count))
        return serving_say(s, SERVED_ABSENT, "arm", "there is no arm %d", play->arm);
    return SERVED_DONE;
}

served_status served_teach(serving *s, served *p, const served_play *said, double reward, const char *reward_path) {
    char message[REWARD_MESSAGE];
    served_play numbered, *play = &numbered;
    read_play numbers;
    const char *body;
    serving_begin(s);
    served_status status = play_by_number(s, p, said, play);
    if (status == SERVED_DONE) status = play_check(s, p, play);
    if (status == SERVED_DONE && play->source == NULL) status = served_read_context(s, p, NULL, &numbers.context);
    if (status == SERVED_DONE) status = play_read(s, p, play, &numbers);
    if (status != SERVED_DONE) return status;
    if (!reward_fits(p->posse, reward, message)) {
        s->counts.refused++;
        health_refuse(p);
        return serving_say(s, SERVED_REWARD, reward_path, "%s", message);
    }
    status = served_join(s, p);
    if (status == SERVED_DONE) status = play_prepare(s, p, play, &body);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_TEACH);
    r.arm = play->point != NULL ? RECORD_NO_ARM : play->arm;
    r.reward = reward;
    r.body = body;
    posse_action action = play_action(play, &numbers);
    posse_error error = posse_teach(p->posse, &action, reward);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_WRONG);
    s->counts.taught++;
    served_note(s, p, &r);
    return SERVED_DONE;
}
