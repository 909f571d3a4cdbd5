/* SPDX-License-Identifier: MIT */
/*
 * Creates and drops posses, and adds and retires their learners and arms, each in the batch.
 */
#include <string.h>
#include <unistd.h>

#include "engine/inside.h"
#include "posse_inside.h"

/* ----------------------------------------------------- posses ---------------------------------------------------- */

/* Puts the posse that was made from a description into the table. */
static served_status posses_host(engine *e, const description *d, posse *made, const char *text, size_t length,
                                 hosted **out) {
    hosted *h = hosted_make(e, e->last_posse + 1, d->name);
    if (h == NULL) {
        posse_free(made);
        return serving_no_memory(&e->serving);
    }
    h->served.posse = made;
    h->records = d->records;
    h->served.expire_seconds = d->expire_seconds;
    h->description = serving_memory(&e->serving) != NULL ? pool_copy(e->serving.memory, text, length) : NULL;
    bool fine = h->description != NULL && posse_set_epoch(made, e->epoch) == POSSE_OK &&
                getentropy(h->served.key, sizeof h->served.key) == 0 && table_add(e, h);
    if (fine && batch_touch(e, h, 0)) {
        h->created = true;
        e->last_posse++;
        *out = h;
        return SERVED_DONE;
    }
    if (fine) table_remove(e, h);
    hosted_free(h);
    return serving_no_memory(&e->serving);
}

/* A posse that was dropped in this batch keeps its name until the commit. */
static bool is_taken(const engine *e, const char *name) {
    if (engine_find(e, name) != NULL) return true;
    for (size_t i = 0; i < e->batch.touched_count; i++)
        if (strcmp(e->batch.touched[i]->name, name) == 0) return true;
    return false;
}

static served_status posses_create(engine *e, const char *text, size_t length, pool *memory, hosted **out) {
    serving *s = &e->serving;
    description d;
    posse *made = NULL;
    if (!description_read(text, length, memory, serving_problems(s), &d))
        return pool_failed(memory) || s->found.count == 0 ? serving_no_memory(s) : SERVED_WRONG;
    if (is_taken(e, d.name)) return serving_say(s, SERVED_CONFLICT, "name", "there is a posse \"%s\" already", d.name);
    served_status status = served_create(s, &d, engine_allocator(e), &made);
    return status == SERVED_DONE ? posses_host(e, &d, made, text, length, out) : status;
}

served_status engine_create(engine *e, const char *text, size_t length, hosted **out) {
    if (!engine_enter(e)) return SERVED_DOWN;
    pool *memory = pool_create(NULL);
    if (memory == NULL) return serving_no_memory(&e->serving);
    served_status status = posses_create(e, text, length, memory, out);
    pool_free(memory);
    return status;
}

served_status engine_drop(engine *e, hosted *h) {
    if (!engine_enter(e)) return SERVED_DOWN;
    if (!batch_touch(e, h, 0) || !batch_erase(e, h, "")) return serving_no_memory(&e->serving);
    h->dropped = true;
    return SERVED_DONE;
}

served_status engine_set_modes(engine *e, hosted *h, const json_t *said) {
    return engine_enter(e) ? served_set_modes(&e->serving, &h->served, said) : SERVED_DOWN;
}

served_status engine_erase(engine *e, hosted *h, const char *unit, bool *known) {
    served_visit visit = {.unit = unit};
    *known = false;
    if (!engine_enter(e)) return SERVED_DOWN;
    served_status status = served_keep_unit(&e->serving, &visit);
    if (status != SERVED_DONE) return status;
    if (!batch_touch(e, h, 0) || !batch_erase(e, h, unit != NULL ? visit.unit : ""))
        return serving_no_memory(&e->serving);
    if (unit != NULL) *known = posse_unit_forget(h->served.posse, unit, strlen(unit));
    return SERVED_DONE;
}

/* ----------------------------------------------- learners and arms ----------------------------------------------- */

served_status engine_learner_add(engine *e, hosted *h, const char *text, size_t length, int *place) {
    return engine_enter(e) ? served_learner_add(&e->serving, &h->served, text, length, place) : SERVED_DOWN;
}

served_status engine_learner_retire(engine *e, hosted *h, const char *name) {
    return engine_enter(e) ? served_learner_retire(&e->serving, &h->served, name, strlen(name)) : SERVED_DOWN;
}

served_status engine_arm_add(engine *e, hosted *h, const char *name, const json_t *point, int *arm) {
    return engine_enter(e) ? served_arm_add(&e->serving, &h->served, name, point, arm) : SERVED_DOWN;
}

served_status engine_control(engine *e, const hosted *h, const char *name, int *control) {
    return engine_enter(e) ? served_find_control(&e->serving, &h->served, name, control) : SERVED_DOWN;
}

served_status engine_arm_retire(engine *e, hosted *h, const char *name, int *arm) {
    if (!engine_enter(e)) return SERVED_DOWN;
    served_status status = served_find_arm(&e->serving, &h->served, name, arm);
    return status == SERVED_DONE ? served_arm_retire(&e->serving, &h->served, *arm) : status;
}
