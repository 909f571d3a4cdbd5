/* SPDX-License-Identifier: MIT */
/*
 * Plays of external learners, and plays that no decision asked for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posse_features.h"
#include "posse_inside.h"
#include "served/context.h"
#include "served/cost.h"
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
    return play->name != NULL ? served_name_arm(s, p, play->name, &(trail){.key = "arm"}, &out->arm) : SERVED_DONE;
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

/* A play that can be taught. */
typedef struct lesson {
    served_play play; /* whose arm is a number */
    read_play numbers;
    double reward;
} lesson;

/* Reads a play. paths: of its reward. */
static served_status lesson_read(serving *s, const served *p, const served_play *said, double reward,
                                 const char *reward_path, lesson *out) {
    char message[REWARD_MESSAGE];
    served_play *play = &out->play;
    out->reward = reward;
    served_status status = play_by_number(s, p, said, play);
    if (status == SERVED_DONE) status = play_check(s, p, play);
    if (status == SERVED_DONE && play->source == NULL) status = served_read_context(s, p, NULL, &out->numbers.context);
    if (status == SERVED_DONE) status = play_read(s, p, play, &out->numbers);
    if (status != SERVED_DONE || reward_fits(p->posse, reward, message)) return status;
    s->counts.refused++;
    health_refuse(p);
    return serving_say(s, SERVED_REWARD, reward_path, "%s", message);
}

static served_status lesson_teach(serving *s, served *p, const lesson *l) {
    const char *body;
    served_status status = play_prepare(s, p, &l->play, &body);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_TEACH);
    r.arm = l->play.point != NULL ? RECORD_NO_ARM : l->play.arm;
    r.reward = l->reward;
    r.body = body;
    posse_action action = play_action(&l->play, &l->numbers);
    posse_error error = posse_teach(p->posse, &action, l->reward);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_WRONG);
    s->counts.taught++;
    served_note(s, p, &r);
    return SERVED_DONE;
}

served_status served_teach(serving *s, served *p, const served_play *said, double reward, const char *reward_path) {
    lesson one;
    serving_begin(s);
    served_status status = lesson_read(s, p, said, reward, reward_path, &one);
    if (status == SERVED_DONE) status = served_join(s, p);
    return status == SERVED_DONE ? lesson_teach(s, p, &one) : status;
}

/* -------------------------------------------------- many at a time ----------------------------------------------- */

/* {"arm": 2, "reward": 1, "context": {..}}; json: keeps what is made for it. */
static served_status lesson_read_json(serving *s, const served *p, const json_t *said, json_t *made, lesson *out) {
    static const char *const keys[] = {"arm", "point", "reward", "context", "arms"};
    bool named = posse_takes_names(p->posse);
    const json_t *arm = json_object_get(said, "arm"), *reward = json_object_get(said, "reward");
    json_t *context = json_object_get(said, "context"), *arms = json_object_get(said, "arms");
    served_play play = {.point = json_object_get(said, "point"), .source = context, .name = json_string_value(arm)};
    int64_t number = -1;
    const char *key;
    json_t *value;
    if (!json_is_object(said))
        return serving_say(s, SERVED_WRONG, "", "it must be a play, {\"arm\": 2, \"reward\": 1}");
    json_object_foreach((json_t *)said, key, value) {
        size_t k = 0;
        while (k < 4 + (size_t)named && strcmp(key, keys[k]) != 0) k++;
        if (k == 4 + (size_t)named) return serving_say(s, SERVED_WRONG, key, "there is no such key here");
    }
    if (play.point == NULL && play.name == NULL && !whole_read(arm, 0, 1000000, &number))
        return serving_say(s, SERVED_WRONG, "arm", "the number or the name of the arm that was played is needed");
    if (!json_is_number(reward) && !json_is_boolean(reward))
        return serving_say(s, SERVED_REWARD, "reward", "a reward is a number");
    play.arm = (int)number;
    if (named && (context != NULL || arms != NULL)) {
        json_t *round = json_object();
        if (context != NULL) json_object_set(round, "context", context);
        if (arms != NULL) json_object_set(round, "arms", arms);
        if (json_array_append_new(made, round) != 0) return serving_no_memory(s);
        play.source = round;
    }
    return lesson_read(s, p, &play, json_is_boolean(reward) ? json_is_true(reward) : json_number_value(reward),
                       "reward", out);
}

/* Reads all plays, and checks that each can be taught after those before it. *at: the entry that is wrong. */
static served_status lessons_check(serving *s, served *p, const json_t *list, json_t *made, lesson *out, size_t *at) {
    size_t count = json_array_size(list);
    served_status status = SERVED_DONE;
    for (*at = 0; *at < count; (*at)++) {
        status = lesson_read_json(s, p, json_array_get(list, *at), made, &out[*at]);
        if (status == SERVED_DONE && s->joining_count > 0)
            status = serving_say(s, SERVED_ABSENT, "arm", "there is no such arm; an arm joins by a single play");
        if (status != SERVED_DONE) return status;
    }
    posse_error error = posse_trial_begin(p->posse);
    for (*at = 0; *at < count && error == POSSE_OK; *at += error == POSSE_OK) {
        posse_action action = play_action(&out[*at].play, &out[*at].numbers);
        error = posse_check_teach(p->posse, &action, out[*at].reward);
    }
    posse_trial_end(p->posse, false);
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

static served_status lessons_limit(serving *s, const served *p, const json_t *list) {
    size_t count = json_array_size(list), most = cost_plays_max(p->posse);
    if (!json_is_array(list)) return serving_say(s, SERVED_WRONG, "plays", "it must be a list of plays");
    if (count <= most || s->unlimited) return SERVED_DONE;
    return serving_say(s, SERVED_LARGE, "plays",
                       "%zu plays would take too long: this posse is taught at most %zu at a time", count, most);
}

served_status served_teach_list(serving *s, served *p, const json_t *list) {
    size_t count = json_array_size(list), at = 0;
    serving_begin(s);
    served_status status = lessons_limit(s, p, list);
    if (status != SERVED_DONE) return status;
    json_t *made = json_array();
    lesson *lessons = calloc(count + 1, sizeof *lessons);
    status = lessons != NULL && made != NULL ? lessons_check(s, p, list, made, lessons, &at) : serving_no_memory(s);
    if (status != SERVED_DONE && lessons != NULL) serving_place(s, "plays", at);
    for (size_t i = 0; i < count && status == SERVED_DONE; i++) status = lesson_teach(s, p, &lessons[i]);
    free(lessons);
    json_decref(made);
    return status;
}
