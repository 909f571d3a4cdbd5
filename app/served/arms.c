/* SPDX-License-Identifier: MIT */
/*
 * Arms by name. In a posse whose arms have names, a text is always a name, and never a number: an article may be called
 * "12" before there is an arm 12.
 */
#include <string.h>

#include "base/utf8.h"
#include "served/health.h"

#define SAY_AT(s, status, where, ...) serving_say(s, status, trail_text(where, (char[TRAIL_TEXT]){0}), __VA_ARGS__)

served_status served_find_arm(serving *s, const served *p, const char *name, int *arm) {
    *arm = posse_arm_find(p->posse, name);
    return *arm >= 0 ? SERVED_DONE : serving_say(s, SERVED_ABSENT, "", "there is no arm \"%.100s\"", name);
}

served_status served_find_control(serving *s, const served *p, const char *name, int *control) {
    serving_begin(s);
    *control = -1;
    if (name == NULL) return SERVED_DONE;
    if (posse_arm_count(p->posse) > 0) return served_find_arm(s, p, name, control);
    for (int i = 0; i < posse_learner_count(p->posse); i++)
        if (strcmp(posse_learner_name(p->posse, i), name) == 0) *control = i;
    return *control >= 0 ? SERVED_DONE : serving_say(s, SERVED_ABSENT, "", "there is no learner \"%.100s\"", name);
}

/* The place of a name among those that join with this request, or -1. */
static int arms_place_of(const serving *s, const char *name) {
    int k = s->joining_count - 1;
    while (k >= 0 && strcmp(s->joining[k], name) != 0) k--;
    return k;
}

static int arms_active(const posse *p) {
    int count = 0;
    for (int arm = 0; arm < posse_arm_count(p); arm++) count += posse_arm_active(p, arm);
    return count;
}

/* The names are in the memory of the request, with room for a power of two. */
static bool arms_announce(serving *s, const char *name) {
    int count = s->joining_count;
    if ((count & (count - 1)) == 0) {
        size_t room = count > 0 ? 2 * (size_t)count : 1;
        const char **larger = serving_memory(s) != NULL ? pool_allocate(s->memory, room * sizeof *larger) : NULL;
        if (larger == NULL) return false;
        if (count > 0) memcpy(larger, s->joining, (size_t)count * sizeof *larger);
        s->joining = larger;
    }
    s->joining[s->joining_count++] = name;
    return true;
}

served_status served_check_arm_name(serving *s, const trail *where, const char *name) {
    if (*name == '\0' || strlen(name) > POSSE_ARM_NAME_MAX)
        return SAY_AT(s, SERVED_WRONG, where, "the name of an arm has 1 to %d bytes", POSSE_ARM_NAME_MAX);
    if (name[utf8_valid(name)] != '\0') return SAY_AT(s, SERVED_WRONG, where, "the name of an arm is not UTF-8");
    return SERVED_DONE;
}

served_status served_name_arm(serving *s, const served *p, const char *name, const trail *where, int *arm) {
    const posse *of = p->posse;
    *arm = posse_arm_find(of, name);
    if (*arm >= 0) {
        health_name(p, *arm);
        return SERVED_DONE;
    }
    int place = arms_place_of(s, name);
    if (place < 0) {
        int active = arms_active(of) + s->joining_count, most = posse_joins(of);
        if (most == 0) return SAY_AT(s, SERVED_ABSENT, where, "there is no arm \"%.100s\"", name);
        if (active >= most)
            return SAY_AT(s, SERVED_CONFLICT, where,
                          "the arm \"%.100s\" cannot join: arms join until %d are active; retire one", name, most);
        served_status named = served_check_arm_name(s, where, name);
        if (named != SERVED_DONE) return named;
        if (posse_dim(of) > 0 && posse_feature_count(of) == 0)
            return SAY_AT(s, SERVED_WRONG, where, "an arm that has a point cannot join by its name alone");
        if (!arms_announce(s, name)) return serving_no_memory(s);
        place = s->joining_count - 1;
    }
    *arm = posse_arm_count(of) + place;
    return SERVED_DONE;
}

bool served_arm_body(serving *s, const char *name, const json_t *point, const char **out) {
    *out = NULL;
    if (!s->store->writes || (name == NULL && point == NULL)) return true;
    if (name == NULL) {
        *out = serving_text(s, point);
        return *out != NULL;
    }
    json_t *body = json_object();
    json_object_set_new(body, "name", json_string(name));
    if (point != NULL) json_object_set(body, "point", (json_t *)point);
    *out = serving_text(s, body);
    json_decref(body);
    return *out != NULL;
}

/* Each joins with a record, as an arm that is added by hand. */
served_status served_join(serving *s, served *p) {
    int count = s->joining_count;
    served_status status = count > 0 ? s->store->prepare(s, p, 0, (size_t)count) : SERVED_DONE;
    for (int k = 0; k < count && status == SERVED_DONE; k++) {
        record r = served_record(p, RECORD_ADD_ARM);
        if (!served_arm_body(s, s->joining[k], NULL, &r.body)) return serving_no_memory(s);
        s->bounded = !s->unlimited;
        posse_error error = posse_arm_join(p->posse, s->joining[k], &r.arm);
        s->bounded = false;
        if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
        health_join(p, r.arm);
        served_note(s, p, &r);
    }
    s->joining_count = 0;
    return status;
}
