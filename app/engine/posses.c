/* SPDX-License-Identifier: MIT */
/*
 * Creates, changes and drops posses, each in the batch.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/json_text.h"
#include "engine/inside.h"
#include "posse_inside.h"

/* ----------------------------------------------------- posses ---------------------------------------------------- */

served_status posses_host(engine *e, const description *d, posse *made, const char *text, size_t length, hosted **out) {
    hosted *h = hosted_make(e, e->last_posse + 1, d->name);
    if (h == NULL) {
        posse_free(made);
        return serving_no_memory(&e->serving);
    }
    h->served.posse = made;
    h->records = d->records;
    h->served.expire_seconds = d->expire_seconds;
    h->description = serving_memory(&e->serving) != NULL ? pool_copy(e->serving.memory, text, length) : NULL;
    bool fine = h->description != NULL &&
                (posse_epoch(made) == e->epoch || posse_set_epoch(made, e->epoch) == POSSE_OK) &&
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

served_status posses_check_name(engine *e, const char *name) {
    if (!is_taken(e, name)) return SERVED_DONE;
    return serving_say(&e->serving, SERVED_CONFLICT, "name", "there is a posse \"%s\" already", name);
}

served_status posses_describe(engine *e, const char *text, size_t length, pool *memory, description *out) {
    serving *s = &e->serving;
    if (!description_read(text, length, memory, serving_problems(s), out))
        return pool_failed(memory) || s->found.count == 0 ? serving_no_memory(s) : SERVED_WRONG;
    return posses_check_name(e, out->name);
}

served_status posses_make(engine *e, const description *d, const char *text, size_t length, hosted **out) {
    posse *made = NULL;
    served_status status = served_create(&e->serving, d, engine_allocator(e), &made);
    return status == SERVED_DONE ? posses_host(e, d, made, text, length, out) : status;
}

served_status engine_create(engine *e, const char *text, size_t length, hosted **out) {
    if (!engine_enter(e)) return SERVED_DOWN;
    pool *memory = pool_create(NULL);
    if (memory == NULL) return serving_no_memory(&e->serving);
    description d;
    served_status status = posses_describe(e, text, length, memory, &d);
    if (status == SERVED_DONE) status = posses_make(e, &d, text, length, out);
    pool_free(memory);
    return status;
}

served_status engine_drop(engine *e, hosted *h) {
    if (!engine_enter(e)) return SERVED_DOWN;
    if (!batch_touch(e, h, 0) || !batch_erase(e, h, "")) return serving_no_memory(&e->serving);
    h->dropped = true;
    return SERVED_DONE;
}

/* A unit is forgotten at once. The erasure itself is part of the batch. */
static served_status posses_announce_erasure(engine *e, hosted *h, const reshape *asked) {
    served_visit visit = {.unit = asked->name};
    served_status status = served_keep_unit(&e->serving, &visit);
    if (status != SERVED_DONE) return status;
    bool fine = batch_touch(e, h, 0) && batch_erase(e, h, asked->name != NULL ? visit.unit : "");
    return fine ? SERVED_DONE : serving_no_memory(&e->serving);
}

/* ----------------------------------------------------- changes --------------------------------------------------- */

served_status posses_reshape(serving *s, hosted *h, reshape *asked) {
    served *p = &h->served;
    const char *name = asked->name;
    served_status status;
    switch (asked->kind) {
    case RESHAPE_ADD_LEARNER:
        return served_learner_add(s, p, asked->text, asked->length, &asked->place);
    case RESHAPE_RETIRE_LEARNER:
        return served_learner_retire(s, p, name, strlen(name));
    case RESHAPE_ADD_ARM:
        return served_arm_add(s, p, name, asked->value, &asked->place);
    case RESHAPE_RETIRE_ARM:
        status = served_find_arm(s, p, name, &asked->place);
        return status == SERVED_DONE ? served_arm_retire(s, p, asked->place) : status;
    case RESHAPE_NEXT_TASK:
        return served_next_task(s, p);
    case RESHAPE_MODES:
        return served_set_modes(s, p, asked->value);
    case RESHAPE_ERASE:
        asked->known = name != NULL && posse_unit_forget(p->posse, name, strlen(name));
        return SERVED_DONE;
    default: /* the others are no changes of an existing posse */
        return SERVED_WRONG;
    }
}

served_status posses_announce(engine *e, hosted *h, const reshape *asked) {
    if (asked->kind == RESHAPE_ERASE) return posses_announce_erasure(e, h, asked);
    return batch_touch(e, h, 0) ? SERVED_DONE : serving_no_memory(&e->serving);
}

served_status engine_reshape(engine *e, hosted *h, reshape *asked) {
    served_status status = engine_enter(e) ? SERVED_DONE : SERVED_DOWN;
    if (status == SERVED_DONE && asked->kind == RESHAPE_ERASE) status = posses_announce_erasure(e, h, asked);
    return status == SERVED_DONE ? posses_reshape(&e->serving, h, asked) : status;
}

served_status engine_control(engine *e, const hosted *h, const char *name, int *control) {
    return engine_enter(e) ? served_find_control(&e->serving, &h->served, name, control) : SERVED_DOWN;
}

/* ------------------------------------------------------ replay --------------------------------------------------- */

/* The body is that of served_arm_body: a name and a point, a point alone, or nothing. */
static posse_error posses_add_described(posse *p, const json_t *body) {
    const json_t *point = json_is_object(body) ? json_object_get(body, "point") : body;
    const char *name = json_string_value(json_object_get(body, "name"));
    size_t dim = point != NULL ? json_array_size(point) : 0;
    double *numbers = dim > 0 ? malloc(dim * sizeof *numbers) : NULL;
    if (dim > 0 && numbers == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < dim; i++) numbers[i] = json_number_value(json_array_get(point, i));
    bool fits = dim == 0 || dim == (size_t)posse_dim(p);
    posse_error error = !fits          ? POSSE_ERROR_DAMAGED
                        : name != NULL ? posse_arm_add_named(p, name, numbers, NULL)
                                       : posse_arm_add(p, numbers, NULL);
    free(numbers);
    return error;
}

posse_error hosted_add_arm(posse *p, const char *body) {
    json_t *read = body != NULL ? json_read_own(body) : NULL;
    posse_error error = body != NULL && read == NULL ? POSSE_ERROR_DAMAGED : posses_add_described(p, read);
    json_decref(read);
    return error;
}
