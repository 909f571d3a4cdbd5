/* SPDX-License-Identifier: MIT */
/*
 * Creates and drops posses, and adds and retires their learners and arms.
 */
#include <string.h>
#include <unistd.h>

#include "engine/cost.h"
#include "engine/description.h"
#include "engine/inside.h"
#include "posse_inside.h"

static engine_status posses_no_memory(engine *e) {
    return engine_say(e, ENGINE_DOWN, "", "there is not enough memory");
}

/* ----------------------------------------------------- posses ---------------------------------------------------- */

/* Puts the posse that was made from a description into the table. */
static engine_status posses_host(engine *e, const description *d, posse *made, const char *text, size_t length,
                                 hosted **out) {
    hosted *h = hosted_make(e, e->last_posse + 1, d->name);
    if (h == NULL) {
        posse_free(made);
        return posses_no_memory(e);
    }
    h->posse = made;
    h->records = d->records;
    h->expire_seconds = d->expire_seconds;
    h->description = batch_memory(e) != NULL ? pool_copy(e->batch, text, length) : NULL;
    bool fine = h->description != NULL && posse_set_epoch(made, e->epoch) == POSSE_OK &&
                getentropy(h->key, sizeof h->key) == 0 && table_add(e, h);
    if (fine && batch_touch(e, h, 0)) {
        h->created = true;
        e->last_posse++;
        *out = h;
        return ENGINE_DONE;
    }
    if (fine) table_remove(e, h);
    hosted_free(h);
    return posses_no_memory(e);
}

/* A posse that was dropped in this batch keeps its name until the commit. */
static bool is_taken(const engine *e, const char *name) {
    if (engine_find(e, name) != NULL) return true;
    for (size_t i = 0; i < e->touched_count; i++)
        if (strcmp(e->touched[i]->name, name) == 0) return true;
    return false;
}

static engine_status posses_create(engine *e, const char *text, size_t length, pool *memory, hosted **out) {
    description d;
    posse *made = NULL;
    if (!description_read(text, length, memory, &e->found, &d))
        return pool_failed(memory) || e->found.count == 0 ? posses_no_memory(e) : ENGINE_WRONG;
    if (is_taken(e, d.name)) return engine_say(e, ENGINE_CONFLICT, "name", "there is a posse \"%s\" already", d.name);
    e->described = d.root;
    d.def.host = engine_host(e);
    e->bounded = true;
    posse_error error = posse_create(&d.def, &made);
    e->bounded = false;
    e->described = NULL;
    if (error != POSSE_OK) return engine_refuse(e, error, ENGINE_WRONG);
    if (cost_is_too_large(made)) {
        posse_free(made);
        return engine_say(e, ENGINE_WRONG, "propensity_draws", COST_MESSAGE);
    }
    return posses_host(e, &d, made, text, length, out);
}

engine_status engine_create(engine *e, const char *text, size_t length, hosted **out) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    pool *memory = pool_create(NULL);
    if (memory == NULL) return posses_no_memory(e);
    engine_status status = posses_create(e, text, length, memory, out);
    pool_free(memory);
    return status;
}

engine_status engine_drop(engine *e, hosted *h) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    if (!batch_touch(e, h, 0)) return posses_no_memory(e);
    h->dropped = true;
    return ENGINE_DONE;
}

/* ---------------------------------------------------- learners --------------------------------------------------- */

/* Makes room for the record before the change, so that no change lacks its record. */
static bool posses_reshape(engine *e, hosted *h) {
    return batch_memory(e) != NULL && batch_touch(e, h, 1);
}

static record *posses_reshaped(engine *e, hosted *h, record_kind kind) {
    h->reshaped = true;
    return batch_add(e, h, kind);
}

