/* SPDX-License-Identifier: MIT */
/*
 * Creates posses, adds and retires their learners and arms, and begins tasks.
 */
#include <string.h>

#include "served/context.h"
#include "served/cost.h"
#include "served/served.h"

/* ----------------------------------------------------- posses ---------------------------------------------------- */

static served_status shape_retire_arms(serving *s, const description *d, posse *made) {
    posse_error error = POSSE_OK;
    for (size_t i = 0; i < d->retired_count && error == POSSE_OK; i++) error = posse_arm_retire(made, d->retired[i]);
    if (error == POSSE_ERROR_ARM)
        return serving_say(s, SERVED_WRONG, "retired", "it lists arms that exist, and not all of them");
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

served_status served_create(serving *s, const description *d, posse_allocator memory, posse **out) {
    posse_def def = d->def;
    s->described = d->root;
    s->described_is_part = false;
    def.host = (posse_host){.allocator = memory, .log = serving_logger(s)};
    s->bounded = !s->unlimited;
    posse_error error = posse_create(&def, out);
    s->bounded = false;
    s->described = NULL; /* the tree is about to be freed */
    served_status status = error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
    if (status == SERVED_DONE && !s->unlimited && cost_is_too_large(*out))
        status = serving_say(s, SERVED_WRONG, "propensity_draws", COST_MESSAGE);
    if (status == SERVED_DONE) status = shape_retire_arms(s, d, *out);
    if (status == SERVED_DONE) return SERVED_DONE;
    posse_free(*out);
    *out = NULL;
    return status;
}

/* ---------------------------------------------------- learners --------------------------------------------------- */

static served_status shape_add_learner(serving *s, served *p, const char *text, size_t length, pool *memory,
                                       int *place) {
    const node *root;
    posse_part learner;
    const char *body = NULL;
    if (!description_read_learner(text, length, p->posse, memory, serving_problems(s), &root, &learner))
        return pool_failed(memory) || s->found.count == 0 ? serving_no_memory(s) : SERVED_WRONG;
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    if (s->store->writes && (serving_memory(s) == NULL || (body = pool_copy(s->memory, text, length)) == NULL))
        return serving_no_memory(s);
    s->described = root;
    s->described_is_part = true;
    s->bounded = !s->unlimited;
    posse_error error = posse_learner_add(p->posse, &learner, place);
    s->bounded = false;
    s->described = NULL; /* the tree is about to be freed */
    if (error != POSSE_OK) return serving_refuse(s, error, error == POSSE_ERROR_NAME ? SERVED_CONFLICT : SERVED_WRONG);
    record r = served_record(p, RECORD_ADD_LEARNER);
    r.learner = posse_learner_name(p->posse, *place);
    r.body = body;
    served_note(s, p, &r);
    return SERVED_DONE;
}

served_status served_learner_add(serving *s, served *p, const char *text, size_t length, int *place) {
    serving_begin(s);
    pool *memory = pool_create(NULL);
    if (memory == NULL) return serving_no_memory(s);
    served_status status = shape_add_learner(s, p, text, length, memory, place);
    pool_free(memory);
    return status;
}

static int shape_find_learner(const posse *p, const char *name, size_t length) {
    for (int i = 0; i < posse_learner_count(p); i++) {
        const char *other = posse_learner_name(p, i);
        if (strlen(other) == length && memcmp(other, name, length) == 0) return i;
    }
    return -1;
}

served_status served_learner_retire(serving *s, served *p, const char *name, size_t length) {
    serving_begin(s);
    int place = shape_find_learner(p->posse, name, length);
    if (place < 0) return serving_say(s, SERVED_ABSENT, "", "there is no learner \"%.100s\"", name);
    if (!posse_learner_active(p->posse, place)) return SERVED_DONE; /* a repeated request */
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    posse_error error = posse_learner_retire(p->posse, place);
    if (error == POSSE_ERROR_LEARNER)
        return serving_say(s, SERVED_CONFLICT, "", "the last active learner cannot be retired");
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
    record r = served_record(p, RECORD_RETIRE_LEARNER);
    r.learner = posse_learner_name(p->posse, place);
    served_note(s, p, &r);
    return SERVED_DONE;
}

/* ------------------------------------------------------ arms ----------------------------------------------------- */

static served_status shape_read_point(serving *s, const served *p, const json_t *point, const double **out) {
    bool needed = posse_dim(p->posse) > 0 && posse_feature_count(p->posse) == 0;
    *out = NULL;
    if (!needed && point != NULL) return serving_say(s, SERVED_WRONG, "point", "arms of this posse have no points");
    if (!needed) return SERVED_DONE;
    if (serving_memory(s) == NULL) return serving_no_memory(s);
    *out = numbers_read(point, (size_t)posse_dim(p->posse), "point", s->memory, serving_problems(s));
    return *out != NULL ? SERVED_DONE : pool_failed(s->memory) ? SERVED_DOWN : SERVED_WRONG;
}

served_status served_arm_add(serving *s, served *p, const char *name, const json_t *point, int *arm) {
    const double *numbers;
    const char *body;
    serving_begin(s);
    served_status status = name != NULL ? served_check_arm_name(s, &(trail){.key = "name"}, name) : SERVED_DONE;
    if (status == SERVED_DONE) status = shape_read_point(s, p, point, &numbers);
    if (status == SERVED_DONE) status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    if (!served_arm_body(s, name, point, &body)) return serving_no_memory(s);
    s->bounded = !s->unlimited;
    posse_error error =
        name != NULL ? posse_arm_add_named(p->posse, name, numbers, arm) : posse_arm_add(p->posse, numbers, arm);
    s->bounded = false;
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
    record r = served_record(p, RECORD_ADD_ARM);
    r.arm = *arm;
    r.body = body;
    served_note(s, p, &r);
    return SERVED_DONE;
}

served_status served_arm_retire(serving *s, served *p, int arm) {
    serving_begin(s);
    if (arm < 0 || arm >= posse_arm_count(p->posse))
        return serving_say(s, SERVED_ABSENT, "", "there is no arm %d", arm);
    if (!posse_arm_active(p->posse, arm)) return SERVED_DONE; /* a repeated request */
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    posse_error error = posse_arm_retire(p->posse, arm);
    if (error == POSSE_ERROR_ARM) return serving_say(s, SERVED_CONFLICT, "", "the last active arm cannot be retired");
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
    record r = served_record(p, RECORD_RETIRE_ARM);
    r.arm = arm;
    served_note(s, p, &r);
    return SERVED_DONE;
}

/* ------------------------------------------------------ tasks ---------------------------------------------------- */

served_status served_next_task(serving *s, served *p) {
    serving_begin(s);
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    record r = served_record(p, RECORD_NEXT_TASK);
    posse_error error = posse_next_task(p->posse);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_CONFLICT);
    served_note(s, p, &r);
    return SERVED_DONE;
}