static engine_status posses_add_learner(engine *e, hosted *h, const char *text, size_t length, pool *memory,
                                        int *place) {
    const node *root;
    posse_part learner;
    if (!description_read_learner(text, length, h->posse, memory, &e->found, &root, &learner))
        return pool_failed(memory) || e->found.count == 0 ? posses_no_memory(e) : ENGINE_WRONG;
    const char *body = posses_reshape(e, h) ? pool_copy(e->batch, text, length) : NULL;
    if (body == NULL) return posses_no_memory(e);
    e->described = root;
    e->described_is_part = true;
    e->bounded = true;
    posse_error error = posse_learner_add(h->posse, &learner, place);
    e->bounded = false;
    e->described = NULL; /* the tree is about to be freed */
    if (error != POSSE_OK) return engine_refuse(e, error, error == POSSE_ERROR_NAME ? ENGINE_CONFLICT : ENGINE_WRONG);
    record *r = posses_reshaped(e, h, RECORD_ADD_LEARNER);
    r->learner = posse_learner_name(h->posse, *place);
    r->body = body;
    return ENGINE_DONE;
}

engine_status engine_learner_add(engine *e, hosted *h, const char *text, size_t length, int *place) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    pool *memory = pool_create(NULL);
    if (memory == NULL) return posses_no_memory(e);
    engine_status status = posses_add_learner(e, h, text, length, memory, place);
    pool_free(memory);
    return status;
}

static int posses_find_learner(const posse *p, const char *name) {
    for (int i = 0; i < posse_learner_count(p); i++)
        if (strcmp(posse_learner_name(p, i), name) == 0) return i;
    return -1;
}

engine_status engine_learner_retire(engine *e, hosted *h, const char *name) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    int place = posses_find_learner(h->posse, name);
    if (place < 0) return engine_say(e, ENGINE_ABSENT, "", "there is no learner \"%.100s\"", name);
    if (!posse_learner_active(h->posse, place)) return ENGINE_DONE; /* a repeated request */
    if (!posses_reshape(e, h)) return posses_no_memory(e);
    posse_error error = posse_learner_retire(h->posse, place);
    if (error == POSSE_ERROR_LEARNER)
        return engine_say(e, ENGINE_CONFLICT, "", "the last active learner cannot be retired");
    if (error != POSSE_OK) return engine_refuse(e, error, ENGINE_CONFLICT);
    posses_reshaped(e, h, RECORD_RETIRE_LEARNER)->learner = posse_learner_name(h->posse, place);
    return ENGINE_DONE;
}

/* ------------------------------------------------------ arms ----------------------------------------------------- */

engine_status engine_arm_add(engine *e, hosted *h, const json_t *point, int *arm) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    if (!posses_reshape(e, h)) return posses_no_memory(e);
    bool needed = posse_dim(h->posse) > 0 && posse_feature_count(h->posse) == 0;
    if (!needed && point != NULL) return engine_say(e, ENGINE_WRONG, "point", "arms of this posse have no points");
    const double *numbers = needed ? batch_read_numbers(e, point, (size_t)posse_dim(h->posse), "point") : NULL;
    if (needed && numbers == NULL) return ENGINE_WRONG;
    const char *body = point != NULL ? body_of(e, point) : NULL;
    e->bounded = true;
    posse_error error = posse_arm_add(h->posse, numbers, arm);
    e->bounded = false;
    if (error != POSSE_OK) return engine_refuse(e, error, ENGINE_CONFLICT);
    record *r = posses_reshaped(e, h, RECORD_ADD_ARM);
    r->arm = *arm;
    r->body = body;
    return ENGINE_DONE;
}

engine_status engine_arm_retire(engine *e, hosted *h, int arm) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    if (arm < 0 || arm >= posse_arm_count(h->posse)) return engine_say(e, ENGINE_ABSENT, "", "there is no arm %d", arm);
    if (!posse_arm_active(h->posse, arm)) return ENGINE_DONE; /* a repeated request */
    if (!posses_reshape(e, h)) return posses_no_memory(e);
    posse_error error = posse_arm_retire(h->posse, arm);
    if (error == POSSE_ERROR_ARM) return engine_say(e, ENGINE_CONFLICT, "", "the last active arm cannot be retired");
    if (error != POSSE_OK) return engine_refuse(e, error, ENGINE_CONFLICT);
    posses_reshaped(e, h, RECORD_RETIRE_ARM)->arm = arm;
    return ENGINE_DONE;
}
